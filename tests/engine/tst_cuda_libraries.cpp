// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LibTorch's CUDA half is no part of the program until it is asked for. Needs no GPU: the libraries open and
// register themselves without one.
#include "core/engine/jobs/cuda_libraries.h"
#include "core/engine/jobs/engine_versions.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <gtest/gtest.h>

using homebooth::core::engineVersions;
using homebooth::core::loadCudaLibraries;

TEST(CudaLibraries, openWhenAskedForAndRegisterTheirDevice) {
    ASSERT_FALSE(c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA)) << "linked after all";
    const auto loaded = loadCudaLibraries();
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_TRUE(c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA));
    EXPECT_TRUE(at::detail::getCUDAHooks().hasCUDART()) << "LibTorch does not know them";
    EXPECT_TRUE(loadCudaLibraries()) << "a second time";
}

TEST(CudaLibraries, areNamedWithTheirVersionsWhereAGpuComputes) {
    EXPECT_FALSE(engineVersions(at::kCPU).contains("cuda"));
    EXPECT_FALSE(engineVersions(at::kCPU).at("libtorch").empty());
    ASSERT_TRUE(loadCudaLibraries());
    const auto versions = engineVersions(at::Device(at::kCUDA, 0));
    EXPECT_EQ(versions.at("libtorch"), engineVersions(at::kCPU).at("libtorch"));
    for (const char* name : {"cuda", "cudnn"}) {
        const std::string& version = versions.at(name);
        EXPECT_GE(std::stoi(version), 9) << name << " " << version;
        EXPECT_NE(version.find('.'), std::string::npos) << name << " " << version;
    }
}

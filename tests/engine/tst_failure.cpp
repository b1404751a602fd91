// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Exceptions become errors with the right exit code.
#include "core/engine/jobs/failure.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <stdexcept>

using namespace homebooth::core;

namespace {

template <class Function>
Error failureOf(const Function& function) {
    try {
        function();
    } catch (const std::exception&) {
        return failureInFlight("training", "lower the batch");
    }
    return {};
}

TEST(Failure, aCpuThatRunsOutOfMemoryIsOutOfResources) {
    const Error error = failureOf([] { (void)at::empty({int64_t{1} << 58}); });
    EXPECT_EQ(error.code, ErrorCode::OutOfResources);
    EXPECT_NE(error.message.find("lower the batch"), std::string::npos);
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
}

TEST(Failure, aFailedAllocationOfOursIsOutOfResources) {
    EXPECT_EQ(failureOf([] { throw std::bad_alloc(); }).code, ErrorCode::OutOfResources);
}

TEST(Failure, aGpuThatStopsAnsweringIsLost) {
    const Error error = failureOf([] { TORCH_CHECK(false, "CUDA error: an illegal memory access"); });
    EXPECT_EQ(error.code, ErrorCode::DeviceLost);
    const auto plain = [] { throw std::runtime_error("CUDA error: unspecified launch failure"); };
    EXPECT_EQ(failureOf(plain).code, ErrorCode::DeviceLost);
}

TEST(Failure, anythingElseIsOurFault) {
    EXPECT_EQ(failureOf([] { TORCH_CHECK(false, "shape mismatch"); }).code, ErrorCode::Internal);
    EXPECT_EQ(failureOf([] { throw std::logic_error("oops"); }).message, "oops");
}

} // namespace

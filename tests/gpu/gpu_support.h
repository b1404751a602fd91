// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests on a GPU share: the reason to skip, full fp32 arithmetic, and wider tolerances than on the
// CPU, since sums of thousands of terms are taken in another order.
#pragma once

#include "core/engine/jobs/cuda_libraries.h"
#include "tests/engine/model_check.h"
#include "tests/engine/usable_gpu.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

namespace homebooth::core::testing {

constexpr double kGpuOutputTolerance = 1e-4;   // greatest error over greatest value, fp32
constexpr double kGpuGradientTolerance = 1e-3; // of a parameter's gradient, by norms, fp32
constexpr double kGpuGradientFloor = 1e-5;     // of the norm of all gradients

/// Skips without a GPU, or fails where one was found. TensorFloat-32 has 10 bits, so it would hide
/// mistakes: off in every test.
class OnTheGpu : public ::testing::Test {
protected:
    void SetUp() override {
        if (!hasGpu()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
        const auto started = startGpu(); // as the program does
        ASSERT_TRUE(started) << started.error().text();
        at::globalContext().setAllowTF32CuBLAS(false);
        at::globalContext().setAllowTF32CuDNN(false);
    }
};

inline const at::Device kGpu(at::kCUDA, 0);

/// Norm of the difference over the norm, both in fp64 on the CPU.
inline double normError(const at::Tensor& found, const at::Tensor& expected) {
    const at::Tensor wide = expected.cpu().to(at::kDouble);
    return ((found.cpu().to(at::kDouble) - wide).norm() / wide.norm()).item<double>();
}

} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse roots on the GPU: one thread for each, by nvcc's IEEE square root and division.
#include "kernels/numeric/inverse_roots.h"
#include "kernels/simd/scalar.h"

#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

constexpr int kThreads = 256;

__global__ void inverseRootsKernel(float* values, int64_t count) {
    const int64_t index = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (index < count) values[index] = 1.0f / Scalar::squareRoot(values[index]);
}

} // namespace

int launchInverseRoots(float* values, int64_t count, void* stream) {
    if (count == 0) return 0;
    const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    inverseRootsKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(values, count);
    return static_cast<int>(cudaGetLastError());
}

} // namespace homebooth::kernels

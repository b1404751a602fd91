// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A bounded rate on the GPU: one thread, by nvcc's IEEE square root and divisions in fp64.
#include "kernels/numeric/bounded_rate.h"

#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

__global__ void boundedRateKernel(const double* squares, int64_t count, double rate, double most,
                                  float* rounded) {
    *rounded = boundedRate(*squares, count, rate, most);
}

} // namespace

int launchBoundedRate(const double* squares, int64_t count, double rate, double most, float* rounded,
                      void* stream) {
    boundedRateKernel<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(squares, count, rate, most, rounded);
    return static_cast<int>(cudaGetLastError());
}

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of squares on the GPU: one thread for each of a block's lanes, whose first one adds them up.
// Compiled with -fmad=false.
#include "kernels/reduce/sum_of_squares.h"
#include "kernels/reduce/sum_term.h"

#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

constexpr int kThreads = 256;
static_assert(kThreads % kSumLanes == 0, "the lanes of a block share memory");

template <class T>
__global__ void sumOfSquaresKernel(const T* values, int64_t count, double* partial) {
    __shared__ double lanes[kThreads];
    const int64_t thread = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    const int64_t block = thread / kSumLanes;
    const int64_t lane = thread % kSumLanes;
    const int64_t first = block * kSumBlock;
    const int64_t end = first + kSumBlock < count ? first + kSumBlock : count;
    double sum = 0.0;
    for (int64_t i = first + lane; i < end; i += kSumLanes) sum += termOf<true>(toFloat(values[i]));
    lanes[threadIdx.x] = sum;
    __syncthreads();
    if (lane != 0 || first >= count) return;
    double total = 0.0;
    for (int64_t one = 0; one < kSumLanes; ++one) total += lanes[threadIdx.x + one];
    partial[block] = total;
}

} // namespace

int launchSumsOfSquares(const void* values, NumberType type, int64_t count, double* partial, void* stream) {
    if (count == 0) return 0;
    const int64_t threads = (count + kSumBlock - 1) / kSumBlock * kSumLanes;
    const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
    const auto launch = [&](const auto* from) {
        sumOfSquaresKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(from, count, partial);
    };
    switch (type) {
    case NumberType::Float32:
        launch(static_cast<const float*>(values));
        break;
    case NumberType::Bf16:
        launch(static_cast<const Bf16*>(values));
        break;
    case NumberType::Half:
        launch(static_cast<const Half*>(values));
        break;
    }
    return static_cast<int>(cudaGetLastError());
}

} // namespace homebooth::kernels

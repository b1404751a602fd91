// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of groups on the GPU: one thread for each, so that they are added in the order of the CPU.
// Compiled with -fmad=false.
#include "kernels/reduce/group_sums.h"
#include "kernels/reduce/sum_term.h"

#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

constexpr int kThreads = 256;

/// @param groups  of `count` elements
template <bool kSquares, class T>
__global__ void groupSumsKernel(const T* values, int64_t sumCount, int64_t groups, int64_t count,
                                int64_t inner, double* sums) {
    const int64_t index = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (index >= sumCount) return;
    const int64_t row = index / inner;
    const int64_t first = row % groups * kSumGroup;
    const int64_t left = count - first;
    const int64_t length = left < kSumGroup ? left : kSumGroup;
    const T* from = values + (row / groups * count + first) * inner + index % inner;
    double sum = 0.0;
    for (int64_t k = 0; k < length; ++k) sum += termOf<kSquares>(from[k * inner]);
    sums[index] = sum;
}

template <bool kSquares, class T>
int launch(const T* values, const SummedSides& sides, double* sums, void* stream) {
    const int64_t sumCount = sides.outer * sides.groups() * sides.inner;
    if (sumCount == 0) return 0;
    const auto blocks = static_cast<unsigned>((sumCount + kThreads - 1) / kThreads);
    groupSumsKernel<kSquares><<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
        values, sumCount, sides.groups(), sides.count, sides.inner, sums);
    return static_cast<int>(cudaGetLastError());
}

} // namespace

int launchGroupSums(const float* values, Summed what, const SummedSides& sides, double* sums, void* stream) {
    return what == Summed::Squares ? launch<true>(values, sides, sums, stream)
                                   : launch<false>(values, sides, sums, stream);
}

int launchGroupSums(const double* values, const SummedSides& sides, double* sums, void* stream) {
    return launch<false>(values, sides, sums, stream);
}

} // namespace homebooth::kernels

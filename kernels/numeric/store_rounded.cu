// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stochastic rounding on the GPU: one thread for each counter, that is for up to four elements, 16 apart.
// Compiled with -fmad=false.
#include "kernels/numeric/store_rounded.h"
#include "kernels/simd/scalar.h"

#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void storeRoundedKernel(const float* from, T* to, int64_t firstElement, int64_t count,
                                   RandomStream random) {
    const int64_t thread = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    const int64_t firstGroup = firstElement / kRandomGroup;
    const int64_t group = (firstGroup + thread / kCountersPerGroup) * kRandomGroup;
    const int64_t lane = thread % kCountersPerGroup;
    if (group >= firstElement + count) return;
    const PhiloxBlock words = philox(streamCounter(random, counterOf(group + lane)), random.seed);
#pragma unroll
    for (int word = 0; word < 4; ++word) {
        const int64_t i = group + word * kCountersPerGroup + lane - firstElement;
        if (i >= 0 && i < count) Scalar::store(to + i, from[i], words.word[word]);
    }
}

} // namespace

int launchStoreRounded(const float* from, void* to, NumberType type, int64_t firstElement, int64_t count,
                       const RandomStream& random, void* stream) {
    if (count == 0) return 0;
    const int64_t firstGroup = firstElement / kRandomGroup;
    const int64_t lastGroup = (firstElement + count - 1) / kRandomGroup;
    const int64_t threads = (lastGroup - firstGroup + 1) * kCountersPerGroup;
    const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
    const auto launch = [&](auto* target) {
        storeRoundedKernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(
            from, target, firstElement, count, random);
    };
    switch (type) {
    case NumberType::Float32:
        launch(static_cast<float*>(to));
        break;
    case NumberType::Bf16:
        launch(static_cast<Bf16*>(to));
        break;
    case NumberType::Half:
        launch(static_cast<Half*>(to));
        break;
    }
    return static_cast<int>(cudaGetLastError());
}

} // namespace homebooth::kernels

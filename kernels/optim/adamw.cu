// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW on the GPU: one thread for each counter, that is for up to four elements, 16 apart.
// Compiled with -fmad=false; square root and division are the IEEE ones (nvcc's default).
#include "kernels/optim/adamw_scalar.h"

#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

constexpr int kThreads = 256;

template <class P, class G, class M>
__global__ void adamWKernel(AdamWRange range, AdamWStep step, RandomStream random, bool stochastic) {
    const int64_t thread = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    const int64_t firstGroup = range.firstElement / kRandomGroup;
    const int64_t group = (firstGroup + thread / kCountersPerGroup) * kRandomGroup;
    const int64_t lane = thread % kCountersPerGroup;
    if (group >= range.firstElement + range.count) return;
    auto* parameter = static_cast<P*>(range.parameter);
    const auto* gradient = static_cast<const G*>(range.gradient);
    auto* first = static_cast<M*>(range.firstMoment);
    auto* second = static_cast<M*>(range.secondMoment);
    PhiloxBlock words = {};
    if (stochastic) words = philox(streamCounter(random, counterOf(group + lane)), random.seed);
#pragma unroll
    for (int word = 0; word < 4; ++word) {
        const int64_t i = group + word * kCountersPerGroup + lane - range.firstElement;
        if (i < 0 || i >= range.count) continue;
        float m = Scalar::load(first + i);
        float v = Scalar::load(second + i);
        const float p = adamWElement<Scalar>(loadParameter(parameter, range.master, i),
                                             Scalar::load(gradient + i), m, v, step);
        Scalar::store(first + i, m);
        if (stochastic)
            Scalar::store(second + i, v, Scalar::upperHalf(words.word[word]));
        else
            Scalar::store(second + i, v);
        storeParameter(parameter, range.master, i, p, stochastic, words.word[word]);
    }
}

} // namespace

int launchAdamW(const AdamWRange& range, const AdamWStep& step, const RandomStream& random, void* stream) {
    if (range.count == 0) return 0;
    const int64_t firstGroup = range.firstElement / kRandomGroup;
    const int64_t lastGroup = (range.firstElement + range.count - 1) / kRandomGroup;
    const int64_t threads = (lastGroup - firstGroup + 1) * kCountersPerGroup;
    const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
    const bool stochastic = needsRandom(range);
    visitAdamWTypes(range, [&](auto parameter, auto gradient, auto moment) {
        adamWKernel<decltype(parameter), decltype(gradient), decltype(moment)>
            <<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(range, step, random, stochastic);
    });
    return static_cast<int>(cudaGetLastError());
}

} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW with 8-bit moments on the GPU: a team of 64 threads for each quantisation block, each thread for one
// random counter, that is for four elements, 16 apart. Moments are widened, stepped and narrowed in
// registers. Compiled with -fmad=false; square root and division are the IEEE ones (nvcc's default).
#include "kernels/optim/adamw8bit.h"
#include "kernels/optim/adamw_scalar.h"
#include "kernels/optim/dynamic_map.h"

#include <algorithm>
#include <cuda_runtime_api.h>

namespace homebooth::kernels {
namespace {

constexpr int kTeamThreads = 64;
constexpr int kTeams = 4; // in a CUDA block, which loads the maps once for all of its quantisation blocks
constexpr int kThreads = kTeams * kTeamThreads;
constexpr int kWarpThreads = 32;
constexpr int kWarpsOfTeam = kTeamThreads / kWarpThreads;
constexpr int kOfThread = 4; // elements
constexpr int kMapValues = 256;
constexpr int64_t kMostCudaBlocks = 2048;
static_assert(kTeamThreads * kOfThread == kQuantisationBlock);
static_assert(kQuantisationBlock % kRandomGroup == 0);

/// Both maps: first the signed one, then the other. Passed by value, below the 4 KiB that a launch may carry.
struct DynamicMaps {
    float values[2][kMapValues];
    Decades decades[2];
};

DynamicMaps dynamicMaps() {
    DynamicMaps maps;
    for (const bool isSigned : {true, false}) {
        const auto& values = dynamicMap(isSigned);
        std::copy(values.begin(), values.end(), maps.values[isSigned ? 0 : 1]);
        maps.decades[isSigned ? 0 : 1] = decadesOf(isSigned);
    }
    return maps;
}

/// The greatest magnitude of a warp's values. The bits of finite magnitudes are in the order of their values.
__device__ uint32_t greatestOfWarp(const float (&values)[kOfThread]) {
    uint32_t greatest = 0;
#pragma unroll
    for (int word = 0; word < kOfThread; ++word)
        greatest = max(greatest, __float_as_uint(values[word]) & 0x7fffffffu);
#pragma unroll
    for (int distance = kWarpThreads / 2; distance > 0; distance /= 2)
        greatest = max(greatest, __shfl_xor_sync(0xffffffffu, greatest, distance));
    return greatest;
}

/// What a thread works on: element `word` lies at first + word * kCountersPerGroup.
struct Share {
    int64_t block; ///< quantisation block of the range
    int64_t first; ///< element of the range
    int64_t count; ///< of the range
    __device__ int64_t at(int word) const { return first + word * kCountersPerGroup; }
    __device__ bool has(int word) const { return at(word) < count; }
};

template <class P, class G>
__device__ void stepShare(const Share& share, const AdamWRange& range, const AdamWStep& step,
                          const RandomStream& random, bool stochastic, float (&first)[kOfThread],
                          float (&second)[kOfThread]) {
    auto* parameter = static_cast<P*>(range.parameter);
    const auto* gradient = static_cast<const G*>(range.gradient);
    PhiloxBlock words = {};
    if (stochastic)
        words = philox(streamCounter(random, counterOf(range.firstElement + share.first)), random.seed);
#pragma unroll
    for (int word = 0; word < kOfThread; ++word) {
        if (!share.has(word)) continue;
        const int64_t i = share.at(word);
        const float stepped =
            adamWElement<Scalar>(loadParameter(parameter, range.master, i), Scalar::load(gradient + i),
                                 first[word], second[word], step);
        storeParameter(parameter, range.master, i, stepped, stochastic, words.word[word]);
    }
}

__device__ void widen(const Share& share, const uint8_t* codes, const float* scales, const float* map,
                      float (&values)[kOfThread]) {
    const float scale = share.first < share.count ? scales[share.block] : 0.0f;
#pragma unroll
    for (int word = 0; word < kOfThread; ++word)
        values[word] = share.has(word) ? map[codes[share.at(word)]] * scale : 0.0f;
}

__device__ void narrow(const Share& share, uint32_t greatest, const Decades& decades,
                       const float (&values)[kOfThread], uint8_t* codes, float* scales, bool isFirstThread) {
    const float scale = __uint_as_float(greatest);
    const float unit = scale > 0.0f ? scale : 1.0f;
#pragma unroll
    for (int word = 0; word < kOfThread; ++word)
        if (share.has(word)) codes[share.at(word)] = nearestCode(decades, values[word] / unit);
    if (isFirstThread && share.first < share.count) scales[share.block] = scale;
}

template <class P, class G>
__global__ void adamW8bitKernel(AdamWRange range, QuantisedMoments moments, AdamWStep step,
                                RandomStream random, bool stochastic, DynamicMaps maps) {
    __shared__ float values[2][kMapValues];
    __shared__ uint32_t greatest[2][kTeams][kWarpsOfTeam];
    for (int i = threadIdx.x; i < 2 * kMapValues; i += kThreads)
        values[i / kMapValues][i % kMapValues] = maps.values[i / kMapValues][i % kMapValues];
    __syncthreads();
    const int team = threadIdx.x / kTeamThreads;
    const int thread = threadIdx.x % kTeamThreads;
    const int warp = thread / kWarpThreads;
    const int64_t inBlock = thread / kCountersPerGroup * kRandomGroup + thread % kCountersPerGroup;
    const int64_t blocks = (range.count + kQuantisationBlock - 1) / kQuantisationBlock;
    for (int64_t begin = int64_t{blockIdx.x} * kTeams; begin < blocks; begin += int64_t{gridDim.x} * kTeams) {
        const int64_t block = begin + team;
        const Share share{block, block * kQuantisationBlock + inBlock, range.count};
        float first[kOfThread];
        float second[kOfThread];
        widen(share, moments.firstCodes, moments.firstScales, values[0], first);
        widen(share, moments.secondCodes, moments.secondScales, values[1], second);
        stepShare<P, G>(share, range, step, random, stochastic, first, second);
        const uint32_t ofFirst = greatestOfWarp(first);
        const uint32_t ofSecond = greatestOfWarp(second);
        if (thread % kWarpThreads == 0) {
            greatest[0][team][warp] = ofFirst;
            greatest[1][team][warp] = ofSecond;
        }
        __syncthreads(); // both warps of a team; every thread of the CUDA block makes as many rounds
        narrow(share, max(greatest[0][team][0], greatest[0][team][1]), maps.decades[0], first,
               moments.firstCodes, moments.firstScales, thread == 0);
        narrow(share, max(greatest[1][team][0], greatest[1][team][1]), maps.decades[1], second,
               moments.secondCodes, moments.secondScales, thread == 0);
        __syncthreads(); // before the next round writes what is read here
    }
}

} // namespace

int launchAdamW8bit(const AdamWRange& range, const QuantisedMoments& moments, const AdamWStep& step,
                    const RandomStream& random, void* stream) {
    if (range.count == 0) return 0;
    static const DynamicMaps maps = dynamicMaps();
    const int64_t blocks = (range.count + kQuantisationBlock - 1) / kQuantisationBlock;
    const auto grid = static_cast<unsigned>(std::min((blocks + kTeams - 1) / kTeams, kMostCudaBlocks));
    AdamWRange widened = range;
    widened.momentType = NumberType::Float32; // as they are stepped
    const bool stochastic = needsRandom(widened);
    visitAdamWTypes(widened, [&](auto parameter, auto gradient, auto) {
        adamW8bitKernel<decltype(parameter), decltype(gradient)>
            <<<grid, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(widened, moments, step, random,
                                                                       stochastic, maps);
    });
    return static_cast<int>(cudaGetLastError());
}

} // namespace homebooth::kernels

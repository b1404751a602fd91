// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Philox4x32-10: random bits as a pure function of a counter, for CPU and GPU.
// A draw is named by (seed, purpose, parameter, step, element), so neither chunks, threads nor devices can
// change it. Pure functions.
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011
//
// Which word belongs to which element, within 64 consecutive elements of a parameter:
//   element    0..15  16..31  32..47  48..63
//   word         0      1       2       3       of counters (element / 64) * 16 + element % 16
// so that 16 (or 8) counters in the lanes of a vector give the words of 16 (or 8) neighbours at once.
#pragma once

#include "kernels/numeric/inline.h"

#include <cstdint>

namespace homebooth::kernels {

inline constexpr uint32_t kPhiloxMultiplier0 = 0xD2511F53u;
inline constexpr uint32_t kPhiloxMultiplier1 = 0xCD9E8D57u;
inline constexpr uint32_t kPhiloxWeyl0 = 0x9E3779B9u;
inline constexpr uint32_t kPhiloxWeyl1 = 0xBB67AE85u;
inline constexpr int kPhiloxRounds = 10;

/// Elements served by one group of counters, and counters in a group.
inline constexpr int64_t kRandomGroup = 64;
inline constexpr int64_t kCountersPerGroup = 16;

struct PhiloxBlock {
    uint32_t word[4];
};

HOMEBOOTH_INLINE PhiloxBlock philox(PhiloxBlock counter, uint64_t key) {
    uint32_t key0 = static_cast<uint32_t>(key);
    uint32_t key1 = static_cast<uint32_t>(key >> 32);
    for (int round = 0; round < kPhiloxRounds; ++round) {
        const uint64_t product0 = static_cast<uint64_t>(kPhiloxMultiplier0) * counter.word[0];
        const uint64_t product1 = static_cast<uint64_t>(kPhiloxMultiplier1) * counter.word[2];
        counter = {{static_cast<uint32_t>(product1 >> 32) ^ counter.word[1] ^ key0,
                    static_cast<uint32_t>(product1),
                    static_cast<uint32_t>(product0 >> 32) ^ counter.word[3] ^ key1,
                    static_cast<uint32_t>(product0)}};
        key0 += kPhiloxWeyl0;
        key1 += kPhiloxWeyl1;
    }
    return counter;
}

/// What random bits are for; different purposes never share a draw.
enum class RandomPurpose : uint8_t { OptimizerRounding = 1 };

/// The draws of one parameter in one step.
struct RandomStream {
    uint64_t seed = 0;
    uint32_t step = 0;
    uint32_t parameter = 0; ///< a hash of its name
    RandomPurpose purpose = RandomPurpose::OptimizerRounding;
};

/// The 128-bit counter number `index` of a stream; `index` below 2^56.
HOMEBOOTH_INLINE PhiloxBlock streamCounter(const RandomStream& stream, int64_t index) {
    const uint32_t high = static_cast<uint32_t>(index >> 32) & 0x00ffffffu;
    return {{static_cast<uint32_t>(index), high | (static_cast<uint32_t>(stream.purpose) << 24), stream.step,
             stream.parameter}};
}

/// The counter of an element of a parameter.
HOMEBOOTH_INLINE int64_t counterOf(int64_t element) {
    return element / kRandomGroup * kCountersPerGroup + element % kCountersPerGroup;
}

/// 32 random bits of one element. Costs a whole block; loops over many elements use the layout above.
HOMEBOOTH_INLINE uint32_t randomBits(const RandomStream& stream, int64_t element) {
    const PhiloxBlock block = philox(streamCounter(stream, counterOf(element)), stream.seed);
    return block.word[element % kRandomGroup / kCountersPerGroup];
}

} // namespace homebooth::kernels

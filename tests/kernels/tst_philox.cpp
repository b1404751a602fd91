// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Philox against the known answers of its authors, and the layout of words over elements.
#include "kernels/random/philox.h"

#include <gtest/gtest.h>

#include <set>

namespace homebooth::kernels {
namespace {

void expectWords(const PhiloxBlock& found, const PhiloxBlock& expected) {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(found.word[i], expected.word[i]) << "word " << i;
}

/// Random123's kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, givesTheKnownAnswers) {
    expectWords(philox({{0, 0, 0, 0}}, 0), {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
    expectWords(philox({{~0u, ~0u, ~0u, ~0u}}, ~uint64_t{0}),
                {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
    expectWords(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822u),
                {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST(Philox, givesEveryElementAWordOfItsOwn) {
    std::set<std::pair<int64_t, int64_t>> places;
    for (int64_t element = 0; element < 1000; ++element)
        places.emplace(counterOf(element), element % kRandomGroup / kCountersPerGroup);
    EXPECT_EQ(places.size(), 1000u);
}

TEST(Philox, drawsOtherBitsForAnotherSeedStepParameterOrElement) {
    const RandomStream base{7, 1, 99};
    const uint32_t word = randomBits(base, 12345);
    EXPECT_EQ(randomBits(RandomStream{7, 1, 99}, 12345), word);
    EXPECT_NE(randomBits(RandomStream{8, 1, 99}, 12345), word);
    EXPECT_NE(randomBits(RandomStream{7 + (uint64_t{1} << 32), 1, 99}, 12345), word);
    EXPECT_NE(randomBits(RandomStream{7, 2, 99}, 12345), word);
    EXPECT_NE(randomBits(RandomStream{7, 1, 98}, 12345), word);
    EXPECT_NE(randomBits(base, 12346), word);
    EXPECT_NE(randomBits(base, 12345 + (int64_t{1} << 36)), word);
}

} // namespace
} // namespace homebooth::kernels

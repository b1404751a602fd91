// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which token follows: the likeliest, one of the likeliest, one by its share.
#include "core/engine/writing/token_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace homebooth::core {
namespace {

/// Logits whose probabilities at a temperature of 1 these are.
std::vector<float> ofShares(const std::vector<double>& shares) {
    std::vector<float> logits;
    for (const double share : shares) logits.push_back(static_cast<float>(std::log(share)));
    return logits;
}

TokenChoice plain() {
    TokenChoice choice;
    choice.temperature = 1.0;
    return choice;
}

/// How often each token is chosen by numbers at even distances.
std::map<int64_t, double> sharesOf(const std::vector<float>& logits, const TokenChoice& choice,
                                   const std::vector<int64_t>& before = {}) {
    constexpr int kDraws = 10000;
    std::map<int64_t, double> found;
    for (int draw = 0; draw < kDraws; ++draw)
        found[chooseToken(logits, before, choice, (draw + 0.5) / kDraws)] += 1.0 / kDraws;
    return found;
}

void expectShares(const std::map<int64_t, double>& found, const std::map<int64_t, double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [id, share] : expected) {
        ASSERT_TRUE(found.contains(id)) << id;
        EXPECT_NEAR(found.at(id), share, 2e-4) << id;
    }
}

TEST(TokenChoice, isTheLikeliestWithoutTemperatureAndTheLowerOfEqualOnes) {
    TokenChoice choice;
    choice.temperature = 0.0;
    for (const double random : {0.0, 0.5, 0.999}) {
        EXPECT_EQ(chooseToken(std::vector<float>{1.0F, 3.0F, 2.0F}, {}, choice, random), 1);
        EXPECT_EQ(chooseToken(std::vector<float>{1.0F, 3.0F, 3.0F}, {}, choice, random), 1);
    }
}

TEST(TokenChoice, followsTheProbabilities) {
    expectShares(sharesOf(ofShares({0.1, 0.6, 0.3}), plain()), {{0, 0.1}, {1, 0.6}, {2, 0.3}});
}

TEST(TokenChoice, goesFromTheLikeliestOnAsTheNumberGrows) {
    const std::vector<float> logits = ofShares({0.1, 0.6, 0.3});
    EXPECT_EQ(chooseToken(logits, {}, plain(), 0.0), 1);
    EXPECT_EQ(chooseToken(logits, {}, plain(), 0.59), 1);
    EXPECT_EQ(chooseToken(logits, {}, plain(), 0.61), 2);
    EXPECT_EQ(chooseToken(logits, {}, plain(), 0.91), 0);
    EXPECT_EQ(chooseToken(logits, {}, plain(), std::nextafter(1.0, 0.0)), 0);
}

TEST(TokenChoice, isMoreEvenTheWarmerItIs) {
    TokenChoice choice = plain();
    choice.temperature = 2.0; // shares become their square roots
    expectShares(sharesOf(ofShares({0.8, 0.2}), choice), {{0, 2.0 / 3.0}, {1, 1.0 / 3.0}});
    choice.temperature = 0.5; // and their squares
    expectShares(sharesOf(ofShares({0.8, 0.2}), choice), {{0, 16.0 / 17.0}, {1, 1.0 / 17.0}});
}

TEST(TokenChoice, keepsSoManyOfTheLikeliest) {
    TokenChoice choice = plain();
    choice.topK = 2;
    expectShares(sharesOf(ofShares({0.1, 0.6, 0.3}), choice), {{1, 2.0 / 3.0}, {2, 1.0 / 3.0}});
    choice.topK = 3;
    EXPECT_EQ(sharesOf(ofShares({0.1, 0.6, 0.3}), choice).size(), 3U);
    choice.topK = 2; // of equal ones those with the lower ids
    expectShares(sharesOf({1.0F, 1.0F, 1.0F}, choice), {{0, 0.5}, {1, 0.5}});
}

TEST(TokenChoice, keepsTheSmallestSetThatReachesAShare) {
    TokenChoice choice = plain();
    choice.topP = 0.55;
    expectShares(sharesOf(ofShares({0.1, 0.6, 0.3}), choice), {{1, 1.0}});
    choice.topP = 0.65;
    expectShares(sharesOf(ofShares({0.1, 0.6, 0.3}), choice), {{1, 2.0 / 3.0}, {2, 1.0 / 3.0}});
    choice.topP = 0.95;
    EXPECT_EQ(sharesOf(ofShares({0.1, 0.6, 0.3}), choice).size(), 3U);
    choice.topP = 0.4; // of equal ones those with the lower ids
    expectShares(sharesOf({2.0F, 2.0F, 2.0F, 2.0F}, choice), {{0, 0.5}, {1, 0.5}});
}

TEST(TokenChoice, takesTheShareOfThoseThatAreLeft) {
    TokenChoice choice = plain();
    choice.topK = 2;
    choice.topP = 0.6; // of the two, 0.6 and 0.3 of all, the first has two thirds
    expectShares(sharesOf(ofShares({0.1, 0.6, 0.3}), choice), {{1, 1.0}});
}

TEST(TokenChoice, makesWhatWasSaidLessLikely) {
    TokenChoice choice;
    choice.temperature = 0.0;
    choice.repetitionPenalty = 2.0;
    const std::vector<float> positive = {3.0F, 2.0F};
    EXPECT_EQ(chooseToken(positive, {}, choice, 0.0), 0);
    EXPECT_EQ(chooseToken(positive, std::vector<int64_t>{0}, choice, 0.0), 1); // 1.5 against 2
    const std::vector<float> negative = {-1.0F, -1.5F};
    EXPECT_EQ(chooseToken(negative, std::vector<int64_t>{0}, choice, 0.0), 1); // -2 against -1.5
    // Once, however often it was said; what is none of the vocabulary does not count.
    const std::vector<float> near = {3.0F, 1.4F};
    EXPECT_EQ(chooseToken(near, std::vector<int64_t>{0, 0, 0, -1, 7}, choice, 0.0), 0);
}

TEST(TokenChoice, isNoneWhereNumbersAreNone) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    EXPECT_EQ(chooseToken(std::vector<float>{1.0F, std::nanf("")}, {}, plain(), 0.5), -1);
    EXPECT_EQ(chooseToken(std::vector<float>{1.0F, kInfinite}, {}, plain(), 0.5), -1);
    EXPECT_EQ(chooseToken(std::vector<float>{-kInfinite, -kInfinite}, {}, plain(), 0.5), -1);
    EXPECT_EQ(chooseToken({}, {}, plain(), 0.5), -1);
    EXPECT_EQ(chooseToken(std::vector<float>{-kInfinite, 1.0F}, {}, plain(), 0.999), 1);
}

} // namespace
} // namespace homebooth::core

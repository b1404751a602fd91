// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tags in other orders: which ones there are, how often, and that they come again.
#include "core/engine/data/tag_shuffle.h"
#include "core/engine/learning/step_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace homebooth::core::testing {
namespace {

using Texts = std::vector<std::string>;

TEST(TagShuffle, drawsEveryOrderAboutAsOften) {
    constexpr int kDraws = 24000; // of 24 orders
    std::map<std::string, int> counts;
    for (uint64_t i = 0; i < kDraws; ++i)
        ++counts[shuffledTags("k,a,b,c,d", 1, mixedSeed(3, DrawPurpose::Tags, i))];
    EXPECT_EQ(counts.size(), 24U);
    for (const auto& [text, count] : counts) {
        EXPECT_TRUE(text.starts_with("k, ")) << text;
        EXPECT_NEAR(count, 1000, 160) << text; // five standard deviations
    }
}

TEST(TagShuffle, givesTheSameForTheSameSeed) {
    const std::string caption = "a, b, c, d, e, f, g, h";
    std::set<std::string> seen;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        EXPECT_EQ(shuffledTags(caption, 2, seed), shuffledTags(caption, 2, seed));
        EXPECT_TRUE(shuffledTags(caption, 2, seed).starts_with("a, b, "));
        seen.insert(shuffledTags(caption, 2, seed));
    }
    EXPECT_GT(seen.size(), 15U);
}

TEST(TagShuffle, leavesCaptionsWithoutCommasAlone) {
    for (const char* caption : {"", " a red  apple. ", "one\ntwo"})
        EXPECT_EQ(shuffledTags(caption, 0, 5), caption);
}

TEST(TagShuffle, trimsTagsAndKeepsThoseInFront) {
    EXPECT_EQ(shuffledTags(" one ,two,, three\n", 3, 9), "one, two, three");
    EXPECT_EQ(shuffledTags("one,two", 100, 9), "one, two");
    EXPECT_EQ(shuffledTags("one,", 0, 9), "one");
    EXPECT_EQ(shuffledTags(",", 1, 9), "");
}

TEST(TagVariants, areDifferentAndNeverMoreThanAsked) {
    const Texts variants = tagVariants("k, a, b, c, d, e", 1, kMostTagVariants, 7);
    EXPECT_EQ(std::ssize(variants), kMostTagVariants);
    EXPECT_EQ(std::set<std::string>(variants.begin(), variants.end()).size(), variants.size());
    for (const std::string& variant : variants) EXPECT_TRUE(variant.starts_with("k, ")) << variant;
}

TEST(TagVariants, areAllThereAreOfFewTags) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
        EXPECT_EQ(tagVariants("k, a, b, c", 1, kMostTagVariants, seed).size(), 6U) << seed;
        EXPECT_EQ(tagVariants("a, b", 0, kMostTagVariants, seed).size(), 2U) << seed;
        EXPECT_EQ(tagVariants("a, a, b", 0, kMostTagVariants, seed).size(), 3U) << seed;
        EXPECT_EQ(tagVariants("a, b", 1, kMostTagVariants, seed), Texts{"a, b"});
    }
    EXPECT_EQ(tagVariants("no tags", 0, kMostTagVariants, 1), Texts{"no tags"});
    EXPECT_EQ(tagVariants("", 1, kMostTagVariants, 1), Texts{""});
}

TEST(TagVariants, comeInTheSameOrder) {
    const std::string caption = "a, b, c, d, e, f";
    const Texts many = tagVariants(caption, 0, 16, 11);
    EXPECT_EQ(many, tagVariants(caption, 0, 16, 11));
    EXPECT_EQ(tagVariants(caption, 0, 5, 11), Texts(many.begin(), many.begin() + 5));
    EXPECT_NE(many, tagVariants(caption, 0, 16, 12));
}

TEST(TagVariants, areDrawnAnewOfEachCaption) {
    const Texts small = tagVariants("a, b, c, d, e, f", 0, 16, 11);
    Texts large = tagVariants("A, B, C, D, E, F", 0, 16, 11);
    for (std::string& text : large)
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    EXPECT_NE(small, large);
}

} // namespace
} // namespace homebooth::core::testing

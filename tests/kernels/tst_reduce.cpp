// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of squares and of groups, inverse roots, bounded rates, and stochastic stores of whole ranges.
#include "kernels/numeric/bounded_rate.h"
#include "kernels/numeric/inverse_roots.h"
#include "kernels/numeric/store_rounded.h"
#include "kernels/reduce/group_sums.h"
#include "kernels/reduce/sum_of_squares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace homebooth::kernels {
namespace {

TEST(SumOfSquares, isExactForIntegersOfEveryType) {
    for (const int64_t count : {0, 1, 15, 16, 17, 100}) {
        std::vector<float> floats(count);
        std::vector<Bf16> brains(count);
        std::vector<Half> halves(count);
        double expected = 0.0;
        for (int64_t i = 0; i < count; ++i) {
            floats[i] = static_cast<float>(i % 2 == 0 ? i : -i);
            brains[i] = nearestBf16(floats[i]);
            halves[i] = nearestHalf(floats[i]);
            expected += static_cast<double>(i) * static_cast<double>(i);
        }
        EXPECT_EQ(sumOfSquares(floats.data(), NumberType::Float32, count), expected);
        EXPECT_EQ(sumOfSquares(brains.data(), NumberType::Bf16, count), expected);
        EXPECT_EQ(sumOfSquares(halves.data(), NumberType::Half, count), expected);
    }
}

TEST(SumOfSquares, showsWhatIsNotFiniteAndNeverOverflows) {
    std::vector<float> values(20, std::numeric_limits<float>::max());
    EXPECT_TRUE(std::isfinite(sumOfSquares(values.data(), NumberType::Float32, 20)));
    values[13] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(std::isfinite(sumOfSquares(values.data(), NumberType::Float32, 20)));
    values[13] = std::nanf("");
    EXPECT_FALSE(std::isfinite(sumOfSquares(values.data(), NumberType::Float32, 20)));
}

/// One sum after another, as it is defined.
std::vector<double> sumsOneByOne(const std::vector<float>& values, Summed what, const SummedSides& sides) {
    std::vector<double> sums;
    for (int64_t outer = 0; outer < sides.outer; ++outer)
        for (int64_t first = 0; first < sides.count; first += kSumGroup)
            for (int64_t inner = 0; inner < sides.inner; ++inner) {
                double sum = 0.0;
                for (int64_t k = first; k < std::min(first + kSumGroup, sides.count); ++k) {
                    const double value = values[(outer * sides.count + k) * sides.inner + inner];
                    sum += what == Summed::Squares ? value * value : value;
                }
                sums.push_back(sum);
            }
    return sums;
}

TEST(GroupSums, haveOneOrderHoweverTheyAreCut) {
    for (const SummedSides& sides : {SummedSides{1, 1, 1},
                                     {1, 64, 1},
                                     {1, 65, 1},
                                     {1, 64 * 40 + 7, 1},
                                     {30, 64, 1},
                                     {30, 128, 1},
                                     {7, 70, 1},
                                     {100, 3, 1},
                                     {1, 300, 77},
                                     {9, 3, 3},
                                     {3, 200, 5}}) {
        std::vector<float> values(sides.outer * sides.count * sides.inner);
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = std::ldexp(std::sin(static_cast<float>(i)), static_cast<int>(i * 7 % 40) - 20);
        const int64_t rows = sides.outer * sides.groups();
        for (const Summed what : {Summed::Values, Summed::Squares}) {
            const std::vector<double> expected = sumsOneByOne(values, what, sides);
            for (const int64_t cut : {int64_t{1}, int64_t{11}, rows}) {
                std::vector<double> found(expected.size(), -1.0);
                for (int64_t row = 0; row < rows; row += cut)
                    groupSums(values.data(), what, sides, row, std::min(row + cut, rows), found.data());
                EXPECT_EQ(found, expected) << sides.outer << ", " << sides.count << ", " << sides.inner;
            }
        }
    }
}

TEST(GroupSums, ofSumsAddUpToAll) {
    std::vector<double> sums(130);
    for (size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<double>(i);
    std::vector<double> found(3);
    groupSums(sums.data(), {1, 130, 1}, 0, 3, found.data());
    EXPECT_EQ(found, (std::vector<double>{63 * 64 / 2, 95.5 * 64, 128 + 129}));
}

TEST(InverseRoots, roundRootAndQuotientToTheNearest) {
    std::vector<float> values;
    for (int exponent = -140; exponent < 128; ++exponent)
        for (int i = 0; i < 32; ++i)
            values.push_back(std::ldexp(1.0f + static_cast<float>(i) / 37.0f, exponent));
    std::vector<float> found = values;
    inverseRoots(found.data(), static_cast<int64_t>(found.size()));
    for (size_t i = 0; i < values.size(); ++i) {
        const auto root = static_cast<float>(std::sqrt(static_cast<double>(values[i])));
        ASSERT_EQ(found[i], static_cast<float>(1.0 / static_cast<double>(root))) << values[i];
    }
}

TEST(BoundedRate, isLessForChangesThatAreTooLarge) {
    constexpr double kRate = 1e-3;
    const auto rate = static_cast<float>(kRate);
    EXPECT_EQ(boundedRate(0.0, 10, kRate, 1.0), rate);
    EXPECT_EQ(boundedRate(9.99, 10, kRate, 1.0), rate);
    EXPECT_EQ(boundedRate(40.0, 10, kRate, 1.0), static_cast<float>(kRate / 2.0));
    EXPECT_EQ(boundedRate(40.0, 10, kRate, 4.0), rate);
    EXPECT_EQ(boundedRate(7.0, 3, kRate, 1.0), static_cast<float>(kRate / std::sqrt(7.0 / 3.0)));
    EXPECT_EQ(boundedRate(std::numeric_limits<double>::infinity(), 3, kRate, 1.0), 0.0f);
    EXPECT_EQ(boundedRate(std::nan(""), 3, kRate, 1.0), rate);
}

TEST(StoreRounded, doesNotDependOnHowARangeIsCut) {
    std::vector<float> values(777);
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
    const RandomStream random{5, 6, 7};
    std::vector<uint16_t> whole(values.size()), cut(values.size());
    for (const NumberType type : {NumberType::Bf16, NumberType::Half}) {
        storeRounded(values.data(), whole.data(), type, 0, 777, random);
        storeRounded(values.data(), cut.data(), type, 0, 101, random);
        storeRounded(values.data() + 101, cut.data() + 101, type, 101, 676, random);
        EXPECT_EQ(cut, whole);
    }
}

TEST(StoreRounded, drawsTheBitsOfEachElement) {
    std::vector<float> values(300, 1.001f);
    std::vector<Bf16> found(values.size());
    const RandomStream random{5, 6, 7};
    storeRounded(values.data(), found.data(), NumberType::Bf16, 1000, 300, random);
    for (int64_t i = 0; i < 300; ++i)
        ASSERT_EQ(found[i].bits, stochasticBf16(values[i], randomBits(random, 1000 + i) & 0xffffu).bits);
}

} // namespace
} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums of squares, and stochastic stores of whole ranges.
#include "kernels/numeric/store_rounded.h"
#include "kernels/reduce/sum_of_squares.h"

#include <gtest/gtest.h>

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

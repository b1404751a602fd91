// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions between fp32 and the 16-bit types.
#include "kernels/numeric/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace homebooth::kernels {
namespace {

TEST(Float16, everyHalfSurvivesTheWayToFp32AndBack) {
    for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
        const Half half{static_cast<uint16_t>(bits)};
        const float value = toFloat(half);
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(toFloat(nearestHalf(value))));
            continue;
        }
        ASSERT_EQ(nearestHalf(value).bits, bits);
        ASSERT_EQ(stochasticHalf(value, 0xffffu).bits, bits);
    }
}

TEST(Float16, everyBf16SurvivesTheWayToFp32AndBack) {
    for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
        const float value = toFloat(Bf16{static_cast<uint16_t>(bits)});
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(toFloat(nearestBf16(value))));
            EXPECT_TRUE(std::isnan(toFloat(stochasticBf16(value, 0xffffu))));
            continue;
        }
        ASSERT_EQ(nearestBf16(value).bits, bits);
        ASSERT_EQ(stochasticBf16(value, 0xffffu).bits, bits);
    }
}

TEST(Float16, halvesHaveTheirKnownValues) {
    EXPECT_EQ(toFloat(Half{0x3c00}), 1.0f);
    EXPECT_EQ(toFloat(Half{0x7bff}), 65504.0f);
    EXPECT_EQ(toFloat(Half{0x0400}), 0x1p-14f);
    EXPECT_EQ(toFloat(Half{0x8001}), -0x1p-24f);
    EXPECT_EQ(toFloat(Half{0xfc00}), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(nearestHalf(65520.0f).bits, 0x7c00);
    EXPECT_EQ(nearestHalf(65519.0f).bits, 0x7bff);
    EXPECT_EQ(nearestHalf(0x1p-25f).bits, 0x0000); // a tie goes to even
    EXPECT_EQ(nearestHalf(0x1.8p-24f).bits, 0x0002);
    EXPECT_EQ(nearestBf16(1.00390625f).bits, 0x3f80);
    EXPECT_EQ(nearestBf16(1.01171875f).bits, 0x3f82);
}

/// Over all 2^16 random numbers the mean of what is stored is the value itself.
template <class Round>
void expectUnbiased(float value, double tolerance, Round round) {
    double sum = 0.0;
    for (uint32_t random = 0; random < 0x10000u; ++random) sum += toFloat(round(value, random));
    EXPECT_NEAR(sum / 0x10000 / value, 1.0, tolerance) << "value " << value;
}

TEST(Float16, stochasticRoundingIsUnbiased) {
    const auto toBf16 = [](float value, uint32_t random) { return stochasticBf16(value, random); };
    const auto toHalf = [](float value, uint32_t random) { return stochasticHalf(value, random); };
    for (const float value : {1.001f, -3.14159f, 1e-30f, 123456.7f}) expectUnbiased(value, 1e-7, toBf16);
    for (const float value : {1.001f, -3.14159f, 1234.567f}) expectUnbiased(value, 1e-6, toHalf);
    for (const float value : {1e-5f, -7.3e-6f, 3e-7f}) expectUnbiased(value, 1e-3, toHalf); // subnormal
}

TEST(Float16, stochasticRoundingKeepsInfinityAndNaN) {
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(stochasticBf16(infinity, 0xffffu).bits, 0x7f80);
    EXPECT_EQ(stochasticBf16(-infinity, 0xffffu).bits, 0xff80);
    EXPECT_EQ(stochasticHalf(-infinity, 0xffffu).bits, 0xfc00);
    EXPECT_TRUE(std::isnan(toFloat(stochasticHalf(std::nanf(""), 0xffffu))));
}

} // namespace
} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows as integers with scales: nearest integers, exact products, nothing lost of zeros and small numbers.
#include "kernels/numeric/int8_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace homebooth::kernels {
namespace {

struct Rows {
    int64_t rows;
    int64_t columns;
    std::vector<float> values;
    std::vector<int8_t> integers;
    std::vector<float> scales;

    Rows(int64_t count, int64_t length)
        : rows(count)
        , columns(length)
        , values(static_cast<size_t>(count * length))
        , integers(values.size(), 99)
        , scales(static_cast<size_t>(count), -1.0f) {}

    void quantize() {
        quantizeRows(values.data(), NumberType::Float32, integers.data(), scales.data(), rows, columns);
    }
    [[nodiscard]] float value(int64_t row, int64_t column) const { return values[row * columns + column]; }
    [[nodiscard]] int integer(int64_t row, int64_t column) const { return integers[row * columns + column]; }
};

Rows randomRows(int64_t rows, int64_t columns) {
    Rows made(rows, columns);
    std::mt19937 engine(7);
    std::normal_distribution<float> normal;
    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
            made.values[row * columns + column] = std::ldexp(normal(engine), static_cast<int>(8 * row - 24));
    return made;
}

TEST(Int8Rows, areNearestAndUseTheWholeRange) {
    for (const int64_t columns : {1, 7, 64, 1000}) {
        Rows rows = randomRows(5, columns);
        rows.quantize();
        for (int64_t row = 0; row < rows.rows; ++row) {
            int most = 0;
            for (int64_t column = 0; column < columns; ++column) {
                const double exact = static_cast<double>(rows.value(row, column)) / rows.scales[row];
                EXPECT_LE(std::abs(rows.integer(row, column) - exact), 0.5 + 1e-4) << row << " " << column;
                most = std::max(most, std::abs(rows.integer(row, column)));
            }
            EXPECT_EQ(most, 127);
        }
    }
}

TEST(Int8Rows, ofZerosAndOfWhatIsNearlyThatAreZeros) {
    Rows rows(3, 70);
    std::fill(rows.values.begin() + 70, rows.values.begin() + 140, 1e-40f); // no inverse in fp32
    std::fill(rows.values.begin() + 140, rows.values.end(), -2.0f);
    rows.quantize();
    for (int64_t column = 0; column < 70; ++column) {
        EXPECT_EQ(rows.integer(0, column), 0);
        EXPECT_EQ(rows.integer(1, column), 0);
        EXPECT_EQ(rows.integer(2, column), -127);
    }
    EXPECT_EQ(rows.scales[0], 0.0f);
    EXPECT_EQ(rows.scales[1], 0.0f);
    EXPECT_NEAR(rows.scales[2] * 127.0f, 2.0f, 1e-6f);
}

/// What cannot be told in integers is told by the scale, and stays in its row.
TEST(Int8Rows, withNanOrInfinityHaveThatForAScale) {
    Rows rows = randomRows(3, 50);
    Rows expected = rows;
    rows.values[10] = std::nanf("");
    rows.values[50 + 20] = -INFINITY;
    rows.quantize();
    expected.quantize();
    EXPECT_TRUE(std::isnan(rows.scales[0]));
    EXPECT_TRUE(std::isinf(rows.scales[1]));
    EXPECT_EQ(rows.scales[2], expected.scales[2]);
    EXPECT_TRUE(
        std::equal(rows.integers.begin() + 100, rows.integers.end(), expected.integers.begin() + 100));
}

TEST(Int8Rows, comeBackAsProductsInEachType) {
    Rows rows = randomRows(4, 133);
    rows.quantize();
    std::vector<float> single(rows.values.size());
    std::vector<Bf16> bf16(rows.values.size());
    std::vector<Half> half(rows.values.size());
    const auto into = [&](void* to, NumberType type) {
        dequantizeRows(rows.integers.data(), rows.scales.data(), to, type, rows.rows, rows.columns);
    };
    into(single.data(), NumberType::Float32);
    into(bf16.data(), NumberType::Bf16);
    into(half.data(), NumberType::Half);
    for (int64_t row = 0; row < rows.rows; ++row)
        for (int64_t column = 0; column < rows.columns; ++column) {
            const size_t at = row * rows.columns + column;
            const float product = static_cast<float>(rows.integer(row, column)) * rows.scales[row];
            EXPECT_EQ(bitsOf(single[at]), bitsOf(product));
            EXPECT_EQ(bf16[at].bits, nearestBf16(product).bits);
            EXPECT_EQ(half[at].bits, nearestHalf(product).bits);
        }
}

TEST(Int8Rows, ofEachTypeAreThoseOfItsValues) {
    Rows rows = randomRows(3, 77);
    std::vector<Bf16> bf16;
    std::vector<Half> half;
    for (const float value : rows.values) {
        bf16.push_back(nearestBf16(value));
        half.push_back(nearestHalf(value));
    }
    const auto expectSame = [&](const auto& narrow, NumberType type) {
        for (size_t i = 0; i < narrow.size(); ++i) rows.values[i] = toFloat(narrow[i]);
        rows.quantize();
        std::vector<int8_t> integers(rows.integers.size());
        std::vector<float> scales(rows.scales.size());
        quantizeRows(narrow.data(), type, integers.data(), scales.data(), rows.rows, rows.columns);
        EXPECT_EQ(integers, rows.integers);
        EXPECT_EQ(scales, rows.scales);
    };
    expectSame(bf16, NumberType::Bf16);
    expectSame(half, NumberType::Half);
}

TEST(SumsOfIntegers, areRescaledWithBothScalesAndTheBias) {
    const std::vector<int32_t> sums = {1000, -2000, 0, 1 << 24, 5, -7};
    const std::vector<float> rowScales = {0.5f, 0.25f};
    const std::vector<float> columnScales = {2.0f, 0.125f, 1.0f};
    const std::vector<Bf16> bias = {nearestBf16(1.0f), nearestBf16(-3.0f), nearestBf16(0.5f)};
    std::vector<Bf16> found(6);
    rescaleSums(sums.data(), rowScales.data(), columnScales.data(), bias.data(), found.data(),
                NumberType::Bf16, 2, 3);
    std::vector<float> plain(6);
    rescaleSums(sums.data(), rowScales.data(), columnScales.data(), nullptr, plain.data(),
                NumberType::Float32, 2, 3);
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 3; ++column) {
            const float product =
                static_cast<float>(sums[row * 3 + column]) * rowScales[row] * columnScales[column];
            EXPECT_EQ(plain[row * 3 + column], product);
            EXPECT_EQ(found[row * 3 + column].bits, nearestBf16(product + toFloat(bias[column])).bits);
        }
}

} // namespace
} // namespace homebooth::kernels

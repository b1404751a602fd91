// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The dynamic map, its quantiser, and AdamW with 8-bit moments.
#include "kernels/optim/adamw8bit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

namespace homebooth::kernels {
namespace {

/// Parameter, gradient and moments of one fp32 parameter.
struct State {
    std::vector<float> parameter, gradient, firstScales, secondScales;
    std::vector<uint8_t> first, second;

    explicit State(int64_t count)
        : parameter(count)
        , gradient(count)
        , firstScales((count + kQuantisationBlock - 1) / kQuantisationBlock)
        , secondScales(firstScales.size())
        , first(count, zeroCode(true))
        , second(count, zeroCode(false)) {
        std::mt19937 engine(3);
        std::normal_distribution<float> normal;
        for (float& value : parameter) value = normal(engine);
        for (float& value : gradient) value = 0.01f * normal(engine);
    }
    static uint8_t zeroCode(bool isSigned) {
        const auto& map = dynamicMap(isSigned);
        return static_cast<uint8_t>(std::find(map.begin(), map.end(), 0.0f) - map.begin());
    }
    void step(int64_t begin, int64_t end, int64_t number) {
        AdamWRange range;
        range.parameter = parameter.data();
        range.gradient = gradient.data();
        range.count = static_cast<int64_t>(parameter.size());
        const int64_t block = begin / kQuantisationBlock;
        adamW8bit(slice(range, begin, end - begin),
                  {first.data() + begin, firstScales.data() + block, second.data() + begin,
                   secondScales.data() + block},
                  adamWStep(number, 1e-3, 0.9, 0.999, 1e-8, 1e-2, 1.0), RandomStream{});
    }
    bool operator==(const State&) const = default;
};

TEST(DynamicMap, isAscendingWithZeroAndOne) {
    for (const bool isSigned : {false, true}) {
        const auto& map = dynamicMap(isSigned);
        EXPECT_TRUE(std::is_sorted(map.begin(), map.end()));
        EXPECT_EQ(std::adjacent_find(map.begin(), map.end()), map.end()) << "a value twice";
        EXPECT_EQ(map.back(), 1.0f);
        EXPECT_EQ(std::count(map.begin(), map.end(), 0.0f), 1);
    }
    EXPECT_FLOAT_EQ(dynamicMap(true).front(), -0.99296875f); // middle of the last of 64 parts of [0.1, 1]
    EXPECT_EQ(dynamicMap(false).front(), 0.0f);
    EXPECT_FLOAT_EQ(dynamicMap(false)[1], 1e-6f * 0.325f); // two parts in the lowest decade
}

TEST(DynamicMap, everyCodeSurvives) {
    for (const bool isSigned : {false, true}) {
        std::vector<uint8_t> codes(256), found(256);
        for (int i = 0; i < 256; ++i) codes[i] = static_cast<uint8_t>(i);
        std::vector<float> values(256);
        dequantiseBlock(codes.data(), 3.5f, 256, isSigned, values.data());
        EXPECT_EQ(quantiseBlock(values.data(), 256, isSigned, found.data()), 3.5f);
        EXPECT_EQ(found, codes);
    }
}

/// Expects the codes of one block to be of the nearest values, but for the rounding of the test itself.
void expectNearest(const std::vector<float>& values, bool isSigned) {
    const auto& map = dynamicMap(isSigned);
    std::vector<uint8_t> codes(values.size());
    const float scale =
        quantiseBlock(values.data(), static_cast<int64_t>(values.size()), isSigned, codes.data());
    for (size_t i = 0; i < values.size(); ++i) {
        const double exact = values[i] / scale;
        double least = 2.0;
        for (const float candidate : map) least = std::min(least, std::abs(candidate - exact));
        ASSERT_NEAR(std::abs(map[codes[i]] - exact), least, 1e-7 * std::max(std::abs(exact), 1e-3)) << exact;
    }
}

TEST(DynamicMap, takesTheNearestValue) {
    constexpr int kBlocks = 200;
    std::mt19937 engine(11);
    std::normal_distribution<float> normal;
    for (int block = 0; block < 2 * kBlocks; ++block) {
        const bool isSigned = block < kBlocks;
        std::vector<float> values(kQuantisationBlock - block % 7); // also lengths that are no whole vectors
        for (float& value : values) {
            value = normal(engine) * std::pow(10.0f, -static_cast<float>(engine() % 8));
            if (!isSigned) value = std::fabs(value);
        }
        expectNearest(values, isSigned);
    }
}

TEST(DynamicMap, aBlockOfZerosStaysZero) {
    std::vector<float> values(kQuantisationBlock, 0.0f);
    std::vector<uint8_t> codes(values.size());
    EXPECT_EQ(quantiseBlock(values.data(), kQuantisationBlock, true, codes.data()), 0.0f);
    dequantiseBlock(codes.data(), 0.0f, kQuantisationBlock, true, values.data());
    EXPECT_EQ(std::count(values.begin(), values.end(), 0.0f), kQuantisationBlock);
}

TEST(AdamW8bit, staysNearAdamWInFp32) {
    const int64_t count = 4096;
    State found(count);
    std::vector<float> parameter = found.parameter, first(count), second(count);
    const std::vector<float> start = parameter;
    std::mt19937 engine(9);
    std::normal_distribution<float> normal;
    for (int64_t step = 1; step <= 100; ++step) {
        for (int64_t i = 0; i < count; ++i)
            found.gradient[i] = (0.5f + normal(engine)) * (i % 3 == 0 ? 0.1f : 1.0f);
        AdamWRange range;
        range.parameter = parameter.data();
        range.gradient = found.gradient.data();
        range.firstMoment = first.data();
        range.secondMoment = second.data();
        range.count = count;
        adamW(range, adamWStep(step, 1e-3, 0.9, 0.999, 1e-8, 1e-2, 1.0), RandomStream{});
        found.step(0, count, step);
    }
    double moved = 0.0, error = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        moved += std::pow(parameter[i] - start[i], 2.0);
        error += std::pow(parameter[i] - found.parameter[i], 2.0);
    }
    EXPECT_LT(std::sqrt(error / moved), 0.05);
    EXPECT_GT(error, 0.0) << "8-bit moments cannot be exact";
}

TEST(AdamW8bit, cutsAtBlocksAndThreadsNeverChangeTheResult) {
    const int64_t count = 5000; // the last block is short
    State whole(count);
    State cut = whole;
    for (int64_t step = 1; step <= 3; ++step) {
        whole.step(0, count, step);
        std::thread other([&] { cut.step(0, 7 * kQuantisationBlock, step); });
        cut.step(7 * kQuantisationBlock, count, step);
        other.join();
    }
    EXPECT_TRUE(cut == whole);
}

} // namespace
} // namespace homebooth::kernels

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The codes of 8-bit moments: variant against variant.
#include "kernels/numeric/float16.h"
#include "kernels/optim/adamw8bit.h"
#include "kernels/optim/moment_codes.h"
#include "told_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace homebooth::kernels {
namespace {

using Encode = void (*)(const float*, float, int64_t, bool, uint8_t*);

using Decode = void (*)(const uint8_t*, float, int64_t, bool, float*);

struct Variant {
    const char* name;
    bool CpuFeatures::*needed;
    Encode encode;
    Decode decode;
};

class Vectors : public testing::TestWithParam<Variant> {
protected:
    void SetUp() override {
        if (!(toldFeatures().*GetParam().needed)) GTEST_SKIP() << "this processor has no " << GetParam().name;
    }
};

INSTANTIATE_TEST_SUITE_P(MomentCodes, Vectors,
                         testing::Values(Variant{"AVX2", &CpuFeatures::avx2, encodeAvx2, decodeAvx2},
                                         Variant{"AVX512", &CpuFeatures::avx512, encodeAvx512, decodeAvx512}),
                         [](const auto& variant) { return std::string(variant.param.name); });

/// Appends the floats around a magnitude of at most 1.
void addAround(float magnitude, std::vector<float>& values) {
    constexpr uint32_t kNeighbours = 40;
    const uint32_t middle = bitsOf(magnitude);
    const uint32_t begin = middle > kNeighbours ? middle - kNeighbours : 0;
    for (uint32_t bits = begin; bits <= std::min(middle + kNeighbours, bitsOf(1.0f)); ++bits)
        values.push_back(floatOf(bits));
}

/// Magnitudes where codes may change, all around zero and one, and some of every power of two.
std::vector<float> magnitudes() {
    std::vector<float> values;
    for (const bool isSigned : {false, true}) {
        const auto& map = dynamicMap(isSigned);
        for (size_t code = 0; code < map.size(); ++code) {
            addAround(std::fabs(map[code]), values);
            if (code > 0) addAround(std::fabs(0.5f * (map[code - 1] + map[code])), values);
        }
    }
    for (int exponent = -149; exponent <= 0; ++exponent) addAround(std::ldexp(1.0f, exponent), values);
    constexpr uint32_t kStride = 1021;
    for (uint32_t bits = 0; bits <= bitsOf(1.0f); bits += kStride) values.push_back(floatOf(bits));
    return values;
}

/// Of both signs, in an order that puts different decades beside each other.
std::vector<float> shuffledValues() {
    std::vector<float> values = magnitudes();
    const size_t count = values.size();
    for (size_t i = 0; i < count; ++i) values.push_back(-values[i]);
    std::shuffle(values.begin(), values.end(), std::mt19937(5));
    return values;
}

TEST_P(Vectors, vectorsGiveTheCodesOfTheReference) {
    const std::vector<float> values = shuffledValues();
    const auto count = static_cast<int64_t>(values.size());
    std::vector<uint8_t> expected(values.size()), found(values.size());
    for (const bool isSigned : {false, true}) {
        encodeScalar(values.data(), 1.0f, count, isSigned, expected.data());
        GetParam().encode(values.data(), 1.0f, count, isSigned, found.data());
        const auto [at, other] = std::mismatch(expected.begin(), expected.end(), found.begin());
        ASSERT_EQ(at, expected.end())
            << (isSigned ? "signed: " : "not signed: ") << std::hexfloat << values[at - expected.begin()]
            << " is " << int{*other} << " instead of " << int{*at};
    }
}

TEST_P(Vectors, vectorsGiveTheValuesOfTheReference) {
    std::vector<uint8_t> codes(256 + 13); // and some that are no whole vector
    std::iota(codes.begin(), codes.end(), uint8_t{0});
    std::vector<float> expected(codes.size()), found(codes.size());
    const auto count = static_cast<int64_t>(codes.size());
    for (const bool isSigned : {false, true})
        for (const float scale : {1.0f, 0.37f, 0.0f, 0x1.8p-140f, 3e38f, INFINITY, NAN}) {
            decodeScalar(codes.data(), scale, count, isSigned, expected.data());
            GetParam().decode(codes.data(), scale, count, isSigned, found.data());
            for (size_t i = 0; i < codes.size(); ++i)
                ASSERT_EQ(bitsOf(found[i]), bitsOf(expected[i]))
                    << (isSigned ? "signed, " : "not signed, ") << "code " << int{codes[i]} << ", scale "
                    << scale;
        }
}

/// A block whose greatest magnitude is `scale`, with both signs and zeros.
std::vector<float> blockOf(float scale, int64_t count, uint32_t seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> exponents(-8.0f, 0.0f);
    std::vector<float> values(count);
    for (float& value : values) {
        value = scale * std::pow(10.0f, exponents(engine));
        if (engine() % 2 == 0) value = -value;
        if (engine() % 16 == 0) value = 0.0f;
    }
    values[engine() % count] = scale;
    return values;
}

TEST(MomentCodes, blocksOfAnyScaleAndLengthHaveTheCodesOfTheReference) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::vector<float> scales = {0.0f, 0x1p-149f, 0x1.8p-140f, 0x1p-126f, 1e-30f, 3e-9f,
                                       1.0f, 7.7f,      3e38f,       kInfinity, NAN};
    std::vector<uint8_t> expected(kQuantisationBlock), found(kQuantisationBlock);
    for (const float scale : scales)
        for (const bool isSigned : {false, true})
            for (int64_t count = 1; count <= kQuantisationBlock; ++count) {
                const auto values = blockOf(scale, count, static_cast<uint32_t>(count));
                encodeScalar(values.data(), scale > 0.0f ? scale : 1.0f, count, isSigned, expected.data());
                const float greatest = quantiseBlock(values.data(), count, isSigned, found.data());
                ASSERT_EQ(bitsOf(greatest), bitsOf(scale));
                ASSERT_TRUE(std::equal(found.begin(), found.begin() + count, expected.begin()))
                    << count << " values, scale " << scale;
            }
}

TEST(MomentCodes, aBlockWithOneNotANumberHasTheCodesOfTheReference) {
    for (const bool isSigned : {false, true}) {
        auto values = blockOf(5.0f, kQuantisationBlock, 2);
        values[100] = NAN;
        values[101] = -std::numeric_limits<float>::infinity();
        std::vector<uint8_t> expected(values.size()), found(values.size());
        encodeScalar(values.data(), 1.0f, kQuantisationBlock, isSigned, expected.data());
        quantiseBlock(values.data(), kQuantisationBlock, isSigned, found.data());
        EXPECT_EQ(found, expected);
    }
}

} // namespace
} // namespace homebooth::kernels

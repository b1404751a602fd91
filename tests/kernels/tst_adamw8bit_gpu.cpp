// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW with 8-bit moments on the GPU gives the bytes of the CPU: parameters, codes and scales.
#include "kernels/optim/adamw8bit.h"

#include "gpu_buffer.h"

#include <algorithm>

namespace homebooth::kernels {
namespace {

constexpr int64_t kCount = 40 * kQuantisationBlock + 57; // the last block is short
constexpr int64_t kBlocks = 41;

uint8_t zeroCode(bool isSigned) {
    const auto& map = dynamicMap(isSigned);
    return static_cast<uint8_t>(std::find(map.begin(), map.end(), 0.0f) - map.begin());
}

/// A parameter with its moments, here and on the GPU.
struct Both {
    std::vector<uint8_t> parameter, gradient;
    std::vector<uint8_t> firstCodes = std::vector<uint8_t>(kCount, zeroCode(true));
    std::vector<uint8_t> secondCodes = std::vector<uint8_t>(kCount, zeroCode(false));
    std::vector<uint8_t> firstScales = std::vector<uint8_t>(kBlocks * sizeof(float));
    std::vector<uint8_t> secondScales = std::vector<uint8_t>(kBlocks * sizeof(float));
    std::vector<uint8_t> master = randomValues(NumberType::Float32, kCount, false, 3);
    DeviceBuffer onDevice[7];

    Both(NumberType parameterType, NumberType gradientType)
        : parameter(randomValues(parameterType, kCount, false, 1))
        , gradient(randomValues(gradientType, kCount, false, 2))
        , onDevice{DeviceBuffer(parameter),   DeviceBuffer(gradient),    DeviceBuffer(firstCodes),
                   DeviceBuffer(firstScales), DeviceBuffer(secondCodes), DeviceBuffer(secondScales),
                   DeviceBuffer(master)} {}

    [[nodiscard]] QuantisedMoments moments() {
        return {firstCodes.data(), reinterpret_cast<float*>(firstScales.data()), secondCodes.data(),
                reinterpret_cast<float*>(secondScales.data())};
    }
    [[nodiscard]] QuantisedMoments momentsOnDevice() const {
        return {static_cast<uint8_t*>(onDevice[2].data()), static_cast<float*>(onDevice[3].data()),
                static_cast<uint8_t*>(onDevice[4].data()), static_cast<float*>(onDevice[5].data())};
    }
};

void expectEqualBytes(NumberType parameterType, NumberType gradientType, bool withMaster) {
    Both both(parameterType, gradientType);
    AdamWRange range;
    range.firstElement = 3 * kQuantisationBlock;
    range.count = kCount;
    range.parameterType = parameterType;
    range.gradientType = gradientType;
    AdamWRange onDevice = range;
    onDevice.parameter = both.onDevice[0].data();
    onDevice.gradient = both.onDevice[1].data();
    range.parameter = both.parameter.data();
    range.gradient = both.gradient.data();
    if (withMaster) {
        onDevice.master = static_cast<float*>(both.onDevice[6].data());
        range.master = reinterpret_cast<float*>(both.master.data());
    }
    for (int64_t step = 1; step <= 5; ++step) {
        const AdamWStep coefficients = adamWStep(step, 1e-3, 0.9, 0.999, 1e-8, 1e-2, 0.7);
        const RandomStream random{99, static_cast<uint32_t>(step), 7};
        adamW8bit(range, both.moments(), coefficients, random);
        ASSERT_EQ(launchAdamW8bit(onDevice, both.momentsOnDevice(), coefficients, random, nullptr), 0);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(both.onDevice[0].read(), both.parameter);
    EXPECT_EQ(both.onDevice[2].read(), both.firstCodes);
    EXPECT_EQ(both.onDevice[3].read(), both.firstScales);
    EXPECT_EQ(both.onDevice[4].read(), both.secondCodes);
    EXPECT_EQ(both.onDevice[5].read(), both.secondScales);
    EXPECT_EQ(both.onDevice[6].read(), both.master);
}

TEST(AdamW8bitOnTheGpu, givesTheBytesOfTheCpu) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    for (const NumberType parameter : {NumberType::Float32, NumberType::Bf16, NumberType::Half})
        for (const NumberType gradient : {NumberType::Float32, NumberType::Bf16, NumberType::Half})
            for (const bool withMaster : {false, true}) expectEqualBytes(parameter, gradient, withMaster);
}

} // namespace
} // namespace homebooth::kernels

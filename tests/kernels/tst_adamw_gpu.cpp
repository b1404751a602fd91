// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW on the GPU gives the bytes of the scalar reference, for every combination of types.
#include "kernels/optim/adamw.h"

#include "gpu_buffer.h"

namespace homebooth::kernels {
namespace {

/// Three steps here and on the GPU.
void stepBoth(const AdamWRange& range, const AdamWRange& onDevice) {
    for (int64_t step = 1; step <= 3; ++step) {
        const AdamWStep coefficients = adamWStep(step, 1e-3, 0.9, 0.999, 1e-8, 1e-2, 0.7);
        const RandomStream random{99, static_cast<uint32_t>(step), 7};
        adamWScalar(range, coefficients, random);
        ASSERT_EQ(launchAdamW(onDevice, coefficients, random, nullptr), 0);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

void expectEqualBytes(NumberType parameterType, NumberType gradientType, NumberType momentType,
                      bool withMaster) {
    const int64_t count = 10'007;
    std::vector<uint8_t> parameter = randomValues(parameterType, count, false, 1);
    const std::vector<uint8_t> gradient = randomValues(gradientType, count, false, 2);
    std::vector<uint8_t> first = randomValues(momentType, count, false, 3);
    std::vector<uint8_t> second = randomValues(momentType, count, true, 4);
    std::vector<uint8_t> master = randomValues(NumberType::Float32, count, false, 5);
    const DeviceBuffer deviceParameter(parameter), deviceGradient(gradient), deviceFirst(first),
        deviceSecond(second), deviceMaster(master);
    AdamWRange range;
    range.firstElement = 37; // begins within a group of random counters
    range.count = count;
    range.parameterType = parameterType;
    range.gradientType = gradientType;
    range.momentType = momentType;
    AdamWRange onDevice = range;
    onDevice.parameter = deviceParameter.data();
    onDevice.gradient = deviceGradient.data();
    onDevice.firstMoment = deviceFirst.data();
    onDevice.secondMoment = deviceSecond.data();
    range.parameter = parameter.data();
    range.gradient = gradient.data();
    range.firstMoment = first.data();
    range.secondMoment = second.data();
    if (withMaster) {
        onDevice.master = static_cast<float*>(deviceMaster.data());
        range.master = reinterpret_cast<float*>(master.data());
    }
    stepBoth(range, onDevice);
    EXPECT_EQ(deviceParameter.read(), parameter);
    EXPECT_EQ(deviceFirst.read(), first);
    EXPECT_EQ(deviceSecond.read(), second);
    EXPECT_EQ(deviceMaster.read(), master);
}

TEST(AdamWOnTheGpu, givesTheBytesOfTheScalarReference) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    for (const NumberType parameter : {NumberType::Float32, NumberType::Bf16, NumberType::Half})
        for (const NumberType gradient : {NumberType::Float32, NumberType::Bf16, NumberType::Half})
            for (const NumberType moment : {NumberType::Float32, NumberType::Bf16})
                for (const bool withMaster : {false, true})
                    expectEqualBytes(parameter, gradient, moment, withMaster);
}

} // namespace
} // namespace homebooth::kernels

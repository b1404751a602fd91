// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stochastic stores on the GPU give the bytes of those on the CPU.
#include "kernels/numeric/store_rounded.h"

#include "gpu_buffer.h"

#include <iterator>
#include <limits>

namespace homebooth::kernels {
namespace {

/// Numbers of many magnitudes, among them some that are rounded by rules of their own.
std::vector<uint8_t> exactValues(int64_t count) {
    std::vector<uint8_t> bytes = randomValues(NumberType::Float32, count, false, 1);
    using Limits = std::numeric_limits<float>;
    const float special[] = {
        0.0f,     -0.0f,      Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
        65519.0f, -65521.0f,  Limits::max(),      Limits::lowest(),    Limits::denorm_min(),
        0x1p-14f, 0x1.7p-15f, -0x1.5p-24f,        0x1.9p-26f,          0x1p-140f};
    for (size_t i = 0; i < std::size(special); ++i) memcpy(bytes.data() + 4 * (100 + i), &special[i], 4);
    return bytes;
}

TEST(StoreRoundedOnTheGpu, givesTheBytesOfTheCpu) {
    if (!hasDevice()) GTEST_SKIP() << "this machine has no usable NVIDIA GPU";
    const RandomStream random{99, 3, 7};
    for (const int64_t count : {1, 63, 64, 10'007})
        for (const int64_t firstElement : {0, 37, 64}) // also begins within a group of random counters
            for (const NumberType type : {NumberType::Float32, NumberType::Bf16, NumberType::Half}) {
                const std::vector<uint8_t> exact = exactValues(10'007);
                std::vector<uint8_t> expected(static_cast<size_t>(10'007 * bytesOf(type)), 0xa5);
                const DeviceBuffer source(exact), target(expected);
                storeRounded(reinterpret_cast<const float*>(exact.data()), expected.data(), type,
                             firstElement, count, random);
                ASSERT_EQ(launchStoreRounded(static_cast<const float*>(source.data()), target.data(), type,
                                             firstElement, count, random, nullptr),
                          0);
                EXPECT_EQ(target.read(), expected) // and what lies behind them is left alone
                    << count << " from " << firstElement << ", type " << static_cast<int>(type);
            }
}

} // namespace
} // namespace homebooth::kernels

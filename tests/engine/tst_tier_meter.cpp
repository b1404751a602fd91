// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Host memory counted by tier, and its limit.
#include "core/engine/memory/tier_meter.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace homebooth::core;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

class TierMeter : public testing::Test {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
    void TearDown() override { limitDeviceTier(0); }
};

at::Tensor bytes(int64_t count) {
    return at::empty({count}, at::kByte);
}

TEST_F(TierMeter, countsWhatTensorsTakeAndGiveBack) {
    const int64_t before = tierUse(Tier::Device).currentBytes;
    restartTierPeak(Tier::Device);
    {
        const at::Tensor first = bytes(3 * kMiB);
        { const at::Tensor second = first.clone(); }
        EXPECT_EQ(tierUse(Tier::Device).currentBytes - before, 3 * kMiB);
    }
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before);
    EXPECT_EQ(tierUse(Tier::Device).peakBytes - before, 6 * kMiB);
}

TEST_F(TierMeter, anAllocationStaysInTheTierOfItsScope) {
    const int64_t device = tierUse(Tier::Device).currentBytes;
    const int64_t ram = tierUse(Tier::Ram).currentBytes;
    at::Tensor kept;
    {
        const TierScope scope(Tier::Ram);
        kept = bytes(kMiB);
    }
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes - ram, kMiB);
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, device);
    kept.reset();
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes, ram);
}

TEST_F(TierMeter, aFullDeviceTierRefusesAndSaysByHowMuch) {
    const at::Tensor held = bytes(2 * kMiB);
    const int64_t before = tierUse(Tier::Device).currentBytes;
    limitDeviceTier(before + kMiB);
    try {
        (void)bytes(kMiB + 1);
        FAIL() << "went beyond the limit";
    } catch (const c10::OutOfMemoryError& error) {
        EXPECT_NE(std::string(error.what()).find("device tier is full"), std::string::npos);
    }
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before); // what was refused is not counted
    const TierScope scope(Tier::Ram);
    EXPECT_NO_THROW((void)bytes(4 * kMiB));
}

TEST_F(TierMeter, whatWasRefusedIsNoPeak) {
    limitDeviceTier(tierUse(Tier::Device).currentBytes + kMiB);
    restartTierPeak(Tier::Device);
    const int64_t peak = tierUse(Tier::Device).peakBytes;
    EXPECT_THROW((void)bytes(2 * kMiB), c10::OutOfMemoryError);
    EXPECT_EQ(tierUse(Tier::Device).peakBytes, peak);
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, peak);
}

TEST_F(TierMeter, aRefusalTakesNothingFromOtherThreads) {
    constexpr int64_t kPart = 64 << 10;
    const int64_t before = tierUse(Tier::Device).currentBytes;
    limitDeviceTier(before + 2 * kPart);
    std::atomic<bool> done = false;
    std::thread greedy([&done] {
        while (!done) EXPECT_THROW((void)bytes(kMiB), c10::OutOfMemoryError);
    });
    int refused = 0;
    for (int i = 0; i < 20000; ++i) {
        try {
            (void)bytes(kPart);
        } catch (const c10::OutOfMemoryError&) {
            ++refused;
        }
    }
    done = true;
    greedy.join();
    EXPECT_EQ(refused, 0);
}

TEST_F(TierMeter, maySafelyBeAskedForTwice) {
    meterHostMemory();
    EXPECT_EQ(bytes(kMiB).numel(), kMiB);
}

TEST_F(TierMeter, dataStaysAlignedAsLibTorchHasIt) {
    for (const int64_t count : {1, 63, 64, 4097, 100000})
        EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes(count).data_ptr()) % 64, 0u) << count;
}

} // namespace

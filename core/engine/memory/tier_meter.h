// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts what LibTorch allocates in host memory, by tier, when host memory stands for the device: so that
// budgets hold and peaks can be measured on a machine without a GPU.
// An allocation belongs to the tier of the innermost TierScope of its thread, else to the device. What
// libraries take beside LibTorch's allocator (scratch memory of a product) is not counted. Thread-safe. The
// meter lives as long as the process.
#pragma once

#include <cstdint>

namespace homebooth::core {

enum class Tier : uint8_t { Device, Ram };

struct TierUse {
    int64_t currentBytes = 0;
    int64_t peakBytes = 0;
};

/// Puts the meter in front of LibTorch's CPU allocator, before the first tensor that shall be counted.
/// Calling it again does nothing.
void meterHostMemory();
/// Whether it is there.
[[nodiscard]] bool metersHostMemory();

/// Above this an allocation in the device tier fails with c10::OutOfMemoryError. 0: no limit.
void limitDeviceTier(int64_t bytes);

/// Zero without the meter.
[[nodiscard]] TierUse tierUse(Tier tier);
/// The peak begins anew at what is allocated now.
void restartTierPeak(Tier tier);

/// Counts memory that does not come from LibTorch: pages of their own.
void countInTier(Tier tier, int64_t bytes);

/// Where this thread's allocations belong now.
[[nodiscard]] Tier currentTier();

/// Allocations of this thread belong to `tier` until the end of the scope.
class TierScope {
public:
    explicit TierScope(Tier tier);
    ~TierScope();
    TierScope(const TierScope&) = delete;
    TierScope& operator=(const TierScope&) = delete;

private:
    Tier m_before;
};

} // namespace homebooth::core

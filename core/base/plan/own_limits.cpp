// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/own_limits.h"

namespace homebooth::core {
namespace {

bool says(std::string_view refusal, std::string_view words) {
    return refusal.find(words) != std::string_view::npos;
}

/// Whether it is a GPU's memory that lacks, or the part of RAM that stands for it; maybe RAM beside it,
/// too.
bool deviceLacks(const MemoryConfig& memory, const MachineLimits& limits, std::string_view refusal) {
    if (says(refusal, " of GPU memory")) return true;
    return (limits.gpu || memory.deviceBytes > 0) && says(refusal, kWhereItComputes);
}

/// Whether a GPU may be used no further than now, or takes nothing off RAM however large it is.
bool deviceIsFixed(const MemoryConfig& memory, const MachineLimits& limits) {
    return !limits.gpu || memory.policy == PlacementPolicy::Cpu ||
           (memory.deviceBytes > 0 && limits.deviceBytes >= memory.deviceBytes);
}

} // namespace

bool ownLimitsRefuse(const MemoryConfig& memory, const MachineLimits& limits, int64_t sharing,
                     std::string_view refusal) {
    const bool ramIsFixed = memory.ramBytes > 0 && limits.ramBytes >= memory.ramBytes / sharing;
    if (!deviceLacks(memory, limits, refusal)) return ramIsFixed && deviceIsFixed(memory, limits);
    return says(refusal, kRaiseDeviceLimit) && (ramIsFixed || !says(refusal, kMoreRamWouldDo));
}

} // namespace homebooth::core

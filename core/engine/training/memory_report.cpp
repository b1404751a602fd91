// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/memory_report.h"

#include "core/base/system/memory_facts.h"
#include "core/engine/learning/learner.h"
#include "core/engine/memory/disk_space.h"
#include "core/engine/memory/tier_meter.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

c10::DeviceIndex indexOf(at::Device device) {
    return device.has_index() ? device.index() : c10::DeviceIndex{0};
}

} // namespace

MemoryPeaks memoryPeaks(at::Device device) {
    MemoryPeaks peaks{tierUse(Tier::Device).peakBytes, peakResidentBytes()};
    if (device.is_cpu()) return peaks;
    constexpr size_t kAll = 0; // of small and large blocks together
    const auto stats = c10::getDeviceAllocator(device.type())->getDeviceStats(indexOf(device));
    peaks.deviceBytes = stats.allocated_bytes[kAll].peak;
    return peaks;
}

void restartDevicePeak(at::Device device) {
    if (device.is_cpu())
        restartTierPeak(Tier::Device);
    else
        c10::getDeviceAllocator(device.type())->resetPeakStats(indexOf(device));
}

MemoryEvent memoryEventOf(const KnownMemory& known, const TierRoom& room, at::Device device,
                          const MemoryPeaks& peaks) {
    const auto named = [](const TierMemory& tier) { // activations: values in RAM
        return tier.parameterBytes + tier.gradientBytes + tier.stateBytes + tier.activationBytes;
    };
    const auto rest = [](int64_t peak, int64_t told) { return std::max<int64_t>(0, peak - told); };
    MemoryEvent event;
    event.ram = known.beside;
    event.ram.cacheBytes = known.computing.cacheBytes;
    if (peaks.deviceBytes == 0) { // RAM is all there is
        event.ram.parameterBytes += known.computing.parameterBytes;
        event.ram.gradientBytes += known.computing.gradientBytes;
        event.ram.stateBytes += known.computing.stateBytes;
        event.ram.workspaceBytes = rest(peaks.residentBytes, named(event.ram) + event.ram.cacheBytes);
        event.ram.freeBytes = room.freeBytes;
        event.ram.otherBytes = room.otherBytes;
        return event;
    }
    event.device = known.computing;
    event.device.cacheBytes = 0;
    event.device.activationBytes = rest(peaks.deviceBytes, named(event.device));
    event.device.freeBytes = room.freeBytes;
    if (!device.is_cpu()) { // else the device is a part of RAM
        event.device.freeBytes = rest(room.freeBytes + room.usedBytes, peaks.deviceBytes);
        event.device.otherBytes = room.otherBytes;
    }
    const int64_t standsForDevice = device.is_cpu() ? peaks.deviceBytes : 0;
    event.ram.workspaceBytes =
        rest(peaks.residentBytes, named(event.ram) + event.ram.cacheBytes + standsForDevice);
    return event;
}

TierMemory swapKinds(const Learner& learner) {
    const StateDisk::Sizes& sizes = learner.swappedSizes();
    TierMemory kinds;
    for (size_t part = 0; part < learner.partCount(); ++part)
        kinds.parameterBytes += diskSpaceOf(learner.part(part).component->store());
    kinds.gradientBytes = sizes.gradients;
    kinds.workspaceBytes = sizes.originals;
    kinds.stateBytes = diskSpaceFor(sizes.sum()) - kinds.gradientBytes - kinds.workspaceBytes;
    return kinds;
}

RankMemory rankMemoryOf(const MemoryEvent& event) {
    const auto all = [](const TierMemory& tier) {
        return tier.parameterBytes + tier.gradientBytes + tier.stateBytes + tier.activationBytes +
               tier.workspaceBytes + tier.cacheBytes;
    };
    return {all(event.device), all(event.ram)};
}

void addRanks(MemoryEvent& event, std::vector<RankMemory> ranks, int rank, int onThisMachine) {
    const auto count = static_cast<int64_t>(ranks.size());
    int64_t besideBytes = 0;
    for (size_t one = 0; one < ranks.size(); ++one)
        if (one != static_cast<size_t>(rank)) besideBytes += ranks[one].ramBytes;
    // Which of them are elsewhere is not known here; they hold about as much as each other.
    if (count > 1) besideBytes = besideBytes / (count - 1) * (onThisMachine - 1);
    event.ram.otherBytes = std::max<int64_t>(0, event.ram.otherBytes - besideBytes);
    event.ranks = std::move(ranks);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/memory_report.h"

#include "core/base/system/memory_facts.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>

namespace homebooth::core {

MemoryPeaks memoryPeaks(at::Device device) {
    MemoryPeaks peaks{0, peakResidentBytes()};
    if (device.is_cpu()) return peaks;
    constexpr size_t kAll = 0; // of small and large blocks together
    const c10::DeviceIndex index = device.has_index() ? device.index() : c10::DeviceIndex{0};
    peaks.deviceBytes =
        c10::getDeviceAllocator(device.type())->getDeviceStats(index).allocated_bytes[kAll].peak;
    return peaks;
}

MemoryEvent memoryEventOf(const TierMemory& known, int64_t freeBytes, at::Device device,
                          const MemoryPeaks& peaks) {
    MemoryEvent event;
    const int64_t computing = known.parameterBytes + known.gradientBytes + known.stateBytes;
    const auto rest = [](int64_t peak, int64_t named) { return std::max<int64_t>(0, peak - named); };
    if (device.is_cpu()) {
        event.ram = known;
        event.ram.workspaceBytes = rest(peaks.residentBytes, computing + known.cacheBytes);
        event.ram.freeBytes = freeBytes;
        return event;
    }
    event.device = known;
    event.device.cacheBytes = 0;
    event.device.activationBytes = rest(peaks.deviceBytes, computing);
    event.device.freeBytes = freeBytes;
    event.ram.cacheBytes = known.cacheBytes;
    event.ram.workspaceBytes = rest(peaks.residentBytes, known.cacheBytes);
    return event;
}

} // namespace homebooth::core

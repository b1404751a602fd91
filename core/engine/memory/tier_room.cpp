// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/tier_room.h"

#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <algorithm>

namespace homebooth::core {

TierRoom roomOn(at::Device device) {
    if (device.is_cpu()) {
        const MemoryFacts facts = memoryFacts();
        const int64_t own = residentBytes();
        const int64_t taken = facts.totalBytes - facts.availableBytes;
        return {facts.usableBytes(), own, std::max<int64_t>(0, taken - own)};
    }
    c10::DeviceAllocator* allocator = c10::getDeviceAllocator(device.type());
    const c10::DeviceIndex index = device.has_index() ? device.index() : c10::DeviceIndex{0};
    const auto stats = allocator->getDeviceStats(index);
    constexpr size_t kAll = 0; // of small and large blocks together
    const int64_t allocated = stats.allocated_bytes[kAll].current;
    const int64_t reserved = stats.reserved_bytes[kAll].current;
    const auto [free, total] = allocator->getMemoryInfo(index);
    return {static_cast<int64_t>(free) + reserved - allocated, allocated,
            std::max<int64_t>(0, static_cast<int64_t>(total) - static_cast<int64_t>(free) - reserved)};
}

int64_t mostOfFree(const TierRoom& room) {
    return static_cast<int64_t>(kShareOfFree * static_cast<double>(room.freeBytes));
}

} // namespace homebooth::core

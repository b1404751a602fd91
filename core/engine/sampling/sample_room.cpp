// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/sample_room.h"

#include "core/engine/memory/tier_room.h"

#include <ATen/Context.h>

namespace homebooth::core {

MachineLimits sampleRoom(at::Device device, int64_t processes) {
    const TierRoom ram = roomOn(at::kCPU);
    MachineLimits limits{device.is_cuda(), 0, ram.freeBytes / processes + ram.usedBytes};
    if (!limits.gpu) return limits;
    at::globalContext().lazyInitDevice(at::kCUDA);
    const TierRoom room = roomOn(device);
    limits.deviceBytes = mostOfFree(room) + room.usedBytes;
    return limits;
}

} // namespace homebooth::core

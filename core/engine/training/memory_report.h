// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run says of the memory that it took. Free functions; any thread.
#pragma once

#include "core/base/run/event.h"

#include <c10/core/Device.h>

#include <cstdint>

namespace homebooth::core {

/// The greatest that was taken at one time since the process began, bytes.
struct MemoryPeaks {
    int64_t deviceBytes = 0;   ///< LibTorch's on the GPU; 0 without one
    int64_t residentBytes = 0; ///< the process's RAM
};

/// Errors: throws c10::Error when a GPU does not answer
[[nodiscard]] MemoryPeaks memoryPeaks(at::Device device);

/// A memory event without its step. What a peak holds beyond the kinds that are known is activations on a
/// GPU, where everything goes through one allocator; in RAM it is workspace, with the program and its
/// libraries.
/// @param known      bytes by kind where training computes; caches lie in RAM wherever that is
/// @param freeBytes  of the tier that computes
[[nodiscard]] MemoryEvent memoryEventOf(const TierMemory& known, int64_t freeBytes, at::Device device,
                                        const MemoryPeaks& peaks);

} // namespace homebooth::core

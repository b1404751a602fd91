// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run says of the memory that it took. Free functions; any thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/engine/planning/memory_room.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

class Learner;

/// The greatest that was taken at one time, bytes.
struct MemoryPeaks {
    /// LibTorch's, on a GPU or in the part of RAM that stands for one, since its peak began anew; 0 without
    /// either.
    int64_t deviceBytes = 0;
    int64_t residentBytes = 0; ///< the process's RAM, since it began
};

/// Errors: throws c10::Error when a GPU does not answer
[[nodiscard]] MemoryPeaks memoryPeaks(at::Device device);

/// The device's peak begins anew at what is taken now. Errors: as above
void restartDevicePeak(at::Device device);

/// What is known by kind: where training computes, and beside it in RAM.
struct KnownMemory {
    TierMemory computing; ///< its caches lie in RAM wherever that is
    TierMemory beside;    ///< homes of streamed parameters, their gradients and states, values that wait
};

/// A memory event without its step. What a peak holds beyond the kinds that are known is activations where
/// everything goes through one allocator, on a device; in RAM it is workspace, with the program and its
/// libraries.
/// @param room  of the memory that computes
[[nodiscard]] MemoryEvent memoryEventOf(const KnownMemory& known, const TierRoom& room, at::Device device,
                                        const MemoryPeaks& peaks);

/// What is set aside on the disk for what learns, in files of whole pages, by kind as a plan has it
/// (tier_kinds.h).
[[nodiscard]] TierMemory swapKinds(const Learner& learner);

/// All that an event says of its own process.
[[nodiscard]] RankMemory rankMemoryOf(const MemoryEvent& event);

/// Adds what each of several ranks takes. What those beside this one hold in this machine's RAM is then no
/// other program's. @param ranks  in their order, @param onThisMachine  how many of them share its RAM
void addRanks(MemoryEvent& event, std::vector<RankMemory> ranks, int rank, int onThisMachine);

} // namespace homebooth::core

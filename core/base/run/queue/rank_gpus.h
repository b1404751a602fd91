// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which GPU each process of a training gets. A process sees its own alone ($CUDA_VISIBLE_DEVICES), so that to
// it there is one GPU, as ever. All of them compute on GPUs or none does. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/queue/job_slots.h"
#include "core/base/util/result.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Names the GPUs that a program sees.
constexpr const char* kVisibleDevicesVariable = "CUDA_VISIBLE_DEVICES";
/// As its value: none.
constexpr const char* kNoGpu = "-1";

/// The GPUs of this machine.
struct GpuOffer {
    std::vector<JobSlot> usable;       ///< that this program sees and has code for, the fastest first
    std::vector<std::string> numbered; ///< UUIDs of all, as nvidia-smi numbers them
};

/// Whether a training takes other GPUs than the first that it finds: it has several processes, or names some.
[[nodiscard]] bool choosesGpus(const TrainConfig& config);

/// What there is; $HOMEBOOTH_SLOTS stands in its place, see jobSlots. Takes up to half a second.
[[nodiscard]] GpuOffer gpuOffer();

/// The same of slots that are known. @param numbered  as numberedGpus() says; where it names none of these
/// their own order takes its place
[[nodiscard]] GpuOffer offerOf(std::vector<JobSlot> usable, std::vector<std::string> numbered);

/// The slots that a training needs, all at once, in order, as many as it has processes, or all where there
/// are fewer; none: any one will do. They are those of the GPUs that it names, or the fastest.
/// Errors: Usage where it names unknown ones, or one twice; rankGpus refuses that, too
[[nodiscard]] Result<std::vector<int>> slotsWanted(const TrainConfig& config, const GpuOffer& offer);

/// What each process of a training shall see, in the order of ranks: a GPU of its own, kNoGpu where there are
/// too few for all, or nothing ("") where that is left as it is: one process, or processors were asked for.
/// Errors: Usage where GPUs were asked for or named, and there are too few, or unknown ones
[[nodiscard]] Result<std::vector<std::string>> rankGpus(const TrainConfig& config, const GpuOffer& offer);
/// The same with this machine's GPUs, which are looked for only where that matters. One process sees
/// gpuOfOne.
[[nodiscard]] Result<std::vector<std::string>> rankGpus(const TrainConfig& config);

/// What the only process of a job shall see: firstUsableGpu(), which is not asked for where a processor was.
[[nodiscard]] std::string gpuOfOne(ComputeDevice wanted);

/// What a process that a launcher has started shall see: of what $CUDA_VISIBLE_DEVICES names (null: of all)
/// the GPU with its number among the processes of this machine. Where a single one is named, the launcher has
/// chosen.
[[nodiscard]] std::string launchedGpu(const char* visible, int localRank);
/// The same where nothing is named and the machine's GPUs are known: of those that can be used the one
/// with that number, for the driver's own numbers count others as well. kNoGpu where there are fewer.
/// @param usable  in the driver's order; none, or one that cannot be named: as above
[[nodiscard]] std::string launchedGpu(const char* visible, int localRank, const std::vector<JobSlot>& usable);

/// Whether what $CUDA_VISIBLE_DEVICES names (null: everything) begins with one of so many GPUs. Nothing is
/// asked of the driver, which would remember the variable's value.
[[nodiscard]] bool namesGpu(const char* visible, size_t gpus);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training step needs, known before anything is loaded: the step itself is walked on tensors that have
// shapes and no memory, so every allocation has the size, the order and the lifetime of the real one. Takes a
// fraction of a second and next to no memory whatever the model's size.
// Counted is what LibTorch allocates for a step on the host's ways; scratch memory that libraries take beside
// its allocator is not. Not two at a time in one process.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/plan/training/swap_pages.h"
#include "core/engine/learning/step_placement.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/memory/value_shelf.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// What one block's turn in forward or in backward took, in bytes of the device.
struct RehearsedTurn {
    int64_t heldBytes = 0; ///< when it began
    int64_t peakBytes = 0;
    int64_t leftBytes = 0; ///< when it ended
    ShelfTraffic values;   ///< that went to RAM and came from it
    RehearsedWork work;
};

/// One block of one part, in the last micro-step.
struct RehearsedBlock {
    size_t part = 0;      ///< 0: UNet or language model, 1: text encoder
    std::string partName; ///< as learners call it
    int block = 0;
    std::string name; ///< in its schedule
    bool streamed = false;
    int64_t parameterBytes = 0; ///< padded to whole chunks
    int64_t gatheredBytes = 0;  ///< of them, what other ranks have and send for each use (--zero 3)
    int64_t trainedElements = 0;
    int64_t trainedBytes = 0;
    int64_t updatedElements = 0; ///< of those, what this process updates: all, or a rank's slice
    int64_t updatedBytes = 0;
    int64_t visitFetchedBytes = 0;  ///< of optimizer states, what comes to the device for the update
    int64_t visitReturnedBytes = 0; ///< of parameters and states, what goes back
    int64_t visitCopiedBytes = 0;   ///< of parameters, what is copied on the device for that
    int64_t visitTransfers = 0;     ///< over the link, both ways
    int64_t gradientRoomBytes = 0;  ///< of others' gradients that may still be there as its backward begins
    RehearsedTurn forward;
    RehearsedTurn backward;

    /// Whether the update takes place on the device, though home is RAM.
    [[nodiscard]] bool visits() const { return visitReturnedBytes > 0; }
};

/// How one part's parameters come to the device in a micro-step, where any are streamed.
struct RehearsedStream {
    size_t part = 0;
    std::vector<int> order;  ///< blocks by use, resident ones included
    ResidencyPlan residency; ///< of the streamed ones among these uses
    /// By block; of one that is spread over ranks this one's part, which comes at each use.
    std::vector<int64_t> fetchBytes;
};

struct Rehearsal {
    std::vector<RehearsedBlock> blocks; ///< in the order of forward: the text encoder's come first
    std::vector<RehearsedStream> streams;
    int64_t devicePeakBytes = 0;
    int64_t ramPeakBytes = 0; ///< of what is counted; the program with its libraries comes on top
    int64_t parameterBytes =
        0;                  ///< on the device: resident ones and the arena that others are streamed through
    int64_t stateBytes = 0; ///< of optimizers and averages, on whichever tier they are
    int64_t stateBytesInRam = 0;      ///< of them, those of streamed blocks that are on no disk
    int64_t stateBytesOnDevice = 0;   ///< and those of resident ones
    int64_t swappedBytes = 0;         ///< of the disk, what is set aside for states, averages and gradients
    int64_t changingSwappedBytes = 0; ///< of it, what every step changes as a whole
    int64_t gradientPlaceBytes = 0;   ///< of it, places for gradients that rest
    int64_t originalPlaceBytes = 0;   ///< and for parameters while averages stand in for them
    int64_t homeOnDiskBytes = 0;      ///< of parameters
    int64_t stateFileBytes = 0;       ///< what the file takes that holds states, averages and gradients
    int64_t homeFileBytes = 0;        ///< those of networks that learn, each in whole pages,
    int64_t frozenFileBytes = 0;      ///< and of others, while they are there beside the steps
    int64_t gradientBytes = 0;        ///< that rest until the step's end, at most
    int64_t gradientBytesInRam = 0;   ///< of them, those of streamed blocks that are on no disk
    int64_t gradientBytesOnDisk = 0;  ///< and those on a disk
    int64_t linkBytesPerStep =
        0; ///< parameters that come to the device, gradients that leave it, values both ways
    int64_t valueBytesPerStep = 0; ///< of that, values
    int64_t homeBytesInRam = 0;    ///< of parameters that are streamed, padding included
    int64_t valueBytesInRam = 0;   ///< that values wait in
    int64_t trainedBytes = 0;      ///< of the parameters that learn
    int64_t trainedElements = 0;
    RehearsedWork work;  ///< of the whole step
    SwapExtra swapExtra; ///< of the disk, what a step moves beside all of that (planning/swap_walk.h)

    /// All that may lie on the disk at the same time.
    [[nodiscard]] int64_t fileBytes() const { return stateFileBytes + homeFileBytes + frozenFileBytes; }
};

/// Whether a GPU computes what is rehearsed.
[[nodiscard]] bool computesOnGpu(const MemoryConfig& memory);

/// @param model  only its configurations are read
/// Errors: BadInput from a LoRA that finds nothing to adapt or a scheduler that cannot train;
///         OutOfResources when a streamed block does not fit into its arena
[[nodiscard]] Result<Rehearsal> rehearseStep(const TrainConfig& config, const ModelSource& model,
                                             const StepPlacement& options);

} // namespace homebooth::core

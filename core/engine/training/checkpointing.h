// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saves a training into a checkpoint folder and brings it back. Free functions; one writer a run.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/training/run_state.h"
#include "core/engine/training/trainee.h"

#include <string>

namespace homebooth::core {

/// Counted: a moment that --keep counts. Rolling: what the clock saves between two of those, or what is saved
/// for the battery; the next one of either kind takes its place.
enum class SaveKind { Counted, Rolling };

/// Every rank calls it: those of one machine write at once what each has, else the first what all have; the
/// bytes are the same. Writes a checkpoint, manifest last, and drops the oldest ones beyond those to keep
/// after the new one was verified; one that cannot be removed is a warning. A valid checkpoint of this step
/// is left as it is, but for a rolling one that is to count from now on.
/// @returns  its path. Errors: BadInput, OutOfResources, the same at every rank, in words that name the step,
///           and of several ranks the one that failed; older checkpoints are then untouched, and it may be
///           tried again
[[nodiscard]] Result<std::string> saveCheckpoint(const JobContext& job, Trainee& trainee, int64_t step,
                                                 SaveKind kind = SaveKind::Counted);

/// Drops rolling checkpoints of other steps where there is room for another one then. One that counts has to
/// be there: nobody knows how long the new one takes to come. For the first rank.
/// @returns  whether any went
[[nodiscard]] bool giveUpRolling(const JobContext& job, int64_t step, int64_t checkpointBytes);

/// Whether there is room for a rolling checkpoint, and for the next one that counts behind it. For the first
/// rank. Errors: OutOfResources, with what is lacking
[[nodiscard]] Result<void> expectRoomToRoll(const JobContext& job, int64_t checkpointBytes);

struct Restored {
    int64_t step = 0;                  ///< 0: there was no checkpoint
    std::string path;                  ///< of the checkpoint; empty without one
    SaveKind kind = SaveKind::Counted; ///< of that one
    std::vector<std::string> warnings; ///< what was passed over or differs, in words
};

/// Brings the newest valid checkpoint back into `trainee`; without any, training begins at the start.
/// Errors: BadInput when checkpoints exist but none can be used, or when photos or captions have changed
///         in the middle of a run; a finished run may go on with others
[[nodiscard]] Result<Restored> restoreCheckpoint(const JobContext& job, Trainee& trainee);

/// Drops the checkpoints that are too many; one that cannot be removed is a warning: it takes room, and must
/// not end hours of training. For the first rank. @param newest  the step of the newest one
void dropSpareCheckpoints(const JobContext& job, int64_t newest);

/// After the end: drops the optimizer states of all checkpoints unless they are to be kept. While training
/// they stay in every checkpoint, so that a fall-back to an older one is exact. Those that cannot be removed
/// are a warning: the result is there.
void pruneOptimizerStates(const JobContext& job);

/// The newest checkpoint's path and step in words for people, or that there is none; nothing where the run
/// itself is not there.
[[nodiscard]] std::string keptInWords(const RunFolder& run);

} // namespace homebooth::core

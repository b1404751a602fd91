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

/// Every rank calls it: those of one machine write at once what each has, else the first what all have; the
/// bytes are the same. Writes a checkpoint, manifest last, and drops the oldest ones beyond those to keep
/// after the new one was verified; one that cannot be removed is a warning. A valid checkpoint of this step
/// is left as it is.
/// @returns  its path. Errors: BadInput, OutOfResources, the same at every rank, in words that name the step,
///           and of several ranks the one that failed; older checkpoints are then untouched, and it may be
///           tried again
[[nodiscard]] Result<std::string> saveCheckpoint(const JobContext& job, Trainee& trainee, int64_t step);

struct Restored {
    int64_t step = 0;                  ///< 0: there was no checkpoint
    std::string path;                  ///< of the checkpoint; empty without one
    std::vector<std::string> warnings; ///< what was passed over or differs, in words
};

/// Brings the newest valid checkpoint back into `trainee`; without any, training begins at the start.
/// Errors: BadInput when checkpoints exist but none can be used, or when photos or captions have changed
///         in the middle of a run; a finished run may go on with others
[[nodiscard]] Result<Restored> restoreCheckpoint(const JobContext& job, Trainee& trainee);

/// After the end: drops the optimizer states of all checkpoints unless they are to be kept. While training
/// they stay in every checkpoint, so that a fall-back to an older one is exact. Those that cannot be removed
/// are a warning: the result is there.
void pruneOptimizerStates(const JobContext& job);

/// The newest checkpoint's path and step in words for people, or that there is none.
[[nodiscard]] std::string keptInWords(const RunFolder& run);

} // namespace homebooth::core

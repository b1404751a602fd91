// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run began with, in the facts of its run.json, and whether that is still so when it goes on.
// Free functions; one writer a run.
#pragma once

#include "core/base/model/training_notes.h" // kModelFact
#include "core/engine/data/job_context.h"

namespace homebooth::core {

/// Names in the facts of run.json, beside kModelFact.
constexpr const char* kScratchFact = "scratchSha256";  ///< of the folder of configurations, likewise
constexpr const char* kPredictsFact = "modelPredicts"; ///< "v_prediction": by the model's files
constexpr const char* kThreadsFact = "threads";        ///< that computed the run's beginning
constexpr const char* kProcessesFact = "processes";    ///< that had so many threads each
constexpr const char* kDeviceFact = "device";          ///< that computes: the GPU by name, or "processor"

/// Threads to compute with: those of the configuration, else those that the run began with, since another
/// number changes the last bits; else all cores, shared among the processes. Writes them down, and warns
/// where there are fewer cores. Errors: BadInput, OutOfResources from run.json
[[nodiscard]] Result<int> threadsOf(const JobContext& job);

/// Writes down what computes. What a GPU has begun does not go on with the processor, nor begin again
/// there, unless that was chosen: it would take days unsaid, and its results would be others.
/// Errors: DeviceLost where it would; BadInput, OutOfResources from run.json
[[nodiscard]] Result<void> checkDevice(const JobContext& job);

/// Hashes the models that the run starts from, writes them down, and compares once there are checkpoints;
/// likewise what the one predicts, which a file beside it may say.
/// @returns  false when stop was requested meanwhile
/// Errors: BadInput when a model cannot be read or has changed, with what to do
[[nodiscard]] Result<bool> checkModels(const JobContext& job);

} // namespace homebooth::core

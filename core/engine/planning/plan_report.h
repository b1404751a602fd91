// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A step's plan as people and the journal hear of it. Free functions; any thread.
#pragma once

#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/training/train_plan.h"
#include "core/engine/planning/step_planner.h"

#include <string>

namespace homebooth::core {

/// Where predicted times come from before the first step.
constexpr const char* kThisMachine =
    "this machine's speed in each kind of work; the first steps are measured";

/// Who takes what of both tiers at the peak, what moves, and a line a decision with its reason.
/// @param speed  what a step's time that was not measured comes from, in words
[[nodiscard]] StepNeed stepNeedOf(const TrainConfig& config, const StepPlan& plan, const std::string& speed);

/// What a run holds beside its steps.
struct HeldBeside {
    int64_t encodingBytes = 0; ///< for pictures and captions, as StepNeed has it
    int64_t textBytes = 0;     ///< of tokens, in RAM
    HeldPictures pictures;     ///< latents and encoded captions, in RAM
};

/// What the journal says of a plan that was made in the middle of a run.
/// @param why   it was made; comes first among the decisions
/// @param gpu   a GPU computes
/// Errors: BadInput from a LoRA that finds nothing to adapt
[[nodiscard]] Result<PlanEvent> planEventOf(const TrainConfig& config, const ModelSource& model,
                                            const StepPlan& plan, bool gpu, const HeldBeside& held,
                                            PlanDecision why);

} // namespace homebooth::core

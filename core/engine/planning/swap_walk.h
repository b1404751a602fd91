// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a step reads from a disk and writes to it beyond the bytes that it is about: whole pages, those that
// tensors share more than once, and what has made place for others before its update. A free function; it
// is called where the step is rehearsed.
#pragma once

#include "core/base/plan/training/swap_pages.h"
#include "core/engine/planning/rehearsal.h"
#include "core/engine/planning/trial_step.h"

namespace homebooth::core {

/// Goes over the pages of parameters and optimizer states as a rehearsed step does, behind another one.
/// Averages, gradients that rest and processes that train together are left out.
/// @param found  blocks, streams and what lies where
[[nodiscard]] SwapExtra walkSwap(const TrainConfig& config, const TrialStep& trial,
                                 const StepPlacement& placement, const Rehearsal& found);

} // namespace homebooth::core

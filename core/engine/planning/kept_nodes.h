// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the search for kept activations needs to know of a model's blocks, taken from rehearsals in which all
// of them were treated alike, and what it learns from those of its own choices. Free functions; any thread.
#pragma once

#include "core/base/plan/training/kept_search.h"
#include "core/engine/planning/rehearsal.h"
#include "core/engine/planning/step_costs.h"

#include <vector>

namespace homebooth::core {

/// A step with every block kept in one way.
struct AlikeStep {
    KeptForBackward kept = KeptForBackward::Inputs;
    Rehearsal need;
};

/// What a block took in a rehearsal, bytes alone. @param leanest  the same block, where all keep inputs alone
[[nodiscard]] KeptOption optionOf(KeptForBackward kept, const RehearsedBlock& block,
                                  const RehearsedBlock& leanest);

/// @param alike  of one placement, the first one with inputs alone
/// @param costs  has learned all of them
/// @returns      by block as in Rehearsal::blocks; streamed ones never keep everything
[[nodiscard]] std::vector<KeptNode> keptNodesOf(const std::vector<AlikeStep>& alike, const StepCosts& costs);

} // namespace homebooth::core

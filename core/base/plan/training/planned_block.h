// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a plan says of one block of the model, a line each, as decisions of the plan, which is how the worker
// hands them on. Free functions; any thread.
#pragma once

#include "core/base/plan/training/kept_activations.h"
#include "core/base/run/journal/event.h"

#include <cstdint>
#include <string>

namespace homebooth::core {

/// Code of decisions.
inline constexpr const char* kPlannedBlock = "planned-block";

struct PlannedBlock {
    std::string name; ///< with its part, "unet down_blocks.0.resnets.0", "language h.0"
    KeptForBackward kept = KeptForBackward::Inputs;
    double forwardSeconds = 0.0; ///< of a micro-step
    double backwardSeconds = 0.0;
    int64_t parameterBytes = 0;
    int64_t gatheredBytes = 0;   ///< of them, what other processes have and send for each use (--zero 3)
    int64_t activationBytes = 0; ///< more on the device behind its forward than before it
    int64_t peakBytes = 0;       ///< of the device in its forward or backward, with all that others hold
    int64_t leftBytes = 0;       ///< of values that go to RAM in its turns
    int64_t returnedBytes = 0;   ///< and of those that come back
    bool streamed = false;       ///< from its home; else its parameters are at home on the device
    bool homeOnDisk = false;     ///< of a streamed one: else in RAM
    int64_t fetches = 0;         ///< of its parameters in a micro-step; 0: they stay on the device
    int64_t fetchedAhead = 0;    ///< so many turns of blocks before the first one that needs it
};

/// "device", "ram" or "disk": where its parameters are at home.
[[nodiscard]] const char* homeName(const PlannedBlock& block);

/// "everything", "products" or "inputs".
[[nodiscard]] const char* keptName(KeptForBackward kept);

/// One line, and all figures beside it.
[[nodiscard]] PlanDecision decisionOf(const PlannedBlock& block);

/// The block of such a line, without what it keeps in words. Missing figures are 0.
[[nodiscard]] PlannedBlock plannedBlockOf(const PlanDecision& line);

} // namespace homebooth::core

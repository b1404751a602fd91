// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What each tier holds at the peak of a rehearsed step, by kind. Free function; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"
#include "core/engine/planning/rehearsal.h"

namespace homebooth::core {

/// Each tier sums up to the rehearsal's peak; the program with its libraries is not in it. States are
/// optimizers' moments, fp32 masters and moving averages. Activations are, on the device, all that is not
/// named otherwise; in RAM, values that wait there. Workspace is, in RAM, what gradients on their way and
/// pages of a disk lie in; on the disk, places for parameters while averages stand in for them. Parameters
/// are, on the disk, those of models that do not learn, too.
[[nodiscard]] TierPeaks tierPeaksOf(const Rehearsal& need);

} // namespace homebooth::core

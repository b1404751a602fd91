// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a training lacks that cannot begin, in the user's words. Pure functions; any thread.
#pragma once

#include "app/engine/plans/plan_facts.h"

#include <QString>

namespace homebooth::app {

/// "It needs 9.0 GB of memory, and it may use 2.0 GB. Nothing was started."
/// @param facts  of a plan that does not fit. @param config  what was planned
[[nodiscard]] QString shortageText(const PlanFacts& facts, const core::TrainConfig& config);

/// Whether it is a limit of the user's own that leaves too little.
/// @param facts, config  as above
[[nodiscard]] bool ownLimitBinds(const PlanFacts& facts, const core::TrainConfig& config);

/// Whether it is refused because the folder of what is to be learned is not there.
[[nodiscard]] bool lacksPictureFolder(const PlanFacts& facts);

/// The photo for whose sake it is refused because its file is not there; empty: that is not why.
[[nodiscard]] QString gonePhoto(const PlanFacts& facts);

} // namespace homebooth::app

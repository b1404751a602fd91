// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// This program as one of several that torchrun, mpirun, mpiexec or srun has started to train one model. The
// first of them does what it would do alone, and its worker waits for the others; each of the others has a
// worker that waits for the first to say what is trained. Main thread.
#pragma once

#include "core/base/run/rank_place.h"
#include "core/base/util/result.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// Nothing where no launcher has started this program, or started it alone. Errors: Usage, as findRankPlace
[[nodiscard]] Result<std::optional<RankPlace>> launchedPlace();

/// The launcher that has started this program alone, by its variables; empty: none has.
[[nodiscard]] std::string launcherOfOne();

/// Trains along as one that is not the first, and says nothing but how it failed.
/// @param verb  that the user gave, for errors. @returns  the exit code
int joinTraining(const RankPlace& place, const char* verb);

} // namespace homebooth::core

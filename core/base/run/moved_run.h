// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A run's folder that lies elsewhere than its run.json says: somebody moved or renamed it. Free functions;
// any thread.
#pragma once

#include "core/base/run/run_folder.h"

#include <map>
#include <optional>
#include <string>

namespace homebooth::core {

/// Where the run in `folder` was before; nothing where it still is there, or where there is no run.
[[nodiscard]] std::optional<std::string> movedFrom(const std::string& folder);

/// Brings the paths of run.json that lie within the run along, and what belongs to it on another disk, for
/// whoever holds its lock. Does nothing to a run that was not moved, or that a link leads to.
[[nodiscard]] Result<void> correctPaths(const RunFolder& run);

/// The same for everybody else.
/// Errors: BadInput while somebody works on it: who began before the move still writes to the old place
[[nodiscard]] Result<void> followMove(const RunFolder& run);

/// Brings the paths of run.json along that lie within other folders which were moved: those of runs that this
/// one began from. @param moved  from where to where
/// Errors: BadInput while somebody works on it: the worker writes to run.json, too
[[nodiscard]] Result<void> followOthers(const RunFolder& run,
                                        const std::map<std::string, std::string>& moved);

} // namespace homebooth::core

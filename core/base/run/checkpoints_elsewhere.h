// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of a run that lie on another disk: `checkpoints` in the run's folder is then a link to
// "<name of the run> checkpoints" in a folder that the user chose. All else reads and writes through the
// link. Free functions; one writer a run.
#pragma once

#include "core/base/run/run_folder.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// Where the link of the run in a folder leads, whatever is there; nothing where checkpoints lie within it.
[[nodiscard]] std::optional<std::string> checkpointsElsewhere(const std::string& runDir);

/// The same, if that folder goes with the run: its name is one that `moveCheckpoints` gives, and it holds
/// checkpoints and nothing else.
[[nodiscard]] std::optional<std::string> ownCheckpointsElsewhere(const std::string& runDir);

/// Errors: BadInput where a link leads to a folder that is gone, e.g. with its drive: such a run has saved
/// something, and must not begin anew
[[nodiscard]] Result<void> expectCheckpointsThere(const RunFolder& run);

/// Lets checkpoints lie in `folder` from now on. The newest valid one is copied there and verified, then the
/// link takes the name `checkpoints` in one step, and what lay there before goes.
/// @param folder  absolute, outside of the run
/// @returns  where they lie now. Errors: BadInput, OutOfResources; then they lie where they did
[[nodiscard]] Result<std::string> moveCheckpoints(const RunFolder& run, const std::string& folder);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder in which this program was started. One that was removed has no path any more, and one that lies
// too deep none that libraries ask for: MKL finds its own ones no more then, and ends the process.
// Free functions; any thread.
#pragma once

#include "core/base/config/config_fields.h"
#include "core/base/util/result.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Whether it has a path.
[[nodiscard]] bool hasWorkingFolder();

/// A path that is right from everywhere. Errors: BadInput for a relative one where there is no such folder
[[nodiscard]] Result<std::string> absolutePath(const std::string& path);

/// The same for what programs are told of, without a closing slash; as given where there is no such folder.
[[nodiscard]] std::string toldPath(const std::string& path);

/// Errors: BadInput where a setting, or one of these paths, is relative and there is no such folder
/// @param paths  of settings that are lists
[[nodiscard]] Result<void> expectReachable(const std::vector<ConfigField>& fields,
                                           const std::vector<std::string>& paths = {});

} // namespace homebooth::core

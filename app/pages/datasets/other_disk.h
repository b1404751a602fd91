// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves files where a rename cannot: a folder of pictures may be a link to another disk. A free
// function; any thread. Invariant: at every moment, also after a power cut, the whole file is on one of
// the disks at least, and nothing torn has its name.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>
#include <string>

namespace homebooth::app {

/// Copies a file, and removes it once its copy is on the disk. Where that fails it stays, without a
/// copy.
/// @param operation  what is done, as messages begin: "leaving a file out"
/// @param to         a name that is free, in a folder that is there
/// Errors: OutOfResources for a full disk, BadInput
[[nodiscard]] core::Result<void> moveToOtherDisk(const std::string& operation,
                                                 const std::filesystem::path& from,
                                                 const std::filesystem::path& to);

} // namespace homebooth::app

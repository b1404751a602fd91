// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Paths without detours. Free function; any thread.
#pragma once

#include <filesystem>

namespace homebooth::core {

/// `path` without "." and "..", as the file system goes: behind a link to a folder ".." is the folder above
/// that one. Other links stay as they are named. Where there is nothing so far, ".." takes a name away.
[[nodiscard]] std::filesystem::path plainPath(const std::filesystem::path& path);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the folders of the user are whom this process works for. Free functions.
#pragma once

#include <string>
#include <vector>

namespace homebooth::core {

/// Sees to it that this process, and those that it starts, find them: HOME, where nobody has set it (a
/// service, or a timed job), is what the system knows of the user. Of the XDG folders those are dropped
/// that are relative, as their standard has it: they would be others wherever one starts. Before any
/// other thread.
void settleUserFolders();

/// What Homebooth keeps for itself, whether it is there or not: its pictures and trainings (HOMEBOOTH_HOME,
/// else
/// ~/Homebooth), and its folder in each of the XDG folders of data, configuration, cache and state. Without
/// those that the environment does not tell the place of.
[[nodiscard]] std::vector<std::string> ownFolders();

/// That of the cache; empty as above.
[[nodiscard]] std::string ownCacheFolder();

} // namespace homebooth::core

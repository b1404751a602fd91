// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tells a run's folder from each copy of it, whatever either of them is called. The number of the
// device was considered, but the next start of the machine may give another one. Where the file system
// makes up the numbers of folders anew each time that it is mounted (sshfs), its path stands in for
// them, with the time when the run began: a run that is renamed there, or whose disk is mounted in
// another folder, looks like a copy. Free functions; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace homebooth::core {

/// The folder's number in its file system and the time when it was made, "4711-1764452105.889621216":
/// both stay where it is renamed, and a copy has others. "path-" and letters where numbers do not last.
/// One word; empty where there is no folder.
[[nodiscard]] std::string identityOf(const std::string& folder);

/// The same where it is known whether numbers last.
[[nodiscard]] std::string identityOf(const std::string& folder, bool numbersLast);

/// Whether folders keep their numbers on a file system of this kind.
/// @param kind  as statfs tells it (f_type)
[[nodiscard]] bool numbersLastOn(int64_t kind);

/// Whether the run is in the folder in which it began: that is no younger than run.json says, as a copy
/// is, and what was moved from another file system. No also where the file system does not tell.
[[nodiscard]] bool isWhereItBegan(const std::string& runDir);

} // namespace homebooth::core

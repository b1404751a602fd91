// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that a process makes for itself and removes at its end. Their names say whose they are, so that what
// killed ones have left can go. Free functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace homebooth::core {

/// How rough views of pictures in the making begin, beside those.
constexpr const char* kPreviewPrefix = ".preview-";

/// "<prefix><number of this process>-<rest>"
[[nodiscard]] std::string ownFileName(std::string_view prefix, std::string_view rest);

/// Removes files of such names whose process is gone, and of those without one, as earlier versions made
/// them, once they are a day old: on a shared folder the process may be another machine's. The rest is a
/// number or a UUID, followed by `ending`; others are somebody else's.
void removeFilesOfDead(const std::string& folder, std::string_view prefix, std::string_view ending);

} // namespace homebooth::core

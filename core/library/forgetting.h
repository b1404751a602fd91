// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Forgets prompts for good: in the library's file, where SQLite would leave what was removed, and in backups.
// Free functions on the library's thread.
#pragma once

#include "core/library/prompt_store.h"

namespace homebooth::core {

/// Files of the library that still hold what was to be forgotten: backups that could not be rewritten, and
/// damaged libraries that were put aside.
using LeftFiles = std::vector<std::string>;

/// Forgets one prompt of the history, or all, favourites among them. From backups goes, too, what was made
/// with it and is in the library no more, and all that waits no more. A backup of a newer version stays as it
/// is. May be tried again. @param one  null: all
/// Errors: as Library::write, of the library itself; backups are rewritten then all the same
[[nodiscard]] Result<LeftFiles> forgetPrompts(Library& library, const Prompt* one);

} // namespace homebooth::core

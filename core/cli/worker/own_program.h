// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How this very program is started once more. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <string>

namespace homebooth::core {

/// Its path, for execve; also after its file was replaced.
[[nodiscard]] std::string ownPath();

/// Whether the system says what memory there is and where this program lies, as it does in /proc.
/// Errors: BadInput: it is not mounted, as in a bare chroot
[[nodiscard]] Result<void> checkProc();

/// What to type for it into a shell, wherever that is: its name where PATH leads to it, else its path.
[[nodiscard]] std::string ownCommand();

/// One word for a shell, whatever is in it.
[[nodiscard]] std::string quoted(const std::string& text);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a file that was opened is still the one that a name leads to: who takes a lock on a file that
// others may remove has to look again afterwards. Stateless; any thread.
#pragma once

#include <string>

namespace homebooth::core {

/// Whether `path` itself, not what a link there leads to, still names the open file.
[[nodiscard]] bool namesOpenFile(const std::string& path, int file);

} // namespace homebooth::core

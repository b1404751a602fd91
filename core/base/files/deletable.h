// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether this user may take a file away. A free function; any thread.
#pragma once

#include <string>

namespace homebooth::core {

/// False where its folder says that it stays: it is another user's, or on a drive that is read-only. What is
/// out of reach may come back, and counts as deletable.
[[nodiscard]] bool mayBeDeleted(const std::string& path);

} // namespace homebooth::core

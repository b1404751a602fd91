// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of the C library's heap can be set in a process's environment alone, before it starts. Free function;
// any thread.
#pragma once

#include <string>

namespace homebooth::core {

inline constexpr const char* kTunablesVariable = "GLIBC_TUNABLES";

/// What lets the heap ask for huge pages, so that memory which was given back between blocks comes again by
/// the two megabytes. A C library before 2.35 knows nothing of it, and it does nothing unless the system
/// gives huge pages to those who ask (transparent_hugepage: madvise).
/// @param given  the variable's value as it is; null: it is not set. What the user has set stays.
[[nodiscard]] std::string tunablesForTraining(const char* given);

} // namespace homebooth::core

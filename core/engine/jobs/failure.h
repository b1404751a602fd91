// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What an exception that reached a job means for the user. What LibTorch's texts say of memory that ran out
// is known to memory_relief. Free function; any thread.
#pragma once

#include "core/base/util/result.h"

#include <string>

namespace homebooth::core {

/// What to do when memory ran out, by which one it was.
struct MemoryAdvice {
    std::string ofDevice; ///< also where nothing says which
    std::string ofRam;
};

/// The exception in flight as an Error; call it inside a catch block only.
/// Memory that ran out gives OutOfResources, also a GPU's (of which LibTorch says much as an ordinary error),
/// a GPU that stopped answering DeviceLost, everything else Internal with the first line of its message.
/// @param operation     what was going on, e.g. "training"
/// @param advice        for memory that ran out
[[nodiscard]] Error failureInFlight(const std::string& operation, const MemoryAdvice& advice);
/// The same with one advice for whatever memory it was.
[[nodiscard]] Error failureInFlight(const std::string& operation, const std::string& memoryAdvice);

} // namespace homebooth::core

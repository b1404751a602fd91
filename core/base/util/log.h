// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Logging for every layer. This header includes neither fmt nor spdlog: Torch ships another fmt than the
// system's, so the library behind it must stay out of every file that sees Torch.
// Process-wide; safe from any thread.
#pragma once

#include <string_view>

namespace homebooth::core {

enum class LogLevel { Debug, Info, Warning, Error };

/// Writes one line to standard error, but for those of Debug.
void log(LogLevel level, std::string_view message);

} // namespace homebooth::core

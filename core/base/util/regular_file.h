// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading files that somebody else chose: regular ones only, so that a FIFO or a device never blocks.
// Free functions without state; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace homebooth::core {

/// Reads a whole regular file. @param limitBytes  larger files are refused before reading
/// Errors: BadInput naming the file: missing, not regular, not readable, too large, shrunk while read.
[[nodiscard]] Result<std::string> readRegularFile(const std::filesystem::path& path, int64_t limitBytes);

/// Reads at most the first `count` bytes of a regular file. Errors: as readRegularFile, but for the size.
[[nodiscard]] Result<std::string> readFileStart(const std::filesystem::path& path, int64_t count);

/// A path as printable UTF-8: bytes that are not UTF-8 and control characters appear as \xNN.
[[nodiscard]] std::string displayName(const std::filesystem::path& path);

} // namespace homebooth::core

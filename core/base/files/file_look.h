// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Looking at files without opening them: whether they are what they were when they were read.
// Free functions without state; any thread.
#pragma once

#include "core/base/files/file_reader.h"

#include <filesystem>
#include <optional>

struct stat;

namespace homebooth::core {

/// By what the system tells of a file.
[[nodiscard]] FileIdentity identityOf(const struct stat& status);

/// Of what a name leads to; nothing where nothing is there, or where it may not be looked at.
[[nodiscard]] std::optional<FileIdentity> identityAt(const std::filesystem::path& path);

/// Whether a file that is looked at now changed so long ago that any later change gives it another
/// identity: one within the same tick of its file system's clock would leave no trace.
[[nodiscard]] bool hasSettled(const FileIdentity& identity);

} // namespace homebooth::core

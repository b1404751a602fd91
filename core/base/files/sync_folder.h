// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes durable what no atomic file did: the names in a folder, e.g. after a rename, and a file that was
// written in place. Stateless; any thread.
#pragma once

#include "core/base/util/result.h"

#include <string>

namespace homebooth::core {

/// File systems that cannot sync folders have nothing left to do. Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> syncFolder(const std::string& path);

/// Returns once a file's content is on the disk. Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> syncFile(const std::string& path);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Disks: their space. Free function; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>

namespace homebooth::core {

struct DiskFacts {
    std::string path;      ///< that was asked about, or its nearest existing parent
    int64_t freeBytes = 0; ///< for ordinary users
    int64_t totalBytes = 0;
    bool readOnly = false;
    uint64_t device = 0;          ///< the same for all that lies on one file system
    int64_t largestFileBytes = 0; ///< that it takes, and that this process may write
};

/// Errors: BadInput if no part of the path can be looked at
[[nodiscard]] Result<DiskFacts> diskFacts(const std::string& path);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The file in which the ranks of one machine tell each other their addresses. Free function; any thread.
#pragma once

#include "core/base/util/result.h"

#include <string>

namespace homebooth::core {

/// Makes the file, for its owner alone, or finds it made by another rank.
/// Errors: the file is not the user's own, others may read or write it, or it cannot be made
[[nodiscard]] Result<void> prepareMeetingFile(const std::string& path);

} // namespace homebooth::core

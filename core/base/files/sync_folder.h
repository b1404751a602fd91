// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the names in a folder durable, e.g. after a rename that no atomic file did. Stateless; any thread.
#pragma once

#include "core/base/util/result.h"

#include <string>

namespace homebooth::core {

/// File systems that cannot sync folders have nothing left to do. Errors: BadInput, OutOfResources
[[nodiscard]] Result<void> syncFolder(const std::string& path);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder of sockets of this user alone. Private to core/base/run. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstddef>
#include <string>

namespace homebooth::core {

/// The first place that is there, or can be made, with room for a name of `nameBytes` in the path of a
/// socket: $XDG_RUNTIME_DIR/homebooth, /tmp/homebooth-<uid>, sockets/ in the cache. Another user can take the
/// second. Errors: BadInput of the last place
[[nodiscard]] Result<std::string> socketFolder(size_t nameBytes);

} // namespace homebooth::core

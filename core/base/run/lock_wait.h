// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Taking over a run whose supervisor is dead while its worker, which holds the lock, too, is still ending.
// Free functions; one thread.
#pragma once

#include "core/base/run/run_folder.h"

#include <chrono>
#include <functional>
#include <optional>

namespace homebooth::core {

/// How long a worker that lost its supervisor is given where somebody waits for an answer. It ends after its
/// running step and a checkpoint; whoever needs longer is told so.
constexpr std::chrono::milliseconds kLockPatience(5000);

/// As RunLock::acquire, but waits while the holder is going away: while the owner that the file names is dead
/// and only what inherited the lock from it holds it. A living owner is an error at once.
/// @param patience  nothing: without an end
/// @param onWait    called once, before the first pause; may be empty
/// @param enough    asked before each pause, whether to wait no longer; may be empty
/// Errors: as RunLock::acquire; BadInput when the patience is at an end or it was enough
[[nodiscard]] Result<RunLock> acquireFromDying(const std::string& lockFile,
                                               std::optional<std::chrono::milliseconds> patience,
                                               const std::function<void()>& onWait,
                                               const std::function<bool()>& enough = {});

} // namespace homebooth::core

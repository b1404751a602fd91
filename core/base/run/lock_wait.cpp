// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/lock_wait.h"

#include "core/base/system/process_id.h"

#include <thread>
#include <utility>

namespace homebooth::core {
namespace {

/// The lock is held, but not by the process that took it.
bool isGoingAway(const LockOwner& owner) {
    return owner.alive && owner.stranger == 0 && owner.pid > 0 &&
           processStartTicks(owner.pid) != owner.startTicks;
}

Error stillEnding(const LockOwner& owner, const std::string& lockFile) {
    return badInput(
        "cannot work on this run yet: process " + std::to_string(owner.pid) +
            " that worked on it is gone, but its worker has not ended; it is saving, or in a long "
            "step: try again in a moment, or end the process homebooth-worker",
        lockFile);
}

} // namespace

Result<RunLock> acquireFromDying(const std::string& lockFile,
                                 std::optional<std::chrono::milliseconds> patience,
                                 const std::function<void()>& onWait, const std::function<bool()>& enough) {
    constexpr std::chrono::milliseconds kPause(50);
    const auto begin = std::chrono::steady_clock::now();
    bool waited = false;
    bool seenFree = false;
    while (true) {
        auto lock = RunLock::acquire(lockFile);
        if (lock) return lock;
        const auto owner = RunLock::owner(lockFile);
        const bool freeByNow = owner && !owner->alive && !std::exchange(seenFree, true);
        if (freeByNow) continue;
        if (!owner || !isGoingAway(*owner)) return lock.error();
        const bool late = patience && std::chrono::steady_clock::now() >= begin + *patience;
        if (late || (enough && enough())) return stillEnding(*owner, lockFile);
        if (!waited && onWait) onWait();
        waited = true;
        std::this_thread::sleep_for(kPause);
    }
}

} // namespace homebooth::core

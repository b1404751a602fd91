// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What other threads may ask of a running training. The training thread looks between steps.
// Shared by reference; every member is safe from any thread.
#pragma once

#include "core/base/util/cancel.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace homebooth::core {

/// A folder that somebody named; the last one counts.
class AskedFolder {
public:
    void ask(std::string folder) {
        const std::lock_guard lock(m_mutex);
        m_folder = std::move(folder);
    }
    /// Empty: nobody has asked since the last time.
    [[nodiscard]] std::string take() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_folder, {});
    }

private:
    std::mutex m_mutex;
    std::string m_folder;
};

struct TrainControl {
    std::atomic<bool> paused{false};      ///< wait between two steps while set
    std::atomic<bool> lowBattery{false};  ///< why it is paused; a person has not asked for it
    std::atomic<bool> saveNow{false};     ///< cleared when the checkpoint is written
    std::atomic<bool> saveRolling{false}; ///< the same of one that does not count, whatever becomes of it
    std::atomic<bool> sampleNow{false};   ///< cleared when the pictures are made
    /// End after the running step, with a checkpoint and the result; previews end, too.
    std::atomic<bool> finish{false};
    CancelToken stop;              ///< end after the running step, with a checkpoint
    std::atomic<int64_t> tries{0}; ///< counts: at each a run that waits for room on the disk tries again
    AskedFolder elsewhere;         ///< where checkpoints shall go, while a run waits for room
};

} // namespace homebooth::core

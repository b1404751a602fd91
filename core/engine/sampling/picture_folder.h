// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the pictures of a job go that was told another folder meanwhile. Copies share it; any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace homebooth::core {

class PictureFolder {
public:
    /// @param folder  which may be still to be made
    void move(std::string folder) const {
        const std::lock_guard lock(m_state->mutex);
        m_state->folder = std::move(folder);
    }
    /// Empty: the job's own.
    [[nodiscard]] std::string moved() const {
        const std::lock_guard lock(m_state->mutex);
        return m_state->folder;
    }

private:
    struct State {
        std::mutex mutex;
        std::string folder;
    };
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

} // namespace homebooth::core

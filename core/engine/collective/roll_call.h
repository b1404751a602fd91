// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Who has not come yet to the meeting at an address that is under way in this process, for whoever tells of
// it meanwhile: a process meets others once. Any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class RollCall {
public:
    [[nodiscard]] static RollCall& ofThisProcess() {
        static RollCall call;
        return call;
    }

    void note(std::vector<int> missing) {
        const std::lock_guard lock(m_mutex);
        m_missing = std::move(missing);
    }

    /// The ranks; nothing: nobody has counted yet.
    [[nodiscard]] std::optional<std::vector<int>> missing() const {
        const std::lock_guard lock(m_mutex);
        return m_missing;
    }

    /// "rank 1", "ranks 1, 2 and 14 more".
    [[nodiscard]] static std::string inWords(const std::vector<int>& ranks) {
        constexpr size_t kMostNamed = 8;
        std::string words = ranks.size() == 1 ? "rank " : "ranks ";
        for (size_t i = 0; i < ranks.size() && i < kMostNamed; ++i)
            words.append(i == 0 ? "" : ", ").append(std::to_string(ranks[i]));
        if (ranks.size() > kMostNamed)
            words.append(" and ").append(std::to_string(ranks.size() - kMostNamed)).append(" more");
        return words;
    }

private:
    mutable std::mutex m_mutex;
    std::optional<std::vector<int>> m_missing;
};

} // namespace homebooth::core

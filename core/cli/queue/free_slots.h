// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which of the free slots a waiting job begins in. Made by the JobPool for one look at the queue; one thread.
// Jobs are asked for in the queue's order. Rules:
//   1. A job that needs certain slots, or all, begins once all of these are free, and has them all. Until
//   then they are kept for it: those behind it would else take one after the other, and it would wait for
//   ever. No job has a slot while it waits for another one, so that no two wait for each other.
//   2. Any other one begins in the first slot that may have room for it.
//   3. What found no room where it may begin keeps those behind it back, see JobRefusals.
#pragma once

#include "core/cli/queue/job_refusals.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class FreeSlots {
public:
    explicit FreeSlots(std::vector<bool> free)
        : m_free(std::move(free)) {}

    /// @param wanted  the slots that it needs, all at once; none: any one will do
    /// @returns those in which it begins; none: it goes on waiting
    [[nodiscard]] std::vector<int> roomFor(const std::string& job, const std::vector<int>& wanted,
                                           const JobRefusals& refusals) {
        if (m_keptBack) return {};
        if (wanted.empty()) return anyFor(job, refusals);
        const bool free = std::all_of(wanted.begin(), wanted.end(),
                                      [this](int slot) { return m_free[static_cast<size_t>(slot)]; });
        if (free && refusals.mayTry(job, wanted.front())) return wanted;
        m_keptBack = free;
        for (const int slot : wanted) m_free[static_cast<size_t>(slot)] = false;
        return {};
    }

private:
    [[nodiscard]] std::vector<int> anyFor(const std::string& job, const JobRefusals& refusals) {
        for (int slot = 0; slot < static_cast<int>(m_free.size()); ++slot)
            if (m_free[static_cast<size_t>(slot)] && refusals.mayTry(job, slot)) return {slot};
        m_keptBack = refusals.everywhere(job);
        return {};
    }

    std::vector<bool> m_free;
    bool m_keptBack = false;
};

} // namespace homebooth::core

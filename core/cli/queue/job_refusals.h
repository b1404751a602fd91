// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which waiting jobs found no room in which slot: too little memory on its GPU, or too little RAM beside the
// other jobs. Nobody can tell which of both before the others have ended. Owned by the JobPool; one thread.
// Rules:
//   1. A slot that had no room is tried again once another job has ended.
//   2. What found room nowhere keeps those behind it back, or they would take its place for ever.
//   3. What finds no room alone, in any slot, has failed.
#pragma once

#include <map>
#include <string>

namespace homebooth::core {

class JobRefusals {
public:
    explicit JobRefusals(int slotCount)
        : m_slots(slotCount) {}

    /// How many jobs have ended so far.
    [[nodiscard]] int moment() const { return m_moment; }
    void jobEnded() { ++m_moment; }

    /// @param moment  at which it began
    void add(const std::string& job, int slot, int moment) { m_refused[job][slot] = moment; }
    void forget(const std::string& job) { m_refused.erase(job); }

    /// Whether it found no room somewhere.
    [[nodiscard]] bool knows(const std::string& job) const { return m_refused.contains(job); }

    [[nodiscard]] bool mayTry(const std::string& job, int slot) const {
        const auto known = m_refused.find(job);
        if (known == m_refused.end()) return true;
        const auto place = known->second.find(slot);
        return place == known->second.end() || place->second < m_moment;
    }

    [[nodiscard]] bool everywhere(const std::string& job) const {
        const auto known = m_refused.find(job);
        return known != m_refused.end() && static_cast<int>(known->second.size()) == m_slots;
    }

    /// Whether all others had no room for it, and nothing has changed since.
    [[nodiscard]] bool isLast(const std::string& job, int slot) const {
        for (int other = 0; other < m_slots; ++other)
            if (other != slot && mayTry(job, other)) return false;
        return true;
    }

private:
    const int m_slots;
    int m_moment = 0;
    std::map<std::string, std::map<int, int>> m_refused; // by job and slot: the moment
};

} // namespace homebooth::core

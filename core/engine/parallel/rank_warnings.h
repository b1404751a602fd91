// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The warnings of all ranks, on their way to the one who is listened to. Events of a rank pass through; those
// of its warnings that nobody would hear wait for the next exchange, after which the first rank tells each of
// them once, whoever else says the same, and names the rank. Borrows ranks and sink. `emit` from any thread;
// the rest on the training thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/engine/parallel/ranks.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class RankWarnings : public EventSink {
public:
    RankWarnings(const Ranks& ranks, EventSink& next)
        : m_ranks(ranks)
        , m_next(next) {}

    void emit(const Event& event) override;
    /// Whether this rank has any for an exchange.
    [[nodiscard]] bool waits() const;
    /// Every rank calls it. Errors: throws RankLost
    void exchange();

private:
    using Said = std::pair<std::string, std::string>; // code, message

    const Ranks& m_ranks;
    EventSink& m_next;
    mutable std::mutex m_mutex;
    std::vector<WarningEvent> m_waiting; // of this rank, unless it is the first
    std::set<Said> m_said;               // by this rank; at the first one, by any
};

} // namespace homebooth::core

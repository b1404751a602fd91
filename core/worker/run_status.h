// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes a job's events on and remembers where it stands, for the control socket's `status`.
// Borrows the sink. Safe from any thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <mutex>
#include <string>

namespace homebooth::core {

class RunStatus : public EventSink {
public:
    explicit RunStatus(EventSink& next)
        : m_next(next) {}

    void emit(const Event& event) override;

    /// {"state":...,"detail":...,"done":...,"total":...,"step":...,"loss":...,"paused":...}
    [[nodiscard]] std::string toJson(bool paused) const;

    /// Whether it waits for room on the disk.
    [[nodiscard]] bool waitsForRoom() const;

private:
    EventSink& m_next;
    mutable std::mutex m_mutex;
    StateEvent m_state;
    StepEvent m_step;
};

} // namespace homebooth::core

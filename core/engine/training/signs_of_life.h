// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells a state of a job once more every few seconds while networks work on it: a picture takes many
// minutes on a slow processor, and whoever looks at it shall see that it is no standstill. The state stays
// as it is, since it counts what is there. Borrows the job. One thread.
#pragma once

#include "core/base/run/journal/progress_interval.h"
#include "core/engine/data/job_context.h"
#include "core/engine/sampling/generation.h"

#include <utility>

namespace homebooth::core {

class SignsOfLife {
public:
    /// @param state  told when the first few seconds are over; whoever begins it has said it before
    SignsOfLife(const JobContext& job, StateEvent state)
        : m_events(job.events)
        , m_state(std::move(state))
        , m_interval(std::chrono::duration_cast<ProgressInterval::Clock::duration>(
              std::chrono::duration<double>(job.options.signEverySeconds))) {
        static_cast<void>(m_interval.due());
    }
    SignsOfLife(const SignsOfLife&) = delete;
    SignsOfLife& operator=(const SignsOfLife&) = delete;

    /// For pictures that are made while this lives.
    [[nodiscard]] GenerationListener listener() {
        GenerationListener listener;
        listener.alive = [this] {
            if (m_interval.due()) m_events.emit(m_state);
        };
        return listener;
    }

private:
    EventSink& m_events;
    StateEvent m_state;
    ProgressInterval m_interval;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a GPU stands still because the thread that gives it work waits for something else: not while it
// has earlier work to do.
//
//   the thread   gives work |------ waits ------| gives work
//   the GPU      ====== earlier work =====|#####|=== work ===      ##: what counts
//
// Of the stream that is current. On the CPU, which waits itself, nothing is counted here. One thread.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include <deque>
#include <optional>

namespace homebooth::core {

class StallClock {
    struct Pause {
        explicit Pause(c10::DeviceType type);
        c10::Event begin; // of what the stream had been given before: its end
        c10::Event end;
    };

public:
    /// Waiting takes as long as this lives.
    class Scope {
    public:
        /// Errors: throws c10::Error where the GPU fails
        Scope(StallClock& clock, at::Device device);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        StallClock& m_clock;
        at::Device m_device;
        std::optional<Pause> m_pause; // of a GPU
    };

    /// Of what the GPU has got behind. Errors: as above
    [[nodiscard]] double seconds();

private:
    std::deque<Pause> m_open; // not counted yet
    double m_seconds = 0.0;
};

} // namespace homebooth::core

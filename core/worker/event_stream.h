// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Journal lines to the supervisor, over the descriptor that it handed down. Safe from any thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <cstdint>
#include <mutex>
#include <string>

namespace homebooth::core {

/// Writes numbered and dated lines. A supervisor that is gone is no reason to stop: lines are then dropped.
class EventStream : public EventSink {
public:
    /// @param descriptor  -1: nobody listens
    explicit EventStream(int descriptor)
        : m_descriptor(descriptor) {}

    void emit(const Event& event) override;
    /// A line that was numbered elsewhere.
    void send(const std::string& line);

private:
    std::mutex m_mutex;
    int m_descriptor;
    int64_t m_seq = 0;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/event_stream.h"

#include "core/base/run/journal/event_json.h"

#include <cerrno>
#include <unistd.h>

namespace homebooth::core {

void EventStream::emit(const Event& event) {
    int64_t seq = 0;
    {
        const std::lock_guard lock(m_mutex);
        seq = ++m_seq;
    }
    send(toJsonLine({seq, isoTime(std::chrono::system_clock::now()), event}));
}

void EventStream::send(const std::string& line) {
    const std::lock_guard lock(m_mutex);
    const std::string text = line + "\n";
    size_t written = 0;
    while (m_descriptor >= 0 && written < text.size()) {
        const ssize_t count = ::write(m_descriptor, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0)
            m_descriptor = -1;
        else
            written += static_cast<size_t>(count);
    }
}

} // namespace homebooth::core

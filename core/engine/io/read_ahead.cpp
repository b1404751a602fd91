// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/io/read_ahead.h"

#include "core/base/util/quiet_thread.h"

#include <new>
#include <system_error>

namespace homebooth::core {
namespace {

// Some tenths of a second of a fast disk: longer than any one tensor keeps the readers busy.
constexpr int64_t kWindowBytes = int64_t{256} << 20;

} // namespace

ReadAhead::ReadAhead(const TensorSource& source, std::vector<const TensorInfo*> order)
    : m_source(source)
    , m_order(std::move(order)) {
    try {
        m_thread = startQuietThread([this] { announce(); });
    } catch (const std::system_error&) { // no thread to be had: the load is slower
    }
}

ReadAhead::~ReadAhead() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
    }
    m_changed.notify_one();
    if (m_thread.joinable()) m_thread.join();
}

void ReadAhead::taken() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_taken < m_order.size()) m_aheadBytes -= m_order[m_taken++]->byteCount;
    }
    m_changed.notify_one();
}

void ReadAhead::announce() {
    for (size_t next = 0; next < m_order.size(); ++next) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [&] { return m_stopped || m_aheadBytes < kWindowBytes; });
            if (m_stopped) return;
            m_aheadBytes += m_order[next]->byteCount;
            if (next < m_taken) continue; // too late to be of use
        }
        try {
            m_source.willRead(m_order[next]->name);
        } catch (const std::bad_alloc&) { // it is only about being early
        }
    }
}

} // namespace homebooth::core

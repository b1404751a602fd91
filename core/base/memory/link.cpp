// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/link.h"

#include <chrono>
#include <cstring>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

HostLink::HostLink(LinkSpeed speed)
    : m_speed(speed)
    , m_thread([this] { work(); }) {}

HostLink::~HostLink() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

LinkTicket HostLink::copy(void* target, const void* source, int64_t bytes) {
    LinkTicket ticket = 0;
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back({target, source, bytes});
        ticket = ++m_asked;
    }
    m_changed.notify_all();
    return ticket;
}

void HostLink::wait(LinkTicket ticket) {
    std::unique_lock lock(m_mutex);
    if (m_done >= ticket) return;
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [&] { return m_done >= ticket; });
    m_traffic.waitedSeconds += secondsSince(start);
}

LinkTraffic HostLink::traffic() const {
    const std::lock_guard lock(m_mutex);
    return m_traffic;
}

void HostLink::carryOut(const Job& job) const {
    const Clock::time_point start = Clock::now();
    std::memcpy(job.target, job.source, static_cast<size_t>(job.bytes));
    double seconds = m_speed.latencySeconds;
    if (m_speed.bytesPerSecond > 0.0) seconds += static_cast<double>(job.bytes) / m_speed.bytesPerSecond;
    const double left = seconds - secondsSince(start);
    if (left > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

void HostLink::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return m_stopping || !m_jobs.empty(); });
        if (m_jobs.empty()) return;
        const Job job = m_jobs.front();
        m_jobs.pop_front();
        lock.unlock();
        const Clock::time_point start = Clock::now();
        carryOut(job);
        const double seconds = secondsSince(start);
        lock.lock();
        ++m_done;
        ++m_traffic.copies;
        m_traffic.bytes += job.bytes;
        m_traffic.busySeconds += seconds;
        m_changed.notify_all();
    }
}

} // namespace homebooth::core

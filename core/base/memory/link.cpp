// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/link.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

HostLink::HostLink(LinkSpeed speed, LinkSource* source)
    : m_speed(speed)
    , m_source(source)
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
    if (m_source != nullptr) m_source->want(source, bytes);
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back({target, source, bytes});
        ticket = ++m_asked;
    }
    m_changed.notify_all();
    if (m_speed.blocking) {
        std::unique_lock lock(m_mutex);
        waitUntilDone(ticket, lock); // what failed is told by `wait`, as always
    }
    return ticket;
}

void HostLink::waitUntilDone(LinkTicket ticket, std::unique_lock<std::mutex>& lock) {
    if (m_done >= ticket) return;
    const Clock::time_point start = Clock::now();
    m_changed.wait(lock, [&] { return m_done >= ticket; });
    m_traffic.waitedSeconds += secondsSince(start);
}

void HostLink::wait(LinkTicket ticket) {
    std::unique_lock lock(m_mutex);
    waitUntilDone(ticket, lock);
    if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
}

LinkTraffic HostLink::traffic() const {
    const std::lock_guard lock(m_mutex);
    return m_traffic;
}

void HostLink::carryOut(const Job& job) const {
    const Clock::time_point start = Clock::now();
    move(job);
    double seconds = m_speed.latencySeconds;
    if (m_speed.bytesPerSecond > 0.0) seconds += static_cast<double>(job.bytes) / m_speed.bytesPerSecond;
    const double left = seconds - secondsSince(start);
    if (left > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

void HostLink::move(const Job& job) const {
    constexpr int64_t kPieceBytes = int64_t{2} << 20;
    const int64_t most = m_source != nullptr ? kPieceBytes : job.bytes;
    for (int64_t done = 0; done < job.bytes; done += most) {
        const int64_t bytes = std::min(most, job.bytes - done);
        const auto* from = static_cast<const std::byte*>(job.source) + done;
        if (m_source != nullptr) m_source->hold(from, bytes);
        std::memcpy(static_cast<std::byte*>(job.target) + done, from, static_cast<size_t>(bytes));
        if (m_source != nullptr) m_source->release(from, bytes);
    }
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
        std::exception_ptr failure;
        try {
            carryOut(job);
        } catch (...) {
            failure = std::current_exception();
        }
        const double seconds = secondsSince(start);
        lock.lock();
        if (failure && !m_failure) m_failure = failure;
        ++m_done;
        ++m_traffic.copies;
        m_traffic.bytes += job.bytes;
        m_traffic.busySeconds += seconds;
        m_changed.notify_all();
    }
}

} // namespace homebooth::core

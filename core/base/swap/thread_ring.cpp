// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/thread_ring.h"

#include "core/base/util/quiet_thread.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace homebooth::core {
namespace {

// One is enough through the page cache; more keep a disk busy past it.
constexpr int kDirectThreads = 4;

} // namespace

int ThreadRing::open(SwapDevice& device, int file, int depth, bool syncEach,
                     std::unique_ptr<SwapRing>& ring) {
    std::unique_ptr<ThreadRing> made(new ThreadRing(device, file, depth, syncEach));
    const int result = made->startThreads();
    if (result == 0) ring = std::move(made);
    return result;
}

ThreadRing::ThreadRing(SwapDevice& device, int file, int depth, bool syncEach)
    : m_device(device)
    , m_file(file)
    , m_depth(depth)
    , m_syncEach(syncEach) {
    m_waiting.reserve(static_cast<size_t>(depth));
    m_done.reserve(static_cast<size_t>(depth));
}

int ThreadRing::startThreads() {
    // With several threads, one's sync could report the failure of another's write.
    const int wanted = m_syncEach ? 1 : std::min(m_depth, kDirectThreads);
    m_threads.reserve(static_cast<size_t>(wanted));
    try {
        for (int i = 0; i < wanted; ++i) m_threads.push_back(startQuietThread([this] { work(); }));
    } catch (const std::system_error& failure) {
        if (m_threads.empty()) return -failure.code().value();
    }
    return 0;
}

ThreadRing::~ThreadRing() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_submitted.notify_all();
    for (std::thread& thread : m_threads) thread.join();
}

int ThreadRing::registerBuffers(std::span<const std::span<std::byte>>) {
    return -EOPNOTSUPP;
}

int ThreadRing::submit(const SwapTransfer& transfer) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() == m_waiting.capacity()) return -EAGAIN;
        m_waiting.push_back(transfer);
    }
    m_submitted.notify_one();
    return 0;
}

void ThreadRing::work() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_submitted.wait(lock, [this] { return m_stopping || !m_waiting.empty(); });
        if (m_waiting.empty()) return;
        const SwapTransfer transfer = m_waiting.front();
        m_waiting.erase(m_waiting.begin());
        lock.unlock();
        const int64_t result = transferNow(transfer);
        lock.lock();
        m_done.push_back({transfer.tag, result});
        m_completed.notify_one();
    }
}

int64_t ThreadRing::transferNow(const SwapTransfer& transfer) {
    if (!transfer.write) return m_device.readAt(m_file, transfer.data, transfer.bytes, transfer.offset);
    const int64_t written = m_device.writeAt(m_file, transfer.data, transfer.bytes, transfer.offset);
    if (written <= 0 || !m_syncEach) return written;
    const int synced = m_device.syncData(m_file);
    return synced < 0 ? synced : written;
}

int ThreadRing::wait(std::span<SwapCompletion> completions) {
    std::unique_lock lock(m_mutex);
    m_completed.wait(lock, [this] { return m_awake || !m_done.empty(); });
    m_awake = false;
    const size_t count = std::min(completions.size(), m_done.size());
    std::copy_n(m_done.begin(), count, completions.begin());
    m_done.erase(m_done.begin(), m_done.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<int>(count);
}

void ThreadRing::wake() noexcept {
    {
        const std::lock_guard lock(m_mutex);
        m_awake = true;
    }
    m_completed.notify_one();
}

} // namespace homebooth::core

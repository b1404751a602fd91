// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Transfers by plain reads and writes on threads of its own, where io_uring or O_DIRECT is refused.
// Owned by one queue; the device must outlive it. See SwapRing for the threads.
#pragma once

#include "core/base/swap/swap_device.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace homebooth::core {

class ThreadRing final : public SwapRing {
public:
    /// @param depth    transfers in flight at most; those beyond the threads wait for one
    /// @param syncEach  wait for the disk after each write: through the page cache, this alone tells of its
    /// failure
    /// @returns 0, or -errno if not a single thread could be made
    static int open(SwapDevice& device, int file, int depth, bool syncEach, std::unique_ptr<SwapRing>& ring);
    ~ThreadRing() override;
    ThreadRing(const ThreadRing&) = delete;
    ThreadRing& operator=(const ThreadRing&) = delete;

    int registerBuffers(std::span<const std::span<std::byte>> buffers) override;
    int submit(const SwapTransfer& transfer) override;
    int wait(std::span<SwapCompletion> completions) override;
    void wake() noexcept override;

private:
    ThreadRing(SwapDevice& device, int file, int depth, bool syncEach);
    int startThreads();
    void work();
    int64_t transferNow(const SwapTransfer& transfer);

    SwapDevice& m_device;
    int m_file;
    int m_depth;
    bool m_syncEach;
    std::vector<std::thread> m_threads;

    std::mutex m_mutex; // guards what follows
    std::condition_variable m_submitted;
    std::condition_variable m_completed;
    std::vector<SwapTransfer> m_waiting; // room for m_depth from the start, like the next
    std::vector<SwapCompletion> m_done;
    bool m_awake = false;
    bool m_stopping = false;
};

} // namespace homebooth::core

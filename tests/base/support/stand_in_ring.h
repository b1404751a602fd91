// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A ring for tests of what goes on above one, on machines that give out no io_uring, as many containers.
// Owned by one queue; see SwapRing for the threads.
#pragma once

#include "core/base/swap/thread_ring.h"

#include <linux/io_uring.h>
#include <memory>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace homebooth::core {

/// Whether this system gives out any io_uring; asked without the class that uses it, whose faults are
/// none of the system's.
inline bool givesRings() {
    io_uring_params parameters{};
    const int ring = static_cast<int>(::syscall(SYS_io_uring_setup, 4, &parameters));
    if (ring >= 0) ::close(ring);
    return ring >= 0;
}

/// Plain reads and writes on threads, and memory is always registered.
class StandInRing final : public SwapRing {
public:
    explicit StandInRing(std::unique_ptr<SwapRing> threads)
        : m_threads(std::move(threads)) {}

    /// @param device  whose reads and writes they are; must outlive the ring
    /// @returns 0, or -errno if not a single thread could be made
    static int open(SwapDevice& device, int file, int depth, std::unique_ptr<SwapRing>& ring) {
        std::unique_ptr<SwapRing> threads;
        const int result = ThreadRing::open(device, file, depth, /*syncEach=*/false, threads);
        if (result == 0) ring = std::make_unique<StandInRing>(std::move(threads));
        return result;
    }

    int registerBuffers(std::span<const std::span<std::byte>> /*buffers*/) override { return 0; }
    int submit(const SwapTransfer& transfer) override { return m_threads->submit(transfer); }
    int wait(std::span<SwapCompletion> completions) override { return m_threads->wait(completions); }
    void wake() noexcept override { m_threads->wake(); }

private:
    std::unique_ptr<SwapRing> m_threads;
};

} // namespace homebooth::core

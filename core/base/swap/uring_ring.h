// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Transfers through io_uring. Owned by one queue; see SwapRing for the threads.
#pragma once

#include "core/base/swap/swap_device.h"

#include <liburing.h>

#include <vector>

namespace homebooth::core {

class UringRing final : public SwapRing {
public:
    /// @returns 0, or -errno where the kernel or a container refuses io_uring
    static int open(int file, int depth, std::unique_ptr<SwapRing>& ring);
    ~UringRing() override;
    UringRing(const UringRing&) = delete;
    UringRing& operator=(const UringRing&) = delete;

    int registerBuffers(std::span<const std::span<std::byte>> buffers) override;
    int submit(const SwapTransfer& transfer) override;
    int wait(std::span<SwapCompletion> completions) override;
    void wake() noexcept override;

private:
    UringRing(int file, int depth);
    int start(int depth);
    void flush();
    int giveUp(std::span<SwapCompletion> completions);
    int collect(std::span<SwapCompletion> completions);
    [[nodiscard]] bool woken() const;
    [[nodiscard]] int registeredIndex(const SwapTransfer& transfer) const;

    io_uring m_ring{};
    int m_file;
    int m_wakeFile = -1;
    bool m_open = false;
    std::vector<std::span<std::byte>> m_registered;
    std::vector<uint64_t> m_waiting; // tags that the kernel has not taken yet, in order
    int m_flushFailures = 0;         // in a row
    int m_broken = 0;                // -errno: the kernel takes nothing any more
};

} // namespace homebooth::core

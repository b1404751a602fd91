// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The few things that swapping asks of the operating system, so that tests can make each of them fail.
// Results are those of system calls: not negative, or -errno. Nothing here throws but for want of memory.
// A SwapDevice is shared and used from several threads; a SwapRing belongs to one queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace homebooth::core {

/// What addresses, lengths and offsets are multiples of: enough for O_DIRECT on disks with blocks of 512 and
/// 4,096 bytes.
constexpr int64_t kSwapAlignment = 4096;
constexpr int kMaxSwapDepth = 256;

/// One transfer between memory and the file of a ring.
struct SwapTransfer {
    bool write = false;
    std::byte* data = nullptr; ///< only read when `write`
    int64_t bytes = 0;
    int64_t offset = 0;
    uint64_t tag = 0; ///< comes back with the completion
};

struct SwapCompletion {
    uint64_t tag = 0;
    int64_t result = 0; ///< bytes transferred, maybe fewer than asked for, or -errno
};

/// Transfers in flight. All calls from one thread but `wake`.
class SwapRing {
public:
    virtual ~SwapRing() = default; ///< nothing may be in flight

    /// Makes memory known to the kernel. Transfers elsewhere stay possible.
    virtual int registerBuffers(std::span<const std::span<std::byte>> buffers) = 0;

    /// Begins a transfer. 0: exactly one completion will come; else none will.
    virtual int submit(const SwapTransfer& transfer) = 0;

    /// Waits for a completion or for `wake`. @returns how many were written to `completions`; 0 after `wake`
    virtual int wait(std::span<SwapCompletion> completions) = 0;

    /// Ends a `wait`, now or the next one. From any thread.
    virtual void wake() noexcept = 0;
};

class SwapDevice {
public:
    virtual ~SwapDevice() = default;

    virtual int open(const char* path, int flags, unsigned mode) = 0;
    /// Takes the exclusive lock of the open file, without waiting.
    virtual int lock(int file) = 0;
    /// Reserves space from the file's start (fallocate).
    virtual int reserve(int file, int64_t bytes) = 0;
    virtual int setDirect(int file, bool on) = 0;
    virtual int64_t readAt(int file, std::byte* data, int64_t bytes, int64_t offset) = 0;
    virtual int64_t writeAt(int file, const std::byte* data, int64_t bytes, int64_t offset) = 0;
    virtual int syncData(int file) = 0;
    /// An io_uring on the file for `depth` transfers.
    virtual int openRing(int file, int depth, std::unique_ptr<SwapRing>& ring) = 0;

    /// No transfer is longer. Linux ends all just below 2 GiB.
    [[nodiscard]] virtual int64_t largestTransferBytes() const = 0;

    /// The machine's own.
    [[nodiscard]] static SwapDevice& system();
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine's own disk, with one system operation that goes wrong at a given time. The test owns it; any
// thread.
#pragma once

#include "core/base/swap/swap_device.h"
#include "tests/base/support/stand_in_ring.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

namespace homebooth::core {

enum class SwapCall {
    Open,
    Lock,
    Reserve,
    SetDirect,
    ReadAt,
    WriteAt,
    Sync,
    OpenRing,
    Register,
    Submit,
    Complete
};
constexpr size_t kSwapCalls = 11;

/// What a faulty call returns: an errno, or one of these.
constexpr int kHalf = -1;    ///< half of the blocks are transferred
constexpr int kRagged = -2;  ///< all are, but the kernel speaks of 100 bytes fewer
constexpr int kNothing = -3; ///< zero bytes
constexpr int kPretend = -4; ///< nothing is written, and success is reported (WriteAt only)

struct SwapFault {
    SwapCall call = SwapCall::Open;
    int error = 0; ///< errno or one of the above; 0: no fault
    int first = 0; ///< the calls of this kind before
    int count = 1; ///< how often
};

/// What this machine does not have at all.
struct SwapLacks {
    bool ring = false;
    bool direct = false;
    bool reserve = false;
};

class FaultySwapDevice final : public SwapDevice {
public:
    explicit FaultySwapDevice(SwapFault fault = {}, SwapLacks lacks = {})
        : m_fault(fault)
        , m_lacks(lacks) {}

    int64_t transferLimitBytes = int64_t{1} << 30;
    bool ringStandsIn = !givesRings(); ///< its rings are no io_uring; they meet the same faults

    [[nodiscard]] int calls(SwapCall call) const { return m_calls[static_cast<size_t>(call)]; }
    [[nodiscard]] bool struck() const { return m_struck; }

    int open(const char* path, int flags, unsigned mode) override {
        const int error = next(SwapCall::Open);
        return error != 0 ? -error : m_system.open(path, flags, mode);
    }
    int lock(int file) override {
        const int error = next(SwapCall::Lock);
        return error != 0 ? -error : m_system.lock(file);
    }
    int reserve(int file, int64_t bytes) override {
        const int error = m_lacks.reserve ? EOPNOTSUPP : next(SwapCall::Reserve);
        return error != 0 ? -error : m_system.reserve(file, bytes);
    }
    int setDirect(int file, bool on) override {
        const int error = m_lacks.direct ? EINVAL : next(SwapCall::SetDirect);
        return error != 0 ? -error : m_system.setDirect(file, on);
    }
    int64_t readAt(int file, std::byte* data, int64_t bytes, int64_t offset) override {
        const int error = next(SwapCall::ReadAt);
        if (error > 0) return -error;
        return seen(error, m_system.readAt(file, data, wanted(error, bytes), offset));
    }
    int64_t writeAt(int file, const std::byte* data, int64_t bytes, int64_t offset) override {
        const int error = next(SwapCall::WriteAt);
        if (error > 0) return -error;
        if (error == kPretend) return bytes;
        return seen(error, m_system.writeAt(file, data, wanted(error, bytes), offset));
    }
    int syncData(int file) override {
        const int error = next(SwapCall::Sync);
        return error != 0 ? -error : m_system.syncData(file);
    }
    int openRing(int file, int depth, std::unique_ptr<SwapRing>& ring) override;

    [[nodiscard]] int64_t largestTransferBytes() const override { return transferLimitBytes; }

    /// The fault that this call is to meet, 0 for none.
    int next(SwapCall call) {
        const int number = m_calls[static_cast<size_t>(call)]++;
        const bool strikes = m_fault.error != 0 && call == m_fault.call && number >= m_fault.first &&
                             number - m_fault.first < m_fault.count;
        if (strikes) m_struck = true;
        return strikes ? m_fault.error : 0;
    }

    static int64_t wanted(int error, int64_t bytes) {
        if (error == kHalf)
            return bytes > kSwapAlignment ? bytes / 2 / kSwapAlignment * kSwapAlignment : bytes;
        return error == kNothing ? 0 : bytes;
    }
    static int64_t seen(int error, int64_t result) {
        if (error == kNothing) return 0;
        return error == kRagged && result > 100 ? result - 100 : result;
    }

private:
    SwapDevice& m_system = SwapDevice::system();
    SwapFault m_fault;
    SwapLacks m_lacks;
    std::array<std::atomic<int>, kSwapCalls> m_calls{};
    std::atomic<bool> m_struck{false};
};

/// A ring whose submissions or completions go wrong.
class FaultySwapRing final : public SwapRing {
public:
    FaultySwapRing(FaultySwapDevice& device, std::unique_ptr<SwapRing> ring)
        : m_device(device)
        , m_ring(std::move(ring)) {}

    int registerBuffers(std::span<const std::span<std::byte>> buffers) override {
        const int error = m_device.next(SwapCall::Register);
        return error != 0 ? -error : m_ring->registerBuffers(buffers);
    }

    int submit(const SwapTransfer& transfer) override {
        const int error = m_device.next(SwapCall::Submit);
        if (error > 0) return -error;
        SwapTransfer changed = transfer;
        changed.bytes = FaultySwapDevice::wanted(error, transfer.bytes);
        return m_ring->submit(changed);
    }

    int wait(std::span<SwapCompletion> completions) override {
        const int count = m_ring->wait(completions);
        for (int i = 0; i < count; ++i) {
            SwapCompletion& completion = completions[static_cast<size_t>(i)];
            const int error = m_device.next(SwapCall::Complete);
            completion.result = error > 0 ? -error : FaultySwapDevice::seen(error, completion.result);
        }
        return count;
    }

    void wake() noexcept override { m_ring->wake(); }

private:
    FaultySwapDevice& m_device;
    std::unique_ptr<SwapRing> m_ring;
};

inline int FaultySwapDevice::openRing(int file, int depth, std::unique_ptr<SwapRing>& ring) {
    const int error = m_lacks.ring ? EPERM : next(SwapCall::OpenRing);
    if (error != 0) return -error;
    std::unique_ptr<SwapRing> inner;
    const int result = ringStandsIn ? StandInRing::open(m_system, file, depth, inner)
                                    : m_system.openRing(file, depth, inner);
    if (result == 0) ring = std::make_unique<FaultySwapRing>(*this, std::move(inner));
    return result;
}

} // namespace homebooth::core

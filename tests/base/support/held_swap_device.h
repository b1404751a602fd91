// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A disk that carries out transfers when the test says so, in the order that the test says.
// The test owns it, and calls from its own thread while a queue's thread submits and waits.
#pragma once

#include "core/base/swap/swap_device.h"
#include "tests/patience.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace homebooth::core {

/// What both sides see; shared, since the ring dies with its queue.
struct HeldTransfers {
    std::mutex mutex;
    std::condition_variable changed;
    bool holding = false; ///< otherwise carried out at once
    bool awake = false;
    int mostHeld = 0;
    std::vector<SwapTransfer> held;
    std::vector<SwapCompletion> done;

    void carryOut(const SwapTransfer& transfer, int file) {
        SwapDevice& system = SwapDevice::system();
        done.push_back(
            {transfer.tag, transfer.write
                               ? system.writeAt(file, transfer.data, transfer.bytes, transfer.offset)
                               : system.readAt(file, transfer.data, transfer.bytes, transfer.offset)});
    }
};

class HeldSwapRing final : public SwapRing {
public:
    HeldSwapRing(std::shared_ptr<HeldTransfers> shared, int file)
        : m_shared(std::move(shared))
        , m_file(file) {}

    int registerBuffers(std::span<const std::span<std::byte>>) override { return 0; }

    int submit(const SwapTransfer& transfer) override {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->holding)
            m_shared->held.push_back(transfer);
        else
            m_shared->carryOut(transfer, m_file);
        m_shared->mostHeld = std::max(m_shared->mostHeld, static_cast<int>(m_shared->held.size()));
        m_shared->changed.notify_all();
        return 0;
    }

    int wait(std::span<SwapCompletion> completions) override {
        std::unique_lock lock(m_shared->mutex);
        m_shared->changed.wait(lock, [this] { return m_shared->awake || !m_shared->done.empty(); });
        m_shared->awake = false;
        const size_t count = std::min(completions.size(), m_shared->done.size());
        std::copy_n(m_shared->done.begin(), count, completions.begin());
        m_shared->done.erase(m_shared->done.begin(),
                             m_shared->done.begin() + static_cast<std::ptrdiff_t>(count));
        return static_cast<int>(count);
    }

    void wake() noexcept override {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->awake = true;
        m_shared->changed.notify_all();
    }

private:
    std::shared_ptr<HeldTransfers> m_shared;
    int m_file;
};

class HeldSwapDevice final : public SwapDevice {
public:
    /// Lets everything go at its end, so that a test that fails ends, too. To be declared after the swap
    /// file.
    class AtEnd {
    public:
        explicit AtEnd(HeldSwapDevice& device)
            : m_device(device) {}
        ~AtEnd() { m_device.letGo(); }
        AtEnd(const AtEnd&) = delete;
        AtEnd& operator=(const AtEnd&) = delete;

    private:
        HeldSwapDevice& m_device;
    };

    int open(const char* path, int flags, unsigned mode) override { return m_system.open(path, flags, mode); }
    int lock(int file) override { return m_system.lock(file); }
    int reserve(int file, int64_t bytes) override { return m_system.reserve(file, bytes); }
    int setDirect(int file, bool on) override { return m_system.setDirect(file, on); }
    int64_t readAt(int file, std::byte* data, int64_t bytes, int64_t offset) override {
        return m_system.readAt(file, data, bytes, offset);
    }
    int64_t writeAt(int file, const std::byte* data, int64_t bytes, int64_t offset) override {
        return m_system.writeAt(file, data, bytes, offset);
    }
    int syncData(int file) override { return m_system.syncData(file); }
    int openRing(int file, int, std::unique_ptr<SwapRing>& ring) override {
        m_file = file;
        ring = std::make_unique<HeldSwapRing>(m_shared, file);
        return 0;
    }
    [[nodiscard]] int64_t largestTransferBytes() const override { return int64_t{1} << 30; }

    /// From now on transfers stay in flight until `release`.
    void hold() {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->holding = true;
    }

    /// Waits until that many are in flight. False: they are not, however long that is waited for.
    bool holds(size_t count) {
        std::unique_lock lock(m_shared->mutex);
        return m_shared->changed.wait_for(lock, std::chrono::milliseconds(homebooth::testing::kLongestMs),
                                          [&] { return m_shared->held.size() == count; });
    }

    /// Carries out the one that has been in flight longest, or shortest.
    void release(bool latest = false) {
        const std::lock_guard lock(m_shared->mutex);
        const auto which = latest ? m_shared->held.end() - 1 : m_shared->held.begin();
        m_shared->carryOut(*which, m_file);
        m_shared->held.erase(which);
        m_shared->changed.notify_all();
    }

    void letGo() {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->holding = false;
        for (const SwapTransfer& transfer : m_shared->held) m_shared->carryOut(transfer, m_file);
        m_shared->held.clear();
        m_shared->changed.notify_all();
    }

    /// Whether the one in flight longest writes.
    bool firstWrites() {
        const std::lock_guard lock(m_shared->mutex);
        return m_shared->held.at(0).write;
    }

    int mostHeld() {
        const std::lock_guard lock(m_shared->mutex);
        return m_shared->mostHeld;
    }

private:
    SwapDevice& m_system = SwapDevice::system();
    std::shared_ptr<HeldTransfers> m_shared = std::make_shared<HeldTransfers>();
    int m_file = -1;
};

} // namespace homebooth::core

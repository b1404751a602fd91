// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes one call of many fail, once: the n-th allocation of a tensor, or whatever a test counts itself.
// Process-wide; any thread.
#pragma once

#include "core/engine/memory/tier_meter.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <cstdint>

namespace homebooth::core::testing {

/// Counts calls and picks the one that fails.
class FailOnce {
public:
    /// @param number  of the call that fails, from here on; 1: the next one, 0: none any more
    void arm(int64_t number) {
        m_struck = false;
        m_countdown = number;
    }
    /// To be asked at every call: whether this one fails.
    [[nodiscard]] bool strikes() {
        ++m_counted;
        if (m_countdown.load() <= 0 || m_countdown.fetch_sub(1) != 1) return false;
        m_struck = true;
        return true;
    }
    [[nodiscard]] bool struck() const { return m_struck; }
    [[nodiscard]] int64_t counted() const { return m_counted; }
    void restartCount() { m_counted = 0; }

private:
    std::atomic<int64_t> m_countdown{0};
    std::atomic<int64_t> m_counted{0};
    std::atomic<bool> m_struck{false};
};

/// Refuses an allocation of LibTorch in host memory, in front of the meter.
class FailingAllocator final : public at::Allocator {
public:
    static FailingAllocator& installed() {
        static FailingAllocator one;
        static const bool done = [] {
            meterHostMemory();
            one.m_below = c10::GetCPUAllocator();
            c10::SetCPUAllocator(&one, /*priority=*/200);
            return true;
        }();
        (void)done;
        return one;
    }

    FailOnce deviceTier; ///< fails as a full tier does
    FailOnce any;        ///< fails as LibTorch's own allocator does when the system refuses

    at::DataPtr allocate(size_t bytes) override {
        if (bytes > 0) {
            TORCH_CHECK_WITH(OutOfMemoryError, currentTier() != Tier::Device || !deviceTier.strikes(),
                             "an allocation that a test refuses");
            TORCH_CHECK(!any.strikes(), "not enough memory: an allocation that a test refuses");
        }
        return m_below->allocate(bytes);
    }
    at::DeleterFnPtr raw_deleter() const override { return m_below->raw_deleter(); }
    void copy_data(void* target, const void* source, size_t bytes) const override {
        default_copy_data(target, source, bytes);
    }

private:
    at::Allocator* m_below = nullptr;
};

} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes one call of many fail, once: the n-th allocation of a tensor, or whatever a test counts itself; or
// the first one that comes from a certain place. Process-wide; any thread.
#pragma once

#include "core/engine/memory/tier_meter.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace homebooth::core::testing {

/// The places that calls come from: the innermost frames of their stacks, as one number; never 0. Allocates
/// nothing, since allocations are what it is asked of.
class CallPlaces {
public:
    /// @param frames  of the stack that count, with two of this class and its caller's
    explicit CallPlaces(int frames)
        : m_frames(std::min(frames, kMostFrames)) {}

    [[nodiscard]] uint64_t ofThisCall() const {
        constexpr uint64_t kPrime = 1099511628211U; // of FNV-1a
        std::array<void*, kMostFrames> frames{};
        const int count = backtrace(frames.data(), m_frames);
        uint64_t place = 14695981039346656037U;
        for (int i = 0; i < count; ++i)
            place = (place ^ reinterpret_cast<uintptr_t>(frames[static_cast<size_t>(i)])) * kPrime;
        return place == 0 ? 1 : place;
    }
    /// Remembers a place, unless it is a library's own.
    void note(uint64_t place) {
        for (uint64_t probe = place;; ++probe) {
            uint64_t there = 0;
            std::atomic<uint64_t>& slot = m_slots[probe % kSlots];
            if (slot == place) return;
            if (slot == 0 && endsInALibrary()) return;
            if (slot.compare_exchange_strong(there, place) || there == place) return;
        }
    }
    [[nodiscard]] std::vector<uint64_t> all() const {
        std::vector<uint64_t> places;
        for (const auto& slot : m_slots)
            if (slot != 0) places.push_back(slot);
        return places;
    }

private:
    static constexpr int kMostFrames = 32;
    static constexpr size_t kSlots = size_t{1} << 18; // far more than a program has

    /// Where allocations in destructors and functions that must not throw are the library's own: no caller
    /// can survive them. The program has to export its symbols.
    [[nodiscard]] static bool endsInALibrary() {
        std::array<void*, kMostFrames> frames{};
        const int count = backtrace(frames.data(), kMostFrames);
        for (int i = 0; i < count; ++i) {
            Dl_info info{};
            if (dladdr(frames[static_cast<size_t>(i)], &info) == 0 || info.dli_sname == nullptr) continue;
            const std::string_view name = info.dli_sname;
            if (name.find("nlohmann") != std::string_view::npos) return true;
            if (name.find("directory_iterator") != std::string_view::npos) return true;
        }
        return false;
    }

    const int m_frames;
    std::array<std::atomic<uint64_t>, kSlots> m_slots{};
};

/// Counts calls and picks the one that fails.
class FailOnce {
public:
    /// @param number  of the call that fails, from here on; 1: the next one, 0: none any more
    void arm(int64_t number) {
        m_struck = false;
        m_place = 0;
        m_countdown = number;
    }
    /// Lets the next call from this place fail.
    void armAt(uint64_t place) {
        arm(0);
        m_place = place;
    }
    /// @param places  know where calls come from; null: nobody need know
    /// @param notes   whether they remember them
    void usePlaces(CallPlaces* places, bool notes) {
        m_notes = notes;
        m_places = places;
    }
    /// To be asked at every call: whether this one fails.
    [[nodiscard]] bool strikes() {
        ++m_counted;
        if (CallPlaces* const places = m_places) {
            const uint64_t here = places->ofThisCall(); // asked in one line, which is a part of the stack
            if (m_notes) places->note(here);
            if (uint64_t place = m_place; place != 0 && place == here)
                return m_place.compare_exchange_strong(place, 0) && (m_struck = true);
        }
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
    std::atomic<uint64_t> m_place{0};
    std::atomic<CallPlaces*> m_places{nullptr};
    std::atomic<bool> m_notes{false};
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
            TORCH_CHECK(!any.strikes(),
                        "DefaultCPUAllocator: not enough memory: an allocation that a test refuses");
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

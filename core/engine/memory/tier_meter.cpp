// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/tier_meter.h"

#include "core/base/config/byte_size.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <array>
#include <atomic>
#include <new>

namespace homebooth::core {
namespace {

struct Counter {
    std::atomic<int64_t> current{0};
    std::atomic<int64_t> peak{0};
};

std::array<Counter, 2>& counters() {
    static std::array<Counter, 2> both;
    return both;
}

Counter& counterOf(Tier tier) {
    return counters()[static_cast<size_t>(tier)];
}

std::atomic<int64_t> deviceLimit{0};
thread_local Tier tierOfThread = Tier::Device;

void add(Counter& counter, int64_t bytes) {
    const int64_t now = counter.current.fetch_add(bytes) + bytes;
    int64_t peak = counter.peak.load();
    while (now > peak && !counter.peak.compare_exchange_weak(peak, now)) {
    }
}

/// Takes the bytes, unless the tier is full.
void take(Tier tier, int64_t bytes) {
    Counter& counter = counterOf(tier);
    add(counter, bytes);
    const int64_t limit = deviceLimit.load();
    if (tier != Tier::Device || limit == 0 || counter.current.load() <= limit) return;
    const int64_t others = counter.current.fetch_sub(bytes) - bytes;
    TORCH_CHECK_WITH(OutOfMemoryError, false, "the device tier is full: ", byteSizeText(bytes),
                     " more than the ", byteSizeText(others), " that it holds would exceed ",
                     byteSizeText(limit));
}

/// What stands in front of every counted allocation, in a stretch of its own so that data stays aligned.
struct Header {
    int64_t bytes;
    Tier tier;
};
constexpr size_t kHeaderBytes = 64;
static_assert(sizeof(Header) <= kHeaderBytes);

at::Allocator* below = nullptr;

void release(void* data) {
    if (data == nullptr) return;
    auto* header = reinterpret_cast<Header*>(static_cast<uint8_t*>(data) - kHeaderBytes);
    counterOf(header->tier).current.fetch_sub(header->bytes);
    below->raw_deallocate(header);
}

class MeteringAllocator final : public at::Allocator {
public:
    at::DataPtr allocate(size_t bytes) override {
        const at::Device host(at::kCPU);
        if (bytes == 0) return {nullptr, nullptr, &release, host};
        const Tier tier = tierOfThread;
        take(tier, static_cast<int64_t>(bytes));
        try {
            auto* begin = static_cast<uint8_t*>(below->raw_allocate(bytes + kHeaderBytes));
            new (begin) Header{static_cast<int64_t>(bytes), tier};
            uint8_t* data = begin + kHeaderBytes;
            return {data, data, &release,
                    host}; // LibTorch's raw_allocate wants data and context to be the same
        } catch (...) {
            counterOf(tier).current.fetch_sub(static_cast<int64_t>(bytes));
            throw;
        }
    }
    at::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* target, const void* source, size_t bytes) const override {
        default_copy_data(target, source, bytes);
    }
};

} // namespace

void meterHostMemory() {
    constexpr uint8_t kAboveDefault = 100;
    static MeteringAllocator meter;
    below = c10::GetCPUAllocator();
    c10::SetCPUAllocator(&meter, kAboveDefault);
}

void limitDeviceTier(int64_t bytes) {
    deviceLimit.store(bytes);
}

TierUse tierUse(Tier tier) {
    return {counterOf(tier).current.load(), counterOf(tier).peak.load()};
}

void restartTierPeak(Tier tier) {
    counterOf(tier).peak.store(counterOf(tier).current.load());
}

void countInTier(Tier tier, int64_t bytes) {
    add(counterOf(tier), bytes);
}

Tier currentTier() {
    return tierOfThread;
}

TierScope::TierScope(Tier tier)
    : m_before(tierOfThread) {
    tierOfThread = tier;
}

TierScope::~TierScope() {
    tierOfThread = m_before;
}

} // namespace homebooth::core

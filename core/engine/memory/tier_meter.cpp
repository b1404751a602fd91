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

void raisePeak(Counter& counter, int64_t bytes) {
    int64_t peak = counter.peak.load();
    while (bytes > peak && !counter.peak.compare_exchange_weak(peak, bytes)) {
    }
}

/// Takes the bytes, unless the tier is full: then it counts nothing, not even for a moment, or an allocation
/// of another thread would be refused for its sake. @returns what is taken then
int64_t take(Tier tier, int64_t bytes) {
    Counter& counter = counterOf(tier);
    const int64_t limit = tier == Tier::Device ? deviceLimit.load() : 0;
    int64_t before = counter.current.load();
    do {
        TORCH_CHECK_WITH(OutOfMemoryError, limit == 0 || before + bytes <= limit,
                         "the device tier is full: ", byteSizeText(bytes), " more than the ",
                         byteSizeText(before), " that it holds would exceed ", byteSizeText(limit));
    } while (!counter.current.compare_exchange_weak(before, before + bytes));
    return before + bytes;
}

/// What stands in front of every counted allocation, in a stretch of its own so that data stays aligned.
struct Header {
    int64_t bytes;
    Tier tier;
};
constexpr size_t kHeaderBytes = 64;
static_assert(sizeof(Header) <= kHeaderBytes);

at::Allocator* below = nullptr;

void releaseCounted(void* data) {
    if (data == nullptr) return;
    auto* header = reinterpret_cast<Header*>(static_cast<uint8_t*>(data) - kHeaderBytes);
    counterOf(header->tier).current.fetch_sub(header->bytes);
    below->raw_deallocate(header);
}

class MeteringAllocator final : public at::Allocator {
public:
    at::DataPtr allocate(size_t bytes) override {
        const at::Device host(at::kCPU);
        if (bytes == 0) return {nullptr, nullptr, &releaseCounted, host};
        const Tier tier = tierOfThread;
        const int64_t taken = take(tier, static_cast<int64_t>(bytes));
        try {
            auto* begin = static_cast<uint8_t*>(below->raw_allocate(bytes + kHeaderBytes));
            new (begin) Header{static_cast<int64_t>(bytes), tier};
            raisePeak(counterOf(tier), taken); // not before there is memory
            uint8_t* data = begin + kHeaderBytes;
            return {data, data, &releaseCounted,
                    host}; // LibTorch's raw_allocate wants data and context to be the same
        } catch (...) {
            counterOf(tier).current.fetch_sub(static_cast<int64_t>(bytes));
            throw;
        }
    }
    at::DeleterFnPtr raw_deleter() const override { return &releaseCounted; }
    void copy_data(void* target, const void* source, size_t bytes) const override {
        default_copy_data(target, source, bytes);
    }
};

} // namespace

void meterHostMemory() {
    static const bool metering = [] {
        constexpr uint8_t kAboveDefault = 100;
        static MeteringAllocator meter;
        below = c10::GetCPUAllocator();
        c10::SetCPUAllocator(&meter, kAboveDefault);
        return true;
    }();
    (void)metering;
}

bool metersHostMemory() {
    return below != nullptr;
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
    Counter& counter = counterOf(tier);
    raisePeak(counter, counter.current.fetch_add(bytes) + bytes);
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

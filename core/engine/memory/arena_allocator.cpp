// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/arena_allocator.h"

#include "core/base/system/memory_facts.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

namespace homebooth::core {
namespace {

constexpr size_t kLargeBytes = size_t{64} << 10;
constexpr size_t kAddressesPerByte = 4; // of RAM: holes take addresses, not memory

// Both are set once, before the first tensor. The arena lives as long as the process: so may tensors.
HostArena* arena = nullptr;
at::Allocator* heap = nullptr;

void releaseHeld(void* data) {
    if (data == nullptr) return;
    if (arena->holds(data))
        arena->free(data);
    else
        heap->raw_deallocate(data);
}

class ArenaAllocator final : public at::Allocator {
public:
    at::DataPtr allocate(size_t bytes) override {
        const at::Device host(at::kCPU);
        if (bytes == 0) return {nullptr, nullptr, &releaseHeld, host};
        void* data = bytes < kLargeBytes ? nullptr : arena->allocate(bytes);
        if (data == nullptr) data = heap->raw_allocate(bytes);
        return {data, data, &releaseHeld, host};
    }
    at::DeleterFnPtr raw_deleter() const override { return &releaseHeld; }
    void copy_data(void* target, const void* source, size_t bytes) const override {
        default_copy_data(target, source, bytes);
    }
};

} // namespace

void useArena() {
    static const bool used = [] {
        constexpr uint8_t kAboveDefault = 50;
        static ArenaAllocator allocator;
        heap = c10::GetCPUAllocator();
        arena = new HostArena(static_cast<size_t>(memoryFacts().totalBytes) * kAddressesPerByte);
        c10::SetCPUAllocator(&allocator, kAboveDefault);
        return true;
    }();
    (void)used;
}

ArenaUse arenaUse() {
    return arena != nullptr ? arena->use() : ArenaUse{};
}

void giveArenaBack() noexcept {
    if (arena != nullptr) arena->giveBack();
}

} // namespace homebooth::core

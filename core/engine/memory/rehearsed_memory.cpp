// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/rehearsed_memory.h"

#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

namespace homebooth::core {
namespace {

/// What is held on the meta device, in one scope.
struct Book {
    std::mutex mutex;
    std::array<TierUse, 2> uses;
    RehearsedWork work;
    uint64_t scope = 0; ///< counts them, so that a late release is no longer entered
    at::DeviceType computesOn = at::kCPU;
    bool open = false;
};

Book& book() {
    static Book one;
    return one;
}

thread_local int productsEntered = 0; // by this thread, one within the other

struct Entry {
    int64_t bytes;
    Tier tier;
    uint64_t scope;
};

void forgetEntry(void* context) {
    const std::unique_ptr<Entry> entry(static_cast<Entry*>(context));
    if (entry == nullptr) return;
    const std::lock_guard lock(book().mutex);
    if (book().open && entry->scope == book().scope)
        book().uses[static_cast<size_t>(entry->tier)].currentBytes -= entry->bytes;
}

class CountingAllocator final : public at::Allocator {
public:
    at::DataPtr allocate(size_t bytes) override {
        const at::Device meta(at::kMeta);
        const std::lock_guard lock(book().mutex);
        if (!book().open || bytes == 0) return {nullptr, nullptr, &forgetEntry, meta};
        TierUse& use = book().uses[static_cast<size_t>(currentTier())];
        use.currentBytes += static_cast<int64_t>(bytes);
        use.peakBytes = std::max(use.peakBytes, use.currentBytes);
        if (productsEntered == 0) {
            book().work.allocatedBytes += static_cast<int64_t>(bytes);
            ++book().work.allocations;
        }
        auto* entry = new Entry{static_cast<int64_t>(bytes), currentTier(), book().scope};
        return {nullptr, entry, &forgetEntry, meta};
    }
    at::DeleterFnPtr raw_deleter() const override { return nullptr; }
    void copy_data(void* /*target*/, const void* /*source*/, size_t /*bytes*/) const override {}
};

/// Takes the place of LibTorch's own allocator of nothing; once in a process.
void install() {
    constexpr uint8_t kAboveDefault = 100;
    static CountingAllocator allocator;
    static std::once_flag once;
    std::call_once(once, [] { c10::SetAllocator(at::kMeta, &allocator, kAboveDefault); });
}

} // namespace

RehearsedWork RehearsedWork::since(const RehearsedWork& before) const {
    RehearsedWork more = *this;
    for (size_t kind = 0; kind < kProductKinds; ++kind) more.multiplyAdds[kind] -= before.multiplyAdds[kind];
    more.allocatedBytes -= before.allocatedBytes;
    more.allocations -= before.allocations;
    more.unpackedBytes -= before.unpackedBytes;
    return more;
}

void countProducts(const at::Tensor& any, ProductKind kind, int64_t multiplyAdds) {
    if (!any.is_meta()) return;
    const std::lock_guard lock(book().mutex);
    book().work.multiplyAdds[static_cast<size_t>(kind)] += multiplyAdds;
}

void countUnpacking(const at::Tensor& any, int64_t movedBytes) {
    if (!any.is_meta()) return;
    const std::lock_guard lock(book().mutex);
    book().work.unpackedBytes += movedBytes;
}

WithinProduct::WithinProduct() {
    ++productsEntered;
}

WithinProduct::~WithinProduct() {
    --productsEntered;
}

bool computedOnHost(at::Device device) {
    if (!device.is_meta()) return device.is_cpu();
    const std::lock_guard lock(book().mutex);
    return book().computesOn == at::kCPU;
}

RehearsedMemory::RehearsedMemory(at::DeviceType computesOn) {
    install();
    const std::lock_guard lock(book().mutex);
    TORCH_CHECK(!book().open, "two rehearsals at a time");
    book().open = true;
    book().computesOn = computesOn;
    book().uses = {};
    book().work = {};
    ++book().scope;
}

RehearsedMemory::~RehearsedMemory() {
    const std::lock_guard lock(book().mutex);
    book().open = false;
}

TierUse RehearsedMemory::use(Tier tier) const {
    const std::lock_guard lock(book().mutex);
    return book().uses[static_cast<size_t>(tier)];
}

RehearsedWork RehearsedMemory::work() const {
    const std::lock_guard lock(book().mutex);
    return book().work;
}

void RehearsedMemory::restartPeak(Tier tier) {
    const std::lock_guard lock(book().mutex);
    TierUse& use = book().uses[static_cast<size_t>(tier)];
    use.peakBytes = use.currentBytes;
}

} // namespace homebooth::core

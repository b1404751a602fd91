// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/page_memory.h"

#include "core/base/config/byte_size.h"

#include <sys/mman.h>
#include <utility>

namespace homebooth::core {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr int64_t kMostBytes = int64_t{1} << 47; // of addresses that a process has

size_t roundedUp(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::byte* mapped(size_t bytes, int flags) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

/// Pages that begin where a huge one does; what the mapping has around them is given back.
std::byte* mappedHuge(size_t bytes, int flags) {
    std::byte* memory = mapped(bytes + kHugePageBytes, flags);
    if (memory == nullptr) return nullptr;
    const auto address = reinterpret_cast<uintptr_t>(memory);
    const size_t before = roundedUp(address, kHugePageBytes) - address;
    if (before > 0) ::munmap(memory, before);
    if (before < kHugePageBytes) ::munmap(memory + before + bytes, kHugePageBytes - before);
    ::madvise(memory + before, bytes, MADV_HUGEPAGE); // advice: without it everything works, slower
    return memory + before;
}

} // namespace

Result<PageMemory> PageMemory::create(int64_t bytes, PageSize pages) {
    if (bytes == 0) return PageMemory();
    std::byte* memory = nullptr;
    if (bytes > 0 && bytes <= kMostBytes) {
        const size_t whole = roundedUp(static_cast<size_t>(bytes), kPageBytes);
        // Of usual pages most may never be touched; the kernel shall not count them as if they were.
        if (pages == PageSize::Usual)
            memory = mapped(whole, MAP_NORESERVE);
        else
            memory = mappedHuge(whole, pages == PageSize::Huge ? 0 : MAP_NORESERVE);
    }
    if (memory != nullptr) return PageMemory({memory, static_cast<size_t>(bytes)});
    return Error{ErrorCode::OutOfResources,
                 "cannot get memory: expected " + byteSizeText(bytes) +
                     ", found that the system refuses them; close other programs and try again",
                 {}};
}

void PageMemory::giveBack(std::span<std::byte> part) noexcept {
    ::madvise(part.data(), part.size(), MADV_DONTNEED);
}

PageMemory::PageMemory(PageMemory&& other) noexcept
    : m_bytes(std::exchange(other.m_bytes, {})) {}

PageMemory& PageMemory::operator=(PageMemory&& other) noexcept {
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

PageMemory::~PageMemory() {
    if (!m_bytes.empty()) ::munmap(m_bytes.data(), m_bytes.size());
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/aligned_memory.h"

#include "core/base/config/byte_size.h"
#include "core/base/swap/swap_device.h"

#include <sys/mman.h>
#include <utility>

namespace homebooth::core {

namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

size_t roundedUp(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Gives back what lies around the wanted part of a mapping.
std::byte* trimmed(std::byte* mapped, size_t mappedBytes, size_t bytes) {
    const size_t before =
        roundedUp(reinterpret_cast<uintptr_t>(mapped), kHugePageBytes) - reinterpret_cast<uintptr_t>(mapped);
    const size_t kept = roundedUp(bytes, static_cast<size_t>(kSwapAlignment));
    if (before > 0) ::munmap(mapped, before);
    ::munmap(mapped + before + kept, mappedBytes - before - kept);
    return mapped + before;
}

} // namespace

Result<AlignedMemory> AlignedMemory::create(int64_t bytes) {
    const auto wanted = static_cast<size_t>(bytes);
    const size_t mappedBytes = roundedUp(wanted, static_cast<size_t>(kSwapAlignment)) + kHugePageBytes;
    void* mapped = ::mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return Error{ErrorCode::OutOfResources,
                     "cannot get " + byteSizeText(bytes) +
                         " of memory for transfers to the disk; close other programs and try again",
                     {}};
    std::byte* memory = trimmed(static_cast<std::byte*>(mapped), mappedBytes, wanted);
    ::madvise(memory, wanted, MADV_HUGEPAGE); // advice: without it everything works, slower
    return AlignedMemory({memory, wanted});
}

AlignedMemory::AlignedMemory(AlignedMemory&& other) noexcept
    : m_bytes(std::exchange(other.m_bytes, {})) {}

AlignedMemory& AlignedMemory::operator=(AlignedMemory&& other) noexcept {
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

AlignedMemory::~AlignedMemory() {
    if (!m_bytes.empty()) ::munmap(m_bytes.data(), m_bytes.size());
}

} // namespace homebooth::core

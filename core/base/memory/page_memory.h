// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole pages of RAM outside every allocator: the home of parameters that are not on the device, and buffers
// for the disk. Zero at first; usual pages that nobody touches take no memory.
// Huge pages (where the kernel has them) are for transfers past the page cache: from them a transfer reaches
// the disk in few pieces, and reads were up to twice as fast as from scattered small pages.
// Movable; the owner frees it by destroying it, which must not happen while a transfer uses it.
#pragma once

#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace homebooth::core {

enum class PageSize : uint8_t {
    Usual,
    Huge,
    HugeOnDemand ///< of which few are in memory at a time; the kernel does not set the others aside
};

class PageMemory {
public:
    PageMemory() = default;
    /// @param bytes  at least 0. Errors: OutOfResources when the system refuses them
    [[nodiscard]] static Result<PageMemory> create(int64_t bytes, PageSize pages = PageSize::Usual);

    PageMemory(PageMemory&& other) noexcept;
    PageMemory& operator=(PageMemory&& other) noexcept;
    ~PageMemory();

    /// Gives what lies there back to the system: it is zero when it is touched again.
    /// @param part  whole pages of 4096 bytes
    void giveBack(std::span<std::byte> part) noexcept;

    /// Begins at a multiple of the page size.
    [[nodiscard]] std::span<std::byte> bytes() const { return m_bytes; }

private:
    explicit PageMemory(std::span<std::byte> bytes)
        : m_bytes(bytes) {}
    std::span<std::byte> m_bytes;
};

} // namespace homebooth::core

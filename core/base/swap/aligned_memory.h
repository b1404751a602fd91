// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that may be read and written past the page cache: zeroed, huge pages where the kernel has them. A
// transfer from huge pages reaches the disk in few pieces: reads were up to twice as fast as from scattered
// small pages. Movable; the owner frees it by destroying it, which must not happen while a transfer uses it.
#pragma once

#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace homebooth::core {

class AlignedMemory {
public:
    /// Errors: OutOfResources
    [[nodiscard]] static Result<AlignedMemory> create(int64_t bytes);

    AlignedMemory(AlignedMemory&& other) noexcept;
    AlignedMemory& operator=(AlignedMemory&& other) noexcept;
    ~AlignedMemory();

    [[nodiscard]] std::span<std::byte> bytes() const { return m_bytes; }

private:
    explicit AlignedMemory(std::span<std::byte> bytes)
        : m_bytes(bytes) {}
    std::span<std::byte> m_bytes;
};

} // namespace homebooth::core

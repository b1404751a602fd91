// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A stretch of RAM outside every allocator: the tier in which chunks live that are not on the device.
// Zero at first; pages that nobody touches take no memory. Owns the mapping; movable.
#pragma once

#include <cstdint>
#include <utility>

namespace homebooth::core {

class RamBuffer {
public:
    RamBuffer() = default;
    /// Errors: throws std::bad_alloc when the system refuses the addresses
    explicit RamBuffer(int64_t bytes);
    ~RamBuffer();
    RamBuffer(RamBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr))
        , m_bytes(std::exchange(other.m_bytes, 0)) {}
    RamBuffer& operator=(RamBuffer&& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }

    [[nodiscard]] uint8_t* data() const { return m_data; } ///< page-aligned; null when empty
    [[nodiscard]] int64_t bytes() const { return m_bytes; }

private:
    uint8_t* m_data = nullptr;
    int64_t m_bytes = 0;
};

} // namespace homebooth::core

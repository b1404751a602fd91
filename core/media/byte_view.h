// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers out of bytes that may end anywhere: what lies outside reads as 0, so that a parser needs one check
// of its result and none of its steps.
// Value type, does not own the bytes; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace homebooth::core {

class ByteView {
public:
    explicit ByteView(std::string_view bytes, bool bigEndian = true)
        : m_bytes(bytes)
        , m_bigEndian(bigEndian) {}

    [[nodiscard]] uint64_t size() const { return m_bytes.size(); }
    [[nodiscard]] bool has(uint64_t offset, uint64_t count) const {
        return offset <= m_bytes.size() && count <= m_bytes.size() - offset;
    }
    [[nodiscard]] uint8_t u8(uint64_t offset) const {
        return has(offset, 1) ? static_cast<uint8_t>(m_bytes[offset]) : uint8_t{0};
    }
    [[nodiscard]] uint16_t u16(uint64_t offset) const {
        const unsigned a = u8(offset), b = u8(offset + 1);
        return static_cast<uint16_t>(m_bigEndian ? a << 8 | b : b << 8 | a);
    }
    [[nodiscard]] uint32_t u32(uint64_t offset) const {
        const uint32_t a = u16(offset), b = u16(offset + 2);
        return m_bigEndian ? a << 16 | b : b << 16 | a;
    }
    /// `count` bytes at `offset`, or nothing where they are not all there.
    [[nodiscard]] std::string_view part(uint64_t offset, uint64_t count) const {
        return has(offset, count) ? m_bytes.substr(offset, count) : std::string_view();
    }
    [[nodiscard]] bool startsWith(std::string_view text, uint64_t offset = 0) const {
        return !text.empty() && part(offset, text.size()) == text;
    }

private:
    std::string_view m_bytes;
    bool m_bigEndian;
};

} // namespace homebooth::core

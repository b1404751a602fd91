// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pages with contents that tell which page and which version they are. The test owns them; one thread.
#pragma once

#include "core/base/memory/page_memory.h"

#include <cstdint>
#include <cstring>
#include <span>

namespace homebooth::core {

class SwapPages {
public:
    SwapPages(int64_t pageBytes, int64_t count)
        : m_pageBytes(pageBytes)
        , m_memory(PageMemory::create(pageBytes * count, PageSize::Huge).value()) {}

    [[nodiscard]] std::span<std::byte> page(int64_t index) const {
        return m_memory.bytes().subspan(static_cast<size_t>(index * m_pageBytes),
                                        static_cast<size_t>(m_pageBytes));
    }
    [[nodiscard]] std::span<std::byte> all() const { return m_memory.bytes(); }

    /// Every eight bytes differ, within the page, between pages and between versions.
    void fill(int64_t index, int64_t slot, uint64_t version) const {
        const std::span<std::byte> bytes = page(index);
        for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
            const uint64_t value = word(slot, version, at);
            std::memcpy(bytes.data() + at, &value, sizeof value);
        }
    }

    [[nodiscard]] bool holds(int64_t index, int64_t slot, uint64_t version) const {
        const std::span<const std::byte> bytes = page(index);
        for (size_t at = 0; at < bytes.size(); at += sizeof(uint64_t)) {
            const uint64_t value = word(slot, version, at);
            if (std::memcmp(bytes.data() + at, &value, sizeof value) != 0) return false;
        }
        return true;
    }

    void clear(int64_t index) const { std::memset(page(index).data(), 0xee, page(index).size()); }

private:
    static uint64_t word(int64_t slot, uint64_t version, size_t at) {
        return (static_cast<uint64_t>(slot) << 40) ^ (version << 56) ^ at ^ 0x5aa5000000000000U;
    }

    int64_t m_pageBytes;
    PageMemory m_memory;
};

} // namespace homebooth::core

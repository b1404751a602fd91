// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/same_values.h"

#include "core/base/formats/convert_type.h"

#include <algorithm>
#include <cstring>

namespace homebooth::core {

namespace {

/// One of the two, read piece by piece.
class Side {
public:
    explicit Side(const TensorPool::Entry& entry)
        : m_file(*entry.file)
        , m_info(*entry.info) {}

    /// What does not lie together would be gathered anew for every piece.
    Result<void> prepare() {
        if (m_file.liesTogether(m_info.name)) return {};
        m_whole.resize(static_cast<size_t>(m_info.byteCount));
        return m_file.read(m_info.name, m_whole);
    }

    /// @param first  element
    Result<void> read(int64_t first, int64_t count) {
        const int64_t width = byteWidth(m_info.type);
        const auto bytes = static_cast<size_t>(count * width);
        if (!m_whole.empty()) {
            m_bytes = std::span<const std::byte>(m_whole).subspan(static_cast<size_t>(first * width), bytes);
            return {};
        }
        m_piece.resize(bytes);
        m_bytes = m_piece;
        return m_file.readPart(m_info.name, first * width, m_piece);
    }

    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }
    [[nodiscard]] DataType type() const { return m_info.type; }

    /// Of the last read.
    [[nodiscard]] std::vector<double> numbers() const {
        std::vector<double> numbers(m_bytes.size() / static_cast<size_t>(byteWidth(m_info.type)));
        convertElements(m_bytes, m_info.type, std::as_writable_bytes(std::span(numbers)), DataType::F64);
        return numbers;
    }

private:
    const TensorReader& m_file;
    const TensorInfo& m_info;
    std::vector<std::byte> m_whole; // empty: it is read by pieces
    std::vector<std::byte> m_piece;
    std::span<const std::byte> m_bytes; // of one of them
};

/// Zeros of either sign are one number.
Result<bool> sameIn(Side& one, Side& other, int64_t first, int64_t count) {
    HOMEBOOTH_CHECK(one.read(first, count));
    HOMEBOOTH_CHECK(other.read(first, count));
    if (one.type() == other.type() &&
        std::memcmp(one.bytes().data(), other.bytes().data(), one.bytes().size()) == 0)
        return true;
    return one.numbers() == other.numbers();
}

/// A few places at even distances: what differs at all mostly does so nearly everywhere.
Result<bool> sameInSamples(Side& one, Side& other, int64_t count) {
    constexpr int64_t kSamples = 32;
    const int64_t length = std::min(count, int64_t{1} << 11);
    for (int64_t sample = 0; sample < kSamples; ++sample) {
        const int64_t first = (count - length) / (kSamples - 1) * sample;
        HOMEBOOTH_ASSIGN(const bool same, sameIn(one, other, first, length));
        if (!same) return false;
    }
    return true;
}

} // namespace

Result<bool> sameValues(const TensorPool::Entry& one, const TensorPool::Entry& other) {
    const bool numbers = isFloatingPoint(one.info->type) && isFloatingPoint(other.info->type);
    if (!numbers || one.info->shape != other.info->shape) return false;
    const int64_t count = one.info->elementCount();
    if (count == 0) return true;
    if (one.file == other.file && one.file->areOne(one.info->name, other.info->name)) return true;
    Side first(one);
    Side second(other);
    HOMEBOOTH_CHECK(first.prepare());
    HOMEBOOTH_CHECK(second.prepare());
    HOMEBOOTH_ASSIGN(const bool alike, sameInSamples(first, second, count));
    if (!alike) return false;
    constexpr int64_t kPiece = int64_t{1} << 17; // a megabyte of double
    for (int64_t begin = 0; begin < count; begin += kPiece) {
        HOMEBOOTH_ASSIGN(const bool same, sameIn(first, second, begin, std::min(kPiece, count - begin)));
        if (!same) return false;
    }
    return true;
}

} // namespace homebooth::core

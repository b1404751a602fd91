// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/writing/text_tail.h"

#include "core/base/text/unicode.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// Bytes at the end that may be the beginning of `stop`.
size_t begunStop(std::string_view text, std::string_view stop) {
    for (size_t length = std::min(text.size(), stop.size()); length > 0; --length)
        if (stop.starts_with(text.substr(text.size() - length))) return length;
    return 0;
}

/// Bytes at the end that are the beginning of a character, as its first byte says its length.
size_t begunCharacter(std::string_view text) {
    constexpr size_t kLongest = 4;
    for (size_t length = 1; length < kLongest && length <= text.size(); ++length) {
        const auto byte = static_cast<unsigned char>(text[text.size() - length]);
        if (byte >= 0xC2 && byte <= 0xF4) {
            const size_t whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
            return length < whole ? length : 0;
        }
        if (byte < 0x80 || byte >= 0xC0) return 0;
    }
    return 0;
}

} // namespace

std::string TextTail::add(std::string_view bytes) {
    if (m_stopped) return {};
    m_held += bytes;
    size_t out = m_held.size();
    const size_t stop = m_stop.empty() ? std::string::npos : m_held.find(m_stop);
    m_stopped = stop != std::string::npos;
    if (m_stopped)
        out = stop;
    else
        out -= begunStop(m_held, m_stop);
    if (!m_stopped) out -= begunCharacter(std::string_view(m_held).substr(0, out));
    std::string text = wellFormedUtf8(std::string_view(m_held).substr(0, out));
    m_held.erase(0, m_stopped ? m_held.size() : out);
    return text;
}

std::string TextTail::flush() {
    std::string text = wellFormedUtf8(m_held);
    m_held.clear();
    return text;
}

} // namespace homebooth::core

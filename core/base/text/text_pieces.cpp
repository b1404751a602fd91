// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/text_pieces.h"

#include "core/base/text/unicode.h"

#include <cstdint>

namespace homebooth::core {
namespace {

bool endsWithLetter(std::string_view text) {
    size_t last = text.size() - 1;
    while (last > 0 && (text[last] & 0xC0) == 0x80) --last;
    return isLetter(decodeUtf8(text.substr(last)).front());
}

} // namespace

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
    std::string text;
    const auto unit = [&](size_t index) {
        const auto high = static_cast<uint8_t>(bytes[2 * index + (bigEndian ? 0 : 1)]);
        const auto low = static_cast<uint8_t>(bytes[2 * index + (bigEndian ? 1 : 0)]);
        return static_cast<char32_t>(high << 8 | low);
    };
    const size_t count = bytes.size() / 2;
    for (size_t index = count > 0 && unit(0) == 0xFEFF ? 1 : 0; index < count; ++index) {
        char32_t c = unit(index);
        const bool pair =
            c >= 0xD800 && c < 0xDC00 && index + 1 < count && (unit(index + 1) & 0xFC00) == 0xDC00;
        if (pair) c = 0x10000 + ((c & 0x3FF) << 10) + (unit(++index) & 0x3FF);
        appendUtf8(text, c >= 0xD800 && c < 0xE000 ? U'\uFFFD' : c);
    }
    return text;
}

bool isWellFormed(std::string_view bytes) {
    return bytes.find('\0') == std::string_view::npos && isUtf8(bytes);
}

size_t wrongByte(std::string_view bytes) {
    size_t at = 0;
    while (at < bytes.size()) {
        size_t end = at + 1;
        while (end < bytes.size() && (bytes[end] & 0xC0) == 0x80) ++end;
        if (!isWellFormed(bytes.substr(at, end - at))) break;
        at = end;
    }
    return at;
}

size_t wholeCharacters(const std::string& bytes) {
    if (bytes.ends_with('\r')) return bytes.size() - 1;
    size_t end = bytes.size();
    for (size_t back = 1; back <= 4 && back <= bytes.size(); ++back) {
        const auto byte = static_cast<uint8_t>(bytes[bytes.size() - back]);
        if ((byte & 0xC0) == 0x80) continue;
        const size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        if (length > back) end = bytes.size() - back;
        break;
    }
    return end;
}

size_t cutOf(std::string_view text) {
    for (size_t at = text.size(); at-- > 1;)
        if ((text[at] == '\n' || text[at] == ' ') && endsWithLetter(text.substr(0, at))) return at;
    const size_t line = text.rfind('\n');
    return line == std::string_view::npos ? text.size() : line + 1;
}

void useLineFeeds(std::string& text) {
    size_t to = 0;
    for (size_t from = 0; from < text.size(); ++from) {
        const bool ofPair = text[from] == '\r' && from + 1 < text.size() && text[from + 1] == '\n';
        if (!ofPair) text[to++] = text[from];
    }
    text.resize(to);
}

} // namespace homebooth::core

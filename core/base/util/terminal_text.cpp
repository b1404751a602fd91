// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/terminal_text.h"

#include "core/base/text/unicode.h"

namespace homebooth::core {
namespace {

constexpr char32_t kNone = 0xFFFFFFFF; // what no well-formed sequence stands for

/// A character and its length in bytes.
struct Character {
    char32_t codePoint = kNone;
    size_t length = 1;
};

Character characterAt(std::string_view text, size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) return {first, 1};
    // The longest well-formed sequence is four bytes; the decoder gives one code point for it.
    constexpr char32_t kReplacement = 0xFFFD; // which it also gives for what is malformed
    if (text.substr(at, 3) == "\xEF\xBF\xBD") return {kReplacement, 3};
    for (size_t length = 2; length <= 4 && at + length <= text.size(); ++length) {
        const std::u32string decoded = decodeUtf8(text.substr(at, length));
        if (decoded.size() == 1 && decoded[0] != kReplacement) return {decoded[0], length};
    }
    return {};
}

bool isCommand(char32_t codePoint) {
    const bool direction =
        (codePoint >= 0x202A && codePoint <= 0x202E) || (codePoint >= 0x2066 && codePoint <= 0x2069);
    return codePoint == kNone || codePoint < 0x20 || (codePoint >= 0x7F && codePoint < 0xA0) || direction;
}

/// How line breaks and tabs appear.
enum class Breaks { Escaped, Spaces, Kept };

std::string shown(std::string_view text, Breaks breaks) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const Character one = characterAt(text, at);
        const bool isBreak = one.codePoint == U'\n' || one.codePoint == U'\t';
        if (isBreak && breaks != Breaks::Escaped) {
            out += breaks == Breaks::Kept ? text[at] : ' ';
        } else if (isCommand(one.codePoint)) {
            for (const char byte : text.substr(at, one.length)) {
                out += "\\x";
                out += kDigits[static_cast<unsigned char>(byte) >> 4];
                out += kDigits[static_cast<unsigned char>(byte) & 15];
            }
        } else {
            out.append(text, at, one.length);
        }
        at += one.length;
    }
    return out;
}

} // namespace

std::string terminalLine(std::string_view text) {
    return shown(text, Breaks::Spaces);
}

std::string terminalText(std::string_view text) {
    return shown(text, Breaks::Kept);
}

std::string terminalName(std::string_view text) {
    return shown(text, Breaks::Escaped);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/prompt_text.h"

#include "core/base/text/unicode.h"

namespace homebooth::core {
namespace {

bool isInWord(char32_t c) {
    return isLetter(c) || isNumber(c) || c == U'_';
}

} // namespace

std::u32string normalised(const std::u32string& raw) {
    const std::u32string composed = toNfc(raw);
    std::u32string spaced;
    spaced.reserve(composed.size());
    bool inSpace = false;
    for (char32_t c : composed) {
        const bool space = isWhiteSpace(c);
        if (!space) spaced += c;
        if (space && !inSpace) spaced += U' ';
        inSpace = space;
    }
    return toLowerCase(spaced);
}

bool standsAlone(std::u32string_view text, size_t begin, size_t length) {
    const size_t end = begin + length;
    return (begin == 0 || !isInWord(text[begin - 1])) && (end >= text.size() || !isInWord(text[end]));
}

bool isOwnWord(std::u32string_view text, size_t begin, size_t length) {
    const auto joined = [text](size_t before, size_t behind) {
        return isInWord(text[before]) && isInWord(text[behind]);
    };
    const size_t end = begin + length;
    return (begin == 0 || !joined(begin - 1, begin)) && (end >= text.size() || !joined(end - 1, end));
}

std::u32string soughtWord(std::string_view word) {
    const std::u32string text = normalised(decodeUtf8(word));
    const size_t begin = text.find_first_not_of(U' ');
    if (begin == std::u32string::npos) return {};
    return text.substr(begin, text.find_last_not_of(U' ') + 1 - begin);
}

bool namesWord(std::string_view prompt, std::string_view word) {
    const std::u32string text = normalised(decodeUtf8(prompt));
    const std::u32string sought = soughtWord(word);
    if (sought.empty()) return false;
    for (size_t at = text.find(sought); at != std::u32string::npos; at = text.find(sought, at + 1))
        if (isOwnWord(text, at, sought.size())) return true;
    return false;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/search_text.h"

#include "core/base/text/unicode.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// What case folding makes of letters that are in lower case already.
struct Fold {
    char32_t letter;
    std::u32string_view folded;
};

// Source: CaseFolding.txt of Unicode, statuses C and F, without what decomposes. Cherokee is folded to lower
// case here instead of to upper case, which makes the same pairs.
constexpr Fold kFolds[] = {{0xB5, U"\u03BC"},         {0xDF, U"ss"},
                           {0x149, U"\u02BCn"},       {0x17F, U"s"},
                           {0x345, U"\u03B9"},        {0x3C2, U"\u03C3"},
                           {0x3D0, U"\u03B2"},        {0x3D1, U"\u03B8"},
                           {0x3D5, U"\u03C6"},        {0x3D6, U"\u03C0"},
                           {0x3F0, U"\u03BA"},        {0x3F1, U"\u03C1"},
                           {0x3F5, U"\u03B5"},        {0x587, U"\u0565\u0582"},
                           {0x1C80, U"\u0432"},       {0x1C81, U"\u0434"},
                           {0x1C82, U"\u043E"},       {0x1C83, U"\u0441"},
                           {0x1C84, U"\u0442"},       {0x1C85, U"\u0442"},
                           {0x1C86, U"\u044A"},       {0x1C87, U"\u0463"},
                           {0x1C88, U"\uA64B"},       {0x1E9A, U"a\u02BE"},
                           {0xFB00, U"ff"},           {0xFB01, U"fi"},
                           {0xFB02, U"fl"},           {0xFB03, U"ffi"},
                           {0xFB04, U"ffl"},          {0xFB05, U"st"},
                           {0xFB06, U"st"},           {0xFB13, U"\u0574\u0576"},
                           {0xFB14, U"\u0574\u0565"}, {0xFB15, U"\u0574\u056B"},
                           {0xFB16, U"\u057E\u0576"}, {0xFB17, U"\u0574\u056D"}};

void appendFolded(std::u32string& out, char32_t letter) {
    const auto* fold = std::lower_bound(std::begin(kFolds), std::end(kFolds), letter,
                                        [](const Fold& one, char32_t value) { return one.letter < value; });
    if (fold != std::end(kFolds) && fold->letter == letter)
        out += fold->folded;
    else
        out += letter;
}

bool isAscii(std::string_view bytes) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

} // namespace

std::string searchText(std::string_view utf8) {
    std::string text;
    text.reserve(utf8.size());
    if (isAscii(utf8)) { // most prompts are
        for (const char c : utf8) text += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
        return text;
    }
    std::u32string folded;
    for (const char32_t letter : toLowerCase(toNfd(decodeUtf8(utf8)))) appendFolded(folded, letter);
    for (const char32_t letter : toNfc(std::move(folded))) appendUtf8(text, letter);
    return text;
}

std::vector<std::string> searchWords(std::string_view utf8) {
    std::vector<std::string> words;
    std::u32string word;
    const auto take = [&words, &word] {
        std::string bytes;
        for (const char32_t letter : word) appendUtf8(bytes, letter);
        if (!bytes.empty()) words.push_back(searchText(bytes));
        word.clear();
    };
    for (const char32_t letter : decodeUtf8(utf8)) {
        if (isWhiteSpace(letter))
            take();
        else
            word += letter;
    }
    take();
    return words;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/word_split.h"

#include "core/base/text/unicode.h"

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kBloomPattern = R"( ?[^(\s|[.,!?…。，、।۔،])]+)";

/// What Bloom's words do not hold: blanks, and the characters of its pattern's class. Its brackets are
/// nested: the class is made of "(", "|", blanks, the inner class and ")".
bool endsBloomWord(char32_t c) {
    constexpr std::array<char32_t, 14> kMarks{U'(',      U'|',      U')',      U'.',      U',',
                                              U'!',      U'?',      U'\u2026', U'\u3002', U'\uff0c',
                                              U'\u3001', U'\u0964', U'\u06d4', U'\u060c'};
    return isWhiteSpace(c) || std::find(kMarks.begin(), kMarks.end(), c) != kMarks.end();
}

size_t contractionEnd(std::u32string_view text, size_t begin) {
    constexpr std::array<std::u32string_view, 7> kEndings{U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"};
    for (const std::u32string_view ending : kEndings)
        if (text.substr(begin).starts_with(ending)) return begin + ending.size();
    return begin;
}

/// The end of the run of characters of one kind.
template <class Kind>
size_t runEnd(std::u32string_view text, size_t begin, const Kind& kind) {
    while (begin < text.size() && kind(text[begin])) ++begin;
    return begin;
}

bool isOther(char32_t c) {
    return !isWhiteSpace(c) && !isLetter(c) && !isNumber(c);
}

size_t gpt2End(std::u32string_view text, size_t begin) {
    if (const size_t end = contractionEnd(text, begin); end > begin) return end;
    const size_t first = begin + (text[begin] == U' ' ? 1 : 0);
    if (first < text.size()) {
        if (isLetter(text[first])) return runEnd(text, first, isLetter);
        if (isNumber(text[first])) return runEnd(text, first, isNumber);
        if (isOther(text[first])) return runEnd(text, first, isOther);
    }
    const size_t end = runEnd(text, begin, isWhiteSpace);
    return end < text.size() && end - begin > 1 ? end - 1 : end; // the last blank belongs to the next word
}

size_t bloomEnd(std::u32string_view text, size_t begin) {
    const auto inWord = [](char32_t c) { return !endsBloomWord(c); };
    const size_t first = begin + (text[begin] == U' ' ? 1 : 0);
    if (const size_t end = runEnd(text, first, inWord); end > first) return end;
    // Between two words all is one piece; a blank right before a word belongs to that.
    size_t end = begin + 1;
    while (end < text.size() && !inWord(text[end])) {
        if (text[end] == U' ' && end + 1 < text.size() && inWord(text[end + 1])) break;
        ++end;
    }
    return end;
}

} // namespace

std::optional<WordSplit> wordSplitOf(std::string_view pattern) {
    if (pattern == kGpt2Pattern) return WordSplit::Gpt2;
    if (pattern == kBloomPattern) return WordSplit::Bloom;
    return std::nullopt;
}

size_t wordEnd(std::u32string_view text, size_t begin, WordSplit split) {
    return split == WordSplit::Gpt2 ? gpt2End(text, begin) : bloomEnd(text, begin);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/prompt_syntax.h"

#include <algorithm>
#include <cstddef>

namespace homebooth::core {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isLower(char c) {
    return c >= 'a' && c <= 'z';
}

/// Also every byte of a letter beyond ASCII.
bool isWordPart(char c) {
    return isDigit(c) || isLower(c) || (c >= 'A' && c <= 'Z') || c == '_' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// "1.2", "-1", " .8 "
bool isNumberText(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
    const auto digits = static_cast<size_t>(std::count_if(text.begin(), text.end(), isDigit));
    const auto points = static_cast<size_t>(std::count(text.begin(), text.end(), '.'));
    return digits > 0 && points <= 1 && digits + points == text.size();
}

/// Whether what stands in a bracket ends with a moment: "a cat:a dog:0.5", not "16:9".
bool endsWithNumber(std::string_view inside) {
    constexpr size_t kLongest = 24; // of a number with its blanks: brackets may be nested without end
    const std::string_view tail = inside.substr(inside.size() - std::min(inside.size(), kLongest));
    const size_t colon = tail.rfind(':');
    if (colon == kNone || colon == 0) return false;
    const std::string_view number = tail.substr(colon + 1);
    return isNumberText(number) && (number.find('.') != kNone || !isDigit(tail[colon - 1]));
}

/// Keeps the first of a kind.
void keep(std::string& first, std::string_view found) {
    if (first.empty()) first = found;
}

void findTag(std::string_view prompt, PromptSyntax& found) {
    for (const std::string_view kind : {"<lora:", "<lyco:", "<hypernet:"})
        for (size_t at = prompt.find(kind); at != kNone; at = prompt.find(kind, at + 1)) {
            const size_t name = at + kind.size();
            const size_t end = prompt.find_first_of("<>", name);
            if (end == kNone || prompt[end] == '<' || end == name || prompt[name] == ':') continue;
            keep(found.tag, prompt.substr(at, end + 1 - at));
        }
}

/// Whether a piece of a text stands apart from words on both sides.
bool standsAlone(std::string_view prompt, size_t at, size_t end) {
    return (at == 0 || !isWordPart(prompt[at - 1])) && (end == prompt.size() || !isWordPart(prompt[end]));
}

/// Whether "AND" parts what is before it from what is behind it: it is none of several words in capitals.
bool parts(std::string_view prompt, size_t at, size_t end) {
    constexpr std::string_view kBlanks = " ,\t\n\r";
    const auto isBlank = [&](size_t one) {
        return one < prompt.size() && kBlanks.find(prompt[one]) != kNone;
    };
    if (at == 0 || !isBlank(at - 1) || !isBlank(end)) return false;
    const size_t before = prompt.substr(0, at).find_last_not_of(kBlanks);
    if (before == kNone || prompt.find_first_not_of(kBlanks, end) == kNone) return false;
    return prompt[before] < 'A' || prompt[before] > 'Z';
}

void findParting(std::string_view prompt, PromptSyntax& found) {
    if (std::none_of(prompt.begin(), prompt.end(), isLower)) return; // somebody writes in capitals
    for (const std::string_view word : {"BREAK", "AND"})
        for (size_t at = prompt.find(word); at != kNone; at = prompt.find(word, at + 1)) {
            const size_t end = at + word.size();
            if (standsAlone(prompt, at, end) && (word == "BREAK" || parts(prompt, at, end)))
                keep(found.change, word);
        }
}

/// Where "__" begins the name of a wildcard: behind that.
size_t wildcardEnd(std::string_view prompt, size_t at) {
    constexpr size_t kLongest = 80;
    const std::string_view rest = prompt.substr(at + 2, kLongest);
    const size_t length = rest.find("__");
    if (length == kNone || length == 0 || !isWordPart(rest.front()) || rest.front() == '_') return kNone;
    const auto fits = [](char c) { return isWordPart(c) || c == ' ' || c == '/' || c == '-' || c == '*'; };
    if (!std::all_of(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length), fits)) return kNone;
    const size_t end = at + 2 + length + 2;
    return standsAlone(prompt, at, end) ? end : kNone;
}

/// "{2$$red|blue}" takes two of them, as an extension of those programs has it.
void findSeveral(std::string_view prompt, PromptSyntax& found) {
    for (size_t at = prompt.find("$$"); at != kNone; at = prompt.find("$$", at + 2)) {
        size_t begin = at;
        while (begin > 0 && (isDigit(prompt[begin - 1]) || prompt[begin - 1] == '-')) --begin;
        if (begin == 0 || prompt[begin - 1] != '{' || (begin > 1 && prompt[begin - 2] == '\\')) continue;
        const size_t close = prompt.find('}', at);
        if (close != kNone) keep(found.wildcard, prompt.substr(begin - 1, close + 2 - begin));
        return;
    }
}

void findWildcard(std::string_view prompt, PromptSyntax& found) {
    findSeveral(prompt, found);
    for (size_t at = prompt.find("__"); at != kNone && found.wildcard.empty(); at = prompt.find("__", at + 1))
        if (const size_t end = wildcardEnd(prompt, at); end != kNone)
            keep(found.wildcard, prompt.substr(at, end - at));
}

} // namespace

PromptSyntax promptSyntax(std::string_view prompt) {
    PromptSyntax found;
    findTag(prompt, found);
    for (const TextSpan& span : changingWords(prompt))
        keep(found.change, prompt.substr(span.begin, span.end - span.begin));
    findParting(prompt, found);
    findWildcard(prompt, found);
    return found;
}

std::vector<TextSpan> changingWords(std::string_view prompt) {
    struct Open {
        size_t begin;
        bool parted; ///< by a bar
    };
    std::vector<TextSpan> found;
    std::vector<Open> open;
    for (size_t at = 0; at < prompt.size(); ++at) {
        if (prompt[at] == '\\') {
            ++at; // what follows is a word
            continue;
        }
        if (prompt[at] == '[') open.push_back({at, false});
        if (open.empty()) continue;
        if (prompt[at] == '|') open.back().parted = true;
        if (prompt[at] != ']') continue;
        const auto [begin, parted] = open.back();
        open.pop_back();
        if (parted || endsWithNumber(prompt.substr(begin + 1, at - begin - 1)))
            found.push_back({begin, at + 1});
    }
    return found;
}

std::vector<std::string> syntaxWarnings(const PromptSyntax& found) {
    std::vector<std::string> warnings;
    const auto say = [&warnings](const std::string& piece, const char* words) {
        if (!piece.empty()) warnings.emplace_back("\"").append(piece).append("\" in a prompt ").append(words);
    };
    say(found.tag,
        "calls no add-on here, and is read as words: leave it out, and name the add-on's file with "
        "--lora FILE:WEIGHT");
    say(found.change, "is read as words here: leave its signs out, and the words that are not meant");
    say(found.wildcard, "is read as words here: write one of the words that it stands for");
    return warnings;
}

} // namespace homebooth::core

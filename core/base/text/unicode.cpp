// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/unicode.h"

#include "core/base/text/unicode_tables.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace homebooth::core {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// The entry of an ascending table of runs that contains `codePoint`, or null.
template <class Run>
const Run* findRun(std::span<const Run> table, char32_t codePoint) {
    auto after = std::upper_bound(table.begin(), table.end(), codePoint,
                                  [](char32_t value, const Run& run) { return value < run.first; });
    if (after == table.begin()) return nullptr;
    const Run& run = *(after - 1);
    return codePoint <= run.last ? &run : nullptr;
}

/// How many bytes follow a first byte, and within which bounds the second must lie; none: malformed.
struct Utf8Lead {
    int following;
    uint8_t low;
    uint8_t high;
};

Utf8Lead utf8Lead(uint8_t byte) {
    if (byte >= 0xC2 && byte <= 0xDF) return {1, 0x80, 0xBF};
    if (byte == 0xE0) return {2, 0xA0, 0xBF};
    if (byte == 0xED) return {2, 0x80, 0x9F}; // no surrogates
    if (byte >= 0xE1 && byte <= 0xEF) return {2, 0x80, 0xBF};
    if (byte == 0xF0) return {3, 0x90, 0xBF};
    if (byte >= 0xF1 && byte <= 0xF3) return {3, 0x80, 0xBF};
    if (byte == 0xF4) return {3, 0x80, 0x8F};
    return {-1, 0, 0};
}

// Hangul syllables are composed by arithmetic (Unicode Standard, section 3.12).
constexpr char32_t kSyllableBase = 0xAC00, kLeadBase = 0x1100, kVowelBase = 0x1161, kTrailBase = 0x11A7;
constexpr char32_t kLeadCount = 19, kVowelCount = 21, kTrailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTrailCount;

bool isSyllable(char32_t c) {
    return c >= kSyllableBase && c < kSyllableBase + kSyllableCount;
}

const Decomposition* findDecomposition(char32_t codePoint) {
    for (auto table : {kComposing, kDecomposing}) {
        auto found = std::lower_bound(
            table.begin(), table.end(), codePoint,
            [](const Decomposition& entry, char32_t value) { return entry.composed < value; });
        if (found != table.end() && found->composed == codePoint) return &*found;
    }
    return nullptr;
}

void appendDecomposed(std::u32string& out, char32_t codePoint) {
    if (codePoint < 0xC0) { // the most frequent ones are whole
        out += codePoint;
        return;
    }
    if (isSyllable(codePoint)) {
        const char32_t index = codePoint - kSyllableBase;
        out += kLeadBase + index / (kVowelCount * kTrailCount);
        out += kVowelBase + index % (kVowelCount * kTrailCount) / kTrailCount;
        if (index % kTrailCount != 0) out += kTrailBase + index % kTrailCount;
        return;
    }
    const Decomposition* entry = findDecomposition(codePoint);
    if (!entry) {
        out += codePoint;
        return;
    }
    appendDecomposed(out, entry->first);
    if (entry->second != 0) appendDecomposed(out, entry->second);
}

uint8_t combiningClass(char32_t codePoint) {
    const CombiningClassRun* run = codePoint < 0x300 ? nullptr : findRun(kCombiningClasses, codePoint);
    return run ? run->combiningClass : 0;
}

/// Sorts each run of marks by class, keeping the order of equal ones.
void orderMarks(std::u32string& text) {
    for (size_t begin = 0; begin < text.size();) {
        if (combiningClass(text[begin]) == 0) {
            ++begin;
            continue;
        }
        size_t end = begin;
        while (end < text.size() && combiningClass(text[end]) != 0) ++end;
        std::stable_sort(text.begin() + static_cast<std::ptrdiff_t>(begin),
                         text.begin() + static_cast<std::ptrdiff_t>(end),
                         [](char32_t a, char32_t b) { return combiningClass(a) < combiningClass(b); });
        begin = end;
    }
}

/// The composition of two code points, or 0.
char32_t composed(char32_t first, char32_t second) {
    if (second < 0x300) return 0; // no mark
    static const auto pairs = [] {
        std::unordered_map<uint64_t, char32_t> map;
        for (const Decomposition& entry : kComposing) {
            map.emplace(uint64_t{entry.first} << 32 | entry.second, entry.composed);
        }
        return map;
    }();
    if (first >= kLeadBase && first < kLeadBase + kLeadCount && second >= kVowelBase &&
        second < kVowelBase + kVowelCount) {
        return kSyllableBase + ((first - kLeadBase) * kVowelCount + (second - kVowelBase)) * kTrailCount;
    }
    if (isSyllable(first) && (first - kSyllableBase) % kTrailCount == 0 && second > kTrailBase &&
        second < kTrailBase + kTrailCount) {
        return first + (second - kTrailBase);
    }
    auto found = pairs.find(uint64_t{first} << 32 | second);
    return found == pairs.end() ? 0 : found->second;
}

/// Joins each starter with the marks after it that nothing of the same or a higher class blocks.
std::u32string compose(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    size_t starter = 0;
    bool hasStarter = false;
    int lastClass = -1; // of what stands between the starter and here; -1 = nothing
    for (char32_t c : text) {
        const int own = combiningClass(c);
        if (hasStarter && lastClass < own) {
            if (const char32_t joined = composed(out[starter], c); joined != 0) {
                out[starter] = joined;
                continue;
            }
        }
        if (own == 0) {
            starter = out.size();
            hasStarter = true;
            lastClass = -1;
        } else {
            lastClass = own;
        }
        out += c;
    }
    return out;
}

} // namespace

std::u32string decodeUtf8(std::string_view bytes) {
    std::u32string out;
    out.reserve(bytes.size());
    for (size_t i = 0; i < bytes.size();) {
        const auto byte = static_cast<uint8_t>(bytes[i++]);
        if (byte < 0x80) {
            out += byte;
            continue;
        }
        const Utf8Lead lead = utf8Lead(byte);
        char32_t value = lead.following < 0 ? kReplacement : byte & (0x3F >> lead.following);
        uint8_t low = lead.low, high = lead.high;
        for (int k = 0; k < lead.following; ++k, low = 0x80, high = 0xBF) {
            const uint8_t next = i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0;
            if (next < low || next > high) {
                value = kReplacement;
                break;
            }
            value = value << 6 | (next & 0x3F);
            ++i;
        }
        out += value;
    }
    return out;
}

std::string wellFormedUtf8(std::string_view bytes) {
    std::string again;
    again.reserve(bytes.size());
    for (const char32_t codePoint : decodeUtf8(bytes)) appendUtf8(again, codePoint);
    return again;
}

bool isUtf8(std::string_view bytes) {
    return wellFormedUtf8(bytes) == bytes; // what is malformed has become another character
}

void appendUtf8(std::string& bytes, char32_t codePoint) {
    const auto put = [&bytes](char32_t value) { bytes += static_cast<char>(value); };
    if (codePoint < 0x80) {
        put(codePoint);
    } else if (codePoint < 0x800) {
        put(0xC0 | codePoint >> 6);
        put(0x80 | (codePoint & 0x3F));
    } else if (codePoint < 0x10000) {
        put(0xE0 | codePoint >> 12);
        put(0x80 | (codePoint >> 6 & 0x3F));
        put(0x80 | (codePoint & 0x3F));
    } else {
        put(0xF0 | codePoint >> 18);
        put(0x80 | (codePoint >> 12 & 0x3F));
        put(0x80 | (codePoint >> 6 & 0x3F));
        put(0x80 | (codePoint & 0x3F));
    }
}

std::u32string toNfd(const std::u32string& text) {
    std::u32string decomposed;
    decomposed.reserve(text.size() * 2);
    for (char32_t c : text) appendDecomposed(decomposed, c);
    orderMarks(decomposed);
    return decomposed;
}

std::u32string toNfc(std::u32string text) {
    // Nothing below U+0300 composes or decomposes on the way to form C.
    if (std::all_of(text.begin(), text.end(), [](char32_t c) { return c < 0x300; })) return text;
    return compose(toNfd(text));
}

std::u32string toLowerCase(const std::u32string& text) {
    std::u32string out;
    out.reserve(text.size());
    for (char32_t c : text) {
        if (c < 0x80) {
            out += c >= U'A' && c <= U'Z' ? c + 32 : c;
        } else if (c == 0x130) {
            out += U"i\u0307";
        } else {
            const LowerCaseRun* run = findRun(kLowerCase, c);
            const bool maps = run && (c - run->first) % run->step == 0;
            out += maps ? static_cast<char32_t>(static_cast<int32_t>(c) + run->difference) : c;
        }
    }
    return out;
}

bool isLetter(char32_t c) {
    if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
    return findRun(kLetters, c) != nullptr;
}

bool isNumber(char32_t c) {
    if (c < 0x80) return c >= U'0' && c <= U'9';
    return findRun(kNumbers, c) != nullptr;
}

bool isWhiteSpace(char32_t c) {
    if (c < 0x80) return c == U' ' || (c >= 0x09 && c <= 0x0D);
    return findRun(kWhiteSpace, c) != nullptr;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of Unicode code points, as the reference tokenizer sees them. Constant data, ascending.
// Made by generate_unicode_tables.py; only unicode.cpp reads them.
#pragma once

#include <cstdint>
#include <span>

namespace homebooth::core {

/// first..last, both included.
struct CodePointRange {
    char32_t first;
    char32_t last;
};

/// Every `step`-th code point of first..last has the lower case code point + difference.
struct LowerCaseRun {
    char32_t first;
    char32_t last;
    char32_t step;
    int32_t difference;
};

struct CombiningClassRun {
    char32_t first;
    char32_t last;
    uint8_t combiningClass;
};

/// Canonical decomposition by one step; `second` is 0 where a single code point replaces another.
struct Decomposition {
    char32_t composed;
    char32_t first;
    char32_t second;
};

extern const std::span<const CodePointRange> kLetters;    ///< \p{L}
extern const std::span<const CodePointRange> kNumbers;    ///< \p{N}
extern const std::span<const CodePointRange> kWhiteSpace; ///< \s
extern const std::span<const LowerCaseRun> kLowerCase;    ///< without U+0130, which becomes two
extern const std::span<const CombiningClassRun> kCombiningClasses;
extern const std::span<const Decomposition> kComposing;   ///< pairs that NFC composes again
extern const std::span<const Decomposition> kDecomposing; ///< those that NFC leaves apart

} // namespace homebooth::core

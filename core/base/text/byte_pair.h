// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Byte-pair encoding of single words, with CLIP's end-of-word mark or without.
// Immutable once built; any thread.
// Source: Sennrich et al., Neural Machine Translation of Rare Words with Subword Units, 2016.
#pragma once

#include "core/base/util/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Entry of a vocabulary to its id.
using VocabularyIds = std::unordered_map<std::string, int64_t>;

/// The printable character that stands for a byte in vocabularies, as UTF-8.
[[nodiscard]] std::string byteSymbol(uint8_t byte);

/// All 256 byte symbols in the order in which the published vocabulary numbers them.
[[nodiscard]] std::vector<std::string> byteSymbolsInOrder();

/// Appended by CLIP's vocabulary to the last symbol of a word.
inline constexpr std::string_view kEndOfWord = "</w>";

/// Tokens that a model's files may add to its vocabulary. Each is sought at every place of a text.
inline constexpr size_t kMostAddedTokens = 65'536;

class BytePairEncoder {
public:
    BytePairEncoder() = default;

    /// @param merges    pairs of entries, the most important first
    /// @param unknownId  id of bytes that the vocabulary lacks; -1 drops them
    /// @param endOfWord  appended to the last symbol of a word; empty: nothing is
    /// Errors: BadInput when a merge's parts or its result are not in the vocabulary, naming its line.
    [[nodiscard]] static Result<BytePairEncoder>
    create(const VocabularyIds& ids, const std::vector<std::pair<std::string, std::string>>& merges,
           int64_t unknownId, std::string_view endOfWord = kEndOfWord);

    /// Appends the ids of one word. @param word  bytes, not empty
    void encodeWord(std::string_view word, std::vector<int64_t>& out) const;

private:
    struct Merge {
        int64_t rank;
        int64_t id;
    };
    struct Symbol;

    [[nodiscard]] const Merge* findMerge(int64_t left, int64_t right) const;
    [[nodiscard]] std::vector<Symbol> symbolsOf(std::string_view word) const;

    std::array<int64_t, 256> m_byteIds{};
    std::array<int64_t, 256> m_lastByteIds{};
    int64_t m_unknownId = -1;
    std::unordered_map<uint64_t, Merge> m_merges; ///< key: left id << 32 | right id
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The byte-level byte-pair tokenizer of GPT-2, OPT and BLOOM: text to ids and back, without loss.
// The same ids as transformers' GPT2Tokenizer and BloomTokenizerFast on any Unicode text.
// Value type (copies share the vocabulary, which never changes); any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

class ByteLevelTokenizer {
public:
    /// Reads `tokenizer.json`, or else `vocab.json` and `merges.txt`, with the special and added tokens of
    /// `tokenizer_config.json`, `special_tokens_map.json` and `added_tokens.json` where they are present.
    /// Errors: BadInput naming the file, what is wrong with it (a tokenizer of another kind, too) and what to
    ///         do
    [[nodiscard]] static Result<ByteLevelTokenizer> loadFolder(const std::filesystem::path& folder);

    /// Appends the ids of a text; nothing is put before or behind it.
    /// @param text  UTF-8; malformed bytes count as U+FFFD. What reads like a special token is one
    void encode(std::string_view text, std::vector<int32_t>& out) const;
    [[nodiscard]] std::vector<int32_t> encode(std::string_view text) const;

    /// The bytes that one id stands for, which may be a part of a character; empty for special tokens and for
    /// ids out of range.
    [[nodiscard]] std::string_view bytesOf(int32_t id) const;
    /// The text of ids; what is no UTF-8 becomes U+FFFD. Special tokens are left out.
    [[nodiscard]] std::string decode(std::span<const int32_t> ids) const;

    /// What the folder's tokenizer puts in front of every text; -1: nothing.
    [[nodiscard]] int32_t startToken() const;
    /// What the folder's tokenizer says ends texts (its "eos_token"), where a model's own configuration names
    /// nothing; -1: nothing. `encode` does not put it behind texts.
    [[nodiscard]] int32_t endToken() const;

    /// The id of an entry as vocabularies write it, such as "Ġdog" or "</s>"; -1 if there is none.
    [[nodiscard]] int32_t idOf(std::string_view entry) const;
    /// Number of ids, added tokens included: one more than the greatest id.
    [[nodiscard]] int64_t vocabularySize() const;

private:
    struct Vocabulary;
    explicit ByteLevelTokenizer(std::shared_ptr<const Vocabulary> vocabulary);

    std::shared_ptr<const Vocabulary> m_vocabulary;
};

} // namespace homebooth::core

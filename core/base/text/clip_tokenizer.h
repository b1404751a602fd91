// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The byte-pair tokenizer of CLIP: text to the ids that a text encoder takes, the same as those of
// transformers' CLIPTokenizer on any Unicode text.
// Value type (copies share the vocabulary, which never changes); any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// What became of a text.
struct TokenizedText {
    std::vector<int64_t> ids; ///< [maxLength]: start, text, end, padding
    int64_t textTokens = 0;   ///< tokens of the whole text without start, end and padding
    bool truncated = false;   ///< the text had more tokens than fit; the rest is not in `ids`
};

/// A word that stands for vectors beside the vocabulary, such as a textual inversion.
struct PromptPlaceholder {
    std::string word;    ///< found in any case as a word of its own (isOwnWord)
    int64_t firstId = 0; ///< of `count` ids that follow each other, beyond those of the text encoder
    int64_t count = 1;
};

class ClipTokenizer {
public:
    /// Reads `vocab.json`, `merges.txt` and, where present, `special_tokens_map.json`,
    /// `tokenizer_config.json` and `added_tokens.json` of a model's tokenizer folder.
    /// Errors: BadInput naming the file and what is wrong with it.
    [[nodiscard]] static Result<ClipTokenizer> loadFolder(const std::filesystem::path& folder);

    /// As loadFolder, from the texts of those files by name. @param source  where they came from, for
    /// messages
    [[nodiscard]] static Result<ClipTokenizer> loadFiles(const std::map<std::string, std::string>& texts,
                                                         const std::filesystem::path& source);

    /// Reads the published vocabulary `bpe_simple_vocab_16e6.txt.gz`; the pad token is the end token.
    /// Errors: BadInput naming the file and what is wrong with it.
    [[nodiscard]] static Result<ClipTokenizer> loadPublished(const std::filesystem::path& gzFile);

    /// The ids for a text encoder, always `maxLength` of them.
    /// @param text       UTF-8; malformed bytes count as U+FFFD
    /// @param maxLength  at least 2; 0 = the model's own length
    [[nodiscard]] std::vector<int64_t> encode(std::string_view text, int64_t maxLength = 77) const;

    /// As encode, with the number of tokens and whether some were cut.
    [[nodiscard]] TokenizedText tokenize(std::string_view text, int64_t maxLength = 77) const;

    /// The ids of the text alone: no start, no end, no padding, not cut.
    [[nodiscard]] std::vector<int64_t> tokens(std::string_view text) const;

    /// A vocabulary's entry as text; "" for an id out of range.
    [[nodiscard]] std::string tokenText(int64_t id) const;

    /// The id of an entry such as "dog</w>" or "<|endoftext|>"; -1 if there is none.
    [[nodiscard]] int64_t idOf(std::string_view entry) const;

    /// Number of ids, added tokens included: one more than the greatest id.
    [[nodiscard]] int64_t vocabularySize() const;
    [[nodiscard]] int64_t startToken() const;
    [[nodiscard]] int64_t endToken() const;
    [[nodiscard]] int64_t padToken() const;
    [[nodiscard]] int64_t modelMaxLength() const;

    /// Replaces the pad token, for models whose files disagree. @param id  within the vocabulary
    void setPadToken(int64_t id);

    /// Takes these words for what they stand for, in place of those before and of the vocabulary's tokens
    /// that are sought in normalised text; of several at one place the longest. The vocabulary stays as it
    /// is.
    void setPlaceholders(std::span<const PromptPlaceholder> placeholders);

    /// Adds a token that is taken whole from the text as written.
    /// Returns its id; an entry that exists already keeps its own.
    int64_t addToken(const std::string& content);

private:
    struct Vocabulary;
    explicit ClipTokenizer(std::shared_ptr<const Vocabulary> vocabulary);

    std::shared_ptr<const Vocabulary> m_vocabulary;
};

} // namespace homebooth::core

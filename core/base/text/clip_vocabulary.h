// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of a CLIP tokenizer say, read and checked; ClipTokenizer is built from it.
// Value types; any thread.
#pragma once

#include "core/base/text/byte_pair.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

/// A token that is taken whole from the text, ahead of byte-pair encoding.
struct AddedToken {
    std::string content;
    bool normalized = false; ///< sought in the normalised text (and itself normalised), not in the raw one
    bool singleWord = false; ///< only where no letter, number or underscore touches it
};

struct ClipVocabulary {
    VocabularyIds ids;
    std::vector<std::pair<std::string, std::string>> merges;
    std::vector<AddedToken> added; ///< in order; a later one of the same content replaces an earlier one
    std::string startToken = "<|startoftext|>";
    std::string endToken = "<|endoftext|>";
    std::string unknownToken = "<|endoftext|>";
    std::string padToken = "<|endoftext|>";
    int64_t modelMaxLength = 77;
};

/// Reads a tokenizer folder: vocab.json and merges.txt, or tokenizer.json; with special_tokens_map.json,
/// tokenizer_config.json and added_tokens.json where present. Errors: BadInput naming the file.
[[nodiscard]] Result<ClipVocabulary> readClipVocabularyFolder(const std::filesystem::path& folder);

/// As readClipVocabularyFolder, from the texts of those files by name.
/// @param source  where they came from, for messages
[[nodiscard]] Result<ClipVocabulary> readClipVocabularyFiles(const std::map<std::string, std::string>& texts,
                                                             const std::filesystem::path& source);

/// What follows from merges alone, as in the published vocabulary: 256 byte symbols, the same at a word's
/// end, one entry for each merge, and the two marks, which are added tokens.
[[nodiscard]] ClipVocabulary vocabularyOfMerges(std::vector<std::pair<std::string, std::string>> merges);

/// Reads bpe_simple_vocab_16e6.txt.gz: 48,894 merges, from which the vocabulary follows.
/// Errors: BadInput naming the file.
[[nodiscard]] Result<ClipVocabulary> readPublishedClipVocabulary(const std::filesystem::path& gzFile);

} // namespace homebooth::core

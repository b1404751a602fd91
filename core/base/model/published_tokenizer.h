// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// CLIP's published vocabulary as the files of a diffusers tokenizer folder, for models that come as a single
// file and are saved as a folder. Stateless; any thread.
#pragma once

#include "core/base/util/result.h"

#include <map>
#include <string>

namespace homebooth::core {

/// vocab.json, merges.txt, tokenizer_config.json and special_tokens_map.json, made of the published
/// `bpe_simple_vocab_16e6.txt.gz`.
/// @param padWithZero SD 2.x pads with id 0 ("!"), SD 1.x with the end token
/// Errors: BadInput if the file cannot be read or is another one
[[nodiscard]] Result<std::map<std::string, std::string>>
publishedTokenizerFiles(const std::string& vocabularyFile, bool padWithZero);

/// Whether `files` give every text the ids of the published vocabulary, padded with the end token, or there
/// are none at all. One that pads with "!" is another: "!" is then a token of its own in prompts, too.
[[nodiscard]] bool isPublishedTokenizer(const std::map<std::string, std::string>& files);

} // namespace homebooth::core

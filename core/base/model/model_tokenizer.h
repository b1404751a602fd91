// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The tokenizer of an opened model: its own files win, else CLIP's published vocabulary. Any thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/base/text/clip_tokenizer.h"

#include <filesystem>

namespace homebooth::core {

/// Where an installed program in `binFolder` keeps the published vocabulary: ../share/homebooth/vocabulary.
[[nodiscard]] std::filesystem::path installedVocabularyPath(const std::filesystem::path& binFolder);

/// Where the published vocabulary lies: $HOMEBOOTH_VOCABULARY, else what was installed beside this program,
/// else what the set-up unpacked. May not exist.
[[nodiscard]] std::filesystem::path publishedVocabularyPath();

/// Reads the tokenizer that belongs to the first text encoder of `model`. Without files of its own: the
/// published one, with the pad token of the model's family.
/// @param vocabulary  the published file
/// Errors: BadInput naming the file; also when there is no vocabulary at all
[[nodiscard]] Result<ClipTokenizer>
loadTokenizer(const ModelSource& model, const std::filesystem::path& vocabulary = publishedVocabularyPath());

/// The same for each of its text encoders, in their order.
/// Errors: also BadInput for a tokenizer that knows more tokens than its text encoder
[[nodiscard]] Result<std::vector<ClipTokenizer>>
loadTokenizers(const ModelSource& model, const std::filesystem::path& vocabulary = publishedVocabularyPath());

} // namespace homebooth::core

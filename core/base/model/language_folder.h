// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder that transformers wrote a language model into: config.json, weights (one file or shards,
// .safetensors or what torch.save wrote), tokenizer. Opening reads headers and small files only. Stateless;
// any thread.
#pragma once

#include "core/base/formats/tensor_source.h"
#include "core/base/model/language_config.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace homebooth::core {

/// A language model on disk.
/// Invariant: the source holds exactly the parameters of its schedule (core/base/arch/language_layout.h),
/// with those names and shapes, and nothing else. Element types are the file's.
struct LanguagePart {
    LanguageConfig config;
    std::string json; ///< config.json as the folder has it
    std::shared_ptr<const TensorSource> tensors;
    std::string folder;
    /// Names of the tokenizer's files, generation_config.json and licences in that folder: saved along.
    std::vector<std::string> carriedFiles;
};

/// Whether `path` is a folder of a language model: config.json says so, and there is no model_index.json.
[[nodiscard]] bool isLanguageFolder(const std::string& path);

/// @param weightsOptional  a folder with configuration alone will do: the source is null then
/// @param deviations       gets what was unusual and how it was met, in words
/// Errors: BadInput: what was expected where, what was found (missing, extra and wrong-shaped tensors by
///         name), and what to do
[[nodiscard]] Result<LanguagePart> openLanguageFolder(const std::string& path, bool weightsOptional,
                                                      std::vector<std::string>& deviations);

/// What ends a text that the model writes, none twice; none: nothing does. As in transformers
/// generation_config.json, which may name several tokens, comes before config.json; where it says nothing of
/// them, config.json counts. Ids that the vocabulary lacks end nothing.
/// Errors: BadInput for a generation_config.json that is not understood
[[nodiscard]] Result<std::vector<int64_t>> endTokens(const LanguagePart& model);

/// Names of the files in such a folder that its texts depend on: configuration, tokenizer, and the weights
/// that are taken, sorted. Errors: BadInput for weights that cannot be read
[[nodiscard]] Result<std::vector<std::string>> languageFiles(const std::string& path);

} // namespace homebooth::core

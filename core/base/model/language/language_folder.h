// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder that transformers wrote a language model into: config.json, weights (one file or shards,
// .safetensors or what torch.save wrote), tokenizer. Opening reads headers and small files only, and all
// numbers of table and head where config.json ties both and both are there. Stateless; any thread.
#pragma once

#include "core/base/files/kept_file.h"
#include "core/base/formats/tensor_source.h"
#include "core/base/model/configs/language_config.h"
#include "core/base/model/left_aside.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

/// The file that says how a model writes, and the key of the tokens that end a text, there and in
/// config.json.
constexpr const char* kGenerationName = "generation_config.json";
constexpr const char* kEndKey = "eos_token_id";

/// A language model on disk.
/// A head whose numbers are not the table's is a parameter of its own in `config`, also where config.json
/// ties both; of a tied pair one alone may be in the files, under either name.
/// Invariant: the source holds exactly the parameters of its schedule (core/base/arch/language_layout.h),
/// with those names and shapes, and nothing else. Element types are the file's.
struct LanguagePart {
    LanguageConfig config;
    std::string json; ///< config.json as the folder has it
    std::shared_ptr<const TensorSource> tensors;
    std::string folder;
    /// The tokenizer's files, chat templates, generation_config.json and licences, which are saved along:
    /// noted when the model was opened (keepAlong reads them).
    KeptFiles carriedFiles;
    /// Why not all of them were found; who saves the model is told.
    std::optional<Error> alongFault;
    LeftAside leftAside; ///< what lies beside them and shall not go along
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
/// them, config.json counts. Ids that the vocabulary lacks end nothing: small models often keep their
/// family's.
/// @param ofTokenizer  ends texts where those files name nothing that the vocabulary has; -1: nothing does
/// Errors: BadInput for a generation_config.json that is not understood
[[nodiscard]] Result<std::vector<int64_t>> endTokens(const LanguagePart& model, int64_t ofTokenizer = -1);

/// Names of the files in such a folder that its texts depend on: configuration, tokenizer, and the weights
/// that are taken, sorted. Errors: BadInput for weights that cannot be read
[[nodiscard]] Result<std::vector<std::string>> languageFiles(const std::string& path);

} // namespace homebooth::core

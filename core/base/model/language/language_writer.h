// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saves a language model so that transformers loads it unchanged, and a LoRA of one as PEFT has it.
// A result appears whole or not at all and never replaces anything. Any thread.
#pragma once

#include "core/base/model/language/language_folder.h"
#include "core/base/model/model_writer.h"

namespace homebooth::core {

/// Writes config.json (with the type that its weights have, and what is said of an untied head),
/// model.safetensors and what the model carries. `path` must not exist.
/// @param options     floatType, allowNotFinite, progress and cancel count
/// @param learnedEnd  what stood behind the texts that it learned; -1: nothing did. config.json and
///                    generation_config.json name it where what they name is none of the vocabulary: a text
///                    would not end otherwise
/// Errors: BadInput (exists, not writable; what goes along and cannot be read; tensors with NaN or infinity,
///         named), OutOfResources (disk full)
[[nodiscard]] Result<WriteOutcome> writeLanguageFolder(const LanguagePart& model, const std::string& path,
                                                       const WriteOptions& options = {},
                                                       int64_t learnedEnd = -1);

/// What stands behind every text that a training learns, for writeLanguageFolder: what config.json names, or
/// else what ends a text that the model writes; -1: nothing does. @param ofTokenizer  as of endTokens
[[nodiscard]] Result<int64_t> learnedEndOf(const LanguagePart& model, int64_t ofTokenizer);

struct LanguageLora {
    int64_t rank = 0;
    double alpha = 0.0;
    double dropout = 0.0;
    std::string baseModel; ///< path of the model that it belongs to
    /// "<module>.lora_down.weight" [rank, in] and "<module>.lora_up.weight" [out, rank], as the schedule
    /// names them.
    std::shared_ptr<const TensorSource> tensors;
};

/// Writes adapter_config.json and adapter_model.safetensors, which PEFT puts onto the base model. `path` must
/// not exist. Errors: as above
[[nodiscard]] Result<WriteOutcome> writeLanguageLora(const LanguageLora& lora, LanguageFamily family,
                                                     const std::string& path,
                                                     const WriteOptions& options = {});

/// A LoRA in PEFT's form for this model, with names as the schedule has them.
/// Errors: BadInput: no such folder, a configuration that is not understood, tensors that do not fit
[[nodiscard]] Result<LanguageLora> openLanguageLora(const std::string& path, const LanguagePart& model);

} // namespace homebooth::core

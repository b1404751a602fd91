// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the texts of a language model take in RAM all through a training, as tokens (engine/data/token_set): a
// bound that the sizes of their files give, known before any of them is encoded. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/run/event.h"

#include <cstdint>
#include <string>

namespace homebooth::core {

/// The decision of a plan about texts, and what they take in its facts.
inline constexpr const char* kTextsInRam = "texts-in-ram";

struct TextMemory {
    int64_t fileBytes = 0; ///< of all files
    int64_t bytes = 0;     ///< in RAM at most; of each process, since each has all texts
};

/// No token of a byte-level tokenizer stands for less than a byte of UTF-8, so that there are never more of
/// them than bytes, and two more for each text, which begin and end it. Usual texts have a token for three
/// to five bytes: they take a third of this, or less.
/// @returns  nothing but zeros for models for pictures
/// Errors: those of Documents::open
[[nodiscard]] Result<TextMemory> textMemory(const TrainConfig& config, const ModelSource& model);

/// What as many tokens take at most. @param vocabulary  entries of the model's
/// @param context  tokens that are seen together, 1 or more
[[nodiscard]] int64_t mostTokenBytes(int64_t tokens, int64_t vocabulary, int64_t context);

[[nodiscard]] PlanDecision aboutTexts(const TextMemory& texts);
/// Of texts that have been read. @param bytes  that their tokens take
[[nodiscard]] PlanDecision aboutReadTexts(int64_t bytes);

/// What to do where RAM is too small and texts take a part of it, ahead of other advice; of none nothing.
[[nodiscard]] std::string fewerTexts(int64_t textBytes);

} // namespace homebooth::core

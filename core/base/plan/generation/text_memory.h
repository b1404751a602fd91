// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the texts of a language model take in RAM all through a training, as tokens
// (engine/data/token_set), before they are read: a bound that the sizes of their files give, or where that
// is much what a small part of them has, and a margin. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/run/journal/event.h"

#include <cstdint>
#include <string>

namespace homebooth::core {

/// The decision of a plan about texts, and what they take in its facts.
inline constexpr const char* kTextsInRam = "texts-in-ram";

struct TextMemory {
    int64_t fileBytes = 0;      ///< of all files
    int64_t bytes = 0;          ///< in RAM; of each process, since each has all texts
    double tokensPerByte = 0.0; ///< of the files, as measured; 0: `bytes` is a bound
};

/// No token of a byte-level tokenizer stands for less than a byte of UTF-8, so that there are never more
/// of them than bytes, and two more for each text, which begin and end it. Usual texts have a token for
/// three to five bytes: where the bound is more than 64 MiB, the beginnings of some are encoded
/// (text/token_rate), and a quarter more than they have is counted. A run that meets more than there is room
/// for ends as it reads them. The bound remains where the model has no tokenizer that can be used.
/// @returns  nothing but zeros for models for pictures
/// Errors: those of Documents::open, and of the texts that are looked at
[[nodiscard]] Result<TextMemory> textMemory(const TrainConfig& config, const ModelSource& model);

/// What as many tokens take at most. @param vocabulary  entries of the model's
/// @param context  tokens that are seen together, 1 or more
[[nodiscard]] int64_t mostTokenBytes(int64_t tokens, int64_t vocabulary, int64_t context);

[[nodiscard]] PlanDecision aboutTexts(const TextMemory& texts);
/// Of texts that have been read. @param bytes  that their tokens take
[[nodiscard]] PlanDecision aboutReadTexts(int64_t bytes);

/// What to do where RAM is too small and texts take a part of it, ahead of other advice; nothing of none, and
/// of so few that it would not help. @param lackingBytes  of RAM; 0: not known
[[nodiscard]] std::string fewerTexts(int64_t textBytes, int64_t lackingBytes = 0);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Has a language model go on with a prompt. A text depends on its own seed alone, never on those that are
// written beside it or on where weights are. Free functions; one thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/text/byte_level_tokenizer.h"
#include "core/base/util/cancel.h"
#include "core/engine/models/language_model.h"
#include "core/engine/writing/token_choice.h"

#include <functional>
#include <string>
#include <vector>

namespace homebooth::core {

struct TextRequest {
    std::vector<int64_t> prompt; ///< tokens, one at least
    int64_t tokens = 200;        ///< of each text, at most
    TokenChoice choice;
    uint64_t seed = 0; ///< text i uses seed + i
    int64_t count = 1;
    int64_t textsAtATime = 1;
    std::string stop;               ///< a text ends before this; empty: nothing
    std::vector<int64_t> endTokens; ///< a text ends before any of them
};

/// What to begin with: the tokenizer's start token where it has one, then the prompt. An empty prompt without
/// one becomes the token that begins or ends texts: the model's own, or else what the tokenizer ends them
/// with.
/// Errors: BadInput for a prompt that has no token, leaves no room for another one, or has tokens that the
///         model lacks
[[nodiscard]] Result<std::vector<int64_t>>
promptTokens(const std::string& prompt, const ByteLevelTokenizer& tokenizer, const LanguageConfig& model);

/// Told what was written of each text, as soon as it is, and how each that had begun ended.
using TextListener = std::function<void(const TextEvent&)>;

/// @param cancel  looked at between blocks. Meanwhile the observer of the model's executor is its own
/// @returns       false when `cancel` was requested
/// Errors: BadInput where the model's numbers become NaN or infinite. Throws c10::Error out of memory.
[[nodiscard]] Result<bool> writeTexts(LanguageModel& model, const ByteLevelTokenizer& tokenizer,
                                      const TextRequest& request, const TextListener& listener,
                                      const CancelToken& cancel = {});

} // namespace homebooth::core

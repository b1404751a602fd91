// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a user takes away from the training of a language model. Free function; one writer a folder.
#pragma once

#include "core/base/model/language/language_folder.h"
#include "core/engine/data/job_context.h"
#include "core/engine/learning/learner.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Writes <resultDir>/model, which transformers loads, in the type that it was trained in; of a LoRA
/// <resultDir>/lora, which PEFT loads. An earlier result is replaced only when the new one is whole.
/// @param resultDir   exists
/// @param learnedEnd  what stood behind each text; -1: nothing did
/// @returns  the paths. Errors: BadInput, OutOfResources
[[nodiscard]] Result<std::vector<std::string>>
writeLanguageResult(const JobContext& job, const LanguagePart& model, const Learner& learner,
                    const std::string& resultDir, int64_t learnedEnd);

} // namespace homebooth::core

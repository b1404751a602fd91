// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What writing texts with a language model will need and where its weights are at home meanwhile: estimates
// from schedule and settings, before anything is loaded. What does not fit on a device comes to it from RAM
// for each token, once for all texts that are written at a time. It changes no text. Free function; any
// thread.
#pragma once

#include "core/base/config/generate_config.h"
#include "core/base/model/configs/language_config.h"
#include "core/base/plan/training/train_plan.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

struct GeneratePlan : TrainPlan {
    bool streams = false;            ///< blocks come from RAM for each token
    std::vector<bool> resident = {}; ///< of these, by block: those that stay on the device all the same
    /// One where all weights stay: several at a time would not be faster, and the first one is seen earlier.
    int64_t textsAtATime = 1;
};

/// Tokens that a text may grow to, with its prompt.
[[nodiscard]] int64_t textLength(const GenerateConfig& config, const LanguageConfig& model,
                                 int64_t promptTokens);

/// @param limits  of the device or, where host memory stands for one (GenerateConfig::deviceBytes), of RAM
/// Errors: OutOfResources naming what is needed at least, what there is, and what to change
[[nodiscard]] Result<GeneratePlan> planGenerating(const GenerateConfig& config, const LanguageConfig& model,
                                                  int64_t promptTokens, const MachineLimits& limits);

} // namespace homebooth::core

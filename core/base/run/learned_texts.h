// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How much text a training of a language model has and how much of it the steps learn, as plans tell it: that
// of a run, which has read its texts, and one that is made before. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/journal/event.h"

#include <cstdint>

namespace homebooth::core {

/// The decision of a run's plan; a terminal shows it as the run begins.
inline constexpr const char* kTextsLearned = "texts-learned";
/// That of a plan that is made before.
inline constexpr const char* kTextsExpected = "texts-expected";

struct LearnedTexts {
    int64_t tokens = 0;
    int64_t windows = 0; ///< that are learned, each once an epoch
    int64_t heldOutWindows = 0;
};

/// One line; its facts are textTokens, windows, heldOutWindows, contextTokens, epochSteps (rounded up),
/// steps and epochs.
[[nodiscard]] PlanDecision aboutLearnedTexts(const TrainConfig& config, const LearnedTexts& texts);

/// Likewise, but in rough numbers; its facts are textTokens, epochSteps, steps and epochs.
/// @param tokens  of all texts, more or less
[[nodiscard]] PlanDecision aboutExpectedTexts(const TrainConfig& config, int64_t tokens);

} // namespace homebooth::core

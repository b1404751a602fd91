// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/learned_texts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace homebooth::core {
namespace {

/// "5,012,334"
std::string grouped(int64_t count) {
    constexpr size_t kGroup = 3;
    std::string digits = std::to_string(count);
    for (size_t left = digits.size(); left > kGroup;) {
        left -= kGroup;
        digits.insert(left, 1, ',');
    }
    return digits;
}

/// "1 step", "4,894 steps"
std::string counted(int64_t count, const char* unit) {
    std::string text = grouped(count).append(" ").append(unit);
    if (count != 1) text.append("s");
    return text;
}

/// How often steps go through the windows of an epoch.
struct Epochs {
    int64_t epochSteps = 0; ///< that one takes, rounded up
    double epochs = 0.0;
};

Epochs epochsOf(const TrainConfig& config, int64_t windows) {
    const int64_t ofStep = std::max<int64_t>(config.batchSize * config.optimizer.accumulationSteps, 1);
    const int64_t ofEpoch = std::max<int64_t>(windows, 1);
    const auto steps = static_cast<double>(config.steps);
    return {(ofEpoch + ofStep - 1) / ofStep,
            steps * static_cast<double>(ofStep) / static_cast<double>(ofEpoch)};
}

std::string epochsText(double epochs) {
    constexpr double kLeast = 0.01; // that two digits tell from nothing
    constexpr double kMany = 10.0;
    if (epochs < kLeast) return "less than 0.01 epochs";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f epochs", epochs < kMany ? 2 : 0, epochs);
    return text.data();
}

/// To three digits.
int64_t rounded(int64_t count) {
    constexpr int64_t kDigits = 1000;
    int64_t unit = 1;
    while (count / unit >= kDigits) unit *= 10;
    return (count + unit / 2) / unit * unit;
}

const char* makes(const TrainConfig& config) {
    return config.steps == 1 ? " makes " : " make ";
}

} // namespace

PlanDecision aboutLearnedTexts(const TrainConfig& config, const LearnedTexts& texts) {
    const Epochs epochs = epochsOf(config, texts.windows);
    std::string text = "texts: " + counted(texts.tokens, "token") + ", " + counted(texts.windows, "window") +
                       " of " + grouped(config.data.contextTokens);
    if (texts.heldOutWindows > 0) text += ", " + grouped(texts.heldOutWindows) + " more held out";
    text += "; an epoch takes " + counted(epochs.epochSteps, "step") + ", the run's " +
            counted(config.steps, "step") + makes(config) + epochsText(epochs.epochs);
    return {text,
            kTextsLearned,
            {{"textTokens", static_cast<double>(texts.tokens)},
             {"windows", static_cast<double>(texts.windows)},
             {"heldOutWindows", static_cast<double>(texts.heldOutWindows)},
             {"contextTokens", static_cast<double>(config.data.contextTokens)},
             {"epochSteps", static_cast<double>(epochs.epochSteps)},
             {"steps", static_cast<double>(config.steps)},
             {"epochs", epochs.epochs}}};
}

PlanDecision aboutExpectedTexts(const TrainConfig& config, int64_t tokens) {
    const double learned = static_cast<double>(tokens) * (1.0 - config.data.validationShare);
    const int64_t context = std::max<int64_t>(config.data.contextTokens, 1);
    const Epochs epochs = epochsOf(config, static_cast<int64_t>(learned) / context);
    return {"texts: roughly " + counted(rounded(tokens), "token") +
                ", by what a part of them has; an epoch takes roughly " +
                counted(rounded(epochs.epochSteps), "step") + ", the run's " + counted(config.steps, "step") +
                makes(config) + epochsText(epochs.epochs),
            kTextsExpected,
            {{"textTokens", static_cast<double>(tokens)},
             {"epochSteps", static_cast<double>(epochs.epochSteps)},
             {"steps", static_cast<double>(config.steps)},
             {"epochs", epochs.epochs}}};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/model_kind.h"

namespace homebooth::core {
namespace {

Result<void> checkContext(const TrainConfig& config, const ModelSource& model) {
    const int64_t most = model.language->config.maxPositions;
    const int64_t found = config.data.contextTokens;
    if (found >= 1 && found <= most) return {};
    return badInput("training: expected --context from 1 to " + std::to_string(most) +
                        ", the tokens that this model can see together, found " + std::to_string(found),
                    model.path);
}

} // namespace

Result<void> checkModelKind(const TrainConfig& config, const ModelSource& model) {
    const bool wantsTexts = config.mode == TrainMode::Language;
    if (wantsTexts && model.language) return checkContext(config, model);
    if (wantsTexts)
        return badInput("training: expected a language model (a folder of OPT, GPT-2 or BLOOM) to learn "
                        "from --text, found a model for pictures (" +
                            std::string(familyName(model.family)) +
                            "); name its photos with --instance instead, or another --model",
                        model.path);
    if (!model.language) return {};
    const std::string found =
        "found a language model (" + std::string(familyName(model.language->config.family)) + "), which ";
    if (config.mode == TrainMode::FromScratch)
        return badInput("training from scratch: expected the configurations of a model for pictures, " +
                            found +
                            "is trained from its weights; name it as --model and its texts with --text, or "
                            "another --scratch-config",
                        model.path);
    return badInput("training: expected a model for pictures, " + found +
                        "learns from --text; name its texts, or another --model",
                    model.path);
}

} // namespace homebooth::core

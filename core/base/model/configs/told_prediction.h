// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training was told of a model whose file does not say how it predicts. The LoRA that comes of it says
// so for pictures with both; of that model alone, since another file that is silent may predict otherwise.
// Stateless; any thread.
#pragma once

#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_source.h"

#include <map>
#include <optional>
#include <string>

namespace homebooth::core {

/// The key in a LoRA's metadata.
constexpr const char* kToldPredictionKey = "homebooth.told_prediction";

struct ToldPrediction {
    PredictionType predictionType = PredictionType::Epsilon;
    bool zeroTerminalSnr = false;
};

/// Has a LoRA's description say what its training was told of a model that does not say it.
/// @param model  as openModel has it
void noteToldPrediction(const TrainConfig& config, const ModelSource& model, LoraDescription& description);

/// Nothing where the LoRA says nothing of this model, which it knows by its name, or cannot be read.
/// @param lora, model  paths
[[nodiscard]] std::optional<ToldPrediction> toldPredictionOf(const std::string& lora,
                                                             const std::string& model);

/// Whether a LoRA says that its training was told something else, of whatever model.
/// @param metadata  of the LoRA
[[nodiscard]] bool toldOtherwise(const std::map<std::string, std::string>& metadata, PredictionType type);

} // namespace homebooth::core

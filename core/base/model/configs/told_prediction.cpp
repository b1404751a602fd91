// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/told_prediction.h"

#include "core/base/model/model_hash.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/util/shallow_json.h"

namespace homebooth::core {

namespace {

constexpr const char* kModel = "model";
constexpr const char* kPredicts = "predicts";
constexpr const char* kFromNoiseAlone = "zero_terminal_snr";

/// Empty where there is none.
std::string stringAt(const nlohmann::ordered_json& text, const char* key) {
    const auto found = text.find(key);
    return found != text.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// What the key has; null where it has none.
nlohmann::ordered_json toldIn(const std::map<std::string, std::string>& metadata) {
    const auto found = metadata.find(kToldPredictionKey);
    if (found == metadata.end()) return nullptr;
    auto text = parseShallow(found->second);
    if (!text.is_object()) return nullptr;
    return text;
}

} // namespace

void noteToldPrediction(const TrainConfig& config, const ModelSource& model, LoraDescription& description) {
    if (model.predictionTypeSaid || config.loss.predictionType.empty()) return;
    const auto told = predictionTypeFromString(config.loss.predictionType);
    if (!told) return; // the training said so
    description.predictionType = *told;
    nlohmann::ordered_json text;
    text[kModel] = modelName(model.path);
    text[kPredicts] = toString(*told);
    text[kFromNoiseAlone] = config.loss.zeroTerminalSnr;
    description.metadata[kToldPredictionKey] =
        text.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<ToldPrediction> toldPredictionOf(const std::string& lora, const std::string& model) {
    const auto file = openTensorFile(lora);
    if (!file) return std::nullopt;
    const nlohmann::ordered_json text = toldIn((*file)->metadata());
    if (!text.is_object() || stringAt(text, kModel) != modelName(model)) return std::nullopt;
    const auto type = predictionTypeFromString(stringAt(text, kPredicts));
    if (!type) return std::nullopt;
    const auto noise = text.find(kFromNoiseAlone);
    return ToldPrediction{*type, noise != text.end() && noise->is_boolean() && noise->get<bool>()};
}

bool toldOtherwise(const std::map<std::string, std::string>& metadata, PredictionType type) {
    const nlohmann::ordered_json text = toldIn(metadata);
    if (!text.is_object()) return false;
    const auto told = predictionTypeFromString(stringAt(text, kPredicts));
    return told && *told != type;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/model_dropout.h"

#include "core/base/plan/training/learning_schedule.h"
#include "core/base/util/shallow_json.h"

#include <vector>

namespace homebooth::core {
namespace {

using Json = nlohmann::json;

/// Of a configuration, with the value that it means where it is missing.
struct Key {
    const char* name;
    double usual = 0.0;
};

std::vector<Key> keysOf(LanguageFamily family) {
    constexpr double kUsual = 0.1;
    switch (family) {
    case LanguageFamily::Opt:
        return {{"dropout", kUsual}, {"attention_dropout"}, {"layerdrop"}};
    case LanguageFamily::Gpt2:
        return {{"resid_pdrop", kUsual}, {"embd_pdrop", kUsual}, {"attn_pdrop", kUsual}};
    case LanguageFamily::Bloom:
        break;
    }
    return {{"hidden_dropout"}, {"attention_dropout"}};
}

/// The keys that name some, each with its value; empty: none does.
std::string dropoutIn(const std::string& configuration, const std::vector<Key>& keys) {
    const Json json = parseShallow<Json>(configuration);
    if (!json.is_object()) return {};
    const auto inner = json.find("text_config"); // of a whole CLIP
    const Json& object = inner != json.end() && inner->is_object() ? *inner : json;
    std::string words;
    for (const Key& key : keys) {
        const auto found = object.find(key.name);
        const Json value = found == object.end() || found->is_null() ? Json(key.usual) : *found;
        if (!value.is_number() || value.get<double>() <= 0.0) continue;
        if (!words.empty()) words.append(", ");
        words.append("\"").append(key.name).append("\": ").append(value.dump());
    }
    return words;
}

Error learnsWithout(const std::string& part, const std::string& found, const std::string& path) {
    return badInput("training: expected a " + part +
                        " without dropout, since none but a LoRA's is applied here, found " + found +
                        " in its configuration; make pictures with it as it is, or set that to 0 there to "
                        "train it without",
                    path);
}

} // namespace

Result<void> checkDropout(const TrainConfig& config, const ModelSource& model) {
    const bool ofAutoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    if (model.language || ofAutoencoder) return {};
    if (const std::string found = dropoutIn(model.unetJson, {{"dropout"}}); !found.empty())
        return learnsWithout("UNet", found, model.path);
    if (!learnsText(config)) return {}; // one that stays as it is computes as for pictures
    if (const std::string found = dropoutIn(model.text.json, {{"attention_dropout"}}); !found.empty())
        return learnsWithout("text encoder", found, model.path);
    return {};
}

std::optional<std::string> dropoutWarning(const ModelSource& model) {
    if (!model.language) return std::nullopt;
    const std::string found = dropoutIn(model.language->json, keysOf(model.language->config.family));
    if (found.empty()) return std::nullopt;
    return "the dropout of this model's configuration (" + found +
           ") is not applied: it learns without; --lora-dropout has a LoRA learn with some of its own";
}

} // namespace homebooth::core

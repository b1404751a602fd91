// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/lora/peft_folder.h"

#include "core/base/formats/safetensors_header.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/language/language_folder.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int64_t kLimitBytes = 1 << 20;
constexpr const char* kMergeWords = "\"; merge it into its model with PEFT and open that";

/// What a configuration must not ask for; its tensors would mean something else.
Result<void> checkKind(const json& config, const std::string& file) {
    if (config.value("peft_type", json()) != "LORA")
        return badInput("expected \"LORA\" as peft_type, found " +
                            config.value("peft_type", json()).dump(-1, ' ', true) +
                            "; choose a LoRA, other add-ons are not known",
                        file);
    for (const char* other : {"use_dora", "modules_to_save", "alpha_pattern", "rank_pattern", "bias"}) {
        const json value = config.value(other, json());
        const bool unset = value.is_null() || value == false || value == "none" || value.empty();
        if (!unset) return badInput("expected a LoRA without \"" + std::string(other) + kMergeWords, file);
    }
    // These three also change the model that they begin with.
    const json beginning = config.value("init_lora_weights", json());
    for (const char* other : {"pissa", "olora", "corda"})
        if (beginning.is_string() && beginning.get<std::string>().starts_with(other))
            return badInput("expected a LoRA that did not begin as \"" + std::string(other) + kMergeWords,
                            file);
    return {};
}

std::string textIn(const json& config, const char* key) {
    const json value = config.value(key, json());
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> targetsIn(const json& config) {
    const json value = config.value("target_modules", json());
    if (value.is_string()) return {textIn(config, "target_modules")};
    std::vector<std::string> targets;
    if (!value.is_array()) return targets;
    for (const json& one : value)
        if (one.is_string()) targets.push_back(one.get<std::string>());
    return targets;
}

} // namespace

bool isPeftFolder(const std::string& path) {
    const fs::path folder(path);
    return isThere(folder / kPeftConfig) && !isThere(folder / "model_index.json") &&
           !isThere(folder / "unet") && !isLanguageFolder(path);
}

Result<PeftConfig> readPeftConfig(const std::string& folder) {
    constexpr double kMostRank = 1 << 16;
    constexpr double kUsual = 8.0; // of rank and alpha, in PEFT
    const std::string file = (fs::path(folder) / kPeftConfig).string();
    if (!isThere(file))
        return badInput("expected a folder with " + std::string(kPeftConfig) + " and " + kPeftWeights +
                            ", as PEFT and `train --method lora` write them, found " + entriesOf(folder),
                        folder);
    HOMEBOOTH_ASSIGN(const json config, readJsonObject(file, kLimitBytes));
    HOMEBOOTH_CHECK(checkKind(config, file));
    const auto number = [&](const char* key, double fallback) {
        const json value = config.value(key, json());
        return value.is_number() ? value.get<double>() : fallback;
    };
    const double rank = number("r", kUsual);
    if (!(rank >= 1.0 && rank <= kMostRank))
        return badInput("expected the rank as \"r\", from 1 to 65536, found " +
                            config.value("r", json()).dump(-1, ' ', true) + "; take another copy of the LoRA",
                        file);
    PeftConfig peft;
    peft.rank = static_cast<int64_t>(rank);
    peft.alpha = number("lora_alpha", kUsual);
    peft.dropout = number("lora_dropout", 0.0);
    peft.rankStabilized = config.value("use_rslora", json()) == true;
    peft.baseModel = textIn(config, "base_model_name_or_path");
    peft.targets = targetsIn(config);
    return peft;
}

Result<TensorPool> openPeftWeights(const std::string& folder) {
    HOMEBOOTH_ASSIGN(auto weights, openFolderWeights(folder, {"adapter_model", "adapter_model"}));
    if (weights) return std::move(weights->pool);
    return badInput("expected the LoRA's weights as " + std::string(kPeftWeights) + ", found " +
                        entriesOf(folder),
                    folder);
}

Error notAModelButPeft(const std::string& folder) {
    const auto config = readPeftConfig(folder);
    const bool named = config && !config->baseModel.empty();
    return badInput("expected a whole model, found a LoRA as PEFT has it" +
                        (named ? " (made for \"" + printable(config->baseModel) + "\")" : std::string()) +
                        ", which is added to one; name the model that it was made for as --model, and this "
                        "folder as --lora of `generate`",
                    folder);
}

} // namespace homebooth::core

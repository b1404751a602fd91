// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/asked_model.h"

#include "core/base/model/model_hash.h"
#include "core/base/model/other_programs.h"

#include <sstream>

namespace homebooth::core {

namespace fs = std::filesystem;

std::vector<std::pair<fs::path, fs::file_time_type>> fileTimes(const std::string& model) {
    std::vector<std::pair<fs::path, fs::file_time_type>> times;
    std::error_code ignored;
    const fs::path path(model);
    if (fs::is_directory(path, ignored) && !fs::exists(path / "unet", ignored)) return times;
    const auto files = hashedFiles(model);
    if (!files) return times; // whoever opens it says why
    for (const fs::path& file : *files) times.emplace_back(file, fs::last_write_time(file, ignored));
    const fs::path beside = pathBeside(path);
    if (!fs::is_directory(path, ignored) && fs::exists(beside, ignored))
        times.emplace_back(beside, fs::last_write_time(beside, ignored));
    return times;
}

std::string additionsOf(const SampleConfig& config) {
    std::string words;
    const auto add = [&words](const std::string& one) {
        if (!words.empty()) words.append(" and ");
        words.append(one);
    };
    for (const LoraReference& lora : config.loras) {
        std::ostringstream weight;
        weight << lora.weight;
        add("the LoRA " + lora.file + " (weight " + weight.str() + ")");
    }
    for (const std::string& file : config.embeddings) add("the textual inversion " + file);
    return words;
}

std::optional<ToldPrediction> toldByLoras(const SampleConfig& config) {
    if (!config.predictionType.empty()) return std::nullopt; // whoever asks knows
    for (const LoraReference& lora : config.loras)
        if (const auto told = toldPredictionOf(lora.file, config.model)) return told;
    return std::nullopt;
}

std::string predictionWords(const SampleConfig& config, const std::optional<ToldPrediction>& told) {
    std::string words = config.predictionType;
    if (told) words.assign("where it is silent ").append(toString(told->predictionType));
    if (told && told->zeroTerminalSnr) words.append(" to its end");
    if (config.zeroTerminalSnr) words.append(" from noise alone");
    return words;
}

} // namespace homebooth::core

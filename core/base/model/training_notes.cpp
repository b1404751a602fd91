// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/training_notes.h"

#include "core/base/formats/caption_file.h"
#include "core/base/model/model_hash.h"
#include "core/base/text/unicode.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 1000; // that are read of a folder
constexpr size_t kMostSentences = 8;
constexpr size_t kMostTags = 1000;
constexpr size_t kLongestTag = 200; // in bytes
constexpr size_t kLongestTrigger = 1000;

std::string nameOf(const fs::path& path) {
    return wellFormedUtf8((path.has_filename() ? path : path.parent_path()).filename().string());
}

std::string lowered(const std::string& text) {
    std::string low;
    for (const char32_t letter : toLowerCase(decodeUtf8(text))) appendUtf8(low, letter);
    return low;
}

/// Calls `take(tag)` for each part of a caption between commas; very long ones are none.
template <class Take>
void forEachTag(const std::string& caption, Take take) {
    for (size_t begin = 0; begin <= caption.size();) {
        const size_t end = std::min(caption.find(',', begin), caption.size());
        const std::string tag = trimmedCaption(caption.substr(begin, end - begin));
        if (!tag.empty() && tag.size() <= kLongestTag) take(lowered(tag));
        begin = end + 1;
    }
}

nlohmann::json frequencyOf(const CaptionCounts& captions) {
    std::map<std::string, int64_t> counts;
    for (const auto& [caption, count] : captions)
        forEachTag(caption, [&counts, times = count](const std::string& tag) { counts[tag] += times; });
    std::vector<std::pair<std::string, int64_t>> tags(counts.begin(), counts.end());
    std::stable_sort(tags.begin(), tags.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (tags.size() > kMostTags) tags.resize(kMostTags);
    nlohmann::json frequency = nlohmann::json::object();
    for (const auto& [tag, count] : tags) frequency[tag] = count;
    return frequency;
}

} // namespace

CaptionCounts captionFilesIn(const std::string& folder) {
    CaptionCounts captions;
    FileNames names;
    size_t files = 0;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), last; !code && entry != last; entry.increment(code)) {
        const std::string ending = entry->path().extension().string();
        if (std::find(kCaptionEndings.begin(), kCaptionEndings.end(), ending) != kCaptionEndings.end())
            continue;
        if (++files > kMostFiles) break;
        const auto caption = captionBeside(entry->path(), names);
        if (caption && *caption && !(*caption)->empty()) ++captions[**caption];
    }
    return captions;
}

std::string triggerOf(const TrainConfig& config, const CaptionCounts& captions) {
    if (!config.data.instancePrompt.empty()) return config.data.instancePrompt;
    if (captions.size() > kMostSentences) return {};
    const auto single = static_cast<size_t>(
        std::count_if(captions.begin(), captions.end(), [](const auto& one) { return one.second < 2; }));
    if (captions.size() > 1 && 2 * single > captions.size()) return {}; // they call pictures, no subjects
    std::string trigger;
    for (const auto& [caption, count] : captions) trigger.append(trigger.empty() ? "" : ", ").append(caption);
    return trigger.size() > kLongestTrigger ? std::string() : trigger;
}

void noteTraining(const TrainConfig& config, const std::map<std::string, std::string>& facts, int64_t steps,
                  LoraDescription& description) {
    const auto number = [](double value) { return nlohmann::json(value).dump(); };
    std::map<std::string, std::string>& said = description.metadata;
    const fs::path model(config.model);
    const bool isFile = model.has_extension() && modelName(config.model) == model.stem().string();
    said["ss_sd_model_name"] = isFile ? nameOf(model) : wellFormedUtf8(modelName(config.model));
    if (const auto hash = facts.find(kModelFact); isFile && hash != facts.end() && !hash->second.empty())
        said["ss_new_sd_model_hash"] = hash->second; // of a file alone other programs have one
    said["ss_steps"] = std::to_string(steps);
    said["ss_max_train_steps"] = std::to_string(config.steps);
    said["ss_learning_rate"] = number(config.optimizer.learningRate);
    if (config.trainTextEncoder && config.optimizer.textEncoderLearningRate > 0.0)
        said["ss_text_encoder_lr"] = number(config.optimizer.textEncoderLearningRate);
}

void noteCaptions(const TrainConfig& config, const CaptionCounts& captions, int64_t pictures,
                  LoraDescription& description) {
    const DataConfig& data = config.data;
    nlohmann::json frequency;
    frequency[nameOf(data.datasetDir.empty() ? data.instanceDir : data.datasetDir)] = frequencyOf(captions);
    description.metadata["ss_tag_frequency"] =
        frequency.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    description.metadata["ss_num_train_images"] = std::to_string(pictures);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Source (names only): huggingface.co/docs/hub/model-cards.
#include "core/base/model/model_card.h"

#include "core/base/model/carried_files.h"
#include "core/base/model/model_hash.h"
#include "core/base/model/model_open.h"
#include "core/base/text/unicode.h"
#include "core/base/util/version.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace homebooth::core {
namespace {

constexpr const char* kTriggerKey = "modelspec.trigger_phrase";
constexpr size_t kMostHead = 64 << 10; // of a card, in bytes
constexpr size_t kLongestName = 200;

/// Without line breaks and other control characters.
std::string oneLine(std::string_view text) {
    std::string line;
    for (const char32_t letter : decodeUtf8(text)) {
        const bool control =
            letter < 0x20 || (letter >= 0x7f && letter < 0xa0) || letter == 0x2028 || letter == 0x2029;
        appendUtf8(line, control ? U' ' : letter);
    }
    return line;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// A word or a text in quotes; what YAML has else is empty.
std::string scalar(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) {
        const size_t end = text.find(text.front(), 1);
        text = end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
    } else {
        text = trimmed(text.substr(0, text.find(" #")));
        if (!text.empty() && std::string_view("[{|>&*!#").find(text.front()) != std::string_view::npos)
            text = {};
    }
    return text.size() > kLongestName ? std::string() : oneLine(text);
}

/// What the lines between two "---" at the top of a card say; empty: nothing.
std::string inHead(std::string_view card, std::string_view key) {
    card = card.substr(0, kMostHead);
    for (bool first = true; !card.empty(); first = false) {
        const size_t end = std::min(card.find('\n'), card.size());
        const std::string_view line = card.substr(0, end);
        card.remove_prefix(std::min(end + 1, card.size()));
        if (first != (trimmed(line) == "---")) return {};
        if (line.starts_with(key) && line.substr(key.size()).starts_with(':'))
            return scalar(line.substr(key.size() + 1));
    }
    return {};
}

std::string cardOf(const ModelSource& model) {
    const auto brought = model.metadata.find(std::string(kAlongKeyPrefix) + kReadmeName);
    if (brought != model.metadata.end()) return brought->second; // of a single file
    const auto file = model.licenceFiles.find(kReadmeName);
    if (file == model.licenceFiles.end()) return {};
    const auto kept = file->second.kept();
    const std::string* text = kept ? kept->text() : nullptr;
    return text == nullptr ? std::string() : *text;
}

std::string valueOf(const ModelSource& model, const char* key) {
    const auto found = model.metadata.find(key);
    return found == model.metadata.end() ? std::string() : oneLine(found->second);
}

/// JSON's texts are YAML's as well.
std::string yamlText(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool isPage(const std::string& text) {
    return text.starts_with("https://") || text.starts_with("http://");
}

/// An identifier as the Hub has them, such as "apache-2.0"; empty: the text is none.
std::string licenceIdentifier(std::string text) {
    for (char& letter : text) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
        const bool fits = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                          letter == '-' || letter == '.' || letter == '+';
        if (!fits) return {};
    }
    constexpr std::array kNoTexts{"no", "yes", "on", "off", "true", "false", "null"}; // of YAML
    const bool word = !text.empty() && text.front() >= 'a' && text.front() <= 'z';
    return word && std::find(kNoTexts.begin(), kNoTexts.end(), text) == kNoTexts.end() ? text : "";
}

std::string licenceLines(const ModelSource& model) {
    const std::string name = valueOf(model, kLicenceKey);
    const std::string link = isPage(name) ? name : valueOf(model, kLicenceLinkKey);
    if (name.empty()) return {};
    const bool own = model.metadata.contains(kLicenceLinkKey); // which the Hub does not know
    const std::string identifier = own ? std::string() : licenceIdentifier(name);
    std::string lines = "license: " + (identifier.empty() ? std::string("other") : identifier) + "\n";
    if (identifier.empty() && !isPage(name) && name != "other")
        lines += "license_name: " + yamlText(name) + "\n";
    if (isPage(link)) lines += "license_link: " + yamlText(link) + "\n";
    return lines;
}

std::string headLines(const ModelSource& model, const TrainingFacts& facts) {
    std::string lines = licenceLines(model);
    if (!facts.base.empty()) lines += "base_model: " + yamlText(facts.base) + "\n";
    lines += "library_name: diffusers\npipeline_tag: text-to-image\n";
    if (!facts.trigger.empty()) lines += "instance_prompt: " + yamlText(facts.trigger) + "\n";
    lines += "tags:\n- text-to-image\n- diffusers\n- stable-diffusion\n";
    if (model.family == ModelFamily::StableDiffusionXl) lines += "- stable-diffusion-xl\n";
    if (facts.ofPhotos) lines += "- dreambooth\n";
    return lines;
}

} // namespace

void noteLicence(ModelSource& model) {
    const std::string card = cardOf(model);
    const std::string own = inHead(card, "license_name");
    const std::string name = own.empty() ? inHead(card, "license") : own;
    if (name.empty()) return;
    if (model.metadata.emplace(kLicenceKey, name).first->second != name) return; // a header names another one
    const std::string link = inHead(card, "license_link");
    if (!own.empty() || isPage(link)) model.metadata[kLicenceLinkKey] = isPage(link) ? link : "";
}

TrainingFacts trainingFacts(const TrainConfig& config, const CaptionCounts& captions, int64_t steps) {
    TrainingFacts facts;
    if (config.mode != TrainMode::FromScratch) facts.base = oneLine(modelName(config.model));
    facts.trigger = oneLine(triggerOf(config, captions));
    facts.ofPhotos = config.mode == TrainMode::DreamBooth;
    facts.steps = steps;
    facts.resolutionPixels = config.data.resolutionPixels;
    return facts;
}

std::string modelCard(const ModelSource& model, const TrainingFacts& facts) {
    const std::string side = std::to_string(facts.resolutionPixels);
    const std::string base = facts.base.empty() ? "from scratch" : "from the model " + facts.base;
    std::string text = "---\n" + headLines(model, facts) + "---\n\n# ";
    text += facts.trigger.empty() ? "A model trained " + base : facts.trigger;
    text += "\n\nThis model makes pictures from prompts. It was trained " + base + " on " +
            (facts.ofPhotos ? "photos of a subject" : "pictures with captions") + ": " +
            std::to_string(facts.steps) + (facts.steps == 1 ? " step" : " steps") + " at " + side + " x " +
            side + " pixels.\n\n";
    if (facts.trigger.empty())
        text += "Prompts in the manner of these captions show what it has learned.\n\n";
    else
        text += "To show what it has learned, write this in a prompt and add what else the picture shall "
                "show:\n\n    " +
                facts.trigger + "\n\n";
    return text + "Made with Homebooth " + versionText() + ".\n";
}

void describeResult(const TrainingFacts& facts, ModelSource& result, WriteOptions& options) {
    dropDescription(result);
    result.metadata[std::string(kAlongKeyPrefix) + kReadmeName] = modelCard(result, facts);
    if (!facts.trigger.empty()) options.metadata.emplace(kTriggerKey, facts.trigger);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two forms in which an inspection is printed.
#include "core/base/formats/safetensors_header.h"
#include "core/base/model/inspect.h"
#include "core/base/util/terminal_text.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace homebooth::core {

using nlohmann::json;

namespace {

const char* kindName(InspectedKind kind) {
    switch (kind) {
    case InspectedKind::Model:
        return "model";
    case InspectedKind::Lora:
        return "lora";
    case InspectedKind::Embedding:
        return "embedding";
    case InspectedKind::Tensors:
        return "tensors";
    case InspectedKind::Run:
        return "run";
    case InspectedKind::File:
        return "file";
    case InspectedKind::LanguageModel:
        return "language model";
    case InspectedKind::PeftLora:
        return "peft lora";
    case InspectedKind::Folder:
        break;
    }
    return "folder";
}

std::string decimal(double value, const char* unit) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), value < 10 ? "%.2f %s" : "%.1f %s", value, unit);
    return text.data();
}

std::string sizeText(int64_t bytes) {
    constexpr double kStep = 1024.0;
    constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= kStep && unit + 1 < kUnits.size()) {
        value /= kStep;
        ++unit;
    }
    return unit == 0 ? std::to_string(bytes) + " bytes" : decimal(value, kUnits[unit]);
}

std::string countText(int64_t count) {
    if (count >= 1'000'000'000) return decimal(static_cast<double>(count) / 1e9, "billion");
    if (count >= 1'000'000) return decimal(static_cast<double>(count) / 1e6, "million");
    return std::to_string(count);
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
    return text;
}

std::string headline(const Inspection& facts) {
    const std::string family = facts.family ? std::string(familyName(*facts.family)) : "unknown family";
    switch (facts.kind) {
    case InspectedKind::Model:
        return "Model: " + family + ", " + facts.layout;
    case InspectedKind::Lora:
        return "LoRA for " + family + ", " + facts.layout + " names";
    case InspectedKind::Embedding:
        return "Textual inversion for " + family + ": " + std::to_string(facts.vectors) +
               (facts.secondWidth > 0 ? " vectors of widths " : " vectors of width ") +
               std::to_string(facts.width) +
               (facts.secondWidth > 0 ? " and " + std::to_string(facts.secondWidth) : "");
    case InspectedKind::Tensors:
        return "Tensors that are no usable model";
    case InspectedKind::Run:
        return "Folder of a training run";
    case InspectedKind::LanguageModel:
        return "Language model: " +
               (facts.language ? std::string(familyName(facts.language->family)) + ", " + facts.layout
                               : family);
    case InspectedKind::PeftLora:
        return "LoRA as PEFT has it, which `generate --lora` adds to its model";
    case InspectedKind::File:
        return "File: " + std::string(fileKindName(facts.fileKind));
    case InspectedKind::Folder:
        break;
    }
    return "Folder";
}

} // namespace

std::string_view modelFaultKey(ModelFault fault) {
    switch (fault) {
    case ModelFault::None:
        break;
    case ModelFault::Gone:
        return "gone";
    case ModelFault::Incomplete:
        return "incomplete";
    case ModelFault::Damaged:
        return "damaged";
    case ModelFault::Commands:
        return "commands";
    case ModelFault::NotDownloaded:
        return "not-downloaded";
    case ModelFault::PartsMissing:
        return "parts-missing";
    case ModelFault::OtherModel:
        return "other-model";
    case ModelFault::OtherNumbers:
        return "other-numbers";
    case ModelFault::LanguageModel:
        return "language-model";
    case ModelFault::AddOn:
        return "add-on";
    case ModelFault::NotNumbers:
        return "not-numbers";
    case ModelFault::NotAModel:
        return "not-a-model";
    }
    return {};
}

namespace {

void addLanguage(const LanguageConfig& language, json& value) {
    value["family"] = familyName(language.family);
    value["vocabularySize"] = language.vocabularySize;
    value["contextTokens"] = language.maxPositions;
    value["layers"] = language.layerCount;
    value["width"] = language.hiddenSize;
    value["heads"] = language.headCount;
    value["tied"] = language.tiedHead;
}

void addLora(const Inspection& facts, json& value) {
    value["rank"] = facts.rank;
    value["alpha"] = facts.alpha;
    value["modules"] = facts.modules;
    if (facts.kind == InspectedKind::Lora) {
        value["triggerPhrase"] = facts.triggerPhrase;
        return;
    }
    value["targetModules"] = facts.targets;
    value["baseModel"] = facts.baseModel;
}

} // namespace

std::string Inspection::toJson() const {
    json value{{"path", path}, {"kind", kindName(kind)}, {"bytes", bytes}, {"usable", problem.empty()}};
    if (!problem.empty()) value["problem"] = problem;
    if (fault != ModelFault::None) value["fault"] = modelFaultKey(fault);
    if (kind == InspectedKind::File) value["fileKind"] = fileKindName(fileKind);
    if (family) value["family"] = familyName(*family);
    if (language) addLanguage(*language, value);
    if (!layout.empty()) value["layout"] = layout;
    if (!predictionType.empty()) value["predictionType"] = predictionType;
    if (!predictionType.empty()) {
        value["predictionTypeKnown"] = predictionTypeKnown;
        value["predictionTypeSaid"] = predictionTypeSaid;
    }
    if (sidePixels > 0) value["widthPixels"] = value["heightPixels"] = sidePixels;
    for (const InspectedComponent& component : components) {
        value["components"][component.name] = {
            {"parameters", component.parameters}, {"bytes", component.bytes}, {"types", component.types}};
    }
    if (kind == InspectedKind::Lora || kind == InspectedKind::PeftLora) addLora(*this, value);
    if (kind == InspectedKind::Model && !triggerPhrase.empty()) value["triggerPhrase"] = triggerPhrase;
    if (kind == InspectedKind::Embedding) {
        value["vectors"] = vectors;
        value["width"] = width;
        if (secondWidth > 0) value["secondWidth"] = secondWidth;
        value["words"] = words;
    }
    if (valuesChecked) {
        value["valueFaults"] = json::array();
        for (const ValueFault& one : valueFaults)
            value["valueFaults"].push_back({{"tensor", one.tensor},
                                            {"file", one.file},
                                            {"nan", one.count.nan},
                                            {"infinite", one.count.infinite}});
    }
    value["metadata"] = metadata;
    value["warnings"] = warnings;
    return value.dump(2, ' ', false, json::error_handler_t::replace);
}

std::string Inspection::toText() const {
    std::string text = terminalLine(headline(*this)) + "\n";
    const auto line = [&](const std::string& name, const std::string& content) {
        constexpr size_t kColumn = 16;
        text.append("  ").append(terminalLine(name));
        text.append(name.size() < kColumn ? kColumn - name.size() : 1, ' ');
        text.append(terminalLine(content)).append("\n");
    };
    line("size", sizeText(bytes));
    for (const InspectedComponent& component : components)
        line(component.name, countText(component.parameters) + " parameters, " + component.types);
    if (language) {
        line("layers", std::to_string(language->layerCount) + " of width " +
                           std::to_string(language->hiddenSize) + ", " + std::to_string(language->headCount) +
                           " heads");
        line("vocabulary", std::to_string(language->vocabularySize) + " tokens");
        line("sees", std::to_string(language->maxPositions) + " tokens together");
    }
    const char* source = !predictionTypeKnown ? " (assumed)" : !predictionTypeSaid ? " (as is usual)" : "";
    if (!predictionType.empty()) line("predicts", predictionType + source);
    const std::string side = std::to_string(sidePixels);
    if (sidePixels > 0) line("resolution", side + "x" + side);
    if (kind == InspectedKind::Lora || (kind == InspectedKind::PeftLora && rank > 0))
        line("rank", std::to_string(rank) + ", alpha " + json(alpha).dump() + ", " + std::to_string(modules) +
                         " modules");
    if (!triggerPhrase.empty()) line("trigger", printable(triggerPhrase));
    if (!targets.empty()) line("adapts", listed(targets));
    if (!baseModel.empty()) line("made for", printable(baseModel));
    if (!words.empty()) line("in prompts", listed(words));
    for (const char* key :
         {"modelspec.title", "modelspec.author", "modelspec.license", "ss_base_model_version"})
        if (const auto found = metadata.find(key); found != metadata.end())
            line(key, printable(found->second));
    if (valuesChecked && valueFaults.empty() && problem.empty()) line("values", "all finite");
    for (const std::string& warning : warnings) line("note", warning);
    if (!problem.empty()) line("problem", problem);
    return text;
}

} // namespace homebooth::core

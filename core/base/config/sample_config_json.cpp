// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_config_json.h"

#include "core/base/config/fields_json.h"
#include "core/base/text/unicode.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;

void readEmbeddings(const Json& list, std::vector<std::string>& files, std::vector<std::string>& problems) {
    const bool known = list.is_array() && std::all_of(list.begin(), list.end(),
                                                      [](const Json& entry) { return entry.is_string(); });
    if (!known) {
        problems.emplace_back("embeddings: expected a list of files");
        return;
    }
    files = list.get<std::vector<std::string>>();
}

} // namespace

Json lorasToJson(const std::vector<LoraReference>& loras) {
    Json list = Json::array();
    for (const LoraReference& lora : loras) list.push_back({{"file", lora.file}, {"weight", lora.weight}});
    return list;
}

void readLoras(const Json& list, std::vector<LoraReference>& loras, std::vector<std::string>& problems) {
    if (!list.is_array()) {
        problems.emplace_back("loras: expected a list");
        return;
    }
    loras.clear();
    for (const Json& entry : list) {
        const bool known = entry.is_object() && entry.contains("file") && entry["file"].is_string() &&
                           (!entry.contains("weight") || entry["weight"].is_number());
        if (!known) {
            problems.emplace_back("loras: expected {\"file\": text, \"weight\": number} in each entry");
            continue;
        }
        for (const auto& [key, value] : entry.items())
            if (key != "file" && key != "weight") problems.push_back("unknown key \"loras[]." + key + "\"");
        loras.push_back({entry["file"].get<std::string>(), entry.value("weight", 1.0)});
    }
}

void checkLoras(const std::vector<LoraReference>& loras, std::vector<std::string>& problems) {
    for (const LoraReference& lora : loras)
        if (lora.file.empty() || !std::isfinite(lora.weight))
            problems.push_back("loras: expected a file and a finite weight, found \"" + lora.file + "\"");
}

std::string toJson(const SampleConfig& config) {
    SampleConfig copy = config;
    Json object = fieldsToJson(configFields(copy));
    object["loras"] = lorasToJson(config.loras);
    object["embeddings"] = config.embeddings;
    return dumpJson(object, 2);
}

Result<void> readJson(std::string_view text, SampleConfig& config, GivenFields* given) {
    HOMEBOOTH_ASSIGN(const auto object, parseConfigObject(text));
    SampleConfig read = config;
    GivenFields named;
    std::vector<std::string> problems;
    std::vector<ConfigField> fields = configFields(read);
    readFields(object, fields, named, problems, {"loras", "embeddings"});
    if (object.settings.contains("loras")) readLoras(object.settings["loras"], read.loras, problems);
    if (object.settings.contains("embeddings"))
        readEmbeddings(object.settings["embeddings"], read.embeddings, problems);
    checkFields(fields, problems);
    HOMEBOOTH_CHECK(problemsResult("use this configuration", problems));
    config = std::move(read);
    if (given != nullptr) given->merge(named);
    return {};
}

Result<void> validate(const SampleConfig& config) {
    SampleConfig copy = config;
    std::vector<std::string> problems;
    checkFields(configFields(copy), problems);
    if (config.model.empty())
        problems.emplace_back("model (--model) is missing: a diffusers folder or a file");
    if (config.outputDir.empty()) problems.emplace_back("outputDir (--output) is missing");
    checkLoras(config.loras, problems);
    for (const std::string& file : config.embeddings)
        if (file.empty()) problems.emplace_back("embeddings: expected files, found an empty name");
    return problemsResult("generate with these settings", problems);
}

namespace {

/// Whether what stands behind the last colon was meant as a weight: a number with a comma, or what follows a
/// file's ending. Other colons are part of a name.
bool meansWeight(std::string_view before, std::string_view behind) {
    constexpr std::array kEndings{".safetensors", ".ckpt", ".pt", ".bin"};
    const auto endsAsFile = [&](std::string_view text) {
        return std::any_of(kEndings.begin(), kEndings.end(),
                           [&](const char* ending) { return text.ends_with(ending); });
    };
    const bool digits = behind.find_first_not_of("+-0123456789,") == behind.npos;
    const bool comma = digits && behind.find(',') != behind.npos;
    return comma || (endsAsFile(before) && !endsAsFile(behind) && behind.find('/') == behind.npos);
}

} // namespace

Result<LoraReference> parseLoraReference(std::string_view text) {
    LoraReference lora{std::string(text), 1.0};
    const size_t colon = text.rfind(':');
    if (colon != std::string_view::npos) {
        double weight = 0.0;
        const char* end = text.data() + text.size();
        const auto [rest, failed] = std::from_chars(text.data() + colon + 1, end, weight);
        if (failed == std::errc{} && rest == end && !std::isfinite(weight))
            return Error{ErrorCode::Usage, "expected a finite weight behind the LoRA's file", lora.file};
        if (failed == std::errc{} && rest == end)
            lora = {std::string(text.substr(0, colon)), weight};
        else if (meansWeight(text.substr(0, colon), text.substr(colon + 1)))
            return Error{ErrorCode::Usage,
                         "expected a weight such as 0.5 behind the LoRA's file, found \"" +
                             wellFormedUtf8(text.substr(colon + 1)) + "\"",
                         wellFormedUtf8(lora.file)};
    }
    if (!isUtf8(lora.file))
        return Error{ErrorCode::Usage,
                     "expected a LoRA whose name is UTF-8, found " + displayName(lora.file) +
                         "; rename the file or its folder",
                     "--lora"};
    if (lora.file.empty())
        return Error{ErrorCode::Usage, "expected FILE or FILE:WEIGHT for a LoRA", "--lora"};
    return lora;
}

} // namespace homebooth::core

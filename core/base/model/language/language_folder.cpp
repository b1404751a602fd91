// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/language/language_folder.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/deviation.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/language/language_names.h"
#include "core/base/model/same_values.h"
#include "core/base/text/byte_level_tokenizer.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kConfigLimitBytes = 1 << 20;
constexpr const char* kConfigName = "config.json";
constexpr const char* kWhat = "language model";
constexpr const char* kMoreChatTemplates = "additional_chat_templates";
constexpr std::array<const char*, 2> kWeightNames{"model", "pytorch_model"};

bool isTokenizerFile(const std::string& name) {
    constexpr std::array<std::string_view, 6> kNames{
        "tokenizer.json", "tokenizer_config.json",   "vocab.json",
        "merges.txt",     "special_tokens_map.json", "added_tokens.json"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// What is saved along with a model that was trained.
bool isCarried(const std::string& name) {
    return isTokenizerFile(name) || name == kGenerationName || name == "chat_template.jinja" ||
           name == "training_defaults.json" || name.starts_with("LICENSE") || name.starts_with("NOTICE");
}

bool isChatTemplate(const std::string& name) {
    return name.ends_with(".jinja");
}

/// The files right in a folder of which that is true, sorted.
std::vector<std::string> filesIn(const fs::path& folder, bool (*wanted)(const std::string&),
                                 std::error_code& code) {
    std::vector<std::string> names;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::string name = it->path().filename().string();
        std::error_code ignored;
        if (it->is_regular_file(ignored) && wanted(name)) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

void noteFile(LanguagePart& part, const std::string& place) {
    if (auto why = whyLeftAside(part.folder, place))
        part.leftAside.emplace(place, std::move(*why));
    else
        part.carriedFiles.emplace(place, KeptFile::noted(fs::path(part.folder) / place));
}

/// What cannot be listed is minded by nobody who saves no model.
void noteCarried(LanguagePart& part) {
    const auto note = [&part](const std::string& place, const fs::path& folder,
                              bool (*wanted)(const std::string&)) {
        std::error_code code;
        for (const std::string& name : filesIn(folder, wanted, code)) noteFile(part, place + name);
        if (code) part.alongFault = systemError("list", folder.string(), code.value());
    };
    const fs::path templates = fs::path(part.folder) / kMoreChatTemplates;
    note("", part.folder, isCarried);
    std::error_code ignored;
    if (fs::is_directory(templates, ignored))
        note(std::string(kMoreChatTemplates) + "/", templates, isChatTemplate);
}

bool hasTokenizer(const KeptFiles& files) {
    return files.contains("tokenizer.json") || (files.contains("vocab.json") && files.contains("merges.txt"));
}

/// Where the folder has no other one, and if it is one: nothing else that a link leads to is saved.
void takeVocabularyFromElsewhere(LanguagePart& part) {
    const bool whole = part.leftAside.contains("tokenizer.json");
    const bool any = whole || part.leftAside.contains("vocab.json") || part.leftAside.contains("merges.txt");
    if (!any || hasTokenizer(part.carriedFiles) || !ByteLevelTokenizer::loadFolder(part.folder)) return;
    const std::vector<const char*> read =
        whole ? std::vector{"tokenizer.json"} : std::vector{"vocab.json", "merges.txt"};
    for (const char* name : read)
        if (part.leftAside.erase(name) > 0)
            part.carriedFiles.emplace(name, KeptFile::noted(fs::path(part.folder) / name));
}

/// What turns tokens into numbers; the first block has it whoever predicts.
LayoutEntry tableOf(const LanguageConfig& config) {
    return languageLayout(config).front();
}

/// Where both are there and differ, the head is a parameter of its own whatever config.json says, as it is to
/// transformers, which ties what is equal.
Result<void> untieOther(LanguagePart& part, const TensorPool& pool, std::vector<std::string>& deviations) {
    const TensorPool::Entry* head = pool.find(kHeadName);
    if (!part.config.tiedHead || head == nullptr) return {};
    for (const CompVisTensor& place : languageNames(tableOf(part.config), part.config.family)) {
        const TensorPool::Entry* table = pool.find(place.name);
        if (table == nullptr) continue;
        HOMEBOOTH_ASSIGN(part.config.tiedHead, sameValues(*head, *table));
        if (!part.config.tiedHead)
            deviations.push_back("the weights hold other numbers for the head (lm_head.weight) than for the "
                                 "table of tokens although config.json ties them: the head is used as it is "
                                 "and learns by itself, as in transformers 5");
        break;
    }
    return {};
}

Result<void> openWeights(LanguagePart& part, const FolderWeights& weights,
                         std::vector<std::string>& deviations) {
    HOMEBOOTH_CHECK(untieOther(part, weights.pool, deviations));
    const LayoutEntry table = tableOf(part.config);
    const auto candidates = [&](const LayoutEntry& entry) {
        std::vector<CompVisTensor> places = languageNames(entry, part.config.family);
        if (part.config.tiedHead && entry.name == table.name) // some write of a tied pair one name alone
            places.push_back({kHeadName, entry.shape});
        return places;
    };
    const auto mayRemain = [&part](const std::string& name) { return isIgnoredTensor(name, part.config); };
    HOMEBOOTH_ASSIGN(
        MatchedComponent matched,
        matchComponent(kWhat, languageLayout(part.config), weights.pool, candidates, mayRemain, part.folder));
    part.tensors = std::move(matched.source);
    if (!weights.variant.empty())
        deviations.push_back(deviationText(DeviationKind::Variant, kWhat, weights.variant));
    return {};
}

} // namespace

bool isLanguageFolder(const std::string& path) {
    const fs::path folder(path);
    if (!isThere(folder / kConfigName) || isThere(folder / "model_index.json")) return false;
    const auto text = readRegularFile((folder / kConfigName).string(), kConfigLimitBytes);
    return text && isLanguageConfig(*text);
}

Result<LanguagePart> openLanguageFolder(const std::string& path, bool weightsOptional,
                                        std::vector<std::string>& deviations) {
    const fs::path folder(path);
    const std::string file = (folder / kConfigName).string();
    LanguagePart part;
    part.folder = path;
    HOMEBOOTH_ASSIGN(part.json, readRegularFile(file, kConfigLimitBytes));
    auto config = LanguageConfig::fromJson(part.json);
    if (!config) return Error{config.error().code, config.error().message, file};
    part.config = *config;
    noteCarried(part);
    takeVocabularyFromElsewhere(part);
    if (!hasTokenizer(part.carriedFiles))
        deviations.push_back("the folder has no tokenizer (tokenizer.json, or vocab.json and merges.txt): "
                             "the model can be planned, not trained");
    HOMEBOOTH_ASSIGN(const auto weights, openFolderWeights(folder, kWeightNames));
    if (weights) {
        HOMEBOOTH_CHECK(openWeights(part, *weights, deviations));
        return part;
    }
    if (!weightsOptional)
        return badInput("expected the language model's weights as model.safetensors or "
                        "pytorch_model.bin, found " +
                            entriesOf(folder) + "; copy or download them too",
                        path);
    deviations.push_back(deviationText(DeviationKind::WeightsMissing, kWhat));
    return part;
}

Result<std::vector<int64_t>> endTokens(const LanguagePart& model, int64_t ofTokenizer) {
    const fs::path file = fs::path(model.folder) / kGenerationName;
    nlohmann::json ends;
    if (isThere(file)) {
        HOMEBOOTH_ASSIGN(const nlohmann::json generation, readJsonObject(file, kConfigLimitBytes));
        ends = generation.value(kEndKey, nlohmann::json());
    }
    if (ends.is_null()) {
        ends = model.config.otherEndIds;
        ends.insert(ends.begin(), model.config.eosTokenId);
    }
    if (!ends.is_array()) ends = nlohmann::json::array({ends});
    std::vector<int64_t> tokens;
    for (const nlohmann::json& one : ends) {
        if (!one.is_number_integer())
            return badInput("expected a token's number, or a list of them, as \"" + std::string(kEndKey) +
                                "\", found something else; mend the file or remove it",
                            displayName(file));
        const auto id = one.get<int64_t>();
        const bool known = std::find(tokens.begin(), tokens.end(), id) != tokens.end();
        if (id >= 0 && id < model.config.vocabularySize && !known) tokens.push_back(id);
    }
    const bool has = ofTokenizer >= 0 && ofTokenizer < model.config.vocabularySize;
    if (tokens.empty() && has) tokens.push_back(ofTokenizer);
    return tokens;
}

Result<std::vector<std::string>> languageFiles(const std::string& path) {
    HOMEBOOTH_ASSIGN(const auto weights, openFolderWeights(path, kWeightNames));
    std::set<std::string> files{kConfigName};
    std::error_code ignored;
    for (const std::string& name : filesIn(path, isTokenizerFile, ignored)) files.insert(name);
    if (weights)
        for (const auto& [name, entry] : weights->pool.entries())
            files.insert(fs::path(entry.file->path()).filename().string());
    return std::vector<std::string>(files.begin(), files.end());
}

} // namespace homebooth::core

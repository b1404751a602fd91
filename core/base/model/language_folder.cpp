// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/language_folder.h"

#include "core/base/model/deviation.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/language_names.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kConfigLimitBytes = 1 << 20;
constexpr const char* kConfigName = "config.json";
constexpr const char* kGenerationName = "generation_config.json";
constexpr const char* kEndKey = "eos_token_id";
constexpr const char* kWhat = "language model";
constexpr std::array<const char*, 2> kWeightNames{"model", "pytorch_model"};

bool isTokenizerFile(const std::string& name) {
    constexpr std::array<std::string_view, 6> kNames{
        "tokenizer.json", "tokenizer_config.json",   "vocab.json",
        "merges.txt",     "special_tokens_map.json", "added_tokens.json"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// What is saved along with a model that was trained.
bool isCarried(const std::string& name) {
    return isTokenizerFile(name) || name == kGenerationName || name == "training_defaults.json" ||
           name.starts_with("LICENSE") || name.starts_with("NOTICE");
}

std::vector<std::string> carriedIn(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::string name = it->path().filename().string();
        std::error_code ignored;
        if (it->is_regular_file(ignored) && isCarried(name)) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool hasTokenizer(const std::vector<std::string>& files) {
    const auto has = [&](const char* name) {
        return std::find(files.begin(), files.end(), name) != files.end();
    };
    return has("tokenizer.json") || (has("vocab.json") && has("merges.txt"));
}

/// Whether a tied head's own copy holds other numbers than the table: by pieces at even distances, since a
/// table may have gigabytes.
Result<bool> differs(const TensorPool::Entry& copy, const TensorPool::Entry& table) {
    constexpr int64_t kPieces = 32;
    constexpr int64_t kPieceBytes = 16 << 10;
    const int64_t bytes = table.info->byteCount;
    if (copy.info->type != table.info->type || copy.info->byteCount != bytes) return true;
    std::vector<std::byte> first(static_cast<size_t>(std::min(bytes, kPieceBytes)));
    std::vector<std::byte> second(first.size());
    for (int64_t piece = 0; piece < kPieces; ++piece) {
        const int64_t offset = (bytes - std::ssize(first)) / (kPieces - 1) * piece;
        HOMEBOOTH_CHECK(table.file->readPart(table.info->name, offset, first));
        HOMEBOOTH_CHECK(copy.file->readPart(copy.info->name, offset, second));
        if (first != second) return true;
    }
    return false;
}

/// Names the copy of a tied table that is not one.
Result<void> checkTied(const LanguagePart& part, const LayoutEntry& table, const TensorPool& pool,
                       std::vector<std::string>& deviations) {
    const TensorPool::Entry* copy = pool.find(kHeadName);
    if (!part.config.tiedHead || copy == nullptr) return {};
    for (const CompVisTensor& place : languageNames(table, part.config.family)) {
        const TensorPool::Entry* own = pool.find(place.name);
        if (own == nullptr) continue;
        HOMEBOOTH_ASSIGN(const bool other, differs(*copy, *own));
        if (other)
            deviations.push_back("the weights hold other numbers for the head (lm_head.weight) than for the "
                                 "table of tokens although config.json ties them: the table is used");
        break;
    }
    return {};
}

Result<void> openWeights(LanguagePart& part, const FolderWeights& weights,
                         std::vector<std::string>& deviations) {
    const ComponentLayout layout = languageLayout(part.config);
    const auto candidates = [&part](const LayoutEntry& entry) {
        return languageNames(entry, part.config.family);
    };
    const auto mayRemain = [&part](const std::string& name) { return isIgnoredTensor(name, part.config); };
    HOMEBOOTH_ASSIGN(MatchedComponent matched,
                     matchComponent(kWhat, layout, weights.pool, candidates, mayRemain, part.folder));
    part.tensors = std::move(matched.source);
    if (!weights.variant.empty())
        deviations.push_back(deviationText(DeviationKind::Variant, kWhat, weights.variant));
    return checkTied(part, layout.front(), weights.pool, deviations);
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
    part.carriedFiles = carriedIn(folder);
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

Result<std::vector<int64_t>> endTokens(const LanguagePart& model) {
    const fs::path file = fs::path(model.folder) / kGenerationName;
    nlohmann::json ends;
    if (isThere(file)) {
        HOMEBOOTH_ASSIGN(const nlohmann::json generation, readJsonObject(file, kConfigLimitBytes));
        ends = generation.value(kEndKey, nlohmann::json());
    }
    if (ends.is_null()) ends = model.config.eosTokenId;
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
    return tokens;
}

Result<std::vector<std::string>> languageFiles(const std::string& path) {
    HOMEBOOTH_ASSIGN(const auto weights, openFolderWeights(path, kWeightNames));
    std::set<std::string> files{kConfigName};
    for (const std::string& name : carriedIn(path))
        if (isTokenizerFile(name)) files.insert(name);
    if (weights)
        for (const auto& [name, entry] : weights->pool.entries())
            files.insert(fs::path(entry.file->path()).filename().string());
    return std::vector<std::string>(files.begin(), files.end());
}

} // namespace homebooth::core

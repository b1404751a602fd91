// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/not_a_model.h"

#include "core/base/model/folder_files.h"
#include "core/base/util/regular_file.h"

#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kLargestConfig = 1 << 20;
constexpr const char* kSnapshots = "snapshots";

/// Hugging Face's cache has a model's files in blobs/ and, under their names, in snapshots/<revision>.
bool isOfHubCache(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / kSnapshots, ignored) &&
           (isThere(folder / "blobs") || isThere(folder / "refs"));
}

/// The revision that refs/main names, else the first; empty: there is none.
std::string revisionIn(const fs::path& folder) {
    constexpr int64_t kLongestName = 255;
    std::error_code code;
    if (const auto main = readRegularFile(folder / "refs" / "main", kLongestName); main) {
        std::string named = main->substr(0, main->find_first_of("\n/"));
        if (!named.empty() && fs::is_directory(folder / kSnapshots / named, code)) return named;
    }
    std::string first;
    for (fs::directory_iterator it(folder / kSnapshots, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        std::error_code ignored;
        if (it->is_directory(ignored) && (first.empty() || name < first)) first = name;
    }
    return first;
}

Error ofHubCache(const fs::path& folder) {
    const std::string revision = revisionIn(folder);
    std::string words = "expected a model's folder, found one of Hugging Face's cache, ";
    if (revision.empty())
        words += "in whose snapshots/ there is no model; download it again";
    else
        words += "which has the model further below; choose " + displayName(folder / kSnapshots / revision);
    return badInput(std::move(words), folder.string());
}

/// Where a run, or the folder of its results, has what it has made; empty: it is neither, or has made
/// nothing.
fs::path madeIn(const fs::path& folder) {
    const fs::path named = folder.has_filename() ? folder : folder.parent_path();
    const bool isRun = isThere(named / "run.json");
    if (!isRun && (named.filename() != "result" || !isThere(named.parent_path() / "run.json"))) return {};
    for (const char* name : {"model", "lora", "lora.safetensors"})
        if (const fs::path made = (isRun ? named / "result" : named) / name; isThere(made)) return made;
    return {};
}

/// Whether there are a language model's weights and vocabulary.
bool lacksConfigAlone(const fs::path& folder) {
    const auto weights = folderWeightFiles(folder, {"model", "pytorch_model"});
    return weights && !weights->empty() &&
           (isThere(folder / "tokenizer.json") || isThere(folder / "vocab.json"));
}

} // namespace

Error notAModelFolder(const fs::path& folder) {
    const fs::path config = folder / "config.json";
    if (isThere(config)) {
        const auto value = readJsonObject(config, kLargestConfig);
        if (!value) return value.error();
    } else if (isOfHubCache(folder)) {
        return ofHubCache(folder);
    } else if (const fs::path made = madeIn(folder); !made.empty()) {
        return badInput(
            "expected a model's folder, found a run's, or that of its results; choose what it has "
            "made: " +
                displayName(made),
            folder.string());
    } else if (lacksConfigAlone(folder)) {
        return badInput("expected config.json beside the language model's weights, as transformers has it, "
                        "found " +
                            entriesOf(folder) + "; copy or download it too",
                        folder.string());
    }
    return badInput("expected a diffusers folder with model_index.json and unet/, or a language model's with "
                    "config.json as transformers has it, found " +
                        entriesOf(folder) + "; choose the folder that holds them",
                    folder.string());
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/folder_files.h"

#include "core/base/formats/safetensors_header.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int64_t kIndexLimitBytes = 64 << 20;

/// Tensor -> the file in the same folder that has it, as a sharded model's index says.
Result<std::map<std::string, std::string>> shardsOf(const fs::path& index) {
    HOMEBOOTH_ASSIGN(const json value, readJsonObject(index, kIndexLimitBytes));
    const auto map = value.find("weight_map");
    if (map == value.end() || !map->is_object())
        return badInput("expected an object \"weight_map\"; copy or download the file again", index.string());
    std::map<std::string, std::string> shards;
    for (const auto& [tensor, file] : map->items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : std::string();
        // Only plain names: an index must not reach out of its folder.
        if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos ||
            (!name.ends_with(".safetensors") && !name.ends_with(".bin"))) {
            return badInput("tensor \"" + printable(tensor) + "\" lies in \"" + printable(name) +
                                "\"; expected the name of a .safetensors or .bin file in the same folder",
                            index.string());
        }
        shards[tensor] = name;
    }
    return shards;
}

/// Opens the files that a sharded model's index names.
Result<void> addShards(const fs::path& index, TensorPool& pool) {
    HOMEBOOTH_ASSIGN(const auto shards, shardsOf(index));
    std::set<std::string> names;
    for (const auto& [tensor, name] : shards) names.insert(name);
    for (const std::string& name : names) {
        HOMEBOOTH_ASSIGN(auto reader, openTensorFile((index.parent_path() / name).string()));
        HOMEBOOTH_CHECK(pool.add(reader));
    }
    for (const auto& [tensor, name] : shards)
        if (pool.find(tensor) == nullptr)
            return badInput("no shard holds the tensor \"" + printable(tensor) +
                                "\"; copy or download all of them again",
                            index.string());
    return {};
}

/// Whether it is the index of shards of which none is there: whoever downloads a variant alone often gets the
/// small files of the others with it. One that cannot be read is not passed over.
bool isOrphanedIndex(const fs::path& file) {
    if (file.extension() != ".json") return false;
    const auto shards = shardsOf(file);
    return shards && std::none_of(shards->begin(), shards->end(), [&](const auto& shard) {
               return isThere(file.parent_path() / shard.second);
           });
}

using WeightNames = std::array<const char*, 2>;

/// What may follow the name of weights.
struct WeightEnding {
    const char* variant;
    const char* text;
};
constexpr std::array kSafeEndings{
    WeightEnding{"", ".safetensors"},          WeightEnding{"", ".safetensors.index.json"},
    WeightEnding{"fp16", ".fp16.safetensors"}, WeightEnding{"fp16", ".safetensors.index.fp16.json"},
    WeightEnding{"bf16", ".bf16.safetensors"}, WeightEnding{"fp32", ".fp32.safetensors"}};
constexpr std::array kTorchEndings{WeightEnding{"", ".bin"}, WeightEnding{"", ".bin.index.json"},
                                   WeightEnding{"fp16", ".fp16.bin"},
                                   WeightEnding{"fp16", ".bin.index.fp16.json"}};

struct WeightFile {
    fs::path file;
    std::string variant;
};

/// Those that are there, best first.
std::vector<WeightFile> weightFiles(const fs::path& folder, const WeightNames& names) {
    std::vector<WeightFile> files;
    const auto add = [&](const char* name, const auto& endings) {
        for (const WeightEnding& ending : endings)
            if (fs::path file = folder / (std::string(name) + ending.text); isThere(file))
                files.push_back({std::move(file), ending.variant});
    };
    for (const char* name : names) add(name, kSafeEndings);
    for (const char* name : {names[0], "pytorch_model"}) add(name, kTorchEndings);
    return files;
}

/// The first that is more than an index. The end: there is none.
std::vector<WeightFile>::const_iterator bestOf(const std::vector<WeightFile>& files) {
    return std::find_if(files.begin(), files.end(),
                        [](const WeightFile& one) { return !isOrphanedIndex(one.file); });
}

} // namespace

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::string entriesOf(const fs::path& folder) {
    constexpr size_t kMost = 12;
    std::vector<std::string> names;
    std::error_code code;
    std::error_code ignored;
    for (fs::directory_iterator it(folder, code), end; !code && it != end && names.size() < kMost;
         it.increment(code))
        names.push_back(printable(it->path().filename().string()) +
                        (fs::exists(it->path(), ignored) ? "" : " (a link that leads nowhere)"));
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "nothing" : text;
}

Result<json> readJsonObject(const fs::path& path, int64_t limitBytes) {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(path, limitBytes));
    json value = parseShallow<json>(text);
    if (!value.is_object()) {
        return badInput("expected a JSON object, found " +
                            std::string(value.is_discarded() ? "no valid JSON" : value.type_name()) +
                            "; copy or download the file again",
                        path.string());
    }
    return value;
}

Result<std::optional<FolderWeights>> openFolderWeights(const fs::path& folder, const WeightNames& names) {
    const std::vector<WeightFile> files = weightFiles(folder, names);
    if (files.empty()) return std::optional<FolderWeights>();
    auto best = bestOf(files);
    if (best == files.end()) best = files.begin(); // which says what it lacks
    FolderWeights weights;
    weights.file = best->file;
    weights.variant = best->variant;
    if (weights.file.extension() == ".json") {
        HOMEBOOTH_CHECK(addShards(weights.file, weights.pool));
    } else {
        HOMEBOOTH_ASSIGN(auto reader, openTensorFile(weights.file.string()));
        HOMEBOOTH_CHECK(weights.pool.add(reader));
    }
    return std::optional(std::move(weights));
}

Result<std::set<fs::path>> folderWeightFiles(const fs::path& folder, const WeightNames& names) {
    const std::vector<WeightFile> files = weightFiles(folder, names);
    const auto best = bestOf(files);
    std::set<fs::path> found;
    if (best == files.end()) return found;
    found.insert(best->file);
    if (best->file.extension() != ".json") return found;
    HOMEBOOTH_ASSIGN(const auto shards, shardsOf(best->file));
    for (const auto& [tensor, name] : shards) found.insert(folder / name);
    return found;
}

} // namespace homebooth::core

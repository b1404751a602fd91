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

/// Opens the files that a sharded model's index names.
Result<void> addShards(const fs::path& index, TensorPool& pool) {
    HOMEBOOTH_ASSIGN(const json value, readJsonObject(index, kIndexLimitBytes));
    const auto map = value.find("weight_map");
    if (map == value.end() || !map->is_object())
        return badInput("expected an object \"weight_map\"", index.string());
    std::set<std::string> names;
    for (const auto& [tensor, file] : map->items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : std::string();
        // Only plain names: an index must not reach out of its folder.
        if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos ||
            (!name.ends_with(".safetensors") && !name.ends_with(".bin"))) {
            return badInput("tensor \"" + printable(tensor) + "\" lies in \"" + printable(name) +
                                "\"; expected the name of a .safetensors or .bin file in the same folder",
                            index.string());
        }
        names.insert(name);
    }
    for (const std::string& name : names) {
        HOMEBOOTH_ASSIGN(auto reader, openTensorFile((index.parent_path() / name).string()));
        HOMEBOOTH_CHECK(pool.add(reader));
    }
    for (const auto& [tensor, file] : map->items())
        if (pool.find(tensor) == nullptr)
            return badInput("no shard holds the tensor \"" + printable(tensor) + "\"", index.string());
    return {};
}

using WeightNames = std::array<const char*, 2>;

/// Empty: none there.
fs::path weightFile(const fs::path& folder, const WeightNames& names, std::string& variant) {
    for (const char* name : names) {
        for (const char* ending : {".safetensors", ".safetensors.index.json"})
            if (isThere(folder / (std::string(name) + ending))) return folder / (std::string(name) + ending);
        variant = "fp16";
        for (const char* ending : {".fp16.safetensors", ".safetensors.index.fp16.json"})
            if (isThere(folder / (std::string(name) + ending))) return folder / (std::string(name) + ending);
        for (const char* other : {"bf16", "fp32"}) {
            variant = other;
            const fs::path file = folder / (std::string(name) + "." + other + ".safetensors");
            if (isThere(file)) return file;
        }
        variant.clear();
    }
    for (const char* name : {names[0], "pytorch_model"})
        for (const char* ending : {".bin", ".bin.index.json", ".fp16.bin", ".bin.index.fp16.json"}) {
            variant = std::string_view(ending).find("fp16") != std::string_view::npos ? "fp16" : "";
            if (isThere(folder / (std::string(name) + ending))) return folder / (std::string(name) + ending);
        }
    variant.clear();
    return {};
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
    FolderWeights weights;
    weights.file = weightFile(folder, names, weights.variant);
    if (weights.file.empty()) return std::optional<FolderWeights>();
    if (weights.file.extension() == ".json") {
        HOMEBOOTH_CHECK(addShards(weights.file, weights.pool));
    } else {
        HOMEBOOTH_ASSIGN(auto reader, openTensorFile(weights.file.string()));
        HOMEBOOTH_CHECK(weights.pool.add(reader));
    }
    return std::optional(std::move(weights));
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What lies in a diffusers folder: small JSON files, and weights as one file, as a variant ("fp16") or in
// shards with an index. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/model/component_match.h"

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>

namespace homebooth::core {

[[nodiscard]] bool isThere(const std::filesystem::path& path);

/// A few names of what is in a folder, for messages; "nothing" where it is empty.
[[nodiscard]] std::string entriesOf(const std::filesystem::path& folder);

/// Errors: BadInput for a file that is longer than `limitBytes` or holds no JSON object
[[nodiscard]] Result<nlohmann::json> readJsonObject(const std::filesystem::path& path, int64_t limitBytes);

struct FolderWeights {
    TensorPool pool;
    std::filesystem::path file; ///< of the weights, or the index of its shards
    std::string variant;        ///< "fp16"; empty: the plain one
};

/// The weights in the folder of a component: plain before variant, whole before shards, .safetensors before
/// what torch.save wrote; an index of shards that are not there is passed over. Empty: there are none.
/// @param names  without extension, the usual one first
/// Errors: BadInput for files that cannot be read and shards that do not fit their index
[[nodiscard]] Result<std::optional<FolderWeights>> openFolderWeights(const std::filesystem::path& folder,
                                                                     const std::array<const char*, 2>& names);

/// The files that these weights lie in: one, or an index and its shards. Empty: there are none.
/// Errors: BadInput for an index that cannot be read
[[nodiscard]] Result<std::set<std::filesystem::path>>
folderWeightFiles(const std::filesystem::path& folder, const std::array<const char*, 2>& names);

} // namespace homebooth::core

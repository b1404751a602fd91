// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/carried_files.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/folder_files.h"

#include <algorithm>
#include <array>
#include <string>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

/// Of any program, and what tells where their shards are.
bool holdsWeights(const fs::path& file) {
    constexpr std::array kEndings{".safetensors", ".bin", ".ckpt", ".pt", ".pth", ".msgpack", ".h5", ".onnx"};
    const std::string name = file.filename().string();
    const bool index = name.ends_with(".json") && name.find(".index.") != std::string::npos;
    return index || std::find(kEndings.begin(), kEndings.end(), file.extension()) != kEndings.end();
}

} // namespace

Result<std::vector<fs::path>> carriedFiles(const fs::path& folder) {
    const auto chosen = folderWeightFiles(folder, {"model", "diffusion_pytorch_model"});
    const bool anyWeights = !chosen || chosen->empty(); // none of them is known to be the best
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (!it->is_regular_file(ignored)) continue;
        if (anyWeights || !holdsWeights(it->path()) || chosen->contains(it->path()))
            files.push_back(it->path());
    }
    if (code) return systemError("list", folder.string(), code.value());
    return files;
}

int64_t fileBytes(const fs::path& file) {
    std::error_code code;
    const uintmax_t bytes = fs::file_size(file, code);
    return code ? 0 : static_cast<int64_t>(bytes);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/model_hash.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/language_folder.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

struct HashedFile {
    std::string name; ///< relative to the model
    fs::path path;
    int64_t bytes = 0;
};

/// Only what changes the pictures: a note beside the model, or its safety checker, is not its identity.
constexpr std::array kParts{"unet",      "vae",         "text_encoder", "text_encoder_2",
                            "tokenizer", "tokenizer_2", "scheduler",    "model_index.json"};

Result<void> addFile(const fs::path& folder, const fs::path& path, std::vector<HashedFile>& files) {
    std::error_code code;
    const auto bytes = fs::file_size(path, code);
    if (code) return systemError("examine", path.string(), code.value());
    files.push_back({path.lexically_relative(folder).string(), path, static_cast<int64_t>(bytes)});
    return {};
}

/// All below a root, which may be a link: parts of a model are often another one's. Below it links to files
/// are followed, those to folders are not: they may lead in a circle.
Result<void> addBelow(const fs::path& folder, const fs::path& root, std::vector<HashedFile>& files) {
    std::error_code code;
    fs::recursive_directory_iterator it(root, code);
    for (const fs::recursive_directory_iterator end; !code && it != end; it.increment(code)) {
        std::error_code status;
        if (it->is_regular_file(status)) HOMEBOOTH_CHECK(addFile(folder, it->path(), files));
    }
    return code ? systemError("list", root.string(), code.value()) : Result<void>();
}

Result<std::vector<HashedFile>> filesOf(const fs::path& folder) {
    std::error_code code;
    std::vector<fs::path> roots;
    if (fs::exists(folder / "unet", code)) {
        for (const char* part : kParts) roots.push_back(folder / part);
    } else if (isLanguageFolder(folder.string())) {
        HOMEBOOTH_ASSIGN(const auto names, languageFiles(folder.string()));
        for (const std::string& name : names) roots.push_back(folder / name);
    } else {
        roots.push_back(folder);
    }
    std::vector<HashedFile> files;
    for (const fs::path& root : roots) {
        if (fs::is_directory(root, code)) HOMEBOOTH_CHECK(addBelow(folder, root, files));
        if (fs::is_regular_file(root, code)) HOMEBOOTH_CHECK(addFile(folder, root, files));
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return files;
}

Result<std::optional<std::string>> folderHash(const std::string& path, const ProgressCallback& progress,
                                              const CancelToken& cancel) {
    HOMEBOOTH_ASSIGN(const auto files, filesOf(path));
    int64_t total = 0;
    for (const HashedFile& file : files) total += file.bytes;
    int64_t before = 0;
    Sha256 hash;
    for (const HashedFile& file : files) {
        const auto step = [&](int64_t done, int64_t) {
            if (progress) progress(before + done, total);
        };
        HOMEBOOTH_ASSIGN(const auto digest, sha256File(file.path.string(), step, cancel));
        if (!digest) return std::optional<std::string>();
        hash.update(*digest + "  " + file.name + "\n");
        before += file.bytes;
    }
    return std::optional<std::string>(hash.finish());
}

} // namespace

Result<std::optional<std::string>> modelHash(const std::string& path, const ProgressCallback& progress,
                                             const CancelToken& cancel) {
    std::error_code code;
    if (fs::is_directory(path, code)) return folderHash(path, progress, cancel);
    return sha256File(path, progress, cancel);
}

Result<std::vector<fs::path>> hashedFiles(const std::string& path) {
    std::error_code code;
    if (!fs::is_directory(path, code)) return std::vector<fs::path>{path};
    HOMEBOOTH_ASSIGN(const auto files, filesOf(path));
    std::vector<fs::path> paths;
    for (const HashedFile& file : files) paths.push_back(file.path);
    return paths;
}

std::string shortHash(const std::string& hash) {
    constexpr size_t kShown = 10;
    return hash.substr(0, kShown);
}

} // namespace homebooth::core

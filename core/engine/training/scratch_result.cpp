// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/scratch_result.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/sync_folder.h"
#include "core/engine/io/tensor_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kCopiedFolders = {"unet", "text_encoder", "tokenizer", "scheduler"};
constexpr std::string_view kOldSuffix = ".old"; // another one has a number behind it
constexpr int kMostOld = 9;
constexpr std::array<std::string_view, 5> kReplaced{kResultFolderName, "model.safetensors", "model.yaml",
                                                    "lora", "lora.safetensors"};
constexpr uintmax_t kLargestCopied = uintmax_t{16} << 20; // vocabularies take a few MiB, weights far more

/// Whether weights of the model are in it, which are not learned here and belong to another autoencoder.
bool holdsWeights(const fs::directory_entry& file) {
    const std::string extension = file.path().extension().string();
    std::error_code error;
    const uintmax_t bytes = file.file_size(error);
    return extension == ".safetensors" || extension == ".bin" || (!error && bytes > kLargestCopied);
}

/// Adds what is no weight: configurations, vocabularies, licences.
/// @param place  of them in the configuration's folder and in the result
Result<void> addSmallFiles(const fs::path& configDir, const fs::path& place, KeptFiles& files,
                           LeftAside& leftAside) {
    const fs::path from = configDir / place;
    std::error_code error;
    fs::directory_iterator entry(from, error);
    for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
        std::error_code status;
        if (!entry->is_regular_file(status) || holdsWeights(*entry)) continue;
        const fs::path one = place / entry->path().filename();
        if (auto why = whyLeftAside(configDir, one)) {
            leftAside.emplace(one.string(), std::move(*why));
            continue;
        }
        HOMEBOOTH_ASSIGN(KeptFile file, KeptFile::open(entry->path()));
        files.emplace(one.string(), std::move(file));
    }
    if (error) return systemError("read the configuration's folder", from.string(), error.value());
    return {};
}

/// The name for what is replaced. What has it and cannot be removed, as of another user, keeps it.
Result<std::string> freeOldName(const std::string& path) {
    std::string old;
    std::error_code error;
    for (int number = 1; number <= kMostOld; ++number) {
        old = path + std::string(kOldSuffix) + (number > 1 ? std::to_string(number) : "");
        fs::remove_all(old, error);
        if (!error) return old;
    }
    return systemError("remove an earlier result", old, error.value());
}

/// Gives `made` the name `path` and what had it the name `old`; after a failure all have their old names.
Result<void> exchange(const std::string& made, const std::string& path, const std::string& old) {
    if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
        if (::rename(made.c_str(), old.c_str()) != 0)
            return systemError("move the old result away", made, errno);
        return {};
    }
    if (errno != EINVAL && errno != ENOSYS) return systemError("put the result in its place", path, errno);
    // File systems without the exchange: two steps, the first of which can be taken back.
    if (::rename(path.c_str(), old.c_str()) != 0) return systemError("move the old result away", path, errno);
    if (::rename(made.c_str(), path.c_str()) == 0) return {};
    const int failed = errno;
    if (::rename(old.c_str(), path.c_str()) != 0)
        return systemError("put the result in its place; the earlier one is called " + old, path, failed);
    return systemError("put the result in its place", path, failed);
}

} // namespace

Result<void> replaceWith(const std::string& made, const std::string& path) {
    std::error_code error;
    HOMEBOOTH_ASSIGN(const std::string old, freeOldName(path));
    const bool existed = fs::symlink_status(path, error).type() != fs::file_type::not_found;
    if (existed) {
        HOMEBOOTH_CHECK(exchange(made, path, old));
    } else if (::rename(made.c_str(), path.c_str()) != 0) {
        return systemError("put the result in its place", path, errno);
    }
    HOMEBOOTH_CHECK(syncFolder(fs::path(path).parent_path().string()));
    if (existed) fs::remove_all(old, error); // what stays behind goes with the next result, where that may
    return {};
}

std::vector<std::string> earlierResultsIn(const std::string& resultDir) {
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::directory_iterator it(resultDir, error), end; !error && it != end; it.increment(error)) {
        std::string name = it->path().filename().string();
        name.resize(name.find_last_not_of("0123456789") + 1);
        const bool old = name.ends_with(kOldSuffix);
        if (old) name.resize(name.size() - kOldSuffix.size());
        if (old && std::find(kReplaced.begin(), kReplaced.end(), name) != kReplaced.end())
            paths.push_back(it->path().string());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

Result<KeptFiles> smallFilesOf(const std::string& configDir, LeftAside& leftAside) {
    KeptFiles files;
    HOMEBOOTH_CHECK(addSmallFiles(configDir, "", files, leftAside));
    std::error_code error;
    for (const char* name : kCopiedFolders)
        if (fs::is_directory(fs::path(configDir) / name, error))
            HOMEBOOTH_CHECK(addSmallFiles(configDir, name, files, leftAside));
    return files;
}

Result<std::string> writeVaeResult(const KeptFiles& smallFiles, const std::string& resultDir,
                                   const VaeConfig& config, const TensorSource& tensors) {
    const std::string path = resultDir + "/" + kResultFolderName;
    const std::string made = path + ".new";
    std::error_code error;
    fs::create_directories(resultDir, error);
    if (error) return systemError("make the result's folder", resultDir, error.value());
    fs::remove_all(made, error);
    if (error) return systemError("remove an unfinished result", made, error.value());
    HOMEBOOTH_ASSIGN(AtomicFolder folder, AtomicFolder::create(made));
    HOMEBOOTH_CHECK(writeKept(smallFiles, folder.partialPath()));
    const std::string vae = folder.partialPath() + "/vae";
    fs::create_directories(vae, error);
    if (error) return systemError("make a folder of the result", vae, error.value());
    HOMEBOOTH_CHECK(writeFileAtomically(vae + "/config.json", config.toJson()));
    HOMEBOOTH_CHECK(writeTensorFile(vae + "/diffusion_pytorch_model.safetensors", tensors));
    HOMEBOOTH_CHECK(folder.commit());
    HOMEBOOTH_CHECK(replaceWith(made, path));
    return path;
}

} // namespace homebooth::core

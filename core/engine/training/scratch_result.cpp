// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/scratch_result.h"

#include "core/base/files/atomic_file.h"
#include "core/engine/training/tensor_files.h"

#include <array>
#include <cerrno>
#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kCopiedFolders = {"unet", "text_encoder", "tokenizer", "scheduler"};
constexpr const char* kOldSuffix = ".old";

/// Copies what is no weight: configurations, vocabularies, licences.
Result<void> copySmallFiles(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::create_directories(to, error);
    if (error) return systemError("make the result's folder", to.string(), error.value());
    for (const auto& entry : fs::directory_iterator(from, error)) {
        const std::string extension = entry.path().extension().string();
        if (!entry.is_regular_file() || extension == ".safetensors" || extension == ".bin") continue;
        fs::copy_file(entry.path(), to / entry.path().filename(), error);
        if (error) return systemError("copy a configuration", entry.path().string(), error.value());
    }
    if (error) return systemError("read the configuration's folder", from.string(), error.value());
    return {};
}

} // namespace

Result<void> replaceWith(const std::string& made, const std::string& path) {
    std::error_code error;
    const std::string old = path + kOldSuffix;
    fs::remove_all(old, error);
    const bool existed = fs::exists(path);
    if (existed) fs::rename(path, old, error);
    if (!error) fs::rename(made, path, error);
    if (error) return systemError("put the result in its place", path, error.value());
    if (existed) fs::remove_all(old, error);
    return {};
}

Result<std::string> writeVaeResult(const std::string& configDir, const std::string& resultDir,
                                   const VaeConfig& config, const TensorSource& tensors) {
    const std::string path = resultDir + "/" + kResultFolderName;
    const std::string made = path + ".new";
    std::error_code error;
    fs::create_directories(resultDir, error);
    fs::remove_all(made, error);
    HOMEBOOTH_ASSIGN(AtomicFolder folder, AtomicFolder::create(made));
    HOMEBOOTH_CHECK(copySmallFiles(configDir, folder.partialPath()));
    for (const char* name : kCopiedFolders)
        if (fs::exists(fs::path(configDir) / name))
            HOMEBOOTH_CHECK(
                copySmallFiles(fs::path(configDir) / name, fs::path(folder.partialPath()) / name));
    const std::string vae = folder.partialPath() + "/vae";
    fs::create_directories(vae, error);
    HOMEBOOTH_CHECK(writeFileAtomically(vae + "/config.json", config.toJson()));
    HOMEBOOTH_CHECK(writeTensorFile(vae + "/diffusion_pytorch_model.safetensors", tensors));
    HOMEBOOTH_CHECK(folder.commit());
    HOMEBOOTH_CHECK(replaceWith(made, path));
    return path;
}

} // namespace homebooth::core

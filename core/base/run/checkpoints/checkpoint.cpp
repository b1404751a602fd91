// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoints/checkpoint.h"

#include "core/base/files/atomic_file.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr int64_t kLargestManifest = int64_t{4} << 20;
constexpr size_t kDigestDigits = 64;
constexpr const char* kOwnHash = "manifestSha256"; // of all else in it; earlier versions wrote none

std::string manifestPath(const std::string& folder) {
    return folder + "/" + kManifestName;
}

Json toJson(const CheckpointManifest& manifest) {
    Json json;
    json["v"] = 1;
    json["format"] = manifest.format;
    json["step"] = manifest.step;
    json["configHash"] = manifest.configHash;
    json["optimizerPruned"] = manifest.optimizerPruned;
    if (manifest.rolling) json["rolling"] = true;
    json["files"] = Json::array();
    for (const ManifestFile& file : manifest.files)
        json["files"].push_back({{"path", file.path},
                                 {"bytes", file.bytes},
                                 {"sha256", file.sha256},
                                 {"optimizer", file.optimizer}});
    return json;
}

Result<void> store(const std::string& folder, const CheckpointManifest& manifest) {
    Json json = toJson(manifest);
    json[kOwnHash] = sha256Text(json.dump());
    return writeFileAtomically(manifestPath(folder), json.dump(2) + "\n");
}

/// Whether it says itself that it is another one than was written.
bool hasChanged(Json json) {
    if (!json.contains(kOwnHash)) return false;
    const Json own = json[kOwnHash];
    json.erase(kOwnHash);
    return own != sha256Text(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// A path that stays within the checkpoint.
bool isInside(const std::string& path) {
    if (path.empty() || path.front() == '/' || path.find('\0') != std::string::npos) return false;
    for (const fs::path& part : fs::path(path))
        if (part == ".." || part == "." || part.empty()) return false;
    return true;
}

Result<ManifestFile> parseFile(const Json& json, const std::string& context) {
    ManifestFile file;
    const bool whole = json.is_object() && json.contains("path") && json["path"].is_string() &&
                       json.contains("bytes") && json["bytes"].is_number_unsigned() &&
                       json.contains("sha256") && json["sha256"].is_string();
    if (!whole)
        return badInput("the manifest is damaged: a file's path, bytes or sha256 is missing", context);
    file.path = json["path"].get<std::string>();
    file.bytes = json["bytes"].get<int64_t>();
    file.sha256 = json["sha256"].get<std::string>();
    // The name counts as well: a manifest from anywhere must not have weights pruned.
    file.optimizer =
        file.path.starts_with(kOptimizerPrefix) && json.contains("optimizer") && json["optimizer"] == true;
    if (file.path.starts_with(kOptimizerPrefix) && !file.optimizer)
        return badInput("the manifest is damaged: it does not know the states in " + file.path, context);
    if (!isInside(file.path)) return badInput("the manifest is damaged: it names a file outside", context);
    if (file.bytes < 0 || file.sha256.size() != kDigestDigits)
        return badInput("the manifest is damaged: size or hash of " + file.path, context);
    return file;
}

Result<CheckpointManifest> parseManifest(const std::string& text, const std::string& context) {
    const Json json = parseShallow(text);
    const auto integer = [&json](const char* key) {
        return json.contains(key) && json[key].is_number_integer() ? json[key].get<int64_t>() : int64_t{-1};
    };
    if (!json.is_object() || !json.contains("files") || !json["files"].is_array())
        return badInput("the manifest is damaged: expected a JSON object with \"files\"", context);
    const int64_t found = integer("v") > kCheckpointFormat ? integer("v") : integer("format");
    if (found != kCheckpointFormat)
        return badInput("expected a checkpoint of format " + std::to_string(kCheckpointFormat) + ", found " +
                            std::to_string(found) + "; use the version that wrote it",
                        context);
    if (hasChanged(json))
        return badInput("the manifest is damaged: expected what was written, found something else; put an "
                        "undamaged copy back",
                        context);
    CheckpointManifest manifest;
    manifest.step = integer("step");
    if (manifest.step < 0) return badInput("the manifest is damaged: its step is missing", context);
    if (json.contains("configHash") && json["configHash"].is_string())
        manifest.configHash = json["configHash"].get<std::string>();
    manifest.optimizerPruned = json.contains("optimizerPruned") && json["optimizerPruned"] == true;
    manifest.rolling = json.contains("rolling") && json["rolling"] == true;
    for (const Json& entry : json["files"]) {
        HOMEBOOTH_ASSIGN(ManifestFile file, parseFile(entry, context));
        manifest.files.push_back(std::move(file));
    }
    return manifest;
}

/// Relative paths of all files in a checkpoint, sorted; the manifest itself and left-overs excepted.
Result<std::vector<std::string>> filesIn(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code code;
    for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const fs::file_type type = it->symlink_status(code).type();
        if (code) break;
        if (type == fs::file_type::directory) continue;
        const std::string relative = it->path().lexically_relative(folder).generic_string();
        if (relative == kManifestName) continue;
        if (type != fs::file_type::regular)
            return badInput("a checkpoint may hold regular files only", it->path().string());
        paths.push_back(relative);
    }
    if (code) return systemError("list the checkpoint", folder, code.value());
    std::sort(paths.begin(), paths.end());
    return paths;
}

Result<std::string> hashOf(const std::string& path, const ProgressCallback& progress = {}) {
    HOMEBOOTH_ASSIGN(const auto digest, sha256File(path, progress));
    return digest.value_or(std::string()); // nothing only when cancelled, which nobody can here
}

/// Whether there is a regular file that lies in the checkpoint itself. Nobody writes links there: in a run
/// from elsewhere one could lead to anything of the user's. `folder` itself may be reached through links.
bool holdsFile(const std::string& folder, const std::string& path) {
    std::error_code code;
    fs::path place = folder;
    for (const fs::path& part : fs::path(path).parent_path()) {
        place /= part;
        if (!fs::is_directory(fs::symlink_status(place, code))) return false;
    }
    return fs::is_regular_file(fs::symlink_status(folder + "/" + path, code));
}

/// What is wrong with one file, or empty.
std::string fileProblem(const std::string& folder, const ManifestFile& file, VerifyDepth depth,
                        const ProgressCallback& progress) {
    if (!holdsFile(folder, file.path)) return file.path + " is missing";
    const std::string path = folder + "/" + file.path;
    std::error_code code;
    const auto bytes = static_cast<int64_t>(fs::file_size(path, code));
    if (code) return file.path + " cannot be read (" + code.message() + ")";
    if (bytes != file.bytes)
        return file.path + " has " + std::to_string(bytes) + " bytes instead of " +
               std::to_string(file.bytes);
    if (depth == VerifyDepth::Sizes) return {};
    const auto digest = hashOf(path, progress);
    if (!digest) return file.path + " cannot be read (" + digest.error().message + ")";
    return *digest == file.sha256 ? std::string() : file.path + " has changed (SHA-256 differs)";
}

/// Whether an error is the disk's own, or it is gone, whatever lies on it.
bool isOfTheDisk(int errorNumber) {
    constexpr std::array kErrors{EIO, ENXIO, ENODEV, EREMOTEIO, ESTALE, ENOTCONN};
    return std::find(kErrors.begin(), kErrors.end(), errorNumber) != kErrors.end();
}

bool diskFailsAt(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return isOfTheDisk(errno);
    char byte = 0;
    const bool fails = ::pread(file, &byte, 1, 0) < 0 && isOfTheDisk(errno);
    ::close(file);
    return fails;
}

Error damaged(const std::string& problems, const std::string& folder) {
    return badInput("the checkpoint is damaged: " + problems, folder);
}

/// The step of a folder's name "step-000400"; -1 for other names.
int64_t stepOfName(const std::string& name) {
    constexpr std::string_view kPrefix = "step-";
    if (!name.starts_with(kPrefix)) return -1;
    int64_t step = -1;
    const char* end = name.data() + name.size();
    const auto [rest, failed] = std::from_chars(name.data() + kPrefix.size(), end, step);
    return failed == std::errc{} && rest == end ? step : -1;
}

/// Files of optimizer states that no manifest names any more: their removal was cut off, e.g. with the power.
Result<std::vector<std::string>> leftStates(const std::string& folder, const CheckpointManifest& manifest) {
    HOMEBOOTH_ASSIGN(std::vector<std::string> paths, filesIn(folder));
    std::erase_if(paths, [&manifest](const std::string& path) {
        return !path.starts_with(kOptimizerPrefix) ||
               std::any_of(manifest.files.begin(), manifest.files.end(),
                           [&path](const ManifestFile& file) { return file.path == path; });
    });
    return paths;
}

Result<void> removeCheckpoint(const std::string& path) {
    // Under the name of something unfinished first: what a crash leaves is then no checkpoint any more, and
    // the next attempt removes it (removePartials). Of a link to a checkpoint the link alone goes.
    const fs::path whole(path);
    const fs::path partial = whole.parent_path() / ("." + whole.filename().string() + ".partial-pruned");
    std::error_code code;
    fs::remove_all(partial, code);
    if (!code) fs::rename(whole, partial, code);
    if (!code) fs::remove_all(partial, code);
    if (code) return systemError("remove an old checkpoint", path, code.value());
    return {};
}

/// Who watches the folder of checkpoints has something else to show.
void tellWatchers(const std::string& checkpoint) {
    std::error_code ignored;
    fs::last_write_time(fs::path(checkpoint).parent_path(), fs::file_time_type::clock::now(), ignored);
}

} // namespace

bool CheckpointManifest::hasOptimizer() const {
    return std::any_of(files.begin(), files.end(), [](const ManifestFile& file) { return file.optimizer; });
}

Result<CheckpointManifest> writeManifest(const std::string& folder, const ManifestOptions& options) {
    HOMEBOOTH_ASSIGN(const auto paths, filesIn(folder));
    CheckpointManifest manifest;
    manifest.step = options.step;
    manifest.configHash = options.configHash;
    manifest.rolling = options.rolling;
    for (const std::string& path : paths) {
        ManifestFile file;
        file.path = path;
        file.optimizer = path.starts_with(kOptimizerPrefix);
        std::error_code code;
        file.bytes = static_cast<int64_t>(fs::file_size(folder + "/" + path, code));
        if (code) return systemError("measure a file of the checkpoint", folder + "/" + path, code.value());
        if (const auto known = options.knownHashes.find(path); known != options.knownHashes.end()) {
            file.sha256 = known->second;
        } else {
            HOMEBOOTH_ASSIGN(file.sha256, hashOf(folder + "/" + path));
        }
        manifest.files.push_back(std::move(file));
    }
    HOMEBOOTH_CHECK(store(folder, manifest));
    return manifest;
}

Result<CheckpointManifest> readManifest(const std::string& folder) {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(manifestPath(folder), kLargestManifest));
    return parseManifest(text, manifestPath(folder));
}

Result<CheckpointManifest> verifyCheckpoint(const std::string& folder, VerifyDepth depth,
                                            const ProgressCallback& progress) {
    HOMEBOOTH_ASSIGN(CheckpointManifest manifest, readManifest(folder));
    int64_t total = 0;
    for (const ManifestFile& file : manifest.files) total += file.bytes;
    std::string problems;
    int64_t done = 0;
    for (const ManifestFile& file : manifest.files) {
        ProgressCallback ofFile;
        if (progress) ofFile = [&](int64_t read, int64_t) { progress(done + read, total); };
        const std::string problem = fileProblem(folder, file, depth, ofFile);
        if (!problem.empty()) problems += (problems.empty() ? "" : "; ") + problem;
        done += file.bytes;
        if (progress) progress(done, total);
    }
    if (!problems.empty()) return damaged(problems, folder);
    return manifest;
}

Result<void> verifyFiles(const std::string& folder, const std::vector<std::string>& paths) {
    HOMEBOOTH_ASSIGN(const CheckpointManifest manifest, readManifest(folder));
    std::string problems;
    for (const std::string& path : paths) {
        const auto named = std::find_if(manifest.files.begin(), manifest.files.end(),
                                        [&path](const ManifestFile& file) { return file.path == path; });
        const std::string problem = named == manifest.files.end()
                                        ? path + " is not named in its manifest"
                                        : fileProblem(folder, *named, VerifyDepth::Hashes, {});
        if (!problem.empty()) problems += (problems.empty() ? "" : "; ") + problem;
    }
    return problems.empty() ? Result<void>() : damaged(problems, folder);
}

std::vector<CheckpointEntry> listCheckpoints(const std::string& checkpointsDir) {
    std::vector<CheckpointEntry> found;
    std::error_code code;
    for (fs::directory_iterator it(checkpointsDir, code), end; !code && it != end; it.increment(code)) {
        const int64_t step = stepOfName(it->path().filename().string());
        std::error_code ignored;
        if (step >= 0 && it->is_directory(ignored)) found.push_back({it->path().string(), step});
    }
    std::sort(found.begin(), found.end(), [](const CheckpointEntry& left, const CheckpointEntry& right) {
        return left.step > right.step;
    });
    return found;
}

Result<ValidCheckpoint> newestValidCheckpoint(const std::string& checkpointsDir, VerifyDepth depth) {
    ValidCheckpoint valid;
    for (const CheckpointEntry& entry : listCheckpoints(checkpointsDir)) {
        auto manifest = verifyCheckpoint(entry.path, depth);
        if (manifest) {
            valid.path = entry.path;
            valid.manifest = std::move(manifest).value();
            return valid;
        }
        valid.rejected.push_back(manifest.error().text());
    }
    if (valid.rejected.empty())
        return badInput("expected a checkpoint to go on from, found none", checkpointsDir);
    std::string message = "expected a whole checkpoint to go on from, found " +
                          std::to_string(valid.rejected.size()) + " damaged and none whole";
    for (const std::string& reason : valid.rejected) message += "; " + reason;
    if (diskFails(checkpointsDir)) return badInput(message + "; " + kCheckpointsUnread, checkpointsDir);
    return badInput(message +
                        "; put an undamaged copy of one of them back, or begin again with another --output",
                    checkpointsDir);
}

bool diskFails(const std::string& checkpointsDir) {
    std::error_code code;
    const fs::directory_iterator look(checkpointsDir, code);
    if (code && isOfTheDisk(code.value())) return true;
    for (const CheckpointEntry& entry : listCheckpoints(checkpointsDir)) {
        if (diskFailsAt(manifestPath(entry.path))) return true;
        const auto manifest = readManifest(entry.path);
        if (!manifest) continue;
        for (const ManifestFile& file : manifest->files)
            if (diskFailsAt(entry.path + "/" + file.path)) return true;
    }
    return false;
}

Result<void> checkStepsCover(int64_t done, int64_t asked) {
    if (asked >= done) return {};
    return badInput("resuming: expected at least the " + std::to_string(done) +
                    " steps that this run has done, found --steps " + std::to_string(asked) +
                    "; ask for that many or more, or start a new run");
}

Result<std::vector<std::string>> pruneCheckpoints(const std::string& checkpointsDir, int64_t written,
                                                  int64_t keep, bool pruneOptimizer, VerifyDepth depth) {
    constexpr int64_t kFewest = 2;
    std::vector<std::string> removed;
    std::vector<CheckpointEntry> all = listCheckpoints(checkpointsDir);
    std::erase_if(all, [written](const CheckpointEntry& entry) { return entry.step > written; });
    if (all.empty() || all.front().step != written)
        return badInput("expected the checkpoint of step " + std::to_string(written) + ", found none",
                        checkpointsDir);
    HOMEBOOTH_CHECK(verifyCheckpoint(all.front().path, depth));
    int64_t kept = 0;
    for (size_t index = 0; index < all.size(); ++index) {
        const std::string& path = all[index].path;
        const auto manifest = verifyCheckpoint(path, VerifyDepth::Sizes);
        if (!manifest) continue; // damaged: evidence, and no help
        const bool beyond = manifest->rolling ? index > 0 : kept >= std::max(keep, kFewest);
        if (beyond && !isFavourite(path)) {
            HOMEBOOTH_CHECK(removeCheckpoint(path));
            removed.push_back(path);
            continue;
        }
        if (!manifest->rolling) ++kept;
        if (beyond || (index > 0 && pruneOptimizer)) HOMEBOOTH_CHECK(pruneOptimizerState(path));
    }
    return removed;
}

bool isFavourite(const std::string& folder) {
    std::error_code ignored;
    return fs::exists(folder + "/" + kFavouriteName, ignored);
}

Result<void> setFavourite(const std::string& folder, bool favourite) {
    HOMEBOOTH_CHECK(readManifest(folder));
    const std::string mark = folder + "/" + kFavouriteName;
    std::error_code code;
    if (favourite) {
        HOMEBOOTH_CHECK(writeFileAtomically(mark, ""));
    } else if (fs::remove(mark, code); code) {
        return systemError("take the mark off a checkpoint", mark, code.value());
    }
    tellWatchers(folder);
    return {};
}

bool isRolling(const std::string& folder) {
    const auto manifest = readManifest(folder);
    return manifest && manifest->rolling;
}

Result<bool> dropRolling(const std::string& checkpointsDir, int64_t step, int64_t enough) {
    std::vector<std::string> rolling;
    int64_t bytes = 0;
    bool safe = false;
    for (const CheckpointEntry& entry : listCheckpoints(checkpointsDir)) {
        const auto manifest = verifyCheckpoint(entry.path, VerifyDepth::Sizes);
        if (!manifest || entry.step == step) continue;
        safe = safe || !manifest->rolling;
        if (!manifest->rolling) continue;
        rolling.push_back(entry.path);
        for (const ManifestFile& file : manifest->files) bytes += file.bytes;
    }
    if (!safe || rolling.empty() || bytes < enough) return false;
    for (const std::string& path : rolling) HOMEBOOTH_CHECK(removeCheckpoint(path));
    return true;
}

Result<void> makeCounted(const std::string& folder) {
    HOMEBOOTH_ASSIGN(CheckpointManifest manifest, readManifest(folder));
    manifest.rolling = false;
    HOMEBOOTH_CHECK(store(folder, manifest));
    tellWatchers(folder);
    return {};
}

Result<void> pruneOptimizerState(const std::string& folder) {
    HOMEBOOTH_ASSIGN(CheckpointManifest manifest, readManifest(folder));
    std::vector<std::string> dropped;
    if (manifest.optimizerPruned) {
        HOMEBOOTH_ASSIGN(dropped, leftStates(folder, manifest));
    }
    for (const ManifestFile& file : manifest.files)
        if (file.optimizer) dropped.push_back(file.path);
    if (manifest.hasOptimizer()) {
        std::erase_if(manifest.files, [](const ManifestFile& file) { return file.optimizer; });
        manifest.optimizerPruned = true;
        HOMEBOOTH_CHECK(store(folder, manifest)); // before the files: it never names what is not there
    }
    std::string strange;
    for (const std::string& path : dropped) {
        const std::string place = folder + "/" + path;
        std::error_code code;
        if (!fs::exists(fs::symlink_status(place, code))) continue;
        if (!holdsFile(folder, path)) {
            strange = place;
            continue;
        }
        fs::remove(place, code);
        if (code) return systemError("remove old optimizer states", place, code.value());
    }
    if (strange.empty()) return {};
    return badInput("cannot remove old optimizer states: expected a file of this checkpoint, found a folder "
                    "or a link; if nothing needs it, remove it yourself",
                    strange);
}

} // namespace homebooth::core

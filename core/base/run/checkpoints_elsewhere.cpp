// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoints_elsewhere.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/files/sync_folder.h"
#include "core/base/run/checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNameEnd = " checkpoints";
constexpr int64_t kBlockBytes = int64_t{4} << 20;

bool isLink(const fs::path& path) {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored));
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// "robot toy checkpoints", also with a number behind it.
bool isGivenName(std::string name) {
    const size_t last = name.find_last_not_of("0123456789");
    if (last == std::string::npos) return false;
    if (last + 1 < name.size() && name[last] == ' ') name.resize(last);
    return name.size() > kNameEnd.size() && name.ends_with(kNameEnd);
}

/// Checkpoints, and those that were never finished.
bool holdsCheckpointsAlone(const std::string& folder) {
    const std::vector<CheckpointEntry> known = listCheckpoints(folder);
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string path = it->path().string();
        const bool checkpoint = std::any_of(known.begin(), known.end(),
                                            [&path](const CheckpointEntry& one) { return one.path == path; });
        if (isLink(it->path()) || (!checkpoint && !it->path().filename().string().starts_with(".step-")))
            return false;
    }
    return !code;
}

Result<void> copyFile(const std::string& from, const std::string& to) {
    HOMEBOOTH_ASSIGN(const FileReader source, FileReader::open(from));
    HOMEBOOTH_ASSIGN(AtomicFile target, AtomicFile::create(to));
    int64_t offset = 0;
    while (true) {
        HOMEBOOTH_ASSIGN(const std::string block, source.read(offset, kBlockBytes));
        if (block.empty()) return target.commit();
        HOMEBOOTH_CHECK(target.write(std::string_view(block)));
        offset += std::ssize(block);
    }
}

/// std::filesystem's copy was considered, but it wants permissions that drives from other systems do not
/// have.
Result<void> copyCheckpoint(const ValidCheckpoint& from, const std::string& to) {
    std::vector<std::string> names;
    for (const ManifestFile& file : from.manifest.files) names.push_back(file.path);
    names.emplace_back(kManifestName);
    for (const std::string& name : names) {
        const std::string path = to + "/" + name;
        std::error_code code;
        fs::create_directories(fs::path(path).parent_path(), code);
        if (code) return systemError("make a folder of the checkpoint", path, code.value());
        HOMEBOOTH_CHECK(copyFile(from.path + "/" + name, path));
    }
    const auto verified = verifyCheckpoint(to);
    return verified ? Result<void>() : verified.error();
}

/// Whether a path is a folder or lies in it. @param folder, path  without links
bool isWithin(const fs::path& folder, const fs::path& path) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The folder, without links in its path.
Result<fs::path> chosenFolder(const RunFolder& run, const std::string& folder) {
    std::error_code code;
    const fs::path chosen = fs::canonical(folder, code);
    if (code || !fs::is_directory(chosen, code))
        return badInput("moving checkpoints: expected a folder, found none; choose another one", folder);
    for (const std::string& own : {run.path(), run.checkpointsDir()}) // which may be a link
        if (const fs::path place = fs::canonical(own, code); !code && isWithin(place, chosen))
            return badInput("moving checkpoints: expected a folder outside of the run; choose another one",
                            folder);
    return chosen;
}

/// A name that nothing has yet.
std::string freePath(const RunFolder& run, const fs::path& folder) {
    const std::string path =
        (folder / (fs::path(run.path()).filename().string() + std::string(kNameEnd))).string();
    if (!isThere(path)) return path;
    int number = 2;
    while (isThere(path + " " + std::to_string(number))) ++number;
    return path + " " + std::to_string(number);
}

/// Gives each of two the other's name, or the first one that of the second where there is none.
/// @returns  what failed, 0 if nothing
int exchange(const std::string& link, const std::string& path) {
    if (::renameat2(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return 0;
    if (errno == ENOENT) return ::rename(link.c_str(), path.c_str()) == 0 ? 0 : errno;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // File systems without the exchange: two steps, the first of which can be taken back.
    const std::string old = path + ".old";
    if (::rename(path.c_str(), old.c_str()) != 0) return errno;
    if (::rename(link.c_str(), path.c_str()) == 0)
        return ::rename(old.c_str(), link.c_str()) == 0 ? 0 : errno;
    const int failed = errno;
    return ::rename(old.c_str(), path.c_str()) == 0 ? failed : errno;
}

/// What a run no longer needs, once its link leads elsewhere; what cannot be removed is not worth an end.
/// @param before  where the link led ahead of that, @param own  whether that folder goes with the run
void removeOld(const std::string& name, const std::optional<std::string>& before, bool own) {
    std::error_code ignored;
    if (before)
        for (const CheckpointEntry& entry : listCheckpoints(*before)) fs::remove_all(entry.path, ignored);
    if (own) fs::remove_all(*before, ignored);
    fs::remove_all(name, ignored); // of a link, itself
}

/// Puts the link in the place of the folder.
Result<void> linkTo(const std::string& target, const RunFolder& run) {
    // As a killed process would leave it, the next attempt removes it (removePartials).
    const std::string made = run.path() + "/.checkpoints.partial-linked";
    const std::string path = run.checkpointsDir();
    const std::optional<std::string> before = checkpointsElsewhere(run.path());
    const bool own = ownCheckpointsElsewhere(run.path()).has_value();
    std::error_code ignored;
    fs::remove_all(made, ignored);
    if (::symlink(target.c_str(), made.c_str()) != 0)
        return systemError("make a link to the checkpoints", made, errno);
    if (const int failed = exchange(made, path); failed != 0) {
        if (isLink(made)) ::unlink(made.c_str());
        return systemError("put the link in the place of the checkpoints", path, failed);
    }
    HOMEBOOTH_CHECK(syncFolder(run.path()));
    removeOld(made, before, own);
    return {};
}

} // namespace

std::optional<std::string> checkpointsElsewhere(const std::string& runDir) {
    const fs::path link = fs::path(runDir) / "checkpoints";
    if (!isLink(link)) return std::nullopt;
    std::error_code code;
    const fs::path target = fs::read_symlink(link, code);
    if (code) return std::nullopt;
    return (fs::path(runDir) / target).lexically_normal().string();
}

std::optional<std::string> ownCheckpointsElsewhere(const std::string& runDir) {
    auto folder = checkpointsElsewhere(runDir);
    if (!folder || !isGivenName(fs::path(*folder).filename().string()) || !holdsCheckpointsAlone(*folder))
        return std::nullopt;
    return folder;
}

Result<void> expectCheckpointsThere(const RunFolder& run) {
    const auto folder = checkpointsElsewhere(run.path());
    std::error_code ignored;
    if (!folder || fs::is_directory(*folder, ignored)) return {};
    return badInput("expected the run's checkpoints in this folder, found none; connect the drive that they "
                    "lie on, or put them back",
                    *folder);
}

Result<std::string> moveCheckpoints(const RunFolder& run, const std::string& folder) {
    HOMEBOOTH_ASSIGN(const fs::path chosen, chosenFolder(run, folder));
    static_cast<void>(removePartials(chosen.string())); // of an earlier try that was killed
    const std::string path = freePath(run, chosen);
    HOMEBOOTH_ASSIGN(AtomicFolder made, AtomicFolder::create(path));
    if (!listCheckpoints(run.checkpointsDir()).empty()) {
        HOMEBOOTH_ASSIGN(const ValidCheckpoint newest, newestValidCheckpoint(run.checkpointsDir()));
        const std::string name = fs::path(newest.path).filename().string();
        HOMEBOOTH_CHECK(copyCheckpoint(newest, made.partialPath() + "/" + name));
    }
    HOMEBOOTH_CHECK(made.commit());
    auto linked = linkTo(path, run);
    if (linked || checkpointsElsewhere(run.path()) == path) return path;
    std::error_code ignored;
    fs::remove_all(path, ignored);
    return linked.error();
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoint_places.h"

#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoint.h"
#include "core/base/run/journal.h"
#include "core/base/run/run_identity.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlace = "/checkpoints";
constexpr std::string_view kNameBefore = "checkpoints-before";
constexpr int64_t kLongestOwner = 4200; // a path and an identity, a line each

std::string ownerFile(const std::string& folder) {
    return folder + "/" + kOwnerName;
}

bool isSame(const std::string& left, const std::string& right) {
    std::error_code ignored;
    return left == right || fs::equivalent(left, right, ignored);
}

bool isThere(const std::string& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// All that links of a run lead to.
std::vector<std::string> linkedFolders(const std::string& runDir) {
    std::vector<std::string> folders;
    if (auto folder = checkpointsLink(runDir)) folders.push_back(std::move(*folder));
    for (PlaceBefore& place : placesBefore(runDir)) folders.push_back(std::move(place.folder));
    return folders;
}

/// Whether there is a run in `runDir`, a link of which leads to the folder.
bool leadsTo(const std::string& runDir, const std::string& folder) {
    std::error_code ignored;
    if (!fs::exists(runDir + "/run.json", ignored)) return false;
    const std::vector<std::string> folders = linkedFolders(runDir);
    return std::any_of(folders.begin(), folders.end(),
                       [&folder](const std::string& one) { return isSame(one, folder); });
}

struct Owner {
    std::string runDir;
    std::string identity; ///< empty: unknown
};

std::optional<Owner> readOwner(const std::string& folder) {
    const auto text = readRegularFile(ownerFile(folder), kLongestOwner);
    if (!text || !text->starts_with('/')) return std::nullopt;
    std::istringstream lines(*text);
    Owner owner;
    std::getline(lines, owner.runDir);
    std::getline(lines, owner.identity);
    return owner;
}

/// Whether the run in `runDir` is the one that a folder names.
bool isNamed(const std::string& runDir, const Owner& owner) {
    return !owner.identity.empty() && owner.identity == identityOf(runDir);
}

/// Whether the folder names the run, perhaps by an earlier name.
bool isTheRuns(const std::string& runDir, const std::string& folder, const Owner& owner) {
    if (owner.identity.empty()) return isSame(owner.runDir, runDir); // written by hand
    if (!isNamed(runDir, owner)) return false;
    // A snapshot of a whole file system repeats what else nothing does.
    const bool both = !isSame(owner.runDir, runDir) && isNamed(owner.runDir, owner);
    return !both || !leadsTo(owner.runDir, folder);
}

} // namespace

bool isLink(const std::string& path) {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored));
}

std::optional<std::string> linkTarget(const std::string& link) {
    if (!isLink(link)) return std::nullopt;
    std::error_code code;
    const fs::path target = fs::read_symlink(link, code);
    if (code) return std::nullopt;
    return (fs::path(link).parent_path() / target).lexically_normal().string();
}

std::optional<std::string> checkpointsLink(const std::string& runDir) {
    return linkTarget(runDir + kPlace);
}

std::vector<PlaceBefore> placesBefore(const std::string& runDir) {
    std::vector<PlaceBefore> places;
    std::error_code code;
    for (fs::directory_iterator it(runDir, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(kNameBefore) && name != kLinkInTheMaking) continue;
        if (auto folder = linkTarget(it->path().string()))
            places.push_back({it->path().string(), std::move(*folder)});
    }
    std::sort(places.begin(), places.end(),
              [](const PlaceBefore& a, const PlaceBefore& b) { return a.link < b.link; });
    return places;
}

std::optional<std::string> ownerOf(const std::string& folder) {
    auto owner = readOwner(folder);
    return owner ? std::optional(std::move(owner->runDir)) : std::nullopt;
}

Result<void> setOwner(const std::string& folder, const std::string& runDir) {
    return writeFileAtomically(ownerFile(folder), runDir + "\n" + identityOf(runDir) + "\n");
}

bool isOwner(const std::string& runDir, const std::string& folder) {
    const auto owner = readOwner(folder);
    return owner && isSame(owner->runDir, runDir) && isNamed(runDir, *owner);
}

int64_t lastSavedStepOf(const std::string& runDir) {
    const auto history = readHistory(runDir + "/events.jsonl");
    return history && !history->checkpoints.empty() ? history->checkpoints.back().step : 0;
}

bool mayTake(const std::string& runDir, const std::string& folder) {
    if (const auto owner = readOwner(folder)) return isTheRuns(runDir, folder, *owner);
    if (isThere(ownerFile(folder))) return false; // it is damaged, or cannot be read
    const std::vector<CheckpointEntry> all = listCheckpoints(folder);
    return all.empty() || (isWhereItBegan(runDir) && all.front().step <= lastSavedStepOf(runDir));
}

void bringCheckpointsAlong(const std::string& runDir) {
    for (const std::string& folder : linkedFolders(runDir)) {
        const bool unknown = !ownerOf(folder) && listCheckpoints(folder).empty(); // its drive may be away
        if (unknown || isOwner(runDir, folder) || !mayTake(runDir, folder)) continue;
        static_cast<void>(setOwner(folder, runDir));
    }
}

std::vector<std::string> othersThatNeed(const std::string& folder, const std::string& runDir,
                                        const std::vector<std::string>& further) {
    std::vector<std::string> runs = further;
    std::error_code code;
    const fs::path beside = fs::path(runDir).parent_path();
    for (fs::directory_iterator it(beside, code), end; !code && it != end; it.increment(code))
        runs.push_back(it->path().string());
    std::sort(runs.begin(), runs.end());
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    std::erase_if(runs, [&](const std::string& run) { return isSame(run, runDir) || !leadsTo(run, folder); });
    return runs;
}

void leaveTo(const std::vector<std::string>& others, const std::string& folder) {
    if (others.size() != 1) return;
    const std::vector<CheckpointEntry> all = listCheckpoints(folder);
    if (all.empty() || all.front().step > lastSavedStepOf(others.front())) return;
    static_cast<void>(setOwner(folder, others.front()));
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoints/checkpoint_places.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/plain_path.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/journal/journal.h"
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
constexpr int64_t kLongestOwner = int64_t{64} << 10; // a line for each run that it names
constexpr std::string_view kNeededBy = "needed by "; // what a line says of a run

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

/// Whether there is a run in `runDir`, a link of which leads to the folder.
bool leadsTo(const std::string& runDir, const std::string& folder) {
    std::error_code ignored;
    if (!fs::exists(runDir + "/run.json", ignored)) return false;
    const std::vector<std::string> folders = linkedFolders(runDir);
    return std::any_of(folders.begin(), folders.end(),
                       [&folder](const std::string& one) { return isSame(one, folder); });
}

/// A run that stands on what is another one's.
struct Standing {
    std::string runDir; ///< where it was seen last
    std::string identity;
};

struct Owner {
    std::string runDir;
    std::string identity = {}; ///< empty: unknown
    std::vector<Standing> standing = {};
};

std::string placeOf(const std::string& runDir) {
    return fs::path(runDir).parent_path().string();
}

/// "needed by 4711-1764452105.889621216 /home/me/robot"
std::optional<Standing> standingIn(std::string_view line) {
    if (!line.starts_with(kNeededBy)) return std::nullopt;
    line.remove_prefix(kNeededBy.size());
    const size_t space = line.find(' ');
    if (space == std::string_view::npos || !line.substr(space + 1).starts_with('/')) return std::nullopt;
    return Standing{std::string(line.substr(space + 1)), std::string(line.substr(0, space))};
}

std::optional<Owner> readOwner(const std::string& folder) {
    const auto text = readRegularFile(ownerFile(folder), kLongestOwner);
    if (!text || !text->starts_with('/')) return std::nullopt;
    std::istringstream lines(*text);
    Owner owner;
    std::getline(lines, owner.runDir);
    std::getline(lines, owner.identity);
    for (std::string line; std::getline(lines, line);)
        if (auto run = standingIn(line)) owner.standing.push_back(std::move(*run));
    return owner;
}

Result<void> writeOwner(const std::string& folder, const Owner& owner) {
    std::string text = owner.runDir + "\n" + owner.identity + "\n";
    for (const Standing& run : owner.standing) {
        std::string line(kNeededBy);
        line.append(run.identity).append(" ").append(run.runDir).append("\n");
        const bool readable = line.find('\n') + 1 == line.size();
        if (readable && std::ssize(text) + std::ssize(line) <= kLongestOwner) text += line;
    }
    return writeFileAtomically(ownerFile(folder), text);
}

/// Whether the run in `runDir` is the one that a folder names.
bool isNamed(const std::string& runDir, const Owner& owner) {
    if (owner.identity.empty()) return false;
    if (owner.identity == identityOf(runDir)) return true;
    // In the other form, as it was written once: what does not last may be another run's by chance.
    return isSame(owner.runDir, runDir) &&
           (owner.identity == identityOf(runDir, true) || owner.identity == identityOf(runDir, false));
}

/// Whether the folder names the run, perhaps by an earlier name.
bool isTheRuns(const std::string& runDir, const std::string& folder, const Owner& owner) {
    if (owner.identity.empty()) return isSame(owner.runDir, runDir); // written by hand
    if (!isNamed(runDir, owner)) return false;
    // A snapshot of a whole file system repeats what else nothing does.
    const bool both = !isSame(owner.runDir, runDir) && isNamed(owner.runDir, owner);
    return !both || !leadsTo(owner.runDir, folder);
}

/// Whether a folder has the run in mind where it says that one stands on it, perhaps by an earlier name.
/// A snapshot of a whole file system has the same identity, and is another one.
bool isMeant(const Standing& one, const std::string& runDir, const std::string& identity,
             const std::string& folder) {
    return one.identity == identity && (one.runDir == runDir || !leadsTo(one.runDir, folder));
}

/// Has a folder say that a run stands on it, where it says whose it is: else nobody removes it.
void noteStandingIn(const std::string& folder, const std::string& runDir) {
    auto owner = readOwner(folder);
    Standing run{runDir, identityOf(runDir)};
    if (!owner || run.identity.empty()) return;
    const auto known = std::find_if(owner->standing.begin(), owner->standing.end(), [&](const Standing& one) {
        return isMeant(one, runDir, run.identity, folder);
    });
    if (known == owner->standing.end())
        owner->standing.push_back(std::move(run));
    else if (std::exchange(known->runDir, runDir) == runDir)
        return;
    static_cast<void>(writeOwner(folder, *owner));
}

/// Whether a run that a folder names was seen without need of it. One that is not where it was may have
/// been moved.
bool hasItsOwn(const Standing& one, const std::string& folder) {
    if (identityOf(one.runDir) != one.identity || leadsTo(one.runDir, folder)) return false;
    const auto link = checkpointsLink(one.runDir);
    return !link || isOwner(one.runDir, *link);
}

/// All folders that lie in one.
void addFoldersIn(const fs::path& place, std::vector<std::string>& folders) {
    std::error_code code;
    for (fs::directory_iterator it(place, code), end; !code && it != end; it.increment(code))
        folders.push_back(it->path().string());
}

} // namespace

std::vector<std::string> linkedFolders(const std::string& runDir) {
    std::vector<std::string> folders;
    if (auto folder = checkpointsLink(runDir)) folders.push_back(std::move(*folder));
    for (PlaceBefore& place : placesBefore(runDir)) folders.push_back(std::move(place.folder));
    return folders;
}

bool isLink(const std::string& path) {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored));
}

std::optional<std::string> linkTarget(const std::string& link) {
    if (!isLink(link)) return std::nullopt;
    std::error_code code;
    const fs::path target = fs::read_symlink(link, code);
    if (code) return std::nullopt;
    return plainPath(fs::path(link).parent_path() / target).string();
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
    Owner owner{runDir, identityOf(runDir)};
    if (auto before = readOwner(folder)) owner.standing = std::move(before->standing);
    std::erase_if(owner.standing,
                  [&](const Standing& one) { return isMeant(one, runDir, owner.identity, folder); });
    return writeOwner(folder, owner);
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
        const auto owner = readOwner(folder);
        const bool unknown = !owner && listCheckpoints(folder).empty(); // its drive may be away
        const bool settled = owner && isSame(owner->runDir, runDir) && owner->identity == identityOf(runDir);
        if (unknown || settled) continue;
        if (mayTake(runDir, folder))
            static_cast<void>(setOwner(folder, runDir));
        else
            noteStandingIn(folder, runDir);
    }
}

void noteStanding(const std::string& runDir) {
    for (const std::string& folder : linkedFolders(runDir))
        if (readOwner(folder) && !mayTake(runDir, folder)) noteStandingIn(folder, runDir);
}

void forgetStanding(const std::string& folder, const std::string& runDir, const std::string& identity) {
    auto owner = readOwner(folder);
    if (!owner || leadsTo(runDir, folder)) return;
    const size_t any = std::erase_if(
        owner->standing, [&](const Standing& one) { return isMeant(one, runDir, identity, folder); });
    if (any > 0) static_cast<void>(writeOwner(folder, *owner));
}

std::vector<std::string> othersThatNeed(const std::string& folder, const std::string& runDir,
                                        const std::vector<std::string>& further) {
    std::vector<std::string> runs = further;
    addFoldersIn(placeOf(runDir), runs);
    std::erase_if(runs, [&](const std::string& run) { return isSame(run, runDir) || !leadsTo(run, folder); });
    const auto isKnown = [&](const Standing& one) {
        return isMeant(one, runDir, identityOf(runDir), folder) ||
               std::any_of(runs.begin(), runs.end(), [&](const std::string& run) {
                   return isMeant(one, run, identityOf(run), folder);
               });
    };
    if (const auto owner = readOwner(folder))
        for (const Standing& one : owner->standing)
            if (!isKnown(one) && !hasItsOwn(one, folder)) runs.push_back(one.runDir);
    std::sort(runs.begin(), runs.end());
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    return runs;
}

void leaveTo(const std::vector<std::string>& others, const std::string& folder) {
    if (others.size() != 1 || !leadsTo(others.front(), folder)) return;
    const std::vector<CheckpointEntry> all = listCheckpoints(folder);
    if (all.empty() || all.front().step > lastSavedStepOf(others.front())) return;
    static_cast<void>(setOwner(folder, others.front()));
}

bool lacksItsRun(const std::string& folder) {
    const auto owner = readOwner(folder);
    return (!owner || !leadsTo(owner->runDir, folder)) && !listCheckpoints(folder).empty();
}

} // namespace homebooth::core

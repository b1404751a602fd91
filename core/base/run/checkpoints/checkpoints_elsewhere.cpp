// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/files/sync_folder.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/run_identity.h"
#include "core/base/util/log.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNameEnd = " checkpoints";
constexpr const char* kResultName = "result"; // in a folder of checkpoints
constexpr const char* kResultLinkInTheMaking = "/.result.partial-linked";
constexpr const char* kLinkToResult = "checkpoints/result"; // of a run, by way of its other link
constexpr int64_t kBlockBytes = int64_t{4} << 20;

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

/// "A, B"
std::string foldersOf(const std::vector<PlaceBefore>& places) {
    std::string folders;
    for (const PlaceBefore& place : places) folders.append(folders.empty() ? "" : ", ").append(place.folder);
    return folders;
}

/// "robot toy checkpoints", also with a number behind it.
bool isGivenName(std::string name) {
    const size_t last = name.find_last_not_of("0123456789");
    if (last == std::string::npos) return false;
    if (last + 1 < name.size() && name[last] == ' ') name.resize(last);
    return name.size() > kNameEnd.size() && name.ends_with(kNameEnd);
}

/// Checkpoints, those that were never finished, the name of their run, and its result.
bool holdsCheckpointsAlone(const std::string& folder) {
    const std::vector<CheckpointEntry> all = listCheckpoints(folder);
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string path = it->path().string();
        const bool checkpoint = std::any_of(all.begin(), all.end(),
                                            [&path](const CheckpointEntry& one) { return one.path == path; });
        const std::string name = it->path().filename().string();
        const bool known =
            checkpoint || name == kOwnerName || name == kResultName || name.starts_with(".step-");
        if (isLink(path) || !known) return false;
    }
    return !code;
}

/// The folder, if it goes with the run.
std::optional<std::string> ifOwn(const std::string& runDir, std::optional<std::string> folder) {
    const bool own = folder && isGivenName(fs::path(*folder).filename().string()) && isOwner(runDir, *folder);
    return own && holdsCheckpointsAlone(*folder) ? std::move(folder) : std::nullopt;
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

/// All that lies in a folder, as above; links stay what they are.
Result<void> copyFolder(const std::string& from, const std::string& to) {
    std::error_code code;
    fs::create_directories(to, code);
    if (code) return systemError("make a folder of the result", to, code.value());
    std::vector<std::string> names;
    for (fs::directory_iterator it(from, code), end; !code && it != end; it.increment(code))
        names.push_back("/" + it->path().filename().string());
    if (code) return systemError("list the result", from, code.value());
    for (const std::string& name : names) {
        const std::string source = from + name;
        if (isLink(source)) {
            fs::copy_symlink(source, to + name, code);
        } else if (fs::is_directory(source, code)) {
            HOMEBOOTH_CHECK(copyFolder(source, to + name));
        } else if (fs::is_regular_file(source, code)) {
            HOMEBOOTH_CHECK(copyFile(source, to + name));
        }
        if (code) return systemError("copy a part of the result", source, code.value());
    }
    return {};
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

/// The path, or with a number behind it, which nothing has yet.
std::string freePath(const std::string& path, const char* separator) {
    std::string numbered = path;
    for (int number = 2; isThere(numbered); ++number) {
        numbered = path;
        numbered.append(separator).append(std::to_string(number));
    }
    return numbered;
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

/// Whether checkpoints may lie in a folder that cannot be looked into: it is gone, or empty though
/// something was saved, as a drive is that is not mounted.
bool isAway(const RunFolder& run, const std::string& folder, bool emptyIsAway) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) return true;
    return emptyIsAway && listCheckpoints(folder).empty() && lastSavedStep(run) > 0;
}

/// Of a folder that a run no longer needs: its checkpoints, and the folder if it goes with the run. What
/// belongs to another run, or to nobody that is known, or what a copy of the run stands on, stays.
void removeMovedFrom(const RunFolder& run, const std::string& folder) {
    std::error_code ignored;
    if (!isOwner(run.path(), folder)) return;
    if (const auto others = othersThatNeed(folder, run.path()); !others.empty()) {
        leaveTo(others, folder);
        return;
    }
    if (ifOwn(run.path(), folder)) {
        fs::remove_all(folder, ignored);
        return;
    }
    for (const CheckpointEntry& entry : listCheckpoints(folder))
        if (readManifest(entry.path)) fs::remove_all(entry.path, ignored);
    fs::remove(folder + "/" + kOwnerName, ignored);
}

/// What a run no longer needs, once its link leads elsewhere; what cannot be removed is not worth an end.
/// @param before  where the link led ahead of that
void removeOld(const RunFolder& run, const std::string& name, const std::optional<std::string>& before) {
    std::error_code ignored;
    if (before) removeMovedFrom(run, *before);
    fs::remove_all(name, ignored); // of a link, itself
    if (before) forgetStanding(*before, run.path(), identityOf(run.path()));
}

/// Lets an old link stay under a name of its own. @returns  whether it does
bool keepBefore(const std::string& link, const RunFolder& run) {
    std::string name = run.path() + "/";
    name += kNameBefore;
    return ::rename(link.c_str(), freePath(name, "-").c_str()) == 0;
}

/// Puts the link in the place of the folder.
Result<void> linkTo(const std::string& target, const RunFolder& run, bool emptyIsAway) {
    const std::string made = run.path() + "/" + kLinkInTheMaking;
    const std::string path = run.checkpointsDir();
    const std::optional<std::string> before = checkpointsElsewhere(run.path());
    std::error_code ignored;
    if (isLink(made) && !keepBefore(made, run)) // what an earlier attempt led to before it was cut off
        return systemError("keep an earlier link to checkpoints", made, errno);
    fs::remove_all(made, ignored);
    if (::symlink(target.c_str(), made.c_str()) != 0)
        return systemError("make a link to the checkpoints", made, errno);
    if (const int failed = exchange(made, path); failed != 0) {
        if (isLink(made)) ::unlink(made.c_str());
        return systemError("put the link in the place of the checkpoints", path, failed);
    }
    HOMEBOOTH_CHECK(syncFolder(run.path()));
    if (!before || !isAway(run, *before, emptyIsAway) || !keepBefore(made, run)) removeOld(run, made, before);
    return {};
}

/// Those that hold a checkpoint as new as the run's last one, or null.
const PlaceBefore* newestOf(const std::vector<PlaceBefore>& places, const RunFolder& run) {
    const PlaceBefore* newest = nullptr;
    int64_t step = -1;
    for (const PlaceBefore& place : places) {
        const std::vector<CheckpointEntry> left = listCheckpoints(place.folder);
        if (left.empty() || left.front().step <= step) continue;
        newest = &place;
        step = left.front().step;
    }
    return newest != nullptr && step >= lastSavedStep(run) ? newest : nullptr;
}

/// Removes a folder in which nothing was saved, only if it still is empty but for the name of its run.
void removeUnused(const RunFolder& run, const std::string& folder) {
    std::error_code code;
    fs::remove(folder + "/" + kOwnerName, code);
    fs::remove(folder, code);
    if (code) static_cast<void>(setOwner(folder, run.path()));
}

/// Of folders in which nothing was saved, nothing stays. One that cannot be looked into may hold what
/// was never told of: it stays known.
void removeEmptyBefore(const RunFolder& run) {
    std::error_code ignored;
    for (const PlaceBefore& place : placesBefore(run.path())) {
        const bool there = fs::is_directory(place.folder, ignored);
        if (!there || !listCheckpoints(place.folder).empty() || isThere(fs::path(place.folder) / kResultName))
            continue;
        if (ifOwn(run.path(), place.folder)) removeUnused(run, place.folder);
        fs::remove(place.link, ignored);
    }
}

/// The newest one that holds, of this step or an earlier one; none where none does.
std::vector<ValidCheckpoint> newestUpTo(const std::string& folder, int64_t step) {
    for (const CheckpointEntry& entry : listCheckpoints(folder)) {
        if (entry.step > step) continue;
        if (auto manifest = verifyCheckpoint(entry.path))
            return {ValidCheckpoint{entry.path, std::move(manifest).value(), {}}};
    }
    return {};
}

/// The newest one that holds, and what else somebody wants to keep.
Result<std::vector<ValidCheckpoint>> newestAndFavourites(const std::string& folder) {
    HOMEBOOTH_ASSIGN(ValidCheckpoint first, newestValidCheckpoint(folder));
    std::vector<ValidCheckpoint> all{std::move(first)};
    for (const CheckpointEntry& entry : listCheckpoints(folder)) {
        if (entry.path == all.front().path || !isFavourite(entry.path)) continue;
        if (auto manifest = verifyCheckpoint(entry.path))
            all.push_back({entry.path, std::move(manifest).value(), {}});
    }
    return all;
}

/// Whether two are of one step and hold the same files; one may count, and the other not.
bool areSame(const CheckpointManifest& left, const CheckpointManifest& right) {
    return left.step == right.step && left.configHash == right.configHash &&
           std::equal(left.files.begin(), left.files.end(), right.files.begin(), right.files.end(),
                      [](const ManifestFile& one, const ManifestFile& other) {
                          return one.path == other.path && one.bytes == other.bytes &&
                                 one.sha256 == other.sha256;
                      });
}

/// Whether a folder holds nothing but some of these checkpoints, or none.
bool repeats(const std::string& folder, const std::vector<ValidCheckpoint>& held) {
    for (const CheckpointEntry& entry : listCheckpoints(folder)) {
        const auto other = readManifest(entry.path);
        const auto isOther = [&other](const auto& one) { return areSame(one.manifest, *other); };
        if (!other || std::none_of(held.begin(), held.end(), isOther)) return false;
    }
    return true;
}

/// Removes what earlier tries to begin in a folder left that were cut off before a link led there.
/// @param held  what they held, which is whole
void removeEarlierTries(const fs::path& chosen, const RunFolder& run,
                        const std::vector<ValidCheckpoint>& held) {
    const std::string made = run.path() + "/" + kLinkInTheMaking;
    std::error_code code;
    std::vector<std::string> tries;
    for (fs::directory_iterator it(chosen, code), end; !code && it != end; it.increment(code))
        if (!isLink(it->path().string()) && ifOwn(run.path(), it->path().string()))
            tries.push_back(it->path().string());
    for (const std::string& folder : tries) {
        const std::vector<PlaceBefore> before = placesBefore(run.path());
        const bool known = std::any_of(before.begin(), before.end(), [&](const PlaceBefore& place) {
            return place.link != made && fs::equivalent(place.folder, folder, code);
        });
        if (known || fs::equivalent(run.checkpointsDir(), folder, code) || !repeats(folder, held)) continue;
        if (!othersThatNeed(folder, run.path()).empty()) continue;
        if (linkTarget(made) == folder) fs::remove(made, code);
        fs::remove_all(folder, code);
    }
}

/// Has a run's result lie with its checkpoints, to where a link leads, and what it is so far was copied.
Result<void> linkResult(const RunFolder& run) {
    const std::string path = run.resultDir();
    if (isLink(path)) return {};
    const std::string made = run.path() + kResultLinkInTheMaking;
    std::error_code ignored;
    fs::remove_all(made, ignored); // of an attempt that was cut off: what lies there was copied
    if (::symlink(kLinkToResult, made.c_str()) != 0)
        return systemError("make a link to the result", made, errno);
    const int failed = exchange(made, path);
    if (failed != 0 && isLink(made)) ::unlink(made.c_str());
    if (failed != 0) return systemError("put the link in the place of the result", path, failed);
    HOMEBOOTH_CHECK(syncFolder(run.path()));
    fs::remove_all(made, ignored);
    return {};
}

/// Before anything is copied: FAT and exFAT know no links.
Result<void> expectLinks(const RunFolder& run) {
    const std::string made = run.path() + "/.link.partial-linked";
    ::unlink(made.c_str()); // of an attempt that was cut off
    const bool knows = ::symlink(kLinkToResult, made.c_str()) == 0;
    const int failed = errno;
    if (knows) ::unlink(made.c_str());
    if (knows) return {};
    if (failed != EPERM && failed != EOPNOTSUPP && failed != ENOSYS)
        return systemError("make a link in the run's folder", run.path(), failed);
    return badInput("moving checkpoints: expected the run's folder on a drive that knows links, found one "
                    "that does not, as with FAT32 and exFAT; copy the whole folder to another drive, and go "
                    "on there",
                    run.path());
}

/// Has the run save in a folder of its own from here on. @param held  what lies there then, and counts: the
/// run has no others. @param withResult  whether its result goes along. @returns  that folder
Result<std::string> beginIn(const fs::path& chosen, const RunFolder& run,
                            const std::vector<ValidCheckpoint>& held, bool emptyIsAway, bool withResult) {
    HOMEBOOTH_CHECK(expectLinks(run));
    static_cast<void>(removePartials(chosen.string())); // of an earlier try that was killed
    removeEarlierTries(chosen, run, held);
    const std::string name = fs::path(run.path()).filename().string().append(kNameEnd);
    const std::string path = freePath((chosen / name).string(), " ");
    HOMEBOOTH_ASSIGN(AtomicFolder made, AtomicFolder::create(path));
    HOMEBOOTH_CHECK(setOwner(made.partialPath(), run.path()));
    for (const ValidCheckpoint& one : held) {
        const std::string copy = made.partialPath() + "/" + fs::path(one.path).filename().string();
        HOMEBOOTH_CHECK(copyCheckpoint(one, copy));
        if (one.manifest.rolling) HOMEBOOTH_CHECK(makeCounted(copy));
        if (isFavourite(one.path)) HOMEBOOTH_CHECK(setFavourite(copy, true));
    }
    std::error_code ignored;
    if (withResult && fs::is_directory(run.resultDir(), ignored))
        HOMEBOOTH_CHECK(copyFolder(run.resultDir(), made.partialPath() + "/" + kResultName));
    HOMEBOOTH_CHECK(made.commit());
    if (auto linked = linkTo(path, run, emptyIsAway); !linked && checkpointsElsewhere(run.path()) != path) {
        fs::remove_all(path, ignored);
        return linked.error();
    }
    if (withResult) HOMEBOOTH_CHECK(linkResult(run));
    return path;
}

/// Ends a move that was cut before its last step.
Result<void> endMove(const RunFolder& run) {
    const std::string result = run.resultDir();
    const std::string old = result + ".old"; // of an exchange in two steps
    std::error_code code;
    const bool cut = isLink(run.path() + kResultLinkInTheMaking) && !isThere(result);
    if (cut && isThere(old)) fs::rename(old, result, code);
    const auto own = ownCheckpointsElsewhere(run.path());
    if (!own || isLink(result) || !fs::is_directory(result, code)) return {};
    const std::string copied = *own + "/" + kResultName;
    if (!fs::is_directory(copied, code)) return {};
    const auto made = fs::last_write_time(result, code); // one that was made since is the newer one
    return made <= fs::last_write_time(copied, code) ? linkResult(run) : Result<void>();
}

/// Puts a result that was made while the drive with the run's checkpoints was away beside these, in the
/// place of an earlier one. @param from  where it lies, @param folder  of the checkpoints
Result<void> bringResultBack(const RunFolder& run, const std::string& from, const std::string& folder) {
    const std::string made = from + "/" + kResultName;
    const std::string place = folder + "/" + kResultName;
    const std::string before = folder + "/.result.partial-before";
    std::error_code code;
    if (!resultLiesWithCheckpoints(run) || !fs::is_directory(made, code)) return {};
    if (!mayTake(run.path(), folder)) return {}; // a copy leaves what is its original's
    fs::remove_all(before, code);                // of an attempt that was cut off
    if (fs::exists(place, code)) fs::remove_all(place + ".old", code);
    HOMEBOOTH_ASSIGN(AtomicFolder copy, AtomicFolder::create(before));
    HOMEBOOTH_CHECK(copyFolder(made, copy.partialPath()));
    HOMEBOOTH_CHECK(copy.commit());
    if (const int failed = exchange(before, place); failed != 0)
        return systemError("put the newer result in the place of the earlier one", place, failed);
    HOMEBOOTH_CHECK(syncFolder(folder));
    fs::remove_all(before, code);
    if (ifOwn(run.path(), from) && othersThatNeed(from, run.path()).empty()) fs::remove_all(made, code);
    return {};
}

/// Why a run cannot begin with a copy of what another one has saved.
Error lacksFirst(const std::string& folder, int64_t last) {
    std::string message = "going on with a copy of a run: expected the checkpoint of step ";
    message.append(std::to_string(last));
    message.append(
        " or an earlier one where the other run saves its own, found none that is whole; the other "
        "run has gone on since, copy it again");
    return badInput(std::move(message), folder);
}

/// The same where there is no room beside them, or nobody may write there.
Error withAdvice(Error error, const std::string& folder) {
    error.message.append("; this run begins with a copy of what lies in ").append(folder);
    error.message.append(
        ", which is another one's; where no other run needs it, write this run's folder into "
        "its file belongs-to.txt, and nothing else, and the run goes on there");
    return error;
}

/// Whether the run's checkpoints may lie on a drive of their own.
bool mayLieElsewhere(const RunFolder& run) {
    return checkpointsElsewhere(run.path()).has_value() || !placesBefore(run.path()).empty();
}

} // namespace

std::optional<std::string> checkpointsElsewhere(const std::string& runDir) {
    return checkpointsLink(runDir);
}

std::string resultPlace(const RunFolder& run) {
    return linkTarget(run.resultDir()).value_or(run.resultDir());
}

bool resultLiesWithCheckpoints(const RunFolder& run) {
    std::error_code ignored;
    return fs::read_symlink(run.resultDir(), ignored) == kLinkToResult;
}

std::optional<std::string> ownCheckpointsElsewhere(const std::string& runDir) {
    return ifOwn(runDir, checkpointsLink(runDir));
}

std::vector<std::string> ownCheckpointsBefore(const std::string& runDir) {
    std::vector<std::string> folders;
    for (PlaceBefore& place : placesBefore(runDir))
        if (auto own = ifOwn(runDir, std::move(place.folder))) folders.push_back(std::move(*own));
    return folders;
}

Result<void> expectCheckpointsThere(const RunFolder& run) {
    const auto folder = checkpointsElsewhere(run.path());
    std::error_code ignored;
    if (!folder || fs::is_directory(*folder, ignored)) return {};
    std::string message = "expected the run's checkpoints in this folder, found none; connect the drive that "
                          "they lie on, or put them back";
    if (const auto before = placesBefore(run.path()); !before.empty())
        message.append("; earlier ones were left in ")
            .append(foldersOf(before))
            .append(": the run goes on from those where its link \"checkpoints\" leads there");
    return badInput(message, *folder);
}

int64_t lastSavedStep(const RunFolder& run) {
    return lastSavedStepOf(run.path());
}

Result<void> expectSavedThere(const RunFolder& run, int64_t savedStep) {
    HOMEBOOTH_CHECK(expectCheckpointsThere(run));
    if (savedStep <= 0 || !listCheckpoints(run.checkpointsDir()).empty()) return {};
    std::string message = "expected the run's checkpoints in this folder, the last of step ";
    message += std::to_string(savedStep) + ", found none";
    if (!mayLieElsewhere(run))
        return badInput(message + "; put them back, or begin again with another --output",
                        run.checkpointsDir());
    if (const auto before = placesBefore(run.path()); !before.empty())
        message.append(", nor that one in ").append(foldersOf(before));
    message += "; connect the drive that they lie on, or put them back; without them begin again with "
               "another --output";
    return badInput(message, checkpointsElsewhere(run.path()).value_or(run.checkpointsDir()));
}

Result<void> expectSavedThere(const RunFolder& run) {
    const bool some = !listCheckpoints(run.checkpointsDir()).empty();
    return expectSavedThere(run, some ? 0 : lastSavedStep(run));
}

std::optional<SavedElsewhere> savedElsewhere(const RunFolder& run) {
    auto folder = checkpointsElsewhere(run.path());
    if (!folder) return std::nullopt;
    struct stat facts {};
    const bool there = ::stat(folder->c_str(), &facts) == 0;
    return SavedElsewhere{std::move(*folder), there ? static_cast<uint64_t>(facts.st_dev) : 0};
}

Result<void> expectSavedThere(const RunFolder& run, int64_t savedStep,
                              const std::optional<SavedElsewhere>& savedIn) {
    const auto now = savedElsewhere(run);
    const bool unmounted = now && savedIn && now->folder == savedIn->folder && now->device != savedIn->device;
    return expectSavedThere(run, unmounted ? savedStep : 0);
}

std::optional<std::string> lossInWords(const RunFolder& run) {
    if (expectSavedThere(run)) return std::nullopt;
    return mayLieElsewhere(run) ? "the run's checkpoints are out of reach"
                                : "no checkpoint is there any more";
}

Result<void> returnToCheckpointsBefore(const RunFolder& run) {
    if (const auto ended = endMove(run); !ended)
        log(LogLevel::Warning, "the run's result stays where it is: " + ended.error().text());
    if (!listCheckpoints(run.checkpointsDir()).empty()) return {};
    const std::vector<PlaceBefore> places = placesBefore(run.path());
    const PlaceBefore* newest = newestOf(places, run);
    if (newest == nullptr) return {};
    const std::string place = run.checkpointsDir();
    if (const auto now = checkpointsElsewhere(run.path()))
        if (const auto brought = bringResultBack(run, *now, newest->folder); !brought)
            log(LogLevel::Warning, "the run's result stays in " + *now + ": " + brought.error().text());
    if (const int failed = exchange(newest->link, place); failed != 0)
        return systemError("put back the link to the checkpoints", place, failed);
    std::error_code ignored;
    if (!isLink(newest->link)) fs::remove(newest->link, ignored); // an empty folder within the run
    removeEmptyBefore(run);
    return syncFolder(run.path());
}

Result<std::string> moveCheckpoints(const RunFolder& run, const std::string& folder, bool emptyIsAway) {
    HOMEBOOTH_ASSIGN(const fs::path chosen, chosenFolder(run, folder));
    std::vector<ValidCheckpoint> held;
    const bool some = !listCheckpoints(run.checkpointsDir()).empty();
    if (some && checkpointsAreAnothers(run.path())) { // which may have gone on since
        const int64_t last = lastSavedStep(run);
        held = newestUpTo(run.checkpointsDir(), last);
        if (held.empty() && last > 0) return lacksFirst(run.checkpointsDir(), last);
    } else if (some) {
        HOMEBOOTH_ASSIGN(held, newestAndFavourites(run.checkpointsDir()));
    }
    const bool withResult = !isLink(run.resultDir()) || resultLiesWithCheckpoints(run);
    return beginIn(chosen, run, held, emptyIsAway, withResult);
}

bool checkpointsAreAnothers(const std::string& runDir) {
    const auto folder = checkpointsLink(runDir);
    return folder && !mayTake(runDir, *folder);
}

Result<std::optional<OfAnother>> takeOwnCheckpoints(const RunFolder& run) {
    const auto folder = checkpointsElsewhere(run.path());
    std::error_code ignored;
    const std::optional<OfAnother> nothing;
    if (!folder || !fs::is_directory(*folder, ignored)) return nothing;
    if (mayTake(run.path(), *folder)) {
        bringCheckpointsAlong(run.path()); // where there is no room, nobody's
        return nothing;
    }
    bringCheckpointsAlong(run.path()); // until it has its own, nobody shall remove what it stands on
    const int64_t last = lastSavedStep(run);
    const std::vector<ValidCheckpoint> held = newestUpTo(*folder, last);
    if (held.empty() && last > 0) return lacksFirst(*folder, last);
    const fs::path place = fs::canonical(*folder, ignored); // without a slash behind it
    HOMEBOOTH_ASSIGN(const fs::path beside, chosenFolder(run, place.parent_path().string()));
    auto own = beginIn(beside, run, held, /*emptyIsAway=*/false, resultLiesWithCheckpoints(run));
    if (!own) return withAdvice(own.error(), *folder);
    return std::optional(
        OfAnother{std::move(own).value(), *folder, held.empty() ? 0 : held.front().manifest.step});
}

} // namespace homebooth::core

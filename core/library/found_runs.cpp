// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/found_runs.h"

#include "core/base/files/plain_path.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/run/run_folder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kClockSlackMs = 2000; // a file's time is read off two clocks

int64_t fileMs(const fs::path& path) {
    std::error_code code;
    const auto time = fs::last_write_time(path, code);
    if (code) return nowMs();
    const auto age = fs::file_time_type::clock::now() - time;
    return nowMs() - std::chrono::duration_cast<std::chrono::milliseconds>(age).count();
}

/// Whether it was begun and found no room: it has yet to learn.
bool waitsForRoom(const std::string& runDir) {
    const auto jobs = JobQueue().jobs();
    return jobs && std::any_of(jobs->begin(), jobs->end(),
                               [&runDir](const QueuedJob& job) { return job.runDir == runDir; });
}

/// What a run without a window amounts to: an attempt that ended without an outcome (the power went) has
/// failed, also before it learned.
std::string stateOf(const RunFolder& run, const RunHistory& history) {
    const auto owner = RunLock::owner(run.lockFile());
    if (owner && owner->alive) return "running";
    if (history.outcome) return history.outcome->result;
    if (history.steps.empty() && (!history.state || waitsForRoom(run.path()))) return "waiting";
    return "failed";
}

/// What the window noted in run.json of a run: the user's own name for it, and whom it learned.
void takeNotes(const RunFolder& run, RunRecord& record) {
    const auto facts = run.facts();
    if (!facts) return;
    if (const auto title = facts->find(kRunTitleFact); title != facts->end() && !title->second.empty())
        record.title = title->second;
    const auto subjects = facts->find(kRunSubjectsFact);
    if (subjects == facts->end()) return;
    std::istringstream words(subjects->second);
    for (int64_t subject = 0; words >> subject;) record.subjects.push_back(subject);
}

/// What a run's folder says of itself; nothing if it cannot be read.
std::optional<RunRecord> recordOf(const fs::path& folder) {
    const auto run = RunFolder::open(folder.string());
    if (!run) return std::nullopt;
    const auto config = run->config();
    const auto history = readHistory(run->journalFile());
    if (!config || !history) return std::nullopt;
    RunRecord record;
    record.id = newRecordId();
    record.folder = run->path();
    record.title = folder.filename().string();
    takeNotes(*run, record);
    record.prompt = config->data.instancePrompt;
    record.model = config->model;
    record.state = stateOf(*run, *history);
    record.steps = config->steps;
    record.stepsDone = history->steps.empty() ? 0 : history->steps.back().step;
    record.createdMs = fileMs(run->runFile());
    const bool ended = record.state != "running" && record.state != "waiting";
    record.endedMs = ended ? fileMs(run->journalFile()) : 0;
    return record;
}

/// Whether the index knows all of a run: it ended, and its journal was not written since.
bool upToDate(const RunRecord& known) {
    const fs::path journal = known.folder + "/events.jsonl";
    std::error_code ignored;
    return known.endedMs > 0 &&
           (!fs::exists(journal, ignored) || fileMs(journal) <= known.endedMs + kClockSlackMs);
}

bool sameProgress(const RunRecord& a, const RunRecord& b) {
    return a.state == b.state && a.steps == b.steps && a.stepsDone == b.stepsDone && a.endedMs == b.endedMs;
}

/// What the folder says of a run that the index may know; nothing if that is no news.
std::optional<FoundRun> newsOf(const fs::path& folder, const RunRecord* known) {
    if (known != nullptr && upToDate(*known)) return std::nullopt;
    std::optional<RunRecord> record = recordOf(folder);
    if (!record || (known != nullptr && sameProgress(*known, *record))) return std::nullopt;
    FoundRun found{std::move(*record), std::nullopt};
    if (known != nullptr) found.before = *known;
    return found;
}

/// The run folders directly inside a folder, but for hidden ones, which are in the making or were cut in it.
std::vector<std::string> runFoldersIn(const std::string& folder) {
    std::vector<std::string> folders;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (it->path().filename().string().starts_with('.')) continue;
        if (fs::exists(it->path() / "run.json", ignored))
            folders.push_back(plainPath(fs::absolute(it->path(), ignored)).string());
    }
    return folders;
}

/// Of runs outside the folder that is looked through: those of which the index has no end, and those that
/// wait in the queue or run out of it, by the names that the index has for them.
std::vector<std::string> runFoldersElsewhere(const std::vector<RunRecord>& known,
                                             const std::vector<std::string>& seen) {
    std::set<std::string> folders;
    for (const RunRecord& run : known)
        if (run.endedMs == 0) folders.insert(run.folder);
    const auto isKnown = [&known](const std::string& folder) {
        return std::any_of(known.begin(), known.end(), [&folder](const RunRecord& run) {
            std::error_code ignored;
            return run.folder == folder ||
                   (fs::path(run.folder).filename() == fs::path(folder).filename() &&
                    fs::equivalent(run.folder, folder, ignored)); // a home may be reached by a link
        });
    };
    for (const JobState state : {JobState::Waiting, JobState::Running}) {
        const auto jobs = JobQueue().jobs(state);
        if (!jobs) continue;
        for (const QueuedJob& job : *jobs)
            if (!isKnown(job.runDir)) folders.insert(job.runDir);
    }
    for (const std::string& folder : seen) folders.erase(folder);
    return {folders.begin(), folders.end()};
}

/// What the index makes of folders that it does not know.
struct NewFolders {
    std::map<std::string, std::string> moved; ///< from where to where: the same run
    std::set<std::string> copies;             ///< of runs that are where they were
    std::set<std::string> links;              ///< a run's folder under another name
};

/// A folder alone says of itself that it began where a run of the index was, and that place is empty: it was
/// moved. Where the run is still there it is a copy; of several nobody can say which of them was moved.
NewFolders lookAtNew(const std::vector<std::string>& folders,
                     const std::map<std::string, const RunRecord*>& runs) {
    std::map<std::string, std::vector<std::string>> began;
    for (const std::string& folder : folders) {
        const auto before = runs.contains(folder) ? std::nullopt : movedFrom(folder);
        if (before && runs.contains(*before)) began[*before].push_back(folder);
    }
    NewFolders found;
    for (const auto& [before, now] : began) {
        std::error_code ignored;
        const bool there = fs::exists(fs::path(before) / "run.json", ignored);
        if (!there && now.size() == 1) found.moved[before] = now.front();
        for (const std::string& folder : now)
            if (there) (fs::equivalent(before, folder, ignored) ? found.links : found.copies).insert(folder);
    }
    return found;
}

/// Has a run say that it is where it is. One that somebody works on is left as it is.
void settle(const std::string& folder) {
    if (const auto run = RunFolder::open(folder)) (void)followMove(*run);
}

/// Has a run that began from others say where those are. One that somebody works on is left as it is.
void follow(const std::string& folder, const std::map<std::string, std::string>& moved) {
    if (const auto run = RunFolder::open(folder)) (void)followOthers(*run, moved);
}

/// Writes into run.json what needs no index: copies say where they are, and others where moved ones are.
/// @param folders  of runs, also of those that the index does not know yet
void tell(const NewFolders& found, const std::vector<std::string>& folders,
          const std::vector<RunRecord>& known) {
    // Else, once its original is gone, a copy that is renamed would be taken for that.
    for (const std::string& copy : found.copies) settle(copy);
    if (found.moved.empty()) return;
    for (const std::string& path : folders)
        if (!found.links.contains(path)) follow(path, found.moved);
    followRuns(known, found.moved); // those in other folders, too
}

} // namespace

FoundRuns lookForRuns(const std::vector<RunRecord>& known, const std::string& folder) {
    std::map<std::string, const RunRecord*> runs;
    for (const RunRecord& run : known) runs[run.folder] = &run;
    std::vector<std::string> folders = runFoldersIn(folder);
    const NewFolders fresh = lookAtNew(folders, runs);
    tell(fresh, folders, known);
    std::set<std::string> done = fresh.links;
    for (const auto& [before, now] : fresh.moved) {
        done.insert(before);
        done.insert(now);
    }
    FoundRuns found;
    found.moved = fresh.moved;
    const std::vector<std::string> elsewhere = runFoldersElsewhere(known, folders);
    folders.insert(folders.end(), elsewhere.begin(), elsewhere.end());
    for (const std::string& path : folders) {
        if (done.contains(path)) continue;
        const auto run = runs.find(path);
        if (auto news = newsOf(path, run == runs.end() ? nullptr : run->second))
            found.news.push_back(std::move(*news));
    }
    return found;
}

Result<int> takeUpRuns(Library& library, const FoundRuns& found) {
    HOMEBOOTH_ASSIGN(const std::vector<RunRecord> present, loadRuns(library));
    std::map<std::string, const RunRecord*> runs;
    for (const RunRecord& run : present) runs[run.folder] = &run;
    for (const auto& [from, to] : found.moved) HOMEBOOTH_CHECK(moveRun(library, from, to));
    int news = static_cast<int>(found.moved.size());
    for (const FoundRun& one : found.news) {
        const auto run = runs.find(one.now.folder);
        const bool known = run != runs.end();
        const bool untouched =
            known == one.before.has_value() && (!known || sameProgress(*run->second, *one.before));
        if (!untouched) continue;
        RunRecord now = one.now;
        if (known && run->second->model != one.before->model) now.model = run->second->model; // chosen since
        HOMEBOOTH_CHECK(saveRun(library, now));
        ++news;
    }
    return news;
}

void settleRuns(const FoundRuns& found) {
    for (const auto& [from, to] : found.moved) settle(to);
}

void noteStandings(const std::string& folder) {
    for (const std::string& run : runFoldersIn(folder)) noteStanding(run);
}

void followRuns(const std::vector<RunRecord>& runs, const std::map<std::string, std::string>& moved) {
    for (const RunRecord& run : runs) follow(run.folder, moved);
}

} // namespace homebooth::core

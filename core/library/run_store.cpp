// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/run_store.h"

#include "core/base/run/journal.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/run_folder.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

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

/// What a run without a window amounts to: an attempt that ended without an outcome (the power went) has
/// failed.
std::string stateOf(const RunFolder& run, const RunHistory& history) {
    const auto owner = RunLock::owner(run.lockFile());
    if (owner && owner->alive) return "running";
    if (history.outcome) return history.outcome->result;
    return history.steps.empty() ? "waiting" : "failed";
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

/// Writes what the folder says of a run that the index may know. @returns whether that was news
Result<bool> takeUp(Library& library, const fs::path& folder, const RunRecord* known) {
    if (known != nullptr && upToDate(*known)) return false;
    std::optional<RunRecord> record = recordOf(folder);
    if (!record) return false;
    const bool same = known != nullptr && known->state == record->state && known->steps == record->steps &&
                      known->stepsDone == record->stepsDone && known->endedMs == record->endedMs;
    if (same) return false;
    HOMEBOOTH_CHECK(saveRun(library, *record));
    return true;
}

} // namespace

Result<std::vector<RunRecord>> loadRuns(const Library& library) {
    std::vector<RunRecord> runs;
    HOMEBOOTH_CHECK(library.read([&runs](SQLite::Database& database) {
        std::map<int64_t, size_t> places;
        SQLite::Statement rows(database, "SELECT id, folder, title, prompt, model, state, steps, steps_done,"
                                         " created_ms, ended_ms FROM runs ORDER BY created_ms DESC, id DESC");
        while (rows.executeStep()) {
            places[rows.getColumn(0).getInt64()] = runs.size();
            runs.push_back({rows.getColumn(0).getInt64(),
                            rows.getColumn(1).getString(),
                            rows.getColumn(2).getString(),
                            rows.getColumn(3).getString(),
                            rows.getColumn(4).getString(),
                            rows.getColumn(5).getString(),
                            rows.getColumn(6).getInt64(),
                            rows.getColumn(7).getInt64(),
                            rows.getColumn(8).getInt64(),
                            rows.getColumn(9).getInt64(),
                            {}});
        }
        SQLite::Statement links(database, "SELECT run_id, subject_id FROM run_subjects ORDER BY subject_id");
        while (links.executeStep())
            runs[places.at(links.getColumn(0).getInt64())].subjects.push_back(links.getColumn(1).getInt64());
    }));
    return runs;
}

Result<void> saveRun(Library& library, const RunRecord& run) {
    return library.write([&run](SQLite::Database& database) {
        SQLite::Statement upsert(
            database, "INSERT INTO runs VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(folder) DO UPDATE SET"
                      " state = excluded.state, steps = excluded.steps, steps_done = excluded.steps_done,"
                      " ended_ms = excluded.ended_ms");
        upsert.bind(1, run.id);
        upsert.bind(2, run.folder);
        upsert.bind(3, run.title);
        upsert.bind(4, run.prompt);
        upsert.bind(5, run.model);
        upsert.bind(6, run.state);
        upsert.bind(7, run.steps);
        upsert.bind(8, run.stepsDone);
        upsert.bind(9, run.createdMs);
        upsert.bind(10, run.endedMs);
        upsert.exec();
        SQLite::Statement link(database, "INSERT OR IGNORE INTO run_subjects SELECT id, ? FROM runs"
                                         " WHERE folder = ?");
        for (const int64_t subject : run.subjects) {
            link.bind(1, subject);
            link.bind(2, run.folder);
            link.exec();
            link.reset();
        }
    });
}

Result<void> renameRun(Library& library, const std::string& folder, const std::string& title) {
    return library.write([&](SQLite::Database& database) {
        SQLite::Statement update(database, "UPDATE runs SET title = ? WHERE folder = ?");
        update.bind(1, title);
        update.bind(2, folder);
        update.exec();
    });
}

std::map<std::string, std::string> runNotes(const RunRecord& run) {
    std::string subjects;
    for (const int64_t subject : run.subjects)
        subjects += (subjects.empty() ? "" : " ") + std::to_string(subject);
    return {{kRunTitleFact, run.title}, {kRunSubjectsFact, subjects}};
}

Result<void> removeRun(Library& library, const std::string& folder) {
    return library.write([&folder](SQLite::Database& database) {
        SQLite::Statement remove(database, "DELETE FROM runs WHERE folder = ?");
        remove.bind(1, folder);
        remove.exec();
    });
}

namespace {

Result<void> moveInIndex(Library& library, const std::string& from, const std::string& to) {
    return library.write([&](SQLite::Database& database) {
        const auto change = [&](const char* sql) {
            SQLite::Statement statement(database, sql);
            statement.bind(1, from);
            statement.bind(2, to);
            statement.exec();
        };
        // It may have been taken up as a new one meanwhile.
        change("DELETE FROM runs WHERE folder = ?2 AND ?1 <> ?2 AND EXISTS (SELECT 1 FROM runs WHERE folder "
               "= ?1)");
        change("UPDATE runs SET folder = ?2 WHERE folder = ?1");
        change("UPDATE runs SET model = ?2 || substr(model, length(?1) + 1)"
               " WHERE substr(model, 1, length(?1) + 1) = ?1 || '/'");
        change("UPDATE pictures SET model_path = ?2 || substr(model_path, length(?1) + 1)"
               " WHERE substr(model_path, 1, length(?1) + 1) = ?1 || '/'");
    });
}

/// Has a run that began from others say where those are. One that somebody works on is left as it is.
void follow(const std::string& folder, const std::map<std::string, std::string>& moved) {
    if (const auto run = RunFolder::open(folder)) (void)followOthers(*run, moved);
}

} // namespace

Result<void> moveRun(Library& library, const std::string& from, const std::string& to) {
    HOMEBOOTH_CHECK(moveInIndex(library, from, to));
    HOMEBOOTH_ASSIGN(const std::vector<RunRecord> runs, loadRuns(library));
    for (const RunRecord& run : runs) follow(run.folder, {{from, to}});
    return {};
}

namespace {

/// The run folders directly inside a folder.
std::vector<std::string> runFoldersIn(const std::string& folder) {
    std::vector<std::string> folders;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (fs::exists(it->path() / "run.json", ignored))
            folders.push_back(fs::absolute(it->path(), ignored).lexically_normal().string());
    }
    return folders;
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

/// Writes where runs are now that were moved, into the index and into every run.json that names one.
/// @param folders  of runs, also of those that the index does not know yet
Result<void> takeMoves(Library& library, const NewFolders& found, const std::vector<std::string>& folders,
                       const std::map<std::string, const RunRecord*>& runs) {
    for (const auto& [before, now] : found.moved) {
        HOMEBOOTH_CHECK(moveInIndex(library, before, now));
        settle(now);
    }
    // Else, once its original is gone, a copy that is renamed would be taken for that.
    for (const std::string& copy : found.copies) settle(copy);
    if (found.moved.empty()) return {};
    for (const std::string& path : folders)
        if (!found.links.contains(path)) follow(path, found.moved);
    for (const auto& [path, run] : runs) follow(path, found.moved); // of other folders, too
    return {};
}

} // namespace

Result<int> rebuildRuns(Library& library, const std::string& folder) {
    HOMEBOOTH_ASSIGN(const std::vector<RunRecord> known, loadRuns(library));
    std::map<std::string, const RunRecord*> runs;
    for (const RunRecord& run : known) runs[run.folder] = &run;
    const std::vector<std::string> folders = runFoldersIn(folder);
    const NewFolders found = lookAtNew(folders, runs);
    HOMEBOOTH_CHECK(takeMoves(library, found, folders, runs));
    std::set<std::string> done = found.links;
    for (const auto& [before, now] : found.moved) done.insert(now);
    int news = static_cast<int>(found.moved.size());
    for (const std::string& path : folders) {
        if (done.contains(path)) continue;
        const auto run = runs.find(path);
        HOMEBOOTH_ASSIGN(const bool changed,
                         takeUp(library, path, run == runs.end() ? nullptr : run->second));
        if (changed) ++news;
    }
    return news;
}

Result<std::vector<ModelRecord>> loadModels(const Library& library) {
    std::vector<ModelRecord> models;
    HOMEBOOTH_CHECK(library.read([&models](SQLite::Database& database) {
        SQLite::Statement rows(database, "SELECT id, name, path, kind, sha256, note, added_ms FROM models"
                                         " ORDER BY name COLLATE NOCASE, id");
        while (rows.executeStep())
            models.push_back({rows.getColumn(0).getInt64(), rows.getColumn(1).getString(),
                              rows.getColumn(2).getString(), rows.getColumn(3).getString(),
                              rows.getColumn(4).getString(), rows.getColumn(5).getString(),
                              rows.getColumn(6).getInt64()});
    }));
    return models;
}

namespace {

/// @param known  what becomes of a row of the same path, in SQL
Result<void> writeModel(Library& library, const ModelRecord& model, const std::string& known) {
    return library.write([&model, &known](SQLite::Database& database) {
        SQLite::Statement upsert(
            database, "INSERT INTO models VALUES(?,?,?,?,?,?,?) ON CONFLICT(path) DO UPDATE SET " + known);
        upsert.bind(1, model.id);
        upsert.bind(2, model.name);
        upsert.bind(3, model.path);
        upsert.bind(4, model.kind);
        upsert.bind(5, model.sha256);
        upsert.bind(6, model.note);
        upsert.bind(7, model.addedMs);
        upsert.exec();
    });
}

} // namespace

Result<void> saveModel(Library& library, const ModelRecord& model) {
    return writeModel(library, model,
                      "name = excluded.name, kind = excluded.kind, sha256 = excluded.sha256,"
                      " note = excluded.note");
}

Result<void> takeUpModel(Library& library, const ModelRecord& model) {
    return writeModel(library, model, "kind = excluded.kind, sha256 = excluded.sha256");
}

Result<void> removeModel(Library& library, int64_t id) {
    return library.write([id](SQLite::Database& database) {
        SQLite::Statement remove(database, "DELETE FROM models WHERE id = ?");
        remove.bind(1, id);
        remove.exec();
    });
}

} // namespace homebooth::core

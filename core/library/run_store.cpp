// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/run_store.h"

#include "core/library/statements.h"

namespace homebooth::core {

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
        execute(database,
                "INSERT INTO runs VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(folder) DO UPDATE SET"
                " state = excluded.state, steps = excluded.steps, steps_done = excluded.steps_done,"
                " ended_ms = excluded.ended_ms",
                run.id, run.folder, run.title, run.prompt, run.model, run.state, run.steps, run.stepsDone,
                run.createdMs, run.endedMs);
        SQLite::Statement link(database, "INSERT OR IGNORE INTO run_subjects SELECT id, ? FROM runs"
                                         " WHERE folder = ?");
        for (const int64_t subject : run.subjects) execute(link, subject, run.folder);
    });
}

Result<void> renameRun(Library& library, const std::string& folder, const std::string& title) {
    return execute(library, "UPDATE runs SET title = ? WHERE folder = ?", title, folder);
}

Result<void> setRunModel(Library& library, const std::string& folder, const std::string& model) {
    return execute(library, "UPDATE runs SET model = ? WHERE folder = ?", model, folder);
}

std::map<std::string, std::string> runNotes(const RunRecord& run) {
    std::string subjects;
    for (const int64_t subject : run.subjects)
        subjects += (subjects.empty() ? "" : " ") + std::to_string(subject);
    return {{kRunTitleFact, run.title}, {kRunSubjectsFact, subjects}};
}

Result<void> removeRun(Library& library, const std::string& folder) {
    return execute(library, "DELETE FROM runs WHERE folder = ?", folder);
}

Result<void> moveRun(Library& library, const std::string& from, const std::string& to) {
    return library.write([&](SQLite::Database& database) {
        const auto change = [&](const char* sql) { execute(database, sql, from, to); };
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

Result<void> followReturned(Library& library, const std::string& from, const std::string& to,
                            int64_t untilMs) {
    return library.write([&](SQLite::Database& database) {
        execute(database,
                "UPDATE runs SET model = ?2 || substr(model, length(?1) + 1)"
                " WHERE substr(model, 1, length(?1) + 1) = ?1 || '/' AND created_ms < ?3",
                from, to, untilMs);
        execute(database,
                "UPDATE pictures SET model_path = ?2 || substr(model_path, length(?1) + 1)"
                " WHERE substr(model_path, 1, length(?1) + 1) = ?1 || '/' AND created_ms < ?3",
                from, to, untilMs);
    });
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
    return execute(library,
                   "INSERT INTO models VALUES(?,?,?,?,?,?,?) ON CONFLICT(path) DO UPDATE SET " + known,
                   model.id, model.name, model.path, model.kind, model.sha256, model.note, model.addedMs);
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
    return execute(library, "DELETE FROM models WHERE id = ?", id);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/run_store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

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

Result<void> moveRun(Library& library, const std::string& from, const std::string& to) {
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

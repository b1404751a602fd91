// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/picture_store.h"

#include "core/base/text/search_text.h"
#include "core/library/search_function.h"
#include "core/library/statements.h"

#include <filesystem>
#include <utility>

namespace homebooth::core {
namespace {

constexpr const char* kColumns = "id, path, created_ms, width, height, prompt, model, model_path, parameters,"
                                 " favourite";

PictureRecord pictureOf(SQLite::Statement& row) {
    return {row.getColumn(0).getInt64(),   row.getColumn(1).getString(), row.getColumn(2).getInt64(),
            row.getColumn(3).getInt64(),   row.getColumn(4).getInt64(),  row.getColumn(5).getString(),
            row.getColumn(6).getString(),  row.getColumn(7).getString(), row.getColumn(8).getString(),
            row.getColumn(9).getInt() != 0};
}

/// The condition of a filter and the texts that it binds.
struct Condition {
    explicit Condition(const PictureFilter& filter) {
        for (std::string& word : wordsToFind(filter.words)) {
            sql += " AND instr(search_text(prompt || ' ' || model || ' ' || lora_names(parameters)), ?) > 0";
            texts.push_back(std::move(word));
        }
        if (!filter.model.empty()) {
            sql += " AND model IN (?";
            texts.push_back(filter.model);
            for (const std::string& name : filter.otherNames) {
                sql += ", ?";
                texts.push_back(name);
            }
            sql += ")";
        }
        if (filter.favourites) sql += " AND favourite = 1";
        if (filter.subject != 0) addSubject(filter);
    }
    void addSubject(const PictureFilter& filter) {
        sql += " AND (EXISTS (SELECT 1 FROM run_subjects s JOIN runs r ON r.id = s.run_id WHERE s.subject_id "
               "= " +
               std::to_string(filter.subject) +
               " AND substr(model_path, 1, length(r.folder) + 1) = r.folder || '/')";
        if (!filter.subjectWords.empty()) {
            sql += " OR instr(search_text(' ' || prompt || ' '), ?) > 0";
            texts.push_back(searchText(filter.subjectWords));
        }
        sql += ")";
    }
    int bindTo(SQLite::Statement& statement) const {
        int place = 1;
        for (const std::string& text : texts) statement.bind(place++, text);
        return place;
    }
    std::string sql = " WHERE trashed = 0";
    std::vector<std::string> texts;
};

/// Sets one column of many rows in one transaction.
Result<void> setColumn(Library& library, const char* sql, const std::vector<int64_t>& ids, bool value) {
    return library.write([&](SQLite::Database& database) {
        SQLite::Statement update(database, sql);
        for (const int64_t id : ids) execute(update, value ? 1 : 0, id);
    });
}

} // namespace

Result<std::vector<PictureRecord>> findPictures(const Library& library, const PictureFilter& filter,
                                                int64_t offset, int64_t limit) {
    std::vector<PictureRecord> pictures;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        const Condition condition(filter);
        SQLite::Statement rows(database, std::string("SELECT ") + kColumns + " FROM pictures" +
                                             condition.sql +
                                             " ORDER BY created_ms DESC, id DESC LIMIT ? OFFSET ?");
        const int place = condition.bindTo(rows);
        rows.bind(place, limit);
        rows.bind(place + 1, offset);
        while (rows.executeStep()) pictures.push_back(pictureOf(rows));
    }));
    return pictures;
}

Result<std::vector<PictureRecord>> findPicturesOf(const Library& library, const PictureFilter& filter,
                                                  const std::vector<int64_t>& ids) {
    std::vector<PictureRecord> pictures;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        const Condition condition(filter);
        SQLite::Statement row(database, std::string("SELECT ") + kColumns + " FROM pictures" + condition.sql +
                                            " AND id = ?");
        const int place = condition.bindTo(row);
        for (const int64_t id : ids) {
            row.bind(place, id);
            if (row.executeStep()) pictures.push_back(pictureOf(row));
            row.reset();
        }
    }));
    return pictures;
}

Result<int64_t> countPictures(const Library& library, const PictureFilter& filter) {
    int64_t count = 0;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        const Condition condition(filter);
        SQLite::Statement rows(database, "SELECT count(*) FROM pictures" + condition.sql);
        condition.bindTo(rows);
        rows.executeStep();
        count = rows.getColumn(0).getInt64();
    }));
    return count;
}

Result<std::vector<std::string>> pictureModels(const Library& library, const std::string& path) {
    std::vector<std::string> models;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        SQLite::Statement rows(database,
                               "SELECT DISTINCT model FROM pictures WHERE trashed = 0 AND model <> ''"
                               " AND ?1 IN ('', model_path) ORDER BY model COLLATE NOCASE");
        rows.bind(1, path);
        while (rows.executeStep()) models.push_back(rows.getColumn(0).getString());
    }));
    return models;
}

namespace {

/// @param known  what becomes of a row of the same path, in SQL
Result<void> insertPictures(Library& library, const std::vector<PictureRecord>& pictures,
                            const std::string& known) {
    return library.write([&](SQLite::Database& database) {
        SQLite::Statement insert(database, "INSERT OR " + known +
                                               " INTO pictures(id, path, created_ms, width, height,"
                                               " prompt, model, model_path, parameters, favourite, trashed)"
                                               " VALUES(?,?,?,?,?,?,?,?,?,?,0)");
        for (const PictureRecord& picture : pictures)
            execute(insert, picture.id, picture.path, picture.createdMs, picture.widthPixels,
                    picture.heightPixels, picture.prompt, picture.model, picture.modelPath,
                    picture.parameters, picture.favourite ? 1 : 0);
    });
}

} // namespace

Result<void> addPictures(Library& library, const std::vector<PictureRecord>& pictures) {
    return insertPictures(library, pictures, "IGNORE");
}

Result<void> takeUpPicture(Library& library, const PictureRecord& picture) {
    return insertPictures(library, {picture}, "REPLACE");
}

Result<void> setFavourite(Library& library, const std::vector<int64_t>& ids, bool favourite) {
    return setColumn(library, "UPDATE pictures SET favourite = ? WHERE id = ?", ids, favourite);
}

Result<void> setTrashed(Library& library, const std::vector<int64_t>& ids, bool trashed) {
    return setColumn(library, "UPDATE pictures SET trashed = ? WHERE id = ?", ids, trashed);
}

Result<std::vector<PictureState>> pictureStates(const Library& library,
                                                const std::vector<std::string>& paths) {
    std::vector<PictureState> states;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        SQLite::Statement row(database, "SELECT id, favourite, trashed, model FROM pictures WHERE path = ?");
        for (const std::string& path : paths) {
            row.bind(1, path);
            states.emplace_back();
            if (row.executeStep())
                states.back() = {row.getColumn(0).getInt64(), row.getColumn(1).getInt() != 0,
                                 row.getColumn(2).getInt() != 0, row.getColumn(3).getString()};
            row.reset();
        }
    }));
    return states;
}

Result<std::vector<PictureRecord>> trashedPictures(const Library& library) {
    std::vector<PictureRecord> pictures;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        SQLite::Statement rows(database,
                               std::string("SELECT ") + kColumns + " FROM pictures WHERE trashed = 1");
        while (rows.executeStep()) pictures.push_back(pictureOf(rows));
    }));
    return pictures;
}

Result<void> noteStart(Library& library, const std::string& path) {
    return library.write([&](SQLite::Database& database) {
        // Later than all others, however coarse the clock is.
        execute(database,
                "INSERT INTO starts SELECT ?, ?, max(?, coalesce(max(used_ms) + 1, 0))"
                " FROM starts WHERE true ON CONFLICT(path)"
                " DO UPDATE SET used_ms = excluded.used_ms",
                path, std::filesystem::path(path).filename().string(), nowMs());
    });
}

Result<std::vector<std::string>> findStarts(const Library& library, const std::string& name) {
    std::vector<std::string> paths;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        SQLite::Statement rows(database, "SELECT path FROM starts WHERE name = ? ORDER BY used_ms DESC");
        rows.bind(1, name);
        while (rows.executeStep()) paths.push_back(rows.getColumn(0).getString());
    }));
    return paths;
}

Result<void> movePictures(Library& library, const std::vector<MovedPicture>& moved) {
    return library.write([&](SQLite::Database& database) {
        SQLite::Statement join(
            database,
            "UPDATE pictures SET favourite = max(pictures.favourite, old.favourite),"
            " trashed = min(pictures.trashed, old.trashed), model = old.model, model_path = old.model_path"
            " FROM (SELECT favourite, trashed, model, model_path FROM pictures WHERE id = ?1) AS old"
            " WHERE pictures.path = ?2 AND pictures.id <> ?1");
        SQLite::Statement move(database, "UPDATE OR IGNORE pictures SET path = ?2 WHERE id = ?1");
        SQLite::Statement drop(database, "DELETE FROM pictures WHERE id = ?1 AND path <> ?2");
        for (const MovedPicture& one : moved)
            for (SQLite::Statement* statement : {&join, &move, &drop}) execute(*statement, one.id, one.path);
    });
}

Result<void> forgetPictures(Library& library, const std::vector<int64_t>& ids) {
    return library.write([&](SQLite::Database& database) {
        SQLite::Statement remove(database, "DELETE FROM pictures WHERE id = ?");
        for (const int64_t id : ids) execute(remove, id);
    });
}

} // namespace homebooth::core

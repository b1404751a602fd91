// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/subject_store.h"

#include "core/library/statements.h"

#include <map>

namespace homebooth::core {
namespace {

Photo photoOf(SQLite::Statement& row) {
    Photo photo;
    photo.id = row.getColumn(0).getInt64();
    photo.path = row.getColumn(2).getString();
    photo.caption = row.getColumn(3).getString();
    photo.leftOut = row.getColumn(4).getInt() != 0;
    if (row.getColumn(5).isNull()) return photo;
    photo.edit = {row.getColumn(5).getInt(),    row.getColumn(6).getDouble(), row.getColumn(7).getDouble(),
                  row.getColumn(8).getDouble(), row.getColumn(9).getDouble(), row.getColumn(10).getUInt()};
    return photo;
}

void savePhoto(SQLite::Database& database, int64_t subject, const Photo& photo, int64_t position) {
    execute(database,
            "INSERT INTO photos(id, subject_id, path, position, caption, left_out)"
            " VALUES(?,?,?,?,?,?)",
            photo.id, subject, photo.path, position, photo.caption, photo.leftOut ? 1 : 0);
    if (photo.edit.empty()) return;
    execute(database,
            "INSERT INTO edits(photo_id, quarter_turns, crop_left, crop_top,"
            " crop_width, crop_height, background_rgb) VALUES(?,?,?,?,?,?,?)",
            photo.id, photo.edit.quarterTurns, photo.edit.cropLeft, photo.edit.cropTop, photo.edit.cropWidth,
            photo.edit.cropHeight, static_cast<int64_t>(photo.edit.backgroundRgb));
}

} // namespace

PhotoEdit turnedOnce(const PhotoEdit& edit) {
    // What was at the bottom comes to the left, the left to the top.
    return {(edit.quarterTurns + 1) % 4,
            1.0 - (edit.cropTop + edit.cropHeight),
            edit.cropLeft,
            edit.cropHeight,
            edit.cropWidth,
            edit.backgroundRgb};
}

Result<std::vector<Subject>> loadSubjects(const Library& library) {
    std::vector<Subject> subjects;
    HOMEBOOTH_CHECK(library.read([&subjects](SQLite::Database& database) {
        std::map<int64_t, size_t> places;
        SQLite::Statement rows(database,
                               "SELECT id, name, class_noun, class_guessed, trigger_word, created_ms"
                               " FROM subjects ORDER BY position, id");
        while (rows.executeStep()) {
            places[rows.getColumn(0).getInt64()] = subjects.size();
            subjects.push_back({rows.getColumn(0).getInt64(),
                                rows.getColumn(1).getString(),
                                rows.getColumn(2).getString(),
                                rows.getColumn(3).getInt() != 0,
                                rows.getColumn(4).getString(),
                                rows.getColumn(5).getInt64(),
                                {}});
        }
        SQLite::Statement photos(database,
                                 "SELECT p.id, p.subject_id, p.path, p.caption, p.left_out, e.quarter_turns,"
                                 " e.crop_left, e.crop_top, e.crop_width, e.crop_height, e.background_rgb"
                                 " FROM photos p"
                                 " LEFT JOIN edits e ON e.photo_id = p.id ORDER BY p.position, p.id");
        while (photos.executeStep()) // one whose subject is gone belongs to none
            if (const auto place = places.find(photos.getColumn(1).getInt64()); place != places.end())
                subjects[place->second].photos.push_back(photoOf(photos));
    }));
    return subjects;
}

Result<void> saveSubject(Library& library, const Subject& subject, int64_t position) {
    return library.write([&subject, position](SQLite::Database& database) {
        execute(database,
                "INSERT INTO subjects(id, name, class_noun, class_guessed, trigger_word, position,"
                " created_ms) VALUES(?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET name = excluded.name,"
                " class_noun = excluded.class_noun, class_guessed = excluded.class_guessed,"
                " trigger_word = excluded.trigger_word, position = excluded.position",
                subject.id, subject.name, subject.classNoun, subject.classGuessed ? 1 : 0,
                subject.triggerWord, position, subject.createdMs);
        execute(database, "DELETE FROM photos WHERE subject_id = ?", subject.id);
        for (size_t i = 0; i < subject.photos.size(); ++i)
            savePhoto(database, subject.id, subject.photos[i], static_cast<int64_t>(i));
    });
}

Result<void> removeSubject(Library& library, int64_t id) {
    return execute(library, "DELETE FROM subjects WHERE id = ?", id);
}

} // namespace homebooth::core

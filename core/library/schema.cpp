// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/schema.h"

#include <array>

namespace homebooth::core {
namespace {

// Positions are sparse integers; times are milliseconds since 1970, UTC; crops are fractions of the upright
// photo. A trashed row is hidden and kept until it is purged, so that undoing needs no copy elsewhere.
constexpr const char* kFirst = R"(
CREATE TABLE subjects(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, class_noun TEXT NOT NULL, class_guessed INTEGER NOT NULL,
    trigger_word TEXT NOT NULL, position INTEGER NOT NULL, created_ms INTEGER NOT NULL) STRICT;
CREATE TABLE photos(
    id INTEGER PRIMARY KEY, subject_id INTEGER NOT NULL REFERENCES subjects(id) ON DELETE CASCADE,
    path TEXT NOT NULL, position INTEGER NOT NULL, caption TEXT NOT NULL,
    left_out INTEGER NOT NULL) STRICT;
CREATE INDEX photos_of_subject ON photos(subject_id, position);
CREATE TABLE edits(
    photo_id INTEGER PRIMARY KEY REFERENCES photos(id) ON DELETE CASCADE,
    quarter_turns INTEGER NOT NULL, crop_left REAL NOT NULL, crop_top REAL NOT NULL,
    crop_width REAL NOT NULL, crop_height REAL NOT NULL) STRICT;
CREATE TABLE datasets(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL UNIQUE,
    created_ms INTEGER NOT NULL) STRICT;
CREATE TABLE prompts(
    id INTEGER PRIMARY KEY, text TEXT NOT NULL, negative TEXT NOT NULL, favourite INTEGER NOT NULL,
    used_ms INTEGER NOT NULL, uses INTEGER NOT NULL, UNIQUE(text, negative)) STRICT;
CREATE TABLE models(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    sha256 TEXT NOT NULL, note TEXT NOT NULL, added_ms INTEGER NOT NULL) STRICT;
CREATE TABLE runs(
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, title TEXT NOT NULL, prompt TEXT NOT NULL,
    model TEXT NOT NULL, state TEXT NOT NULL, steps INTEGER NOT NULL, steps_done INTEGER NOT NULL,
    created_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL) STRICT;
CREATE TABLE run_subjects(
    run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    subject_id INTEGER NOT NULL, PRIMARY KEY(run_id, subject_id)) STRICT;
CREATE TABLE pictures(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, prompt TEXT NOT NULL, model TEXT NOT NULL,
    model_path TEXT NOT NULL, parameters TEXT NOT NULL, favourite INTEGER NOT NULL,
    trashed INTEGER NOT NULL) STRICT;
CREATE INDEX pictures_by_time ON pictures(trashed, created_ms DESC, id DESC);
CREATE TABLE queue(
    id INTEGER PRIMARY KEY, position INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
    folder TEXT NOT NULL, request TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT;
)";

// Pictures that others began from: these name it, but not its folder.
constexpr const char* kSecond = R"(
CREATE TABLE starts(path TEXT PRIMARY KEY, name TEXT NOT NULL, used_ms INTEGER NOT NULL) STRICT;
CREATE INDEX starts_by_name ON starts(name, used_ms DESC);
)";

// Words that a prompt's {name} stands for, as the user typed them, one a line.
constexpr const char* kThird = R"(
CREATE TABLE word_lists(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT;
)";

// What stands behind the transparent parts of a photo, 0xRRGGBB; before, it was white for all.
constexpr const char* kFourth = R"(
ALTER TABLE edits ADD COLUMN background_rgb INTEGER NOT NULL DEFAULT 16777215;
)";

// The same for all pictures of a dataset.
constexpr const char* kFifth = R"(
ALTER TABLE datasets ADD COLUMN background_rgb INTEGER NOT NULL DEFAULT 16777215;
)";

constexpr std::array<Migration, 5> kMigrations{
    {{1, kFirst}, {2, kSecond}, {3, kThird}, {4, kFourth}, {5, kFifth}}};

} // namespace

std::span<const Migration> libraryMigrations() {
    return kMigrations;
}

int librarySchemaVersion() {
    return kMigrations.back().number;
}

} // namespace homebooth::core

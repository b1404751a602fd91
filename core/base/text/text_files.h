// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which files of texts there are under a path, and what lies beside them that is not learned. Private to
// core/base/text. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace homebooth::core {

enum class TextKind {
    Plain,   ///< one text
    Lines,   ///< .jsonl: an object a line
    Entries, ///< .json: a list of objects or strings, or one behind another
};

struct TextFile {
    std::filesystem::path path;
    TextKind kind = TextKind::Plain;
    int64_t bytes = 0;
    int64_t mostTextBytes = 0; ///< that its texts can have in UTF-8
    bool isLinked = false;     ///< itself, or a folder that it lies in
};

/// How many there are of something, and the name of the first.
struct Counted {
    int64_t count = 0;
    std::filesystem::path first = {};

    void add(const std::filesystem::path& path);
};

struct TextFiles {
    std::filesystem::path folder;
    /// In the order of their paths. Of what is Entries by its name, nothing else is known.
    std::vector<TextFile> files;
    Counted otherFiles;       ///< of kinds that are not read
    Counted jsonWithoutTexts; ///< as who reads them finds
    Counted twins;            ///< of a name that another file has, too, but for its ending
    Counted foreignFolders;   ///< runs and models, which are not entered
    Counted unreadable;       ///< files and folders
    Counted linkedFolders;    ///< behind links; read like others
};

/// All in a folder, but for what is hidden, by name. Folders behind links are entered, too, each folder
/// once whatever its names. Not entered are folders below that hold a run, a model or a tokenizer: their
/// journals, tables and licences are no texts; what this user may not list, as lost+found on a drive; and
/// what cannot be listed behind a link. Errors: BadInput for another folder that cannot be listed
[[nodiscard]] Result<TextFiles> textFilesIn(const std::filesystem::path& folder);

/// Leaves out a .json that a program wrote beside the same text under the same name: an object beside a .txt
/// or .md, anything beside a .jsonl or .ndjson. Learned twice, a text would be known already where it is held
/// out. Goes by TextFile::bytes: what is empty counts as no other file.
void leaveTwinsOut(TextFiles& found);

/// Whether files of such a name hold all kinds of things: .json, but not .ndjson.
[[nodiscard]] bool isOftenNoText(const TextFile& file);

/// A file that somebody named. Errors: BadInput for what is no text by its name's ending, with what to
/// do; other endings are of texts
[[nodiscard]] Result<TextFile> namedTextFile(const std::filesystem::path& path);

/// What of a folder is left out, and what lies elsewhere and is read, in a sentence; empty: nothing.
[[nodiscard]] std::string noticeOf(const TextFiles& found);

/// Of a folder without texts.
[[nodiscard]] Error noTexts(const TextFiles& found);

} // namespace homebooth::core

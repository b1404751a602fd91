// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/word_list_store.h"

#include "core/library/statements.h"

#include <algorithm>

namespace homebooth::core {

std::vector<std::string> entriesOf(const std::string& text) {
    constexpr const char* kSpace = " \t\r";
    std::vector<std::string> entries;
    for (size_t from = 0; from < text.size();) {
        const size_t end = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, end - from);
        from = end + 1;
        const size_t first = line.find_first_not_of(kSpace);
        if (first == std::string::npos || line[first] == '#') continue;
        entries.push_back(line.substr(first, line.find_last_not_of(kSpace) - first + 1));
    }
    return entries;
}

Result<std::vector<WordList>> loadWordLists(const Library& library) {
    std::vector<WordList> lists;
    HOMEBOOTH_CHECK(library.read([&lists](SQLite::Database& database) {
        SQLite::Statement rows(
            database, "SELECT id, name, text, created_ms FROM word_lists ORDER BY name COLLATE NOCASE");
        while (rows.executeStep())
            lists.push_back({rows.getColumn(0).getInt64(), rows.getColumn(1).getString(),
                             rows.getColumn(2).getString(), rows.getColumn(3).getInt64()});
    }));
    return lists;
}

Result<void> saveWordList(Library& library, const WordList& list) {
    return execute(library,
                   "INSERT INTO word_lists VALUES(?,?,?,?) ON CONFLICT(id)"
                   " DO UPDATE SET name = excluded.name, text = excluded.text",
                   list.id, list.name, list.text, list.createdMs);
}

Result<void> removeWordList(Library& library, int64_t id) {
    return execute(library, "DELETE FROM word_lists WHERE id = ?", id);
}

} // namespace homebooth::core

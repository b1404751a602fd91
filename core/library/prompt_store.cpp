// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/prompt_store.h"

#include "core/library/search_function.h"
#include "core/library/statements.h"

namespace homebooth::core {

namespace {

constexpr const char* kColumns = "SELECT id, text, negative, favourite, used_ms, uses FROM prompts";

Prompt promptOf(SQLite::Statement& row) {
    return {row.getColumn(0).getInt64(),    row.getColumn(1).getString(), row.getColumn(2).getString(),
            row.getColumn(3).getInt() != 0, row.getColumn(4).getInt64(),  row.getColumn(5).getInt64()};
}

} // namespace

Result<std::vector<Prompt>> findPrompts(const Library& library, const std::string& words, int64_t limit,
                                        bool favouritesOnly) {
    std::vector<Prompt> prompts;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        const std::vector<std::string> wanted = wordsToFind(words);
        std::string sql = std::string(kColumns) + (favouritesOnly ? " WHERE favourite = 1" : " WHERE 1");
        for (size_t i = 0; i < wanted.size(); ++i)
            sql += " AND instr(search_text(text || ' ' || negative), ?) > 0";
        sql += " ORDER BY favourite DESC, used_ms DESC, id DESC LIMIT ?";
        SQLite::Statement rows(database, sql);
        int place = 1;
        for (const std::string& word : wanted) rows.bind(place++, word);
        rows.bind(place, limit);
        while (rows.executeStep()) prompts.push_back(promptOf(rows));
    }));
    return prompts;
}

Result<std::optional<Prompt>> findPrompt(const Library& library, const std::string& text,
                                         const std::string& negative) {
    std::optional<Prompt> found;
    HOMEBOOTH_CHECK(library.read([&](SQLite::Database& database) {
        SQLite::Statement row(database, std::string(kColumns) + " WHERE text = ? AND negative = ?");
        row.bind(1, text);
        row.bind(2, negative);
        if (row.executeStep()) found = promptOf(row);
    }));
    return found;
}

Result<void> notePromptUse(Library& library, const std::string& text, const std::string& negative) {
    return library.write([&](SQLite::Database& database) {
        execute(database,
                "INSERT INTO prompts VALUES(?,?,?,0,?,1) ON CONFLICT(text, negative)"
                " DO UPDATE SET used_ms = excluded.used_ms, uses = uses + 1",
                newRecordId(), text, negative, nowMs());
    });
}

Result<void> savePrompt(Library& library, const Prompt& prompt) {
    return execute(library, "INSERT OR REPLACE INTO prompts VALUES(?,?,?,?,?,?)", prompt.id, prompt.text,
                   prompt.negative, prompt.favourite ? 1 : 0, prompt.usedMs, prompt.uses);
}

Result<void> setPromptFavourite(Library& library, int64_t id, bool favourite) {
    return execute(library, "UPDATE prompts SET favourite = ? WHERE id = ?", favourite ? 1 : 0, id);
}

Result<void> removePrompt(Library& library, int64_t id) {
    return execute(library, "DELETE FROM prompts WHERE id = ?", id);
}

} // namespace homebooth::core

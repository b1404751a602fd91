// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Searching in SQL. LIKE knows upper and lower case of ASCII letters alone. A column beside each text, in the
// form that is compared, was considered; it would have to be kept up wherever a row is written, and some
// ten thousand prompts are gone through sooner than a page is painted. Private to core/library.
#pragma once

#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace homebooth::core {

/// Teaches a connection the function search_text(x), which is `searchText` of core/base/text, and
/// lora_names(x): the names of the LoRAs that a picture's `parameters` list.
/// Errors: throws SQLite::Exception
void addSearchFunction(SQLite::Database& database);

/// The words of a search, each a condition: no more of them than SQLite takes in one question. Of a whole
/// text that somebody pasted the first ones tell enough.
[[nodiscard]] std::vector<std::string> wordsToFind(const std::string& typed);

} // namespace homebooth::core

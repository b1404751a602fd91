// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/search_function.h"

#include "core/base/text/generation_parameters.h"
#include "core/base/text/search_text.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <new>
#include <string>
#include <string_view>

namespace homebooth::core {
namespace {

std::string loraNames(std::string_view parameters) {
    std::string names;
    if (parameters.find("Lora hashes:") == std::string_view::npos) return names; // most texts
    for (const auto& [name, hash] : parseGenerationParameters(parameters).loraHashes)
        names.append(names.empty() ? "" : " ").append(name);
    return names;
}

template <std::string (*function)(std::string_view)>
void answer(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
    try {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
        if (bytes == nullptr) return sqlite3_result_null(context);
        const auto size = static_cast<size_t>(sqlite3_value_bytes(values[0]));
        const std::string text = function({bytes, size});
        sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    } catch (const std::bad_alloc&) { // SQLite is C
        sqlite3_result_error_nomem(context);
    }
}

} // namespace

void addSearchFunction(SQLite::Database& database) {
    database.createFunction("search_text", 1, /*abDeterministic=*/true, nullptr, answer<searchText>);
    database.createFunction("lora_names", 1, /*abDeterministic=*/true, nullptr, answer<loraNames>);
}

std::vector<std::string> wordsToFind(const std::string& typed) {
    constexpr size_t kMost = 200; // SQLite: an expression is at most 1000 deep
    std::vector<std::string> words = searchWords(typed);
    if (words.size() > kMost) words.resize(kMost);
    return words;
}

} // namespace homebooth::core

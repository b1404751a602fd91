// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What all stores do with SQL that changes rows: values for its question marks, in their order.
// Free functions without state, for the stores alone; they throw as SQLiteCpp does, but for the last one.
#pragma once

#include "core/library/library.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/VariadicBind.h>

#include <string>

namespace homebooth::core {

/// Runs a prepared statement, which can be run again afterwards.
template <class... Values>
void execute(SQLite::Statement& statement, const Values&... values) {
    SQLite::bind(statement, values...);
    statement.exec();
    statement.reset();
}

/// Runs a statement once, within a transaction.
template <class... Values>
void execute(SQLite::Database& database, const std::string& sql, const Values&... values) {
    SQLite::Statement statement(database, sql);
    execute(statement, values...);
}

/// Runs a statement once, as a transaction of its own. Errors: as Library::write
template <class... Values>
[[nodiscard]] Result<void> execute(Library& library, const std::string& sql, const Values&... values) {
    return library.write([&](SQLite::Database& database) { execute(database, sql, values...); });
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The library's tables as numbered migrations. A migration that was released never changes: what comes later
// is a new one. Free functions; any thread.
#pragma once

#include <cstdint>
#include <span>

namespace homebooth::core {

/// "HmBt", in the header of every library file: other programs' databases are refused.
constexpr int32_t kLibraryApplicationId = 0x486d4274;

struct Migration {
    int number; ///< user_version afterwards; 1, 2, 3 ...
    const char* sql;
};

[[nodiscard]] std::span<const Migration> libraryMigrations();

/// The number of the last migration.
[[nodiscard]] int librarySchemaVersion();

} // namespace homebooth::core

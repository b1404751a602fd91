// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One header of a tar archive, and the records that pax headers hold. Internal to tar_index.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

constexpr int64_t kTarBlockBytes = 512;

struct TarHeader {
    std::string name;
    std::string linkName; ///< what a link leads to
    char type = '0';
    std::optional<int64_t> bytes; ///< of the contents; nothing where the field holds no size
};

/// Whether the checksum of a block is right, with its bytes taken as unsigned or, as old programs did, as
/// signed.
[[nodiscard]] bool tarChecksumMatches(std::string_view block);

/// @param block  kTarBlockBytes bytes whose checksum is right
[[nodiscard]] TarHeader parseTarHeader(std::string_view block);

/// What a pax header says by keyword; nothing where its records are not understood.
using PaxRecords = std::map<std::string, std::string>;
[[nodiscard]] std::optional<PaxRecords> parsePaxRecords(std::string_view text);

/// A decimal number, all of the text. Nothing where it is none or too large.
[[nodiscard]] std::optional<int64_t> parseDecimal(std::string_view text);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Events as lines of the journal and back. Free functions without state; any thread.
//
//   {"v":1,"seq":17,"time":"2026-11-21T10:00:00.123Z","type":"step","step":17,"epoch":3,"loss":0.12,...}
//
// Where the machine has slept since the line before, "sleptSeconds" says for how long: times count it.
// Numbers that are not finite are written as null and read as NaN. Text that is no UTF-8 is written with
// replacement characters.
#pragma once

#include "core/base/run/journal/event.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

constexpr int kJournalVersion = 1;

/// Bytes. A journal may come from anywhere, and a line takes many times its size in memory. What one's own
/// worker says is longer where it names thousands of pictures.
constexpr size_t kLongestJournalLine = size_t{256} << 10;

/// One line of the journal.
struct JournalEntry {
    int64_t seq = 0;
    std::string time; ///< ISO 8601, UTC, milliseconds
    Event event;
    int64_t sleptMs = 0; ///< of the time since the line before
};

/// "2026-11-21T10:00:00.123Z"
[[nodiscard]] std::string isoTime(std::chrono::system_clock::time_point time);

/// The line without its line break.
[[nodiscard]] std::string toJsonLine(const JournalEntry& entry);

/// Nothing for types and versions that this program does not know, and for lines that are no entry.
/// @param longest  bytes; nothing for longer lines. Of a journal kLongestJournalLine
[[nodiscard]] std::optional<JournalEntry> parseJournalLine(std::string_view line,
                                                           size_t longest = std::string_view::npos);

/// The plan as `plan --json` prints it: the event without seq and time.
[[nodiscard]] std::string planJson(const PlanEvent& plan);

/// "state", "step", ...
[[nodiscard]] const char* eventTypeName(const Event& event);

} // namespace homebooth::core

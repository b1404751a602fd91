// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Data sets of more pictures than steps that nobody chose can learn.
// Free function without state; any thread.
#pragma once

#include "core/base/config/train_config.h"

#include <optional>
#include <string>

namespace homebooth::core {

constexpr const char* kSeldomSeen = "seldom-seen"; ///< code of the warning

/// That there are fewer steps than each picture is learned once in, and how many would do. Counts
/// pictures by their names, or the lines of a metadata.jsonl.
/// @returns nothing where there are enough steps, or where pictures are packed in shards or cannot be
/// counted: what is wrong with a folder is told elsewhere
[[nodiscard]] std::optional<std::string> seldomSeenWarning(const TrainConfig& config);

} // namespace homebooth::core

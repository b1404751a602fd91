// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// TrainConfig as JSON text and its validation. What depends on the model: training_defaults.h.
// Free functions without state; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

#include <set>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Paths of the settings that somebody named ("optimizer.learningRate"): defaults leave them alone.
using GivenFields = std::set<std::string>;

/// The text of a JSON object with every setting, two spaces of indentation.
[[nodiscard]] std::string toJson(const TrainConfig& config);

/// Reads such an object over the values in `config`; keys may be missing. Also takes a whole run.json and
/// then reads its "config", but for the folder of that run.
/// @param given  receives the paths that were there; may be null
/// Errors: BadInput listing everything at once: unknown keys with the nearest known one, wrong types,
///         numbers out of range. `config` is then unchanged.
[[nodiscard]] Result<void> readJson(std::string_view text, TrainConfig& config, GivenFields* given = nullptr);

/// Checks ranges and what must fit together. Looks at no file.
/// Errors: BadInput listing every violation
[[nodiscard]] Result<void> validate(const TrainConfig& config);

/// Whether a setting decides what a step computes. @param path  of its field
[[nodiscard]] bool decidesSteps(std::string_view path);

/// SHA-256 of those settings that decide what a step computes: where files lie, how often is saved, how many
/// steps there are in all and what memory may be used stay out, so that a run can be moved and trained on.
[[nodiscard]] std::string trainConfigHash(const TrainConfig& config);

} // namespace homebooth::core

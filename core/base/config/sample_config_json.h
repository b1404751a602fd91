// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SampleConfig as JSON text and its validation. Free functions without state; any thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/config/train_config_json.h"

#include <string>
#include <string_view>

namespace homebooth::core {

/// The text of a JSON object with every setting.
[[nodiscard]] std::string toJson(const SampleConfig& config);

/// Reads such an object over the values in `config`. Errors: as readJson of TrainConfig
[[nodiscard]] Result<void> readJson(std::string_view text, SampleConfig& config,
                                    GivenFields* given = nullptr);

/// Errors: BadInput listing every violation
[[nodiscard]] Result<void> validate(const SampleConfig& config);

/// "style.safetensors:0.8" or "style.safetensors". A colon within the path is part of it unless a number
/// follows the last one. Errors: Usage for an empty path, and for what was meant as a weight and is no finite
/// number: behind a file's ending, or with a comma
[[nodiscard]] Result<LoraReference> parseLoraReference(std::string_view text);

} // namespace homebooth::core

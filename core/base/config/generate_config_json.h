// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The settings of GenerateConfig, as JSON text, and their validation. Free functions without state; any
// thread.
#pragma once

#include "core/base/config/config_fields.h"
#include "core/base/config/generate_config.h"

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// All settings but the LoRAs, in the order of the structure.
[[nodiscard]] std::vector<ConfigField> configFields(GenerateConfig& config);

/// The text of a JSON object with every setting.
[[nodiscard]] std::string toJson(const GenerateConfig& config);

/// Reads such an object over the values in `config`. Errors: as readJson of TrainConfig
[[nodiscard]] Result<void> readJson(std::string_view text, GenerateConfig& config);

/// Errors: BadInput listing every violation
[[nodiscard]] Result<void> validate(const GenerateConfig& config);

} // namespace homebooth::core

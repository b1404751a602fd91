// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which options of train, sample, generate and their plans change nothing, by the settings beside them.
// Free functions without state; any thread.
#pragma once

#include "core/base/config/generate_config.h"
#include "core/base/config/idle_options.h"
#include "core/base/config/sample_config.h"

#include <string>
#include <vector>

namespace homebooth::core {

constexpr const char* kIdleOption = "idle-option"; ///< code of warnings

/// What there is to say of the named options that change nothing.
/// Errors: Usage for those without which something else is learned than whoever named them wants
[[nodiscard]] Result<std::vector<std::string>> idleSettings(const TrainConfig& config,
                                                            const NamedOptions& named);
/// Likewise; none of them is refused.
[[nodiscard]] std::vector<std::string> idleSettings(const SampleConfig& config, const NamedOptions& named);
[[nodiscard]] std::vector<std::string> idleSettings(const GenerateConfig& config, const NamedOptions& named);

} // namespace homebooth::core

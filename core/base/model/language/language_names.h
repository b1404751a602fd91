// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the parameters of a language model lie in its files. Private to core/base/model. Stateless; any
// thread.
#pragma once

#include "core/base/model/component_layout.h"
#include "core/base/model/compvis_names.h"
#include "core/base/model/configs/language_config.h"

#include <string>
#include <vector>

namespace homebooth::core {

constexpr const char* kHeadName = "lm_head.weight";

/// Its parameters, in the order of its schedule.
[[nodiscard]] ComponentLayout languageLayout(const LanguageConfig& config);

/// Whether files hold this parameter with its axes the other way round: GPT-2's linear layers.
[[nodiscard]] bool isTurnedInFiles(const std::string& name, LanguageFamily family);

/// The names that a parameter may have, best first: with the prefix that transformers writes, and without it.
[[nodiscard]] std::vector<CompVisTensor> languageNames(const LayoutEntry& entry, LanguageFamily family);

/// What files have beside parameters: masks, and the copy of a tied table.
[[nodiscard]] bool isIgnoredTensor(const std::string& name, const LanguageConfig& config);

} // namespace homebooth::core

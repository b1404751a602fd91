// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of a folder that is neither a diffusers folder nor a language model's: what lies in it
// tells which of them it was to be. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>

namespace homebooth::core {

/// Of a folder without model_index.json and unet/ that isLanguageFolder does not know either: one of
/// Hugging Face's cache, which has its models further below, a run, a language model whose config.json is
/// damaged or missing, anything else.
[[nodiscard]] Error notAModelFolder(const std::filesystem::path& folder);

} // namespace homebooth::core

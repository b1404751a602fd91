// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ways into openModel and what they share. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/model/component_match.h"
#include "core/base/model/model_source.h"

namespace homebooth::core {

[[nodiscard]] Result<ModelSource> openDiffusersFolder(const std::string& path, const OpenOptions& options);
[[nodiscard]] Result<ModelSource> openSingleFile(const std::string& path, const OpenOptions& options);

/// Refuses what this program cannot compute although its parts can be read: SDXL, inpainting.
[[nodiscard]] Result<void> checkSupported(const ModelSource& model, const OpenOptions& options);

/// Refuses configurations of absurd size before they are laid out, block by block, in memory.
[[nodiscard]] Result<void> checkPlausible(const ModelSource& model);

/// Metadata keys under which Homebooth's single files keep what the layout does not say.
constexpr const char* kUnetConfigKey = "homebooth.unet_config";
constexpr const char* kVaeConfigKey = "homebooth.vae_config";
constexpr const char* kTextEncoderConfigKey = "homebooth.text_encoder_config";
constexpr const char* kSchedulerConfigKey = "homebooth.scheduler_config";
constexpr const char* kTokenizerKeyPrefix = "homebooth.tokenizer/";

} // namespace homebooth::core

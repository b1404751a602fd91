// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a single file of SD 1.x or 2.x does not tell other programs of a model that predicts v, or an SD 2.x
// that no longer does: A1111 and Forge read it from a file beside it, in ComfyUI a person has to choose it.
// SDXL has keys for it. What is beside somebody else's file is read here, too.
// Stateless; any thread.
// Sources: AUTOMATIC1111/stable-diffusion-webui modules/sd_models_config.py, lllyasviel's Forge
// backend/loader.py, comfyanonymous/ComfyUI comfy/supported_models.py (what each looks at).
#pragma once

#include "core/base/model/model_family.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace homebooth::core {

struct ModelSource;

/// Codes of warnings that say so.
constexpr const char* kVChosenElsewhere = "v-chosen-elsewhere";
constexpr const char* kZeroSnrChosenElsewhere = "zero-snr-chosen-elsewhere";
constexpr const char* kNoiseChosenElsewhere = "noise-chosen-elsewhere";

/// What a person has to choose in another program.
struct ChoiceElsewhere {
    std::string code;
    std::string message;
};
using ChoiceCallback = std::function<void(const ChoiceElsewhere&)>;

/// Nothing: every program finds out by itself, or can not run such a model at all.
[[nodiscard]] std::optional<ChoiceElsewhere> choiceElsewhere(const ModelSource& model);

/// The text of the .yaml by which A1111 and Forge know how the file of the same name predicts; empty where
/// they need none.
[[nodiscard]] std::string configurationBeside(const ModelSource& model);

/// Where that lies.
[[nodiscard]] std::filesystem::path pathBeside(const std::filesystem::path& file);

/// What the .yaml beside a single file says that it predicts; none: there is none, or it does not say it. One
/// that is no regular file, or larger than such texts are, counts as none.
[[nodiscard]] std::optional<PredictionType> predictionBeside(const std::filesystem::path& file,
                                                             ModelFamily family);

/// Whether a file begins as such a text does: Homebooth wrote it.
[[nodiscard]] bool isConfigurationBeside(const std::filesystem::path& file);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns models, LoRAs and saved moments of trainings from one form into another: `homebooth-engine convert`.
// Stateless; any thread.
#pragma once

#include "core/base/model/lora/lora_file.h"

#include <functional>

namespace homebooth::core {

/// The last two are of language models: a folder for transformers, and one for PEFT.
enum class ConvertTarget { Diffusers, Checkpoint, KohyaLora, DiffusersLora, Transformers, PeftLora };

/// diffusers, checkpoint, kohya-lora, diffusers-lora, transformers, peft-lora. Errors: Usage, naming these
/// words
[[nodiscard]] Result<ConvertTarget> convertTargetFromString(std::string_view text);

struct ConvertOptions {
    WriteOptions write;
    OpenOptions open; ///< of a LoRA its predictionType counts alone; of a language model none may be set
    /// Told, in words, that a whole model says another prediction type than was asked for.
    std::function<void(const std::string&)> onOtherPrediction = {};
    /// Told, in words, what of a whole model's folder is not taken along (left_aside.h).
    std::function<void(const std::string&)> onLeftAside = {};
};

/// Reads `in` (whatever it is) and writes `out`, which must not exist.
/// Errors: BadInput (a LoRA where a model is needed and the like), OutOfResources; Usage: zeroTerminalSnr of
/// a LoRA, which has no noise schedule, and options of pictures of a language model
[[nodiscard]] Result<WriteOutcome> convertModel(const std::string& in, const std::string& out,
                                                ConvertTarget target, const ConvertOptions& options = {});

} // namespace homebooth::core

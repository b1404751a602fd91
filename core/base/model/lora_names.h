// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How LoRA files call the modules that they change: kohya (sd-scripts), PEFT as diffusers writes it, and
// diffusers' older forms. Modules are called by component and diffusers / transformers path throughout.
// Stateless; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

enum class LoraFormat { Kohya, Diffusers };

/// The part of an adapter that one tensor is.
enum class LoraPart { Down, Up, Alpha, Dora };

/// A module that a LoRA changes.
struct LoraModuleName {
    std::string component; ///< "unet" or "text_encoder"
    std::string path;      ///< "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q"

    auto operator<=>(const LoraModuleName&) const = default;
};

struct LoraKey {
    LoraModuleName module;
    LoraPart part = LoraPart::Down;
    LoraFormat format = LoraFormat::Kohya;
};

/// "lora_unet_down_blocks_0_..." or "lora_te_text_model_encoder_...".
[[nodiscard]] std::string kohyaModuleName(const LoraModuleName& module);

/// The module behind a kohya name of an SD 1.x or 2.x LoRA, or nothing.
[[nodiscard]] std::optional<LoraModuleName> moduleOfKohyaName(std::string_view name);

/// What a tensor's name means in any of the known forms, or nothing.
[[nodiscard]] std::optional<LoraKey> parseLoraKey(std::string_view tensorName);

/// The name of a tensor in a file of `format`. Diffusers files have no Alpha tensors.
[[nodiscard]] std::string loraTensorName(const LoraModuleName& module, LoraPart part, LoraFormat format);

} // namespace homebooth::core

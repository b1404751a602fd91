// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How LoRA files call the modules that they change: kohya (sd-scripts), PEFT as diffusers writes it, and
// diffusers' older forms; ComfyUI's names, too. Modules are called by component and diffusers /
// transformers path throughout.
// kohya's names of SDXL count a UNet's blocks as sgm does (SgmModules); other programs write diffusers' paths
// in kohya's form for it, too.
// Stateless; any thread.
#pragma once

#include "core/base/model/sgm_modules.h"

#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

enum class LoraFormat { Kohya, Diffusers };

/// The part of an adapter that one tensor is.
enum class LoraPart { Down, Up, Alpha, Dora };

/// A module that a LoRA changes.
struct LoraModuleName {
    std::string component; ///< "unet", "text_encoder" or, of SDXL, "text_encoder_2"
    std::string path;      ///< "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q"

    auto operator<=>(const LoraModuleName&) const = default;
};

/// Which models a name is of, as far as it says that.
enum class NameOrigin {
    Unsaid,
    FirstModels, ///< SD 1.x or 2.x
    Xl
};

struct LoraKey {
    LoraModuleName module;
    LoraPart part = LoraPart::Down;
    LoraFormat format = LoraFormat::Kohya;
    NameOrigin origin = NameOrigin::Unsaid;
};

/// "lora_unet_down_blocks_0_..." or "lora_te_text_model_encoder_..." of SD 1.x and 2.x, of SDXL
/// "lora_unet_input_blocks_4_1_...", "lora_te1_text_model_..." or "lora_te2_text_model_...". Nothing for a
/// module that such a model does not have.
/// @param xl  the UNet's modules, of SDXL; null: of SD 1.x or 2.x
[[nodiscard]] std::optional<std::string> kohyaModuleName(const LoraModuleName& module,
                                                         const SgmModules* xl = nullptr);

/// "unet.down_blocks.0...." or "text_encoder.text_model...."
[[nodiscard]] std::string diffusersModuleName(const LoraModuleName& module);

/// The module behind a kohya name, or nothing. @param xl  the UNet's modules where the name is of SDXL
[[nodiscard]] std::optional<LoraModuleName> moduleOfKohyaName(std::string_view name,
                                                              const SgmModules& xl = SgmModules::released());

/// What a tensor's name means in any of the known forms, or nothing. @param xl  as above
[[nodiscard]] std::optional<LoraKey> parseLoraKey(std::string_view tensorName,
                                                  const SgmModules& xl = SgmModules::released());

/// The name of a tensor in a file of `format`. Diffusers files have no Alpha tensors.
/// @param module  its name in that form
[[nodiscard]] std::string loraTensorName(const std::string& module, LoraPart part, LoraFormat format);

} // namespace homebooth::core

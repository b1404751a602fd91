// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where each parameter of diffusers and transformers lies in a single file of CompVis layout (SD 1.x, 2.x)
// or of its descendant's (SDXL: the same but for the text encoders' places).
// One direction is enough: both reading and writing walk the parameters of the schedules.
// Stateless; any thread.
// Source: the module trees of CompVis/stable-diffusion, Stability-AI/stablediffusion, generative-models and
// open_clip.
#pragma once

#include "core/base/model/component_layout.h"

#include <string>

namespace homebooth::core {

struct ModelSource;

/// How the bytes of a parameter relate to the tensor in the file.
enum class TensorChange {
    None,      ///< the same bytes; the shape may gain or lose axes of length 1
    PartOf3,   ///< one third of the file's tensor along axis 0: q, k, v of OpenCLIP's in_proj
    Transposed ///< the file has the two axes the other way round
};

struct CompVisTensor {
    std::string name;
    std::vector<int64_t> shape; ///< of the whole tensor in the file
    TensorChange change = TensorChange::None;
    int part = 0; ///< of PartOf3
};

constexpr const char* kCompVisUnetPrefix = "model.diffusion_model.";
constexpr const char* kCompVisVaePrefix = "first_stage_model.";
constexpr const char* kCompVisConditionerPrefix = "conditioner.embedders."; ///< of SDXL, seldom of SD 2.x

/// Where a text encoder lies and by whose names.
enum class TextPlace {
    Transformers,  ///< SD 1.x
    OpenClip,      ///< SD 2.x
    OpenClipAlone, ///< SD 2.x where SDXL has its encoders: read, never written
    FirstOfXl,     ///< by transformers' names
    SecondOfXl     ///< by OpenCLIP's names
};
/// "cond_stage_model.transformer." and the like.
[[nodiscard]] const char* compVisTextPrefix(TextPlace place);
/// Of a model. @param part  of model.textParts()
[[nodiscard]] TextPlace compVisTextPlace(const ModelSource& model, size_t part);

/// `entry` is one of unetLayout(config).
[[nodiscard]] CompVisTensor compVisUnet(const LayoutEntry& entry, const UNetConfig& config);
/// `entry` is one of vaeLayout(config).
[[nodiscard]] CompVisTensor compVisVae(const LayoutEntry& entry, const VaeConfig& config);
/// `entry` is one of textEncoderLayout(config) or projectingTextEncoderLayout(config).
[[nodiscard]] CompVisTensor compVisTextEncoder(const LayoutEntry& entry, TextPlace place);

} // namespace homebooth::core

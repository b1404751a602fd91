// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes what of a schedule learns: low-rank adapters on a frozen model, or the model itself.
// Called between building a schedule and laying out its parameters. Torch-free.
#pragma once

#include "core/base/schedule/schedule.h"

#include <string_view>

namespace homebooth::core {

/// What the name of a module's weight ends in.
constexpr std::string_view kWeightSuffix = ".weight";

/// How the names of an adapter's two matrices end, behind their module's.
inline constexpr std::string_view kAdapterDown = ".lora_down.weight";
inline constexpr std::string_view kAdapterUp = ".lora_up.weight";

/// Whether this is the name of a matrix of an adapter.
[[nodiscard]] inline bool isAdapterName(std::string_view name) {
    return name.ends_with(kAdapterDown) || name.ends_with(kAdapterUp);
}

[[nodiscard]] inline bool isAdapter(const ParameterSpec& parameter) {
    return isAdapterName(parameter.name);
}

struct AdapterOptions {
    int64_t rank = 16;
    double alpha = 16.0;
    double dropout = 0.0;
    bool convolutions = false; ///< also the 3x3 convolutions and time projections of resnets and samplers
};

/// Freezes every parameter and adds a low-rank adapter to each weight that LoRA files of the field cover:
///   attention to_q, to_k, to_v, to_out.0; ff.net.0.proj, ff.net.2; proj_in, proj_out (linear or 1x1);
///   text encoder q_proj, k_proj, v_proj, out_proj, fc1, fc2;
///   language models: attention and feed-forward of every layer (OPT's have the names of text encoders);
///   with convolutions: resnet conv1, conv2, conv_shortcut, time_emb_proj; conv of down- and upsamplers.
/// The new parameters are fp32 and lie at the end of their block:
///   "<module>.lora_down.weight" [rank, in(, kh, kw)] Kaiming-uniform, "<module>.lora_up.weight" [out, rank(,
///   1, 1)] zeros
/// Source: the module lists and shapes of kohya-ss/sd-scripts networks/lora.py, the initialisation of PEFT
/// @returns the number of adapters attached
/// Errors: BadInput for a rank below 1, a dropout outside [0, 1), a schedule without such weights
[[nodiscard]] Result<int64_t> attachAdapters(Schedule& schedule, const AdapterOptions& options);

/// Marks every parameter as trainable or frozen.
void setTrainable(Schedule& schedule, bool trainable);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the steps of models for few steps lie: SDXL Turbo, Lightning, Hyper and DMD2 have learned timesteps
// that are counted from the noisiest one ("trailing"), and most schedulers have others. No file says of such
// a model, or of a LoRA that makes it one, what it is: whoever asks for pictures as of one is told, and
// nothing is changed by itself. Pure functions; any thread.
#pragma once

#include "core/base/config/sample_config.h"

#include <string>

namespace homebooth::core {

/// The warning of pictures of few steps that lie elsewhere.
inline constexpr const char* kFewSteps = "few-steps";

/// Whether a sampler follows the spacing. LCM has timesteps of its own; with Karras spacing the solvers begin
/// at the noisiest timestep whatever it is.
[[nodiscard]] bool takesSpacing(SamplerKind sampler, bool karrasSigmas);

/// Whether pictures are asked for as of a model for few steps, in all but the spacing.
/// @param modelTrails  whether the model's own scheduler has it trailing
[[nodiscard]] bool lacksTrailingSteps(const SampleConfig& config, bool modelTrails);

/// What there is to say of it, for the command line.
[[nodiscard]] std::string fewStepsWarning(int64_t steps);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A model's text encoders as its UNet wants to be told of texts. Stateless; any thread.
#pragma once

#include "core/base/arch/clip_layout.h"
#include "core/base/model/model_source.h"

namespace homebooth::core {

/// Of a model with one text encoder its hidden states after the final norm. Of SDXL the hidden states behind
/// the last layer but one, and of the second encoder pooled text as well (ClipOutput).
/// @param part      of model.textParts()
/// @param clipSkip  layers left out beyond that; see mostClipSkip
[[nodiscard]] Schedule textSchedule(const ModelSource& model, size_t part = 0, int64_t clipSkip = 0,
                                    ClipInput input = ClipInput::Tokens);

/// How many layers can be left out at the end of the model's text encoders, so that each has one.
[[nodiscard]] int64_t mostClipSkip(const ModelSource& model);

} // namespace homebooth::core

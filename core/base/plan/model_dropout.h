// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model's configurations say of dropout. Here nothing drops out but of what a LoRA takes in: pictures
// and texts are made without it anyway, but a training would be another one. So a UNet or a text encoder that
// names some does not learn; of language models, nearly all of which name some, it is told. Free functions;
// any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/util/result.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// Whether what learns of a model for pictures names no dropout.
/// Errors: BadInput naming the part, what its configuration says, and what to do
[[nodiscard]] Result<void> checkDropout(const TrainConfig& config, const ModelSource& model);

/// Code of the warning that says so: kDropoutNotApplied
/// @returns  nothing for a model that names no dropout, and for one that makes pictures
[[nodiscard]] std::optional<std::string> dropoutWarning(const ModelSource& model);
constexpr const char* kDropoutNotApplied = "dropout-not-applied";

} // namespace homebooth::core

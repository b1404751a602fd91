// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a trained denoiser leaves: a diffusers folder and a single file, or a LoRA in kohya's naming.
// Free functions; one writer a folder.
#pragma once

#include "core/engine/data/data_set.h"
#include "core/engine/data/job_context.h"
#include "core/engine/learning/learner.h"
#include "core/engine/training/model_bundle.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Writes <resultDir>/model, which has a card, and <resultDir>/model.safetensors, or
/// <resultDir>/lora.safetensors. An earlier result is replaced only when the new one is whole. fp32 runs are
/// stored as fp32, others as fp16.
/// @param learned  the photos or pictures, of which the result tells. @param step  likewise, that it is of
/// @returns  the paths. Errors: BadInput, OutOfResources
[[nodiscard]] Result<std::vector<std::string>>
writeDenoiserResult(const JobContext& job, const ModelBundle& model, const Learner& learner,
                    const std::vector<TrainingSample>& learned, const std::string& resultDir, int64_t step);

} // namespace homebooth::core

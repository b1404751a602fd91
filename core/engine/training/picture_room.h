// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How pictures that a training makes, of its class and as previews, do with the memory that there is.
// Free functions; the training thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/engine/data/job_context.h"
#include "core/engine/planning/step_planner.h"

#include <optional>

namespace homebooth::core {

/// Class pictures that are made in a batch.
constexpr int64_t kClassPicturesAtOnce = 4;

/// Where the model's parts shall be while class pictures are made; none: as steps have them. A GPU that steps
/// fill may have no room for the model as they have it and a picture that is decoded. Of spread parameters
/// each block is put together for its use anyway; elsewhere streaming saves nothing.
[[nodiscard]] std::optional<SamplePlacement>
placementOfPictures(const JobContext& job, const ModelSource& model, const StepPlan& steps);

/// Whether pictures of the run's size shall be decoded in tiles, for lack of memory beside what is loaded.
/// Nobody refuses it to a processor, whose process is killed instead; a GPU refuses it when the picture is
/// all but made, and what it is told too late of, by libraries or other programs, makes the pipeline go over
/// to tiles.
[[nodiscard]] bool tilesPictures(const JobContext& job, const ModelSource& model);

} // namespace homebooth::core

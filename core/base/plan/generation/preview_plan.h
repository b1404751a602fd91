// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What previews take, pictures that a training makes between its steps. The steps' activations and gradients
// are gone then; parameters, optimizer states and averages stay, and the text encoders that do not learn and
// the autoencoder come beside them. A preview that fails ends no training, so where memory is short the plan
// says so and refuses nothing. Pure function; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace homebooth::core {

/// Decisions about previews: they fit; they fit with the autoencoder in tiles; they do not fit.
inline constexpr const char* kPreviews = "previews";
inline constexpr const char* kPreviewsInTiles = "previews-in-tiles";
inline constexpr const char* kPreviewsLackMemory = "previews-lack-memory";

/// What text encoders compute with on a GPU. With less room beside their parameters they are streamed.
inline constexpr int64_t kRoomBesideTexts = int64_t{512} << 20;

/// A training as previews find it.
struct PreviewedTraining {
    const TrainConfig& config;
    const ModelSource& model;
    const MachineLimits& limits;
    const std::vector<Schedule>& learning; ///< the denoiser and, where it learns, the text encoder
    TierMemory steps;                      ///< of the tier that computes, at the peak of the steps
    TierMemory beside;                     ///< in RAM meanwhile, without the program
    TierMemory swap;
    std::optional<int64_t> freeBytes; ///< that the budget of `steps` leaves beside them; none: not known
    int64_t trainedBytes = 0;         ///< of the parameters that learn
    EncodingNeed ahead = {}; ///< of what is encoded beside the steps, for which their budget leaves room
};

struct PreviewPlan {
    bool fits = false;       ///< else they will probably not be made, and nothing of them counts
    TierMemory computing;    ///< of the tier that computes, at its fullest
    int64_t besideBytes = 0; ///< in RAM, beside that and what the steps have there
    PlanDecision decision;
};

/// Whether pictures are asked for between the steps, and what learns makes some from prompts.
[[nodiscard]] bool makesPreviews(const TrainConfig& config);

/// Nothing where no previews are asked for, or what learns makes no pictures from prompts.
[[nodiscard]] std::optional<PreviewPlan> planPreviews(const PreviewedTraining& training);

} // namespace homebooth::core

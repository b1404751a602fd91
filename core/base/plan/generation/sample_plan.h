// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What making pictures will need, where the parts of the model are at home meanwhile, and why: estimates from
// schedules and settings, before anything is loaded. What does not fit on a device comes to it from RAM for
// each use, which takes time and changes no byte of a picture; the autoencoder works in tiles only where
// nothing else helps, because they do. Free functions; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// Where the parts of a model are at home while it makes pictures, and how these are decoded.
struct SamplePlacement {
    bool streamsText = false; ///< the text encoders come from RAM for each prompt
    bool streamsUnet = false; ///< blocks of the UNet come from RAM in each step
    /// Of a UNet that is streamed, by block: those that stay on the device all the same.
    std::vector<bool> residentBlocks = {};
    bool tilesVae = false; ///< pictures are encoded and decoded in tiles

    friend bool operator==(const SamplePlacement&, const SamplePlacement&) = default;
};

/// Blocks that are on their way while one computes.
constexpr int kSampleTurnsAhead = 2;

/// Code of warnings that a picture was made in tiles, and what that means, behind "it".
constexpr const char* kVaeTiling = "vae-tiling";
/// Code of warnings that parts of the model come from RAM in each step.
constexpr const char* kModelStreams = "model-streams";
constexpr const char* kTilesInWords = "works in tiles, which look slightly different";

/// Side of a tile: a multiple of four latents, whatever the configuration names.
[[nodiscard]] int64_t tileSidePixels(const VaeConfig& vae);

struct SamplePlan : TrainPlan {
    SamplePlacement placement;
};

/// What the autoencoder computes with while it makes a picture as a whole, beside its parameters.
[[nodiscard]] int64_t decodingBytes(const SampleConfig& config, const ModelSource& model, bool gpu);

/// @param limits  of the device or, where host memory stands for one (SampleConfig::deviceBytes), of RAM
/// Errors: OutOfResources naming what is needed at least, what there is, and what to change
[[nodiscard]] Result<SamplePlan> planSampling(const SampleConfig& config, const ModelSource& model,
                                              const MachineLimits& limits);

/// The placement of that plan or, where it would be refused, the one that takes least: whoever has opened the
/// model tries it all the same, since what is planned for is a little more than pictures take.
[[nodiscard]] SamplePlacement placeSampling(const SampleConfig& config, const ModelSource& model,
                                            const MachineLimits& limits);

/// The same for a model that is training, which has its weights as it learns: SampleConfig::quantization says
/// nothing of it.
/// @param learning  the denoiser and, where it learns, the text encoder (learning_schedule.h)
[[nodiscard]] SamplePlacement placeSampling(const SampleConfig& config, const ModelSource& model,
                                            const MachineLimits& limits,
                                            const std::vector<Schedule>& learning);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One micro-step of a denoiser: noise in, prediction, loss, gradients back through the UNet and, where it
// learns, the text encoder. Borrows the components. One thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/engine/learning/diffusion_loss.h"
#include "core/engine/learning/learner.h"
#include "core/engine/models/model_components.h"
#include "core/engine/schedulers/noise_schedule.h"

#include <vector>

namespace homebooth::core {

/// What a micro-step works on. Instance samples come first, then class samples.
struct DenoisingBatch {
    at::Tensor latents;     ///< [B, C, h, w] fp32, at the UNet's scale
    at::Tensor noise;       ///< the same shape, fp32
    at::Tensor timesteps;   ///< [B] int64
    at::Tensor tokens;      ///< [B, T] int64, when the text encoder learns
    at::Tensor context;     ///< [B, T, D], when it does not
    at::Tensor pooledText;  ///< [B, P], of a model with textTimeEmbedding
    at::Tensor timeIds;     ///< [B, N], likewise
    int64_t priorCount = 0; ///< class samples at the end
    uint64_t dropoutSeed = 0;
    BatchPart part; ///< of the whole micro-step's samples
};

class DenoisingStep {
public:
    /// @param text  null when the text encoder does not learn
    DenoisingStep(const TrainConfig& config, UNetModel& unet, TextEncoder* text,
                  const NoiseSchedule& schedule);

    /// Runs forward and backward and hands the gradients to part 0 (UNet) and part 1 (text encoder).
    /// @returns  the loss. Errors: throws TrainingFailure when it is not finite (Learner::requireFinite)
    [[nodiscard]] double run(const DenoisingBatch& batch, Learner& learner);

    /// The loss alone, of the weights as they are; nothing is kept for a backward pass. Not finite where the
    /// model's numbers are not.
    [[nodiscard]] double lossOf(const DenoisingBatch& batch);

private:
    /// The UNet's inputs: sample, timestep, context and what else it takes.
    [[nodiscard]] std::vector<at::Tensor> inputsOf(const DenoisingBatch& batch, const at::Tensor& context);
    [[nodiscard]] DiffusionLoss lossOf(const at::Tensor& prediction, const DenoisingBatch& batch,
                                       double gradientFactor) const;
    [[nodiscard]] at::Tensor encodeText(const DenoisingBatch& batch);

    const TrainConfig& m_config;
    UNetModel& m_unet;
    TextEncoder* m_text;
    const NoiseSchedule& m_schedule;
};

} // namespace homebooth::core

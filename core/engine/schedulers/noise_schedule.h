// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The forward process of a diffusion model: how much signal and noise a timestep holds.
// Immutable value (tensors are shared, on the CPU, fp32, bit-equal to diffusers'); any thread.
#pragma once

#include "core/base/model/configs/scheduler_config.h"
#include "core/base/util/result.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace homebooth::core {

class NoiseSchedule {
public:
    /// Errors: BadInput when the betas do not make a schedule (outside [0, 1), none).
    [[nodiscard]] static Result<NoiseSchedule> make(const SchedulerSettings& settings);

    [[nodiscard]] int64_t trainTimesteps() const { return m_alphasCumprod.numel(); }
    [[nodiscard]] PredictionType predictionType() const { return m_predictionType; }
    [[nodiscard]] const at::Tensor& betas() const { return m_betas; }                 ///< [T] fp32
    [[nodiscard]] const at::Tensor& alphasCumprod() const { return m_alphasCumprod; } ///< [T] fp32

    /// Mixes latents and noise: sqrt(a_t) * latents + sqrt(1 - a_t) * noise.
    /// @param timesteps  [B] int64, 0 ... T-1; any device
    /// Shapes:           latents, noise [B, ...] of one type and device; the result alike. Coefficients are
    ///                   computed in fp32 and then cast.
    [[nodiscard]] at::Tensor addNoise(const at::Tensor& latents, const at::Tensor& noise,
                                      const at::Tensor& timesteps) const;

    /// The target of v-prediction: sqrt(a_t) * noise - sqrt(1 - a_t) * latents.
    [[nodiscard]] at::Tensor velocity(const at::Tensor& latents, const at::Tensor& noise,
                                      const at::Tensor& timesteps) const;

    /// What the network should predict: noise, velocity or latents, by `predictionType`.
    [[nodiscard]] at::Tensor target(const at::Tensor& latents, const at::Tensor& noise,
                                    const at::Tensor& timesteps) const;

    /// Signal-to-noise ratio a_t / (1 - a_t); [B] fp32 on the device of `timesteps`.
    [[nodiscard]] at::Tensor snr(const at::Tensor& timesteps) const;

    /// Weights of the squared error; [B] fp32 on the device of `timesteps`.
    /// epsilon: min(snr, gamma) / snr (1 where snr is 0); v: min(snr, gamma) / (snr + 1); sample: min(snr,
    /// gamma).
    /// @param gamma  > 0; usually 5
    /// Source: Hang et al., "Efficient Diffusion Training via Min-SNR Weighting Strategy", 2023
    [[nodiscard]] at::Tensor minSnrWeights(const at::Tensor& timesteps, double gamma) const;

private:
    NoiseSchedule(at::Tensor betas, PredictionType predictionType);
    /// sqrt(a_t) and sqrt(1 - a_t) shaped to broadcast over `like`, in its type and on its device.
    [[nodiscard]] std::pair<at::Tensor, at::Tensor> coefficients(const at::Tensor& timesteps,
                                                                 const at::Tensor& like) const;

    at::Tensor m_betas;
    at::Tensor m_alphasCumprod;
    PredictionType m_predictionType;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What samplers share that think in cumulative alphas (DDPM, DDIM, PNDM, LCM). See sampler.h for the rules.
#pragma once

#include "core/engine/schedulers/sampler.h"

namespace homebooth::core {

class AlphaSampler : public Sampler {
public:
    [[nodiscard]] at::Tensor addInitialNoise(const at::Tensor& latents,
                                             const at::Tensor& noise) const override;

protected:
    AlphaSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] Result<std::vector<double>> plan(int64_t steps) override;

    /// The cumulative alpha of a timestep; below 0 the one beyond the last step.
    [[nodiscard]] float alphaAt(int64_t timestep) const;
    /// The finished latents that `output` implies, before clipping.
    [[nodiscard]] at::Tensor original(const at::Tensor& output, const at::Tensor& sample, float alpha) const;
    /// Clipped or thresholded where the configuration says so.
    [[nodiscard]] at::Tensor clipped(const at::Tensor& original) const;
    /// The noise that `output` implies.
    [[nodiscard]] at::Tensor epsilon(const at::Tensor& output, const at::Tensor& sample, float alpha) const;

    float m_finalAlpha = 1.0F; ///< DDIM, PNDM: set_alpha_to_one; DDPM: always 1

private:
    std::vector<float> m_alphas;
};

} // namespace homebooth::core

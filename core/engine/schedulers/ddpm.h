// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// DDPM: every step draws noise.
// Source: Ho et al., "Denoising Diffusion Probabilistic Models", 2020
#pragma once

#include "core/engine/schedulers/alpha_sampler.h"

namespace homebooth::core {

class DdpmSampler : public AlphaSampler {
public:
    DdpmSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;

private:
    /// Standard deviation of the noise that is added between two cumulative alphas.
    [[nodiscard]] float deviation(float alpha, float previousAlpha) const;
};

} // namespace homebooth::core

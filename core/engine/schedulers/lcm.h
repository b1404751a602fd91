// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Multi-step sampling of latent consistency models: few steps, each to the end and partly back.
// Source: Luo et al., "Latent Consistency Models", 2023
#pragma once

#include "core/engine/schedulers/alpha_sampler.h"

namespace homebooth::core {

class LcmSampler : public AlphaSampler {
public:
    LcmSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;

protected:
    [[nodiscard]] Result<std::vector<double>> plan(int64_t steps) override;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Euler's method on the probability flow, without churn.
// Source: Karras et al., "Elucidating the Design Space of Diffusion-Based Generative Models", 2022, algorithm
// 2
#pragma once

#include "core/engine/schedulers/sigma_sampler.h"

namespace homebooth::core {

class EulerSampler : public ExplodingSampler {
public:
    EulerSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;
};

} // namespace homebooth::core

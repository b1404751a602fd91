// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Euler's method that steps too far down and adds fresh noise up again. Draws noise at every step, also at
// the last one, whose weight is 0: the order of draws is diffusers'.
#pragma once

#include "core/engine/schedulers/sigma_sampler.h"

namespace homebooth::core {

class EulerAncestralSampler : public ExplodingSampler {
public:
    EulerAncestralSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;
};

} // namespace homebooth::core

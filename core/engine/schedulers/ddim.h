// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// DDIM; adds noise only where eta says so.
// Source: Song et al., "Denoising Diffusion Implicit Models", 2020
#pragma once

#include "core/engine/schedulers/alpha_sampler.h"

namespace homebooth::core {

class DdimSampler : public AlphaSampler {
public:
    DdimSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;
};

} // namespace homebooth::core

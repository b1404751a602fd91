// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// DPM-Solver++ (multistep, order 1 to 3) and its stochastic form.
// Source: Lu et al., "DPM-Solver++: Fast Solver for Guided Sampling of Diffusion Probabilistic Models", 2022
#pragma once

#include "core/engine/schedulers/sigma_sampler.h"

namespace homebooth::core {

class DpmMultistepSampler : public SolverSampler {
public:
    DpmMultistepSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;

protected:
    void reset() override;

private:
    /// Signal, noise and exponentials between step `full` and the next one.
    struct Interval;
    [[nodiscard]] Interval interval(size_t full) const;
    /// How many outputs the update at `full` combines.
    [[nodiscard]] int64_t orderAt(size_t full) const;
    [[nodiscard]] at::Tensor secondOrder(const Interval& between, size_t full) const;
    [[nodiscard]] at::Tensor thirdOrder(const Interval& between, size_t full) const;

    bool m_stochastic;
    std::vector<at::Tensor> m_originals; ///< predicted latents, the newest last
};

} // namespace homebooth::core

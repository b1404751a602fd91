// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// PNDM: linear multi-step (PLMS), with Runge-Kutta steps first unless the model's configuration skips them.
// Source: Liu et al., "Pseudo Numerical Methods for Diffusion Models on Manifolds", 2022
#pragma once

#include "core/engine/schedulers/alpha_sampler.h"

namespace homebooth::core {

class PndmSampler : public AlphaSampler {
public:
    PndmSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;

protected:
    [[nodiscard]] Result<std::vector<double>> plan(int64_t steps) override;
    void reset() override;

private:
    [[nodiscard]] at::Tensor rungeKuttaStep(const at::Tensor& output, int64_t index,
                                            const at::Tensor& sample);
    [[nodiscard]] at::Tensor multistep(const at::Tensor& output, int64_t index, const at::Tensor& sample);
    /// The combination of the newest outputs that stands for the derivative.
    [[nodiscard]] at::Tensor combined(const at::Tensor& output, int64_t index) const;
    /// Formula 9 of the paper: from one timestep to an earlier one.
    [[nodiscard]] at::Tensor transfer(const at::Tensor& sample, int64_t from, int64_t to,
                                      const at::Tensor& output) const;

    std::vector<double> m_rungeKutta;  ///< timesteps of the Runge-Kutta part; empty when skipped
    std::vector<at::Tensor> m_outputs; ///< the newest last, at most four
    at::Tensor m_savedSample;
    at::Tensor m_sum; ///< weighted outputs within one Runge-Kutta group
};

} // namespace homebooth::core

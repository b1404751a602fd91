// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What samplers share that think in noise levels (Euler, DPM-Solver, UniPC). See sampler.h for the rules.
// sigma = sqrt((1 - a) / a) of the cumulative alpha a. With zero terminal SNR the last a is 2^-24 instead of
// 0.
#pragma once

#include "core/engine/schedulers/sampler.h"

namespace homebooth::core {

/// Signal and noise of a variance-preserving sample: alpha^2 + sigma^2 = 1.
struct SignalNoise {
    float alpha = 1.0F;
    float sigma = 0.0F;
    float lambda = 0.0F; ///< log(alpha / sigma); infinite where sigma is 0
};

class SigmaSampler : public Sampler {
protected:
    SigmaSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    /// Noise level before full index `full`; one more than there are timesteps.
    [[nodiscard]] float sigma(size_t full) const { return m_sigmas[full]; }
    [[nodiscard]] SignalNoise signalNoise(size_t full) const;
    [[nodiscard]] float largestSigma() const;

    /// Of all training timesteps, rising.
    [[nodiscard]] const std::vector<double>& table() const { return m_table; }
    /// Rounds the levels to fp32 and appends the last one.
    void setSigmas(const std::vector<double>& sigmas, double last);
    /// The level after the last step: 0, or the schedule's smallest.
    [[nodiscard]] double finalSigma() const;

private:
    std::vector<double> m_table;
    std::vector<float> m_sigmas;
};

/// Natural logarithm, exponential and exp(x) - 1 as LibTorch computes them in fp32, to the last bit.
[[nodiscard]] float torchLog(float value);
[[nodiscard]] float torchExp(float value);
[[nodiscard]] float torchExpm1(float value);

/// Euler's half: samples are not variance preserving but x = latents + sigma * noise.
class ExplodingSampler : public SigmaSampler {
public:
    [[nodiscard]] double initNoiseSigma() const override;
    [[nodiscard]] at::Tensor addInitialNoise(const at::Tensor& latents,
                                             const at::Tensor& noise) const override;
    [[nodiscard]] at::Tensor scaleModelInput(const at::Tensor& sample, int64_t index) const override;

protected:
    ExplodingSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);
    [[nodiscard]] Result<std::vector<double>> plan(int64_t steps) override;
    /// The finished latents that `output` implies.
    [[nodiscard]] at::Tensor original(const at::Tensor& output, const at::Tensor& sample, float level) const;

private:
    /// Noise levels evenly spaced in their logarithm; diffusers makes one more of them than there are steps.
    [[nodiscard]] bool logLinear() const;
};

/// The solvers' half: variance-preserving samples.
class SolverSampler : public SigmaSampler {
public:
    [[nodiscard]] at::Tensor addInitialNoise(const at::Tensor& latents,
                                             const at::Tensor& noise) const override;

protected:
    SolverSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);
    [[nodiscard]] Result<std::vector<double>> plan(int64_t steps) override;
    /// The finished latents that `output` implies.
    [[nodiscard]] at::Tensor original(const at::Tensor& output, const at::Tensor& sample,
                                      const SignalNoise& level) const;
    /// The noise that `output` implies.
    [[nodiscard]] at::Tensor epsilon(const at::Tensor& output, const at::Tensor& sample,
                                     const SignalNoise& level) const;

private:
    /// Training timesteps below which the configuration lets the solver go.
    [[nodiscard]] int64_t timestepLimit() const;
};

} // namespace homebooth::core

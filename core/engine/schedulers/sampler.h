// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The reverse process: takes a noisy sample and what the network said of it one step nearer to a picture.
// Owned by whoever generates; one thread. Samples are fp32 on any device; coefficients are fp32 on the host,
// in diffusers' order of operations, so that equal seeds give equal pictures.
//
// Invariants:
//   1. setTimesteps comes first and forgets the history of multi-step solvers.
//   2. step is called for index 0, 1, ... stepCount()-1, in this order, each once.
#pragma once

#include "core/base/model/configs/scheduler_config.h"
#include "core/base/util/result.h"
#include "core/engine/schedulers/noise_schedule.h"

#include <ATen/ATen.h>

#include <memory>
#include <vector>

namespace homebooth::core {

/// Numbers that the user gave and a sampler cannot follow.
[[nodiscard]] inline Error wrongUsage(std::string message) {
    return Error{ErrorCode::Usage, std::move(message), {}};
}

/// Where samplers get their noise from.
class NoiseSource {
public:
    virtual ~NoiseSource() = default;
    /// Standard normal numbers, fp32, on the CPU.
    [[nodiscard]] virtual at::Tensor draw(at::IntArrayRef shape) = 0;
};

/// One generator for each picture of a batch: picture i of [B, ...] depends on its own seed alone.
class SeededNoise : public NoiseSource {
public:
    explicit SeededNoise(const std::vector<uint64_t>& seeds);
    /// @param shape  its first size is the number of seeds
    [[nodiscard]] at::Tensor draw(at::IntArrayRef shape) override;

private:
    std::vector<at::Generator> m_generators;
};

struct SamplerStep {
    at::Tensor previous;          ///< the sample at the next timestep
    at::Tensor predictedOriginal; ///< what the finished latents look like from here; for previews
};

class Sampler {
public:
    virtual ~Sampler() = default;
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    /// Chooses the timesteps.
    /// @param steps     1 ... number of training timesteps
    /// @param strength  (0, 1]: below 1 (img2img) only the last part of them is walked
    /// Errors: BadInput for numbers out of range and combinations that leave no step.
    [[nodiscard]] Result<void> setTimesteps(int64_t steps, double strength = 1.0);

    /// How often the network is called. PNDM calls it once more than `steps`.
    [[nodiscard]] int64_t stepCount() const { return static_cast<int64_t>(m_timesteps.size()) - m_begin; }
    /// What the network is told at step `index`; fractional with Karras sigmas.
    [[nodiscard]] double timestep(int64_t index) const { return m_timesteps[at(index)]; }
    /// All timesteps that will be walked, first to last.
    [[nodiscard]] std::vector<double> timesteps() const;

    /// Factor of the first noise when nothing but noise is there.
    [[nodiscard]] virtual double initNoiseSigma() const { return 1.0; }
    /// Mixes finished latents with noise for the first timestep (img2img). Shapes: all [B, C, H, W] fp32.
    [[nodiscard]] virtual at::Tensor addInitialNoise(const at::Tensor& latents,
                                                     const at::Tensor& noise) const = 0;
    /// What the network is given for `sample`.
    [[nodiscard]] virtual at::Tensor scaleModelInput(const at::Tensor& sample, int64_t index) const;
    /// @param modelOutput  the network's prediction (after guidance) [B, C, H, W]; computed with in fp32
    /// @param sample       [B, C, H, W] fp32
    [[nodiscard]] virtual SamplerStep step(const at::Tensor& modelOutput, int64_t index,
                                           const at::Tensor& sample, NoiseSource& noise) = 0;

    [[nodiscard]] const SchedulerSettings& settings() const { return m_settings; }

protected:
    Sampler(SchedulerSettings settings, NoiseSchedule schedule);

    /// The full list of timesteps for `steps`; also whatever belongs to it. Errors as setTimesteps.
    [[nodiscard]] virtual Result<std::vector<double>> plan(int64_t steps) = 0;
    /// Forgets the history.
    virtual void reset() {}

    /// Index into the full list of timesteps.
    [[nodiscard]] size_t at(int64_t index) const { return static_cast<size_t>(m_begin + index); }
    [[nodiscard]] size_t fullCount() const { return m_timesteps.size(); }
    [[nodiscard]] int64_t timestepAt(size_t fullIndex) const {
        return static_cast<int64_t>(m_timesteps[fullIndex]);
    }
    /// Latents drawn back from extremes where the configuration says so; otherwise as they are.
    [[nodiscard]] at::Tensor thresholded(const at::Tensor& original) const;
    /// Noise in the shape and on the device of `like`, fp32.
    [[nodiscard]] static at::Tensor noiseLike(const at::Tensor& like, NoiseSource& noise);

    SchedulerSettings m_settings;
    NoiseSchedule m_schedule;
    int64_t m_steps = 0; ///< as asked for

private:
    std::vector<double> m_timesteps;
    int64_t m_begin = 0;
};

struct SamplerOptions {
    double eta = 0.0;          ///< DDIM: 0 adds no noise, 1 as much as DDPM
    bool karrasSigmas = false; ///< also when the model's scheduler configuration does not say so
    StepSpacing stepSpacing = StepSpacing::Model;
};

/// The sampler of this kind on a model's scheduler configuration, as diffusers makes it with `from_config`.
/// Errors: BadInput for what the sampler does not support.
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeSampler(SamplerKind kind, const SchedulerConfig& config,
                                                           const SamplerOptions& options = {});

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/sigma_sampler.h"

#include "core/engine/schedulers/spacing.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <cmath>

namespace homebooth::core {

namespace {

/// Cumulative alphas whose last one is above 0, so that the first noise level is finite.
at::Tensor positiveAlphas(const SchedulerSettings& settings, const NoiseSchedule& schedule) {
    at::Tensor alphas = schedule.alphasCumprod().clone();
    if (settings.rescaleBetasZeroSnr) alphas[-1] = std::ldexp(1.0, -24);
    return alphas;
}

bool isDpm(SamplerKind kind) {
    return kind == SamplerKind::DpmPlusPlus2M || kind == SamplerKind::DpmPlusPlus2MSde;
}

} // namespace

float torchLog(float value) {
    return at::scalar_tensor(value, at::kFloat).log().item<float>();
}
float torchExp(float value) {
    return at::scalar_tensor(value, at::kFloat).exp().item<float>();
}
float torchExpm1(float value) {
    return at::scalar_tensor(value, at::kFloat).expm1().item<float>();
}

SigmaSampler::SigmaSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : Sampler(settings, schedule)
    , m_table(sigmaTable(positiveAlphas(settings, schedule))) {}

SignalNoise SigmaSampler::signalNoise(size_t full) const {
    const float level = sigma(full);
    SignalNoise result;
    result.alpha = 1.0F / std::sqrt(level * level + 1.0F);
    result.sigma = level * result.alpha;
    result.lambda = torchLog(result.alpha) - torchLog(result.sigma);
    return result;
}

float SigmaSampler::largestSigma() const {
    return *std::max_element(m_sigmas.begin(), m_sigmas.end());
}

void SigmaSampler::setSigmas(const std::vector<double>& sigmas, double last) {
    m_sigmas.assign(sigmas.begin(), sigmas.end());
    m_sigmas.push_back(static_cast<float>(last));
}

double SigmaSampler::finalSigma() const {
    return m_settings.finalSigmasType == "sigma_min" ? m_table.front() : 0.0;
}

ExplodingSampler::ExplodingSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : SigmaSampler(settings, schedule) {}

bool ExplodingSampler::logLinear() const {
    return m_settings.kind == SamplerKind::Euler && m_settings.interpolationType == "log_linear";
}

Result<std::vector<double>> ExplodingSampler::plan(int64_t steps) {
    std::vector<double> timesteps = spacedTimesteps(m_settings, steps, false);
    for (double& timestep : timesteps) timestep = static_cast<float>(timestep);
    const double reach = static_cast<double>(table().size() - 1);
    if (timesteps.front() > reach) return timesteps; // refused by the caller
    std::vector<double> sigmas = logLinear() ? exponentialSigmas(table().back(), table().front(), steps + 1)
                                             : interpolated(timesteps, table());
    if (m_settings.karrasSigmas || m_settings.exponentialSigmas) {
        const double largest = m_settings.sigmaMax > 0.0 ? m_settings.sigmaMax : sigmas.front();
        const double smallest = m_settings.sigmaMin > 0.0 ? m_settings.sigmaMin : sigmas.back();
        sigmas = m_settings.karrasSigmas ? karrasSigmas(largest, smallest, steps)
                                         : exponentialSigmas(largest, smallest, steps);
        for (size_t index = 0; index < sigmas.size(); ++index)
            timesteps[index] = static_cast<float>(timestepOfSigma(sigmas[index], table()));
    }
    setSigmas(sigmas, finalSigma());
    return timesteps;
}

double ExplodingSampler::initNoiseSigma() const {
    const float largest = largestSigma();
    if (m_settings.timestepSpacing != TimestepSpacing::Leading) return largest;
    return std::sqrt(largest * largest + 1.0F);
}

at::Tensor ExplodingSampler::addInitialNoise(const at::Tensor& latents, const at::Tensor& noise) const {
    return latents + noise * sigma(at(0));
}

at::Tensor ExplodingSampler::scaleModelInput(const at::Tensor& sample, int64_t index) const {
    const float level = sigma(at(index));
    return sample / std::sqrt(level * level + 1.0F);
}

at::Tensor ExplodingSampler::original(const at::Tensor& output, const at::Tensor& sample, float level) const {
    const float scale = level * level + 1.0F;
    switch (m_settings.predictionType) {
    case PredictionType::Epsilon:
        return sample - level * output;
    case PredictionType::VPrediction:
        return output * (-level / std::sqrt(scale)) + sample / scale;
    case PredictionType::Sample:
        return output;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

SolverSampler::SolverSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : SigmaSampler(settings, schedule) {}

int64_t SolverSampler::timestepLimit() const {
    int64_t limit = static_cast<int64_t>(table().size());
    if (!isDpm(m_settings.kind)) return limit;
    // lambda = -log(sigma), lowest at the noisiest timestep
    while (limit > 1 && -std::log(table()[static_cast<size_t>(limit - 1)]) < m_settings.lambdaMinClipped)
        --limit;
    return limit;
}

Result<std::vector<double>> SolverSampler::plan(int64_t steps) {
    const bool karras = m_settings.karrasSigmas;
    const bool leading = m_settings.timestepSpacing == TimestepSpacing::Leading;
    const int64_t limit = timestepLimit();
    if (!karras && leading && steps + 1 > limit)
        return wrongUsage("choosing the sampler's timesteps: with leading spacing this sampler walks "
                          "at most " +
                          std::to_string(limit - 1) + " steps, found " + std::to_string(steps));
    if (karras || m_settings.exponentialSigmas) {
        const double largest = m_settings.sigmaMax > 0.0 ? m_settings.sigmaMax : table().back();
        const double smallest = m_settings.sigmaMin > 0.0 ? m_settings.sigmaMin : table().front();
        const std::vector<double> sigmas =
            karras ? karrasSigmas(largest, smallest, steps) : exponentialSigmas(largest, smallest, steps);
        const bool rounds = karras && (m_settings.kind == SamplerKind::UniPc ||
                                       m_settings.betaSchedule != BetaSchedule::SquaredCosCapV2);
        std::vector<double> timesteps;
        for (const double level : sigmas) {
            const double timestep = timestepOfSigma(level, table());
            timesteps.push_back(rounds ? std::nearbyint(timestep) : std::trunc(timestep));
        }
        const bool ownLast = m_settings.kind == SamplerKind::UniPc && m_settings.finalSigmasType != "zero";
        setSigmas(sigmas, ownLast ? sigmas.back() : finalSigma());
        return timesteps;
    }
    std::vector<double> timesteps = spacedSolverTimesteps(m_settings, steps, limit);
    setSigmas(interpolated(timesteps, table()), finalSigma());
    return timesteps;
}

at::Tensor SolverSampler::addInitialNoise(const at::Tensor& latents, const at::Tensor& noise) const {
    const SignalNoise first = signalNoise(at(0));
    return first.alpha * latents + first.sigma * noise;
}

at::Tensor SolverSampler::original(const at::Tensor& output, const at::Tensor& sample,
                                   const SignalNoise& level) const {
    switch (m_settings.predictionType) {
    case PredictionType::Epsilon:
        return (sample - level.sigma * output) / level.alpha;
    case PredictionType::VPrediction:
        return level.alpha * sample - level.sigma * output;
    case PredictionType::Sample:
        return output;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

at::Tensor SolverSampler::epsilon(const at::Tensor& output, const at::Tensor& sample,
                                  const SignalNoise& level) const {
    switch (m_settings.predictionType) {
    case PredictionType::Epsilon:
        return output;
    case PredictionType::VPrediction:
        return level.alpha * output + level.sigma * sample;
    case PredictionType::Sample:
        return (sample - level.alpha * output) / level.sigma;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

} // namespace homebooth::core

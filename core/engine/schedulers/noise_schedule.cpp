// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/noise_schedule.h"

#include <c10/util/Exception.h>
#include <cmath>
#include <numbers>

namespace homebooth::core {

namespace {

/// Betas of the cosine schedule, computed in double and rounded once.
at::Tensor cosineBetas(int64_t count) {
    const auto alphaBar = [](double time) {
        const double value = std::cos((time + 0.008) / 1.008 * std::numbers::pi / 2);
        return value * value;
    };
    const double largest = 0.999;
    at::Tensor betas = at::empty({count}, at::kFloat);
    float* data = betas.data_ptr<float>();
    for (int64_t index = 0; index < count; ++index) {
        const double begin = static_cast<double>(index) / static_cast<double>(count);
        const double end = static_cast<double>(index + 1) / static_cast<double>(count);
        data[index] = static_cast<float>(std::min(1 - alphaBar(end) / alphaBar(begin), largest));
    }
    return betas;
}

at::Tensor betasOf(const SchedulerSettings& settings) {
    const int64_t count = settings.trainTimesteps;
    if (!settings.trainedBetas.empty()) return at::tensor(settings.trainedBetas, at::kFloat);
    switch (settings.betaSchedule) {
    case BetaSchedule::Linear:
        return at::linspace(settings.betaStart, settings.betaEnd, count, at::kFloat);
    case BetaSchedule::ScaledLinear:
        return at::linspace(std::sqrt(settings.betaStart), std::sqrt(settings.betaEnd), count, at::kFloat)
            .pow(2);
    case BetaSchedule::SquaredCosCapV2:
        return cosineBetas(count);
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

/// Shifts and scales sqrt(a_t) so that the last one is 0 and the first one stays.
/// Source: Lin et al., "Common Diffusion Noise Schedules and Sample Steps are Flawed", 2023, algorithm 1
at::Tensor rescaledToZeroTerminalSnr(const at::Tensor& betas) {
    at::Tensor roots = (1.0 - betas).cumprod(0).sqrt();
    const at::Tensor first = roots[0].clone();
    const at::Tensor last = roots[-1].clone();
    roots = (roots - last) * (first / (first - last));
    const at::Tensor products = roots.pow(2);
    const at::Tensor alphas =
        at::cat({products.slice(0, 0, 1), products.slice(0, 1) / products.slice(0, 0, -1)});
    return 1 - alphas;
}

} // namespace

NoiseSchedule::NoiseSchedule(at::Tensor betas, PredictionType predictionType)
    : m_betas(std::move(betas))
    , m_alphasCumprod((1.0 - m_betas).cumprod(0))
    , m_predictionType(predictionType) {}

Result<NoiseSchedule> NoiseSchedule::make(const SchedulerSettings& settings) {
    if (settings.trainTimesteps < 1)
        return badInput("the noise schedule needs at least one timestep, found " +
                        std::to_string(settings.trainTimesteps) +
                        "; correct num_train_timesteps in scheduler_config.json");
    at::Tensor betas = betasOf(settings);
    const bool inRange = betas.isfinite().all().item<bool>() && betas.min().item<float>() >= 0.0F &&
                         betas.max().item<float>() < 1.0F;
    if (!inRange)
        return badInput("the noise schedule needs betas from 0 up to (not including) 1; correct beta_start, "
                        "beta_end or trained_betas in scheduler_config.json");
    if (settings.rescaleBetasZeroSnr) betas = rescaledToZeroTerminalSnr(betas);
    return NoiseSchedule(std::move(betas), settings.predictionType);
}

std::pair<at::Tensor, at::Tensor> NoiseSchedule::coefficients(const at::Tensor& timesteps,
                                                              const at::Tensor& like) const {
    const at::Tensor alphas = m_alphasCumprod.index_select(0, timesteps.to(at::kCPU, at::kLong).flatten());
    std::vector<int64_t> shape(static_cast<size_t>(like.dim()), 1);
    shape[0] = alphas.numel();
    const auto shaped = [&](const at::Tensor& values) {
        return values.reshape(shape).to(like.device(), like.scalar_type());
    };
    return {shaped(alphas.sqrt()), shaped((1 - alphas).sqrt())};
}

at::Tensor NoiseSchedule::addNoise(const at::Tensor& latents, const at::Tensor& noise,
                                   const at::Tensor& timesteps) const {
    const auto [signal, amount] = coefficients(timesteps, latents);
    return signal * latents + amount * noise;
}

at::Tensor NoiseSchedule::velocity(const at::Tensor& latents, const at::Tensor& noise,
                                   const at::Tensor& timesteps) const {
    const auto [signal, amount] = coefficients(timesteps, latents);
    return signal * noise - amount * latents;
}

at::Tensor NoiseSchedule::target(const at::Tensor& latents, const at::Tensor& noise,
                                 const at::Tensor& timesteps) const {
    switch (m_predictionType) {
    case PredictionType::Epsilon:
        return noise;
    case PredictionType::VPrediction:
        return velocity(latents, noise, timesteps);
    case PredictionType::Sample:
        return latents;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

at::Tensor NoiseSchedule::snr(const at::Tensor& timesteps) const {
    const at::Tensor alphas = m_alphasCumprod.index_select(0, timesteps.to(at::kCPU, at::kLong).flatten());
    // The quotient of roots, squared: diffusers' order of operations.
    return (alphas.sqrt() / (1 - alphas).sqrt()).pow(2).to(timesteps.device());
}

at::Tensor NoiseSchedule::minSnrWeights(const at::Tensor& timesteps, double gamma) const {
    TORCH_INTERNAL_ASSERT(gamma > 0.0);
    const at::Tensor ratio = snr(timesteps);
    const at::Tensor capped = ratio.clamp_max(gamma);
    switch (m_predictionType) {
    case PredictionType::Epsilon:
        return at::where(ratio == 0, at::ones_like(ratio), capped / ratio);
    case PredictionType::VPrediction:
        return capped / (ratio + 1);
    case PredictionType::Sample:
        return capped;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/alpha_sampler.h"

#include "core/engine/schedulers/spacing.h"

#include <c10/util/Exception.h>
#include <cmath>

namespace homebooth::core {

AlphaSampler::AlphaSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : Sampler(settings, schedule) {
    const at::Tensor alphas = schedule.alphasCumprod().contiguous();
    m_alphas.assign(alphas.const_data_ptr<float>(), alphas.const_data_ptr<float>() + alphas.numel());
    m_finalAlpha = settings.setAlphaToOne ? 1.0F : m_alphas.front();
}

Result<std::vector<double>> AlphaSampler::plan(int64_t steps) {
    return spacedTimesteps(m_settings, steps, true);
}

at::Tensor AlphaSampler::addInitialNoise(const at::Tensor& latents, const at::Tensor& noise) const {
    const at::Tensor first = at::full({latents.size(0)}, timestepAt(at(0)), at::kLong);
    return m_schedule.addNoise(latents, noise, first);
}

float AlphaSampler::alphaAt(int64_t timestep) const {
    return timestep >= 0 ? m_alphas[static_cast<size_t>(timestep)] : m_finalAlpha;
}

at::Tensor AlphaSampler::original(const at::Tensor& output, const at::Tensor& sample, float alpha) const {
    const float signal = std::sqrt(alpha);
    const float amount = std::sqrt(1.0F - alpha);
    switch (m_settings.predictionType) {
    case PredictionType::Epsilon:
        return (sample - amount * output) / signal;
    case PredictionType::VPrediction:
        return signal * sample - amount * output;
    case PredictionType::Sample:
        return output;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

at::Tensor AlphaSampler::clipped(const at::Tensor& original) const {
    if (m_settings.thresholding) return thresholded(original);
    if (!m_settings.clipSample) return original;
    return original.clamp(-m_settings.clipSampleRange, m_settings.clipSampleRange);
}

at::Tensor AlphaSampler::epsilon(const at::Tensor& output, const at::Tensor& sample, float alpha) const {
    const float signal = std::sqrt(alpha);
    const float amount = std::sqrt(1.0F - alpha);
    switch (m_settings.predictionType) {
    case PredictionType::Epsilon:
        return output;
    case PredictionType::VPrediction:
        return signal * output + amount * sample;
    case PredictionType::Sample:
        return (sample - signal * output) / amount;
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/ddim.h"

#include <cmath>

namespace homebooth::core {

DdimSampler::DdimSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : AlphaSampler(settings, schedule) {}

SamplerStep DdimSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                              NoiseSource& noise) {
    const at::Tensor output = modelOutput.to(at::kFloat);
    const int64_t timestep = timestepAt(at(index));
    const float alpha = alphaAt(timestep);
    const float previousAlpha = alphaAt(timestep - m_settings.trainTimesteps / m_steps);
    const at::Tensor predicted = clipped(original(output, sample, alpha));
    const float variance = (1.0F - previousAlpha) / (1.0F - alpha) * (1.0F - alpha / previousAlpha);
    const float deviation = static_cast<float>(m_settings.eta) * std::sqrt(variance);
    const float directed = std::sqrt(1.0F - previousAlpha - deviation * deviation);
    at::Tensor previous = std::sqrt(previousAlpha) * predicted + directed * epsilon(output, sample, alpha);
    if (m_settings.eta > 0.0) previous = previous + deviation * noiseLike(sample, noise);
    return {previous, predicted};
}

} // namespace homebooth::core

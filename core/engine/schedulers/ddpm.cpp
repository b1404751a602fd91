// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/ddpm.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {

DdpmSampler::DdpmSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : AlphaSampler(settings, schedule) {
    m_finalAlpha = 1.0F;
}

float DdpmSampler::deviation(float alpha, float previousAlpha) const {
    const float beta = 1.0F - alpha / previousAlpha;
    if (m_settings.varianceType == "fixed_large") return std::sqrt(beta);
    const float variance = std::max((1.0F - previousAlpha) / (1.0F - alpha) * beta, 1e-20F);
    if (m_settings.varianceType == "fixed_small_log") return std::exp(0.5F * std::log(variance));
    return std::sqrt(variance);
}

SamplerStep DdpmSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                              NoiseSource& noise) {
    const at::Tensor output = modelOutput.to(at::kFloat);
    const size_t full = at(index);
    const int64_t timestep = timestepAt(full);
    const float alpha = alphaAt(timestep);
    const float previousAlpha = full + 1 < fullCount() ? alphaAt(timestepAt(full + 1)) : m_finalAlpha;
    const float ratio = alpha / previousAlpha;
    const float beta = 1.0F - ratio;
    const at::Tensor predicted = clipped(original(output, sample, alpha));
    const float originalWeight = std::sqrt(previousAlpha) * beta / (1.0F - alpha);
    const float sampleWeight = std::sqrt(ratio) * (1.0F - previousAlpha) / (1.0F - alpha);
    at::Tensor previous = originalWeight * predicted + sampleWeight * sample;
    if (timestep > 0) previous = previous + deviation(alpha, previousAlpha) * noiseLike(sample, noise);
    return {previous, predicted};
}

} // namespace homebooth::core

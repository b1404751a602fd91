// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/lcm.h"

#include <cmath>

namespace homebooth::core {

LcmSampler::LcmSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : AlphaSampler(settings, schedule) {}

Result<std::vector<double>> LcmSampler::plan(int64_t steps) {
    const int64_t distilled = m_settings.originalInferenceSteps;
    if (distilled > m_settings.trainTimesteps)
        return badInput("original_inference_steps of the scheduler's configuration exceeds "
                        "num_train_timesteps; restore the file from the model's source");
    if (steps > distilled)
        return wrongUsage("LCM walks at most " + std::to_string(distilled) + " steps, found " +
                          std::to_string(steps) + "; 4 to 8 are usual");
    const int64_t spacing = m_settings.trainTimesteps / distilled;
    const double stride = static_cast<double>(distilled) / static_cast<double>(steps);
    std::vector<double> timesteps;
    for (int64_t index = 0; index < steps; ++index) {
        const auto position = static_cast<int64_t>(std::floor(static_cast<double>(index) * stride));
        timesteps.push_back(static_cast<double>((distilled - position) * spacing - 1));
    }
    return timesteps;
}

SamplerStep LcmSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                             NoiseSource& noise) {
    const at::Tensor output = modelOutput.to(at::kFloat);
    const size_t full = at(index);
    const int64_t timestep = timestepAt(full);
    const float alpha = alphaAt(timestep);
    const at::Tensor predicted = clipped(original(output, sample, alpha));
    const float dataDeviation = 0.5F;
    const float scaled = static_cast<float>(timestep) * static_cast<float>(m_settings.timestepScaling);
    const float scale = scaled * scaled + dataDeviation * dataDeviation;
    const at::Tensor denoised =
        (scaled / std::sqrt(scale)) * predicted + (dataDeviation * dataDeviation / scale) * sample;
    if (full + 1 >= fullCount()) return {denoised, denoised};
    const float nextAlpha = alphaAt(timestepAt(full + 1));
    const at::Tensor previous =
        std::sqrt(nextAlpha) * denoised + std::sqrt(1.0F - nextAlpha) * noiseLike(sample, noise);
    return {previous, denoised};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/euler_ancestral.h"

#include <cmath>

namespace homebooth::core {

EulerAncestralSampler::EulerAncestralSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : ExplodingSampler(settings, schedule) {}

SamplerStep EulerAncestralSampler::step(const at::Tensor& modelOutput, int64_t index,
                                        const at::Tensor& sample, NoiseSource& noise) {
    const size_t full = at(index);
    const float from = sigma(full);
    const float to = sigma(full + 1);
    const float up = std::sqrt(to * to * (from * from - to * to) / (from * from));
    const float down = std::sqrt(to * to - up * up);
    const at::Tensor predicted = original(modelOutput.to(at::kFloat), sample, from);
    const at::Tensor derivative = (sample - predicted) / from;
    const at::Tensor moved = sample + derivative * (down - from);
    return {moved + noiseLike(sample, noise) * up, predicted};
}

} // namespace homebooth::core

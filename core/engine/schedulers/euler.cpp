// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/euler.h"

namespace homebooth::core {

EulerSampler::EulerSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : ExplodingSampler(settings, schedule) {}

SamplerStep EulerSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                               NoiseSource& /*noise*/) {
    const size_t full = at(index);
    const float level = sigma(full);
    const at::Tensor predicted = original(modelOutput.to(at::kFloat), sample, level);
    const at::Tensor derivative = (sample - predicted) / level;
    return {sample + derivative * (sigma(full + 1) - level), predicted};
}

} // namespace homebooth::core

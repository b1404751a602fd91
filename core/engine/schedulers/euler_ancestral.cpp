// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/euler_ancestral.h"

#include <utility>

namespace homebooth::core {

namespace {

/// How much of a step from one noise level to the next is fresh noise, and how far down the rest goes.
/// `down` is what two nearly equal squares leave over, so LibTorch computes it as it does for diffusers: the
/// last bit of a square decides its second digit when the first level is that of zero terminal SNR.
std::pair<float, float> split(float from, float to) {
    const at::Tensor high = at::scalar_tensor(from, at::kFloat);
    const at::Tensor low = at::scalar_tensor(to, at::kFloat);
    const at::Tensor up = (low.pow(2) * (high.pow(2) - low.pow(2)) / high.pow(2)).pow(0.5);
    const at::Tensor down = (low.pow(2) - up.pow(2)).pow(0.5);
    return {up.item<float>(), down.item<float>()};
}

} // namespace

EulerAncestralSampler::EulerAncestralSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : ExplodingSampler(settings, schedule) {}

SamplerStep EulerAncestralSampler::step(const at::Tensor& modelOutput, int64_t index,
                                        const at::Tensor& sample, NoiseSource& noise) {
    const size_t full = at(index);
    const float from = sigma(full);
    const float to = sigma(full + 1);
    const auto [up, down] = split(from, to);
    const at::Tensor predicted = original(modelOutput.to(at::kFloat), sample, from);
    const at::Tensor derivative = (sample - predicted) / from;
    const at::Tensor moved = sample + derivative * (down - from);
    return {moved + noiseLike(sample, noise) * up, predicted};
}

} // namespace homebooth::core

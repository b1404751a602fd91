// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/dpm_multistep.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {

namespace {

/// With fewer steps than this the last ones use a lower order.
constexpr size_t kFewSteps = 15;

} // namespace

struct DpmMultistepSampler::Interval {
    SignalNoise from;
    SignalNoise to;
    float width = 0.0F; ///< h, the difference of the lambdas
    float decay = 0.0F; ///< exp(-h), or exp(-2h) when stochastic
};

DpmMultistepSampler::DpmMultistepSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : SolverSampler(settings, schedule)
    , m_stochastic(settings.algorithmType == "sde-dpmsolver++") {}

void DpmMultistepSampler::reset() {
    m_originals.clear();
}

DpmMultistepSampler::Interval DpmMultistepSampler::interval(size_t full) const {
    Interval result;
    result.from = signalNoise(full);
    result.to = signalNoise(full + 1);
    result.width = result.to.lambda - result.from.lambda;
    result.decay = torchExp(m_stochastic ? -2.0F * result.width : -result.width);
    return result;
}

int64_t DpmMultistepSampler::orderAt(size_t full) const {
    const bool few = m_settings.lowerOrderFinal && fullCount() < kFewSteps;
    const bool last = full + 1 == fullCount();
    if (last && (m_settings.eulerAtFinal || few || m_settings.finalSigmasType == "zero")) return 1;
    const auto known = static_cast<int64_t>(m_originals.size());
    const int64_t order = std::min(m_settings.solverOrder, known);
    return few && full + 2 == fullCount() ? std::min<int64_t>(order, 2) : order;
}

at::Tensor DpmMultistepSampler::secondOrder(const Interval& between, size_t full) const {
    const at::Tensor& newest = m_originals[m_originals.size() - 1];
    const at::Tensor& older = m_originals[m_originals.size() - 2];
    const float width = between.width;
    const float ratio = (between.from.lambda - signalNoise(full - 1).lambda) / width;
    const at::Tensor slope = (1.0F / ratio) * (newest - older);
    const float alpha = between.to.alpha;
    if (m_settings.solverType == "midpoint") return -0.5F * (alpha * (between.decay - 1.0F)) * slope;
    const float exponent = m_stochastic ? 2.0F * width : width;
    return (alpha * ((between.decay - 1.0F) / exponent + 1.0F)) * slope;
}

at::Tensor DpmMultistepSampler::thirdOrder(const Interval& between, size_t full) const {
    const size_t count = m_originals.size();
    const float width = between.width;
    const SignalNoise before = signalNoise(full - 1);
    const float ratio0 = (between.from.lambda - before.lambda) / width;
    const float ratio1 = (before.lambda - signalNoise(full - 2).lambda) / width;
    const at::Tensor slope0 = (1.0F / ratio0) * (m_originals[count - 1] - m_originals[count - 2]);
    const at::Tensor slope1 = (1.0F / ratio1) * (m_originals[count - 2] - m_originals[count - 3]);
    const at::Tensor first = slope0 + (ratio0 / (ratio0 + ratio1)) * (slope0 - slope1);
    const at::Tensor second = (1.0F / (ratio0 + ratio1)) * (slope0 - slope1);
    const float exponent = m_stochastic ? 2.0F * width : width;
    const float drop = between.decay - 1.0F;
    const float alpha = between.to.alpha;
    const float curvature = m_stochastic ? (-drop - exponent) / (exponent * exponent) - 0.5F
                                         : -((drop + exponent) / (exponent * exponent) - 0.5F);
    return (alpha * (drop / exponent + 1.0F)) * first + (alpha * curvature) * second;
}

SamplerStep DpmMultistepSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                      NoiseSource& noise) {
    const size_t full = at(index);
    const Interval between = interval(full);
    const at::Tensor predicted = thresholded(original(modelOutput.to(at::kFloat), sample, between.from));
    m_originals.push_back(predicted);
    if (static_cast<int64_t>(m_originals.size()) > m_settings.solverOrder)
        m_originals.erase(m_originals.begin());
    const float shrink = between.to.sigma / between.from.sigma;
    const float sampleWeight = m_stochastic ? shrink * torchExp(-between.width) : shrink;
    at::Tensor previous = sampleWeight * sample - (between.to.alpha * (between.decay - 1.0F)) * predicted;
    const int64_t order = orderAt(full);
    if (order == 2) previous = previous + secondOrder(between, full);
    if (order == 3) previous = previous + thirdOrder(between, full);
    if (m_stochastic) {
        const float amount = between.to.sigma * std::sqrt(1.0F - between.decay);
        previous = previous + amount * noiseLike(sample, noise);
    }
    return {previous, predicted};
}

} // namespace homebooth::core

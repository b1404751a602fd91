// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/pndm.h"

#include "core/engine/schedulers/spacing.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {

namespace {

constexpr size_t kOrder = 4;

/// Each of the four noisiest timesteps is visited with its midpoint: t, m, m, t', t', m', m', ...
std::vector<double> rungeKuttaTimesteps(const std::vector<double>& falling, int64_t halfStep) {
    std::vector<double> rising;
    for (size_t index = 0; index < kOrder; ++index) {
        const double value = falling[kOrder - 1 - index];
        rising.push_back(value);
        rising.push_back(value + static_cast<double>(halfStep));
    }
    rising.pop_back();
    std::vector<double> doubled;
    for (const double value : rising) doubled.insert(doubled.end(), 2, value);
    return {doubled.rbegin() + 1, doubled.rend() - 1};
}

} // namespace

PndmSampler::PndmSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : AlphaSampler(settings, schedule) {}

Result<std::vector<double>> PndmSampler::plan(int64_t steps) {
    const std::vector<double> spaced = spacedTimesteps(m_settings, steps, true);
    m_rungeKutta.clear();
    if (m_settings.skipPrkSteps) {
        std::vector<double> timesteps = spaced;
        if (steps > 1) timesteps.insert(timesteps.begin() + 1, spaced[1]); // the second one is visited twice
        return timesteps;
    }
    if (spaced.size() < kOrder)
        return wrongUsage("PNDM with Runge-Kutta steps needs at least 4 steps, found " +
                          std::to_string(steps) + "; choose more steps or another sampler");
    m_rungeKutta = rungeKuttaTimesteps(spaced, m_settings.trainTimesteps / steps / 2);
    std::vector<double> timesteps = m_rungeKutta;
    timesteps.insert(timesteps.end(), spaced.begin() + 3, spaced.end());
    return timesteps;
}

void PndmSampler::reset() {
    m_outputs.clear();
    m_savedSample = at::Tensor();
    m_sum = at::Tensor();
}

SamplerStep PndmSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                              NoiseSource& /*noise*/) {
    const at::Tensor output = modelOutput.to(at::kFloat);
    const at::Tensor predicted = original(output, sample, alphaAt(timestepAt(at(index))));
    const bool rungeKutta = index < static_cast<int64_t>(m_rungeKutta.size());
    return {rungeKutta ? rungeKuttaStep(output, index, sample) : multistep(output, index, sample), predicted};
}

at::Tensor PndmSampler::rungeKuttaStep(const at::Tensor& output, int64_t index, const at::Tensor& sample) {
    const int64_t halfStep = index % 2 == 1 ? 0 : m_settings.trainTimesteps / m_steps / 2;
    const int64_t target = timestepAt(at(index)) - halfStep;
    const auto from = static_cast<int64_t>(m_rungeKutta[static_cast<size_t>(index / 4 * 4)]);
    at::Tensor derivative = output;
    switch (index % 4) {
    case 0:
        m_sum = output * (1.0 / 6.0);
        m_outputs.push_back(output);
        m_savedSample = sample;
        break;
    case 3:
        derivative = m_sum + output * (1.0 / 6.0);
        break;
    default:
        m_sum = m_sum + output * (1.0 / 3.0);
    }
    return transfer(m_savedSample.defined() ? m_savedSample : sample, from, target, derivative);
}

at::Tensor PndmSampler::combined(const at::Tensor& output, int64_t index) const {
    const auto newest = [&](size_t age) -> const at::Tensor& { return m_outputs[m_outputs.size() - age]; };
    switch (m_outputs.size()) {
    case 1:
        return index == 0 ? output : (output + newest(1)) / 2;
    case 2:
        return (3 * newest(1) - newest(2)) / 2;
    case 3:
        return (23 * newest(1) - 16 * newest(2) + 5 * newest(3)) / 12;
    default:
        return (55 * newest(1) - 59 * newest(2) + 37 * newest(3) - 9 * newest(4)) * (1.0 / 24.0);
    }
}

at::Tensor PndmSampler::multistep(const at::Tensor& output, int64_t index, const at::Tensor& sample) {
    const int64_t ratio = m_settings.trainTimesteps / m_steps;
    int64_t from = timestepAt(at(index));
    int64_t target = from - ratio;
    if (index == 1) { // the second visit corrects the first step with both outputs
        target = from;
        from += ratio;
    } else {
        if (m_outputs.size() == kOrder) m_outputs.erase(m_outputs.begin());
        m_outputs.push_back(output);
    }
    const at::Tensor derivative = combined(output, index);
    if (index == 0) m_savedSample = sample;
    return transfer(index == 1 ? m_savedSample : sample, from, target, derivative);
}

at::Tensor PndmSampler::transfer(const at::Tensor& sample, int64_t from, int64_t to,
                                 const at::Tensor& output) const {
    const float alpha = alphaAt(std::min(from, m_settings.trainTimesteps - 1));
    const float targetAlpha = alphaAt(to);
    const float beta = 1.0F - alpha;
    const float sampleWeight = std::sqrt(targetAlpha / alpha);
    const float divisor = alpha * std::sqrt(1.0F - targetAlpha) + std::sqrt(alpha * beta * targetAlpha);
    const at::Tensor noise = epsilon(output, sample, alpha);
    return sampleWeight * sample - (targetAlpha - alpha) * noise / divisor;
}

} // namespace homebooth::core

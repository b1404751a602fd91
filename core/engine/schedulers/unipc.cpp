// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/unipc.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {

struct UniPcSampler::Expansion {
    SignalNoise from;
    SignalNoise to;
    float phi1 = 0.0F;                   ///< exp(hh) - 1
    float basis = 0.0F;                  ///< B(h)
    std::vector<at::Tensor> differences; ///< (older output - newest) / r_k
    at::Tensor matrix;                   ///< R [order, order]
    at::Tensor right;                    ///< b [order]
};

UniPcSampler::UniPcSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule)
    : SolverSampler(settings, schedule) {}

void UniPcSampler::reset() {
    m_outputs.clear();
    m_lastSample = at::Tensor();
    m_order = 0;
}

UniPcSampler::Expansion UniPcSampler::expansion(size_t from, int64_t order) const {
    Expansion result;
    result.from = signalNoise(from);
    result.to = signalNoise(from + 1);
    const float width = result.to.lambda - result.from.lambda;
    const float signedWidth = m_settings.predictX0 ? -width : width;
    const at::Tensor& newest = m_outputs.back();
    std::vector<float> ratios;
    for (int64_t back = 1; back < order; ++back) {
        const at::Tensor& older = m_outputs[m_outputs.size() - 1 - static_cast<size_t>(back)];
        const SignalNoise level = signalNoise(from - static_cast<size_t>(back));
        ratios.push_back((level.lambda - result.from.lambda) / width);
        result.differences.push_back((older - newest) / ratios.back());
    }
    ratios.push_back(1.0F);
    result.phi1 = torchExpm1(signedWidth);
    result.basis = m_settings.solverType == "bh1" ? signedWidth : result.phi1;
    const at::Tensor row = at::tensor(ratios, at::kFloat);
    std::vector<at::Tensor> rows;
    std::vector<float> right;
    float phi = result.phi1 / signedWidth - 1.0F;
    float factorial = 1.0F;
    for (int64_t power = 0; power < order; ++power) {
        rows.push_back(row.pow(power));
        right.push_back(phi * factorial / result.basis);
        factorial *= static_cast<float>(power + 2);
        phi = phi / signedWidth - 1.0F / factorial;
    }
    result.matrix = at::stack(rows);
    result.right = at::tensor(right, at::kFloat);
    return result;
}

at::Tensor UniPcSampler::firstOrder(const Expansion& expansion, const at::Tensor& sample) const {
    const at::Tensor& newest = m_outputs.back();
    if (m_settings.predictX0)
        return (expansion.to.sigma / expansion.from.sigma) * sample -
               (expansion.to.alpha * expansion.phi1) * newest;
    return (expansion.to.alpha / expansion.from.alpha) * sample -
           (expansion.to.sigma * expansion.phi1) * newest;
}

at::Tensor UniPcSampler::predict(const at::Tensor& sample, size_t full) const {
    const Expansion terms = expansion(full, m_order);
    at::Tensor result = firstOrder(terms, sample);
    if (m_order == 1) return result;
    const int64_t count = m_order - 1;
    const at::Tensor weights = m_order == 2
                                   ? at::full({1}, 0.5, at::kFloat)
                                   : at::linalg_solve(terms.matrix.slice(0, 0, count).slice(1, 0, count),
                                                      terms.right.slice(0, 0, count));
    at::Tensor sum = weights[0].item<float>() * terms.differences[0];
    for (int64_t index = 1; index < count; ++index)
        sum = sum + weights[index].item<float>() * terms.differences[static_cast<size_t>(index)];
    const float scale = m_settings.predictX0 ? terms.to.alpha : terms.to.sigma;
    return result - scale * terms.basis * sum;
}

at::Tensor UniPcSampler::correct(const at::Tensor& output, size_t full) const {
    const Expansion terms = expansion(full - 1, m_order);
    const at::Tensor weights =
        m_order == 1 ? at::full({1}, 0.5, at::kFloat) : at::linalg_solve(terms.matrix, terms.right);
    at::Tensor sum = weights[m_order - 1].item<float>() * (output - m_outputs.back());
    for (int64_t index = 0; index + 1 < m_order; ++index)
        sum = sum + weights[index].item<float>() * terms.differences[static_cast<size_t>(index)];
    const float scale = m_settings.predictX0 ? terms.to.alpha : terms.to.sigma;
    return firstOrder(terms, m_lastSample) - scale * terms.basis * sum;
}

SamplerStep UniPcSampler::step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                               NoiseSource& /*noise*/) {
    const size_t full = at(index);
    const at::Tensor output = modelOutput.to(at::kFloat);
    const SignalNoise level = signalNoise(full);
    const at::Tensor predicted = thresholded(original(output, sample, level));
    const at::Tensor converted = m_settings.predictX0 ? predicted : epsilon(output, sample, level);
    const std::vector<int64_t>& off = m_settings.disableCorrector;
    const bool corrects = m_lastSample.defined() &&
                          std::find(off.begin(), off.end(), static_cast<int64_t>(full) - 1) == off.end();
    const at::Tensor corrected = corrects ? correct(converted, full) : sample;
    const auto known = static_cast<int64_t>(m_outputs.size());
    m_outputs.push_back(converted);
    if (known == m_settings.solverOrder) m_outputs.erase(m_outputs.begin());
    const auto left = static_cast<int64_t>(fullCount() - full);
    m_order = m_settings.lowerOrderFinal ? std::min(m_settings.solverOrder, left) : m_settings.solverOrder;
    m_order = std::min(m_order, known + 1);
    m_lastSample = corrected;
    return {predict(corrected, full), predicted};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_flow.h"

#include "core/engine/optim/gradient_norm.h"
#include "core/engine/optim/memory_order.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

/// Keeps the clipping factor finite; torch.nn.utils.clip_grad_norm_ uses the same.
constexpr double kNormEpsilon = 1e-6;

} // namespace

GradientFlow::GradientFlow(GradientFlowOptions options, std::vector<Optimizer*> optimizers)
    : m_options(options)
    , m_optimizers(std::move(optimizers)) {
    TORCH_CHECK(options.accumulationSteps >= 1, "gradient accumulation needs at least one micro-step, got ",
                options.accumulationSteps);
    for (const Optimizer* optimizer : m_optimizers) m_resting.emplace_back(optimizer->trainable().size());
}

void GradientFlow::beginStep(int64_t step, std::span<const double> learningRates) {
    TORCH_CHECK(m_microStep == 0 && m_restingBytes == 0, "the step before was neither ended nor discarded");
    TORCH_CHECK(learningRates.size() == m_optimizers.size(), "expected ", m_optimizers.size(),
                " learning rates, found ", learningRates.size());
    m_updated = false;
    for (size_t i = 0; i < m_optimizers.size(); ++i)
        m_optimizers[i]->beginStep(step - m_skippedSteps, learningRates[i]);
}

double GradientFlow::lossFactor() const {
    return lossScale().value_or(1.0) / static_cast<double>(m_options.accumulationSteps);
}

std::optional<double> GradientFlow::lossScale() const {
    if (!m_options.lossScaling) return std::nullopt;
    return m_scaler.scale();
}

GradientSink GradientFlow::sink(int index) {
    return [this, index](ParameterId id, const at::Tensor& gradient) {
        if (gradient.defined()) take(index, id, gradient);
    };
}

bool GradientFlow::needsAllGradients() const {
    return m_options.lossScaling || m_options.maxGradientNorm > 0.0;
}

void GradientFlow::take(int index, ParameterId id, const at::Tensor& gradient) {
    Optimizer& optimizer = *m_optimizers.at(index);
    const TierScope besideTheParameters(optimizer.store().homeTier());
    at::Tensor& place = m_resting[index][optimizer.position(id)];
    const bool isLast = m_microStep + 1 == m_options.accumulationSteps;
    const bool updates = isLast && !needsAllGradients();
    m_updated = m_updated || updates;
    if (updates && !place.defined()) {
        optimizer.update(id, gradient, 1.0);
        return;
    }
    const bool leavesDevice = optimizer.store().streams();
    rest(place, inOrderOf(gradient, optimizer.store().parameter(id)), leavesDevice);
    if (updates) {
        optimizer.update(id, place, 1.0);
        release(place);
    }
}

void GradientFlow::rest(at::Tensor& place, const at::Tensor& gradient, bool leavesDevice) {
    const int64_t before = place.defined() ? static_cast<int64_t>(place.nbytes()) : 0;
    if (!place.defined()) {
        const bool sums = m_options.accumulationSteps > 1;
        place = sums           ? gradient.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true)
                : leavesDevice ? gradient.clone()
                               : gradient;
    } else {
        if (place.scalar_type() != at::kFloat) place = place.to(at::kFloat);
        place.add_(gradient);
    }
    m_restingBytes += static_cast<int64_t>(place.nbytes()) - before;
    m_peakRestingBytes = std::max(m_peakRestingBytes, m_restingBytes);
}

void GradientFlow::release(at::Tensor& place) {
    if (!place.defined()) return;
    m_restingBytes -= static_cast<int64_t>(place.nbytes());
    place.reset();
}

void GradientFlow::endMicroStep() {
    ++m_microStep;
}

StepOutcome GradientFlow::endStep() {
    TORCH_CHECK(m_microStep == m_options.accumulationSteps, "a step of ", m_options.accumulationSteps,
                " micro-steps was ended after ", m_microStep);
    m_microStep = 0;
    if (!needsAllGradients()) {
        updateAll(1.0); // parameters that the last micro-step did not reach
        return {};
    }
    const double unscale = 1.0 / lossScale().value_or(1.0);
    const double norm = std::sqrt(squaredSum()) * unscale;
    const bool overflow = !std::isfinite(norm);
    if (m_options.lossScaling) m_scaler.finishStep(overflow);
    if (overflow) {
        ++m_skippedSteps;
        discard();
        return {norm, true};
    }
    const double clip = m_options.maxGradientNorm > 0.0
                            ? std::min(1.0, m_options.maxGradientNorm / (norm + kNormEpsilon))
                            : 1.0;
    updateAll(unscale * clip);
    return {norm, false};
}

double GradientFlow::squaredSum() const {
    double sum = 0.0;
    for (const std::vector<at::Tensor>& gradients : m_resting)
        for (const at::Tensor& gradient : gradients)
            if (gradient.defined()) sum += squaredNorm(gradient);
    return sum;
}

void GradientFlow::updateAll(double gradientScale) {
    m_updated = true;
    for (size_t i = 0; i < m_optimizers.size(); ++i) {
        for (size_t position = 0; position < m_resting[i].size(); ++position) {
            at::Tensor& gradient = m_resting[i][position];
            if (!gradient.defined()) continue;
            const TierScope besideTheParameters(m_optimizers[i]->store().homeTier());
            m_optimizers[i]->update(m_optimizers[i]->trainable()[position], gradient, gradientScale);
            release(gradient);
        }
    }
}

void GradientFlow::discard() {
    for (std::vector<at::Tensor>& gradients : m_resting)
        for (at::Tensor& gradient : gradients) release(gradient);
    m_microStep = 0;
}

void GradientFlow::restore(const GradientFlowState& state) {
    m_scaler.restore(state.scaler);
    m_skippedSteps = state.skippedSteps;
    m_statesBegin = state.statesBegin;
    for (Optimizer* optimizer : m_optimizers) optimizer->setStatesBegin(m_statesBegin);
}

} // namespace homebooth::core

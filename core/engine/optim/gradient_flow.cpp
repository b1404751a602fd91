// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_flow.h"

#include "core/engine/optim/gradient_norm.h"
#include "core/engine/optim/memory_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
    TORCH_CHECK(m_microStep == 0 && m_restingBytes[0].bytes + m_restingBytes[1].bytes == 0,
                "the step before was neither ended nor discarded");
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
    const bool isLast = m_microStep + 1 == m_options.accumulationSteps;
    const bool updates = isLast && !needsAllGradients();
    m_updated = m_updated || updates;
    if (updates) optimizer.expect(id.block, -1); // backward comes from the end
    if (optimizer.store().streams(id.block)) {
        m_return.send(optimizer.store(), id, gradient, arrival(index, id, isLast));
        return;
    }
    at::Tensor& place = m_resting[index][optimizer.position(id)];
    if (updates && !place.defined()) {
        optimizer.update(id, gradient, 1.0);
        return;
    }
    if (m_added != &place) rest(place, inOrderOf(gradient, optimizer.store().parameter(id)));
    if (!updates) return;
    m_added = &place;
    optimizer.update(id, place, 1.0);
    m_added = nullptr;
    release(Tier::Device, place);
}

/// What is to be done with a gradient that comes home in pieces: the same as with a whole one.
GradientReturn::Use GradientFlow::arrival(int index, ParameterId id, bool isLast) {
    Optimizer& optimizer = *m_optimizers.at(index);
    at::Tensor& place = m_resting[index][optimizer.position(id)];
    const bool updates = isLast && !needsAllGradients();
    bool adds = false;
    at::Tensor whole; // for an optimizer that wants it so
    return [=, this, &optimizer, &place](const at::Tensor& piece, int64_t begin) mutable {
        const TierScope besideTheParameter(Tier::Ram);
        const at::Tensor parameter = optimizer.store().parameter(id);
        const bool ends = begin + piece.numel() == parameter.numel();
        if (begin == 0) adds = place.defined();
        if (updates && !adds && optimizer.updatesRanges()) {
            optimizer.updateRange(id, piece, begin, 1.0);
        } else if (updates && !adds) {
            if (begin == 0) whole = placeFor(parameter, piece.scalar_type());
            stretchOf(whole, begin, piece.numel()).copy_(piece);
            if (ends) optimizer.update(id, std::exchange(whole, {}), 1.0);
        } else {
            restPiece(place, parameter, piece, begin, adds);
            if (updates && ends) updateFrom(optimizer, id, place);
        }
    };
}

/// Memory for a gradient of this parameter.
at::Tensor GradientFlow::placeFor(const at::Tensor& parameter, at::ScalarType type) {
    return at::empty_strided(parameter.sizes(), parameter.strides(), parameter.options().dtype(type));
}

void GradientFlow::restPiece(at::Tensor& place, const at::Tensor& like, const at::Tensor& piece,
                             int64_t begin, bool adds) {
    if (!place.defined()) {
        place = placeFor(like, m_options.accumulationSteps > 1 ? at::kFloat : piece.scalar_type());
        countRest(Tier::Ram, static_cast<int64_t>(place.nbytes()));
    } else if (adds && place.scalar_type() != at::kFloat) {
        const auto before = static_cast<int64_t>(place.nbytes());
        place = place.to(at::kFloat);
        countRest(Tier::Ram, static_cast<int64_t>(place.nbytes()) - before);
    }
    at::Tensor part = stretchOf(place, begin, piece.numel());
    if (adds)
        part.add_(piece);
    else
        part.copy_(piece);
}

/// Updates with what has rested, on the calling thread where that is possible.
void GradientFlow::updateFrom(Optimizer& optimizer, ParameterId id, at::Tensor& place) {
    if (optimizer.updatesRanges())
        optimizer.updateRange(id, flatAlias(place), 0, 1.0);
    else
        optimizer.update(id, place, 1.0);
    release(Tier::Ram, place);
}

void GradientFlow::rest(at::Tensor& place, const at::Tensor& gradient) {
    const int64_t before = place.defined() ? static_cast<int64_t>(place.nbytes()) : 0;
    if (!place.defined()) {
        const bool sums = m_options.accumulationSteps > 1;
        place = sums ? gradient.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true) : gradient;
    } else {
        if (place.scalar_type() != at::kFloat) place = place.to(at::kFloat);
        place.add_(gradient);
    }
    countRest(Tier::Device, static_cast<int64_t>(place.nbytes()) - before);
}

void GradientFlow::countRest(Tier tier, int64_t bytes) {
    const std::scoped_lock lock(m_countMutex);
    Resting& resting = m_restingBytes[static_cast<size_t>(tier)];
    resting.bytes += bytes;
    resting.peakBytes = std::max(resting.peakBytes, resting.bytes);
}

int64_t GradientFlow::restingBytes(Tier tier) const {
    const std::scoped_lock lock(m_countMutex);
    return m_restingBytes[static_cast<size_t>(tier)].peakBytes;
}

void GradientFlow::release(Tier tier, at::Tensor& place) {
    if (!place.defined()) return;
    countRest(tier, -static_cast<int64_t>(place.nbytes()));
    place.reset();
}

void GradientFlow::endMicroStep() {
    m_return.settle();
    forgetExpected();
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
            const ParameterId id = m_optimizers[i]->trainable()[position];
            const Tier home = m_optimizers[i]->store().homeTier(id.block);
            const TierScope besideTheParameter(home);
            m_optimizers[i]->expect(id.block, 1);
            m_optimizers[i]->update(id, gradient, gradientScale);
            release(home, gradient);
        }
    }
    forgetExpected();
}

void GradientFlow::forgetExpected() {
    for (Optimizer* optimizer : m_optimizers) optimizer->forgetExpected();
}

void GradientFlow::discard() {
    m_added = nullptr;
    m_return.discard();
    for (size_t i = 0; i < m_resting.size(); ++i)
        for (size_t position = 0; position < m_resting[i].size(); ++position) {
            const int block = m_optimizers[i]->trainable()[position].block;
            release(m_optimizers[i]->store().homeTier(block), m_resting[i][position]);
        }
    m_microStep = 0;
}

void GradientFlow::restore(const GradientFlowState& state) {
    m_scaler.restore(state.scaler);
    m_skippedSteps = state.skippedSteps;
    m_statesBegin = state.statesBegin;
    for (Optimizer* optimizer : m_optimizers) optimizer->setStatesBegin(m_statesBegin);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_flow.h"

#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/memory_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace homebooth::core {
namespace {

/// Keeps the clipping factor finite; torch.nn.utils.clip_grad_norm_ uses the same.
constexpr double kNormEpsilon = 1e-6;

std::vector<StateMemory> besideParameters(const std::vector<Optimizer*>& optimizers) {
    std::vector<StateMemory> memories;
    for (const Optimizer* optimizer : optimizers) memories.push_back(StateMemory::beside(optimizer->store()));
    return memories;
}

} // namespace

GradientFlow::GradientFlow(GradientFlowOptions options, std::vector<Optimizer*> optimizers,
                           std::vector<StateMemory> resting)
    : m_options(std::move(options))
    , m_optimizers(std::move(optimizers))
    , m_resting(m_optimizers, m_options.accumulationSteps > 1,
                resting.empty() ? besideParameters(m_optimizers) : std::move(resting)) {
    for (const Optimizer* optimizer : m_optimizers)
        m_lastSent.emplace_back(optimizer->store().schedule().blocks().size());
    TORCH_CHECK(m_options.accumulationSteps >= 1, "gradient accumulation needs at least one micro-step, got ",
                m_options.accumulationSteps);
}

void GradientFlow::reserve() {
    m_visits.reserve(m_options.letsRest() ? std::vector<Optimizer*>() : m_optimizers);
    bool anyStays = false;
    bool anyGoes = false;
    for (const Optimizer* optimizer : m_optimizers) {
        const ParameterStore& store = optimizer->store();
        bool goes = false;
        for (const ParameterId id : optimizer->trainable()) {
            if (!store.streams(id.block)) continue;
            const bool stays = !m_options.letsRest() && optimizer->visitsDevice(id.block);
            (stays ? anyStays : goes) = true;
        }
        if (goes) m_return.reserve(store.options().device);
        anyGoes = anyGoes || goes;
    }
    m_goBothWays = anyStays && anyGoes;
}

void GradientFlow::beginStep(int64_t step, std::span<const double> learningRates) {
    TORCH_CHECK(m_microStep == 0 && m_resting.bytes() == 0,
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
        if (gradient.defined()) take({static_cast<size_t>(index), id}, gradient);
    };
}

void GradientFlow::take(const Key& key, const at::Tensor& gradient) {
    Optimizer& optimizer = *m_optimizers.at(key.optimizer);
    const bool isLast = m_microStep + 1 == m_options.accumulationSteps;
    const bool updates = updatesIn(isLast);
    m_updated = m_updated || updates;
    if (updates) expect(key, -1); // backward comes from the end
    const bool isPart = m_resting.isSharded(key.optimizer);
    if (optimizer.store().streams(key.id.block)) {
        takeStreamed(key, gradient, isLast);
        return;
    }
    if (updates && !m_resting.has(key)) {
        if (isPart)
            optimizer.updateRange(key.id, gradient, m_resting.range(key).begin, 1.0, Workers::All);
        else
            optimizer.update(key.id, gradient, 1.0);
        return;
    }
    if (m_added != key)
        m_resting.add(key, isPart ? gradient : inOrderOf(gradient, optimizer.store().parameter(key.id)));
    if (!updates) return;
    m_added = key;
    m_resting.update(key, 1.0, Workers::All);
    m_added.reset();
}

void GradientFlow::takeStreamed(const Key& key, const at::Tensor& gradient, bool isLast) {
    Optimizer& optimizer = *m_optimizers[key.optimizer];
    LastSent& last = m_lastSent[key.optimizer][static_cast<size_t>(key.id.block)];
    if (m_resting.isSharded(key.optimizer))
        last.home = m_return.sendFlat(optimizer.store(), gradient, arrival(key, isLast));
    else if (updatesIn(isLast) && optimizer.visitsDevice(key.id.block) && !m_options.letsRest())
        last.visiting = m_visits.send(optimizer, key.id, gradient);
    else
        last.home = m_return.send(optimizer.store(), key.id, gradient, arrival(key, isLast));
}

/// What is to be done with a gradient that comes home in pieces: the same as with a whole one.
GradientReturn::Use GradientFlow::arrival(const Key& key, bool isLast) {
    Optimizer& optimizer = *m_optimizers[key.optimizer];
    const bool updates = updatesIn(isLast);
    const Workers workers = workersBesideBackward(optimizer.store());
    const ElementRange range = m_resting.range(key);
    bool adds = false;
    at::Tensor whole; // for an optimizer that wants it so
    return [=, this, &optimizer](const at::Tensor& piece, int64_t begin) mutable {
        const TierScope besideTheParameter(Tier::Ram);
        const at::Tensor parameter = optimizer.store().parameter(key.id);
        const bool ends = begin + piece.numel() == range.count;
        if (begin == 0) adds = m_resting.has(key);
        if (updates && !adds && optimizer.updatesRanges()) {
            optimizer.updateRange(key.id, piece, range.begin + begin, 1.0, workers);
        } else if (updates && !adds) {
            if (begin == 0)
                whole = at::empty_strided(parameter.sizes(), parameter.strides(),
                                          parameter.options().dtype(piece.scalar_type()));
            stretchOf(whole, begin, piece.numel()).copy_(piece);
            if (ends) optimizer.update(key.id, std::exchange(whole, {}), 1.0);
        } else {
            m_resting.addPiece(key, piece, begin, adds);
            if (updates && ends) m_resting.update(key, 1.0, workers);
        }
    };
}

bool GradientFlow::isFinal(int index, int block) const {
    if (m_microStep + 1 < m_options.accumulationSteps) return true;
    const LastSent& last = m_lastSent.at(index).at(block);
    return !m_options.needsAll() && m_return.isDone(last.home) && m_visits.isDone(last.visiting);
}

at::Device GradientFlow::device() const {
    return m_optimizers.empty() ? at::Device(at::kCPU) : m_optimizers.front()->store().options().device;
}

double GradientFlow::waitedSeconds() {
    return device().is_cuda() ? m_stalls.seconds() : m_return.waitedSeconds() + m_visits.waitedSeconds();
}

void GradientFlow::waitForRoom(int64_t bytes) {
    const StallClock::Scope standing(m_stalls, device());
    const int64_t before = bytesOnDevice();
    m_mayBeThere.reset();
    m_visits.waitUntilAtMost(
        bytes, {[this] { return m_return.bytesOnDevice(); }, [this] { return m_return.letOldestGo(); }});
    m_return.waitUntilAtMost(bytes - m_visits.bytesOnDevice());
    standForOthers(std::min(before, bytes));
}

/// Where gradients go both ways it is not known which of them leave first: as many bytes as may be there
/// count in a rehearsal, whichever they are of.
void GradientFlow::standForOthers(int64_t mostBytes) {
    const int64_t lacking = mostBytes - bytesOnDevice();
    if (!m_goBothWays || !device().is_meta() || lacking <= 0) return;
    const WithinProduct noWork;
    const TierScope whereItComputes(Tier::Device);
    m_mayBeThere = at::empty({lacking}, at::TensorOptions().dtype(at::kByte).device(at::kMeta));
}

/// Of gradients, and of what waits beside them.
int64_t GradientFlow::bytesOnDevice() const {
    const int64_t others = m_mayBeThere.defined() ? m_mayBeThere.numel() : 0;
    return m_visits.bytesOnDevice() + m_return.bytesOnDevice() + others;
}

void GradientFlow::endMicroStep() {
    const StallClock::Scope standing(m_stalls, device());
    m_mayBeThere.reset();
    m_visits.settle();
    const double waitedBefore = m_return.waitedSeconds();
    m_return.settle();
    if (m_goBothWays) m_returnTailSeconds += m_return.waitedSeconds() - waitedBefore;
    forgetExpected();
    ++m_microStep;
}

StepOutcome GradientFlow::endStep() {
    TORCH_CHECK(m_microStep == m_options.accumulationSteps, "a step of ", m_options.accumulationSteps,
                " micro-steps was ended after ", m_microStep);
    m_microStep = 0;
    if (!m_options.needsAll()) {
        updateAll(1.0); // parameters that the last micro-step did not reach
        return {};
    }
    const double unscale = 1.0 / lossScale().value_or(1.0);
    const NormOverRanks& ranks = m_options.norm;
    const double own = m_resting.squaredSum(ranks.own);
    const double norm = std::sqrt(ranks.sum ? ranks.sum(own) : own) * unscale;
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

void GradientFlow::updateAll(double gradientScale) {
    m_updated = true;
    for (size_t i = 0; i < m_optimizers.size(); ++i)
        for (const ParameterId id : m_optimizers[i]->trainable()) {
            const Key key{i, id};
            if (!m_resting.has(key)) continue;
            if (m_optimizers[i]->store().streams(id.block)) m_optimizers[i]->store().forgetNextPass();
            const TierScope besideTheParameter(m_optimizers[i]->store().homeTier(id.block));
            expect(key, 1);
            m_resting.update(key, gradientScale, Workers::All);
        }
    forgetExpected();
}

/// Has what the updates of a block and of the next one need read ahead from a disk.
void GradientFlow::expect(const Key& key, int direction) {
    m_resting.want(key.optimizer, m_optimizers[key.optimizer]->expect(key.id.block, direction));
}

void GradientFlow::forgetExpected() {
    for (Optimizer* optimizer : m_optimizers) optimizer->forgetExpected();
}

void GradientFlow::discard() {
    m_added.reset();
    m_mayBeThere.reset();
    m_return.discard();
    m_visits.discard();
    m_resting.discard();
    m_microStep = 0;
}

void GradientFlow::restore(const GradientFlowState& state) {
    m_scaler.restore(state.scaler);
    m_skippedSteps = state.skippedSteps;
    m_statesBegin = state.statesBegin;
    for (Optimizer* optimizer : m_optimizers) optimizer->setStatesBegin(m_statesBegin);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/adafactor.h"

#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/rounding.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr double kEpsilon = 1e-30;
constexpr double kClipThreshold = 1.0;
constexpr double kDecayRate = -0.8;

double rootMeanSquare(const at::Tensor& tensor) {
    if (tensor.is_meta()) return 1.0; // a rehearsal: there are no numbers
    return tensor.norm().item<double>() / std::sqrt(static_cast<double>(tensor.numel()));
}

} // namespace

Adafactor::Adafactor(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory)
    : Optimizer(config, store, seed, memory) {
    for (const ParameterId id : trainable()) {
        const at::Tensor parameter = store.parameter(id);
        Averages averages;
        if (parameter.dim() >= 2) {
            std::vector<int64_t> row = parameter.sizes().vec();
            std::vector<int64_t> column = row;
            row.pop_back();
            column.erase(column.end() - 2);
            averages.row = memory.zeros(id, row, at::kFloat);
            averages.column = memory.zeros(id, column, at::kFloat);
        } else {
            averages.full = memory.zeros(id, parameter.sizes(), at::kFloat);
        }
        m_averages.push_back(std::move(averages));
    }
}

/// What the states become, in memory of its own: where some is refused later, the update can be repeated.
Adafactor::Averages Adafactor::advanced(const at::Tensor& gradient, const Averages& before) const {
    const double beta2 = 1.0 - std::pow(static_cast<double>(statesAge()), kDecayRate);
    const at::Tensor square = at::square(gradient).add_(kEpsilon);
    Averages averages;
    if (before.full.defined()) {
        averages.full = before.full.mul(beta2).add_(square, 1.0 - beta2);
        return averages;
    }
    averages.row = before.row.mul(beta2).add_(square.mean(-1), 1.0 - beta2);
    averages.column = before.column.mul(beta2).add_(square.mean(-2), 1.0 - beta2);
    return averages;
}

/// The gradient over the root of its running mean square.
at::Tensor Adafactor::normalised(const at::Tensor& gradient, const Averages& averages) {
    if (averages.full.defined()) return at::rsqrt(averages.full).mul_(gradient);
    const at::Tensor rowFactor =
        (averages.row / averages.row.mean(-1, /*keepdim=*/true)).rsqrt_().unsqueeze(-1);
    const at::Tensor columnFactor = averages.column.unsqueeze(-2).rsqrt();
    return at::mul(rowFactor, columnFactor).mul_(gradient);
}

void Adafactor::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    const at::Tensor parameter = store().parameter(id);
    TORCH_CHECK(gradient.sizes() == parameter.sizes(), "a gradient has shape ", gradient.sizes(),
                ", its parameter has ", parameter.sizes());
    const Averages& states = m_averages[position(id)];
    const auto held = memory().hold({states.full, states.row, states.column}, true);
    at::Tensor full = gradient.to(at::kFloat);
    if (gradientScale != 1.0) full = full * gradientScale;
    const Averages next = advanced(full, states);
    at::Tensor change = normalised(full, next);
    change.div_(std::max(1.0, rootMeanSquare(change) / kClipThreshold)).mul_(learningRate());
    apply(id, flatAlias(inOrderOf(change, parameter)));
    for (const auto& [state, value] : {std::pair(states.full, next.full), std::pair(states.row, next.row),
                                       std::pair(states.column, next.column)})
        if (state.defined()) state.copy_(value);
}

/// Takes a change off the exact values, which are then rounded: at random where there is no master.
void Adafactor::apply(ParameterId id, const at::Tensor& change) {
    const kernels::RandomStream random = roundingStream(seed(), step(), store().spec(id).name);
    const at::Tensor parameter = store().parameter(id);
    at::Tensor room; // the first piece is the largest
    memory().changePieces(id, change.numel(), [&](int64_t begin, int64_t count) {
        if (!room.defined()) room = at::empty({count}, change.options());
        const at::Tensor part = stretchOf(parameter, begin, count);
        const at::Tensor master = stretchOf(masterAt(position(id)), begin, count);
        const auto held = memory().hold({master}, true);
        const auto heldPart = store().holdPart(part, true);
        at::Tensor exact = room.narrow(0, 0, count).copy_(master.defined() ? master : part);
        if (config().weightDecay != 0.0) exact.mul_(1.0 - config().weightDecay * learningRate());
        exact.sub_(change.narrow(0, begin, count));
        if (!master.defined()) return storeRounded(part, exact, random, begin);
        part.copy_(exact);
        master.copy_(exact);
    });
}

std::vector<Optimizer::Moment> Adafactor::momentsAt(size_t position) const {
    const Averages& averages = m_averages[position];
    if (averages.full.defined()) return {{"exp_avg_sq", averages.full}};
    return {{"exp_avg_sq_row", averages.row}, {"exp_avg_sq_col", averages.column}};
}

void Adafactor::wantStates(ParameterId id) {
    const Averages& averages = m_averages[position(id)];
    memory().want({averages.full, averages.row, averages.column, masterAt(position(id))});
}

} // namespace homebooth::core

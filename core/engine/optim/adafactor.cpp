// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/adafactor.h"

#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/ordered_sum.h"
#include "core/engine/optim/rounding.h"
#include "kernels/numeric/bounded_rate.h"
#include "kernels/numeric/inverse_roots.h"

#include <cmath>

namespace homebooth::core {
namespace {

constexpr double kEpsilon = 1e-30;
constexpr double kClipThreshold = 1.0;
constexpr double kDecayRate = -0.8;

// CPU and GPU give the same bytes where sums have one order and each other operation rounds once. LibTorch's
// sums and roots do not, and it makes a quotient by a number a product on a GPU: none of them stands here.

/// The mean along one side, of contiguous fp32.
at::Tensor meanAlong(const at::Tensor& values, int64_t side, kernels::Summed what, double more = 0.0) {
    const double share = 1.0 / static_cast<double>(values.size(side));
    return sumAlong(values, side, what).mul_(share).add_(more).to(at::kFloat);
}

/// The learning rate, less for a change whose root mean square is above the threshold. It stays where
/// the change is: nobody waits for a GPU, which may be far behind.
/// Shapes: change contiguous fp32; the result fp32 []
at::Tensor boundedRate(const at::Tensor& change, double rate) {
    const at::Tensor squares = sumAlong(change.view({-1}), 0, kernels::Summed::Squares);
    at::Tensor bounded = at::empty({}, change.options());
    if (bounded.is_meta()) return bounded; // a rehearsal: there are no numbers
    const auto* from = squares.const_data_ptr<double>();
    auto* to = bounded.mutable_data_ptr<float>();
    if (bounded.is_cuda())
        launchOnGpu(bounded.device(), [&](void* stream) {
            return kernels::launchBoundedRate(from, change.numel(), rate, kClipThreshold, to, stream);
        });
    else
        *to = kernels::boundedRate(*from, change.numel(), rate, kClipThreshold);
    return bounded;
}

/// One over the root of each, in its place. @param values  contiguous fp32
at::Tensor inverseRootsIn(at::Tensor values) {
    if (values.is_meta()) return values; // a rehearsal: there are no numbers
    auto* at = values.mutable_data_ptr<float>();
    if (values.is_cuda())
        launchOnGpu(values.device(),
                    [&](void* stream) { return kernels::launchInverseRoots(at, values.numel(), stream); });
    else
        parallelOver(values.numel(), 1,
                     [&](int64_t begin, int64_t end) { kernels::inverseRoots(at + begin, end - begin); });
    return values;
}

/// In fp32, one row behind another: itself if it is.
at::Tensor rowsOf(const at::Tensor& gradient) {
    if (gradient.scalar_type() == at::kFloat && gradient.is_contiguous()) return gradient;
    return at::empty(gradient.sizes(), gradient.options().dtype(at::kFloat)).copy_(gradient);
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
    const auto moved = [&](const at::Tensor& state, at::Tensor now) {
        return state.mul(beta2).add_(now.mul_(1.0 - beta2));
    };
    const auto mean = [&](int64_t side) {
        return meanAlong(gradient, side, kernels::Summed::Squares, kEpsilon);
    };
    Averages averages;
    if (before.full.defined()) {
        averages.full = moved(before.full, at::mul(gradient, gradient).add_(kEpsilon));
        return averages;
    }
    averages.row = moved(before.row, mean(-1));
    averages.column = moved(before.column, mean(-2));
    return averages;
}

/// The gradient over the root of its running mean square.
at::Tensor Adafactor::normalised(const at::Tensor& gradient, const Averages& averages) {
    const auto copyOf = [](const at::Tensor& values) { return values.clone(at::MemoryFormat::Contiguous); };
    if (averages.full.defined()) return inverseRootsIn(copyOf(averages.full)).mul_(gradient);
    const at::Tensor rows = averages.row.contiguous();
    const at::Tensor mean = meanAlong(rows, -1, kernels::Summed::Values).unsqueeze(-1);
    const at::Tensor rowFactor = inverseRootsIn(at::div(rows, mean)).unsqueeze(-1);
    const at::Tensor columnFactor = inverseRootsIn(copyOf(averages.column)).unsqueeze(-2);
    at::Tensor change = at::empty(gradient.sizes(), gradient.options());
    at::mul_out(change, rowFactor, columnFactor);
    return change.mul_(gradient);
}

void Adafactor::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    const at::Tensor parameter = store().parameter(id);
    TORCH_CHECK(gradient.sizes() == parameter.sizes(), "a gradient has shape ", gradient.sizes(),
                ", its parameter has ", parameter.sizes());
    const Averages& states = m_averages[position(id)];
    const auto held = memory().hold({states.full, states.row, states.column}, true);
    at::Tensor full = rowsOf(gradient);
    if (gradientScale != 1.0) full = full * gradientScale;
    const Averages next = advanced(full, states);
    at::Tensor change = normalised(full, next);
    change.mul_(boundedRate(change, learningRate()));
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

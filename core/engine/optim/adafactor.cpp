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

Adafactor::Adafactor(const OptimizerConfig& config, ParameterStore& store, uint64_t seed)
    : Optimizer(store)
    , m_config(config)
    , m_seed(seed) {
    for (const ParameterId id : trainable()) {
        const TierScope besideTheParameter(store.homeTier(id.block));
        const at::Tensor parameter = store.parameter(id);
        const at::TensorOptions options = parameter.options().dtype(at::kFloat);
        Moments moments;
        if (parameter.dim() >= 2) {
            std::vector<int64_t> row = parameter.sizes().vec();
            std::vector<int64_t> column = row;
            row.pop_back();
            column.erase(column.end() - 2);
            moments.row = at::zeros(row, options);
            moments.column = at::zeros(column, options);
        } else {
            moments.full = at::zeros(parameter.sizes(), options);
        }
        m_moments.push_back(std::move(moments));
    }
}

/// What the states become, in memory of its own: where some is refused later, the update can be repeated.
Adafactor::Moments Adafactor::advanced(const at::Tensor& gradient, const Moments& before) const {
    const double beta2 = 1.0 - std::pow(static_cast<double>(statesAge()), kDecayRate);
    const at::Tensor square = at::square(gradient).add_(kEpsilon);
    Moments moments;
    if (before.full.defined()) {
        moments.full = before.full.mul(beta2).add_(square, 1.0 - beta2);
        return moments;
    }
    moments.row = before.row.mul(beta2).add_(square.mean(-1), 1.0 - beta2);
    moments.column = before.column.mul(beta2).add_(square.mean(-2), 1.0 - beta2);
    return moments;
}

/// The gradient over the root of its running mean square.
at::Tensor Adafactor::normalised(const at::Tensor& gradient, const Moments& moments) {
    if (moments.full.defined()) return at::rsqrt(moments.full).mul_(gradient);
    const at::Tensor rowFactor =
        (moments.row / moments.row.mean(-1, /*keepdim=*/true)).rsqrt_().unsqueeze(-1);
    const at::Tensor columnFactor = moments.column.unsqueeze(-2).rsqrt();
    return at::mul(rowFactor, columnFactor).mul_(gradient);
}

void Adafactor::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    at::Tensor parameter = store().parameter(id);
    TORCH_CHECK(gradient.sizes() == parameter.sizes(), "a gradient has shape ", gradient.sizes(),
                ", its parameter has ", parameter.sizes());
    const auto held = store().hold(id, true);
    at::Tensor full = gradient.to(at::kFloat);
    if (gradientScale != 1.0) full = full * gradientScale;
    Moments& states = m_moments[position(id)];
    const Moments next = advanced(full, states);
    at::Tensor change = normalised(full, next);
    change.div_(std::max(1.0, rootMeanSquare(change) / kClipThreshold)).mul_(learningRate());
    at::Tensor exact = zerosInOrderOf(parameter, at::kFloat).copy_(parameter);
    if (m_config.weightDecay != 0.0) exact.mul_(1.0 - m_config.weightDecay * learningRate());
    exact.sub_(change);
    storeRounded(parameter, exact, roundingStream(m_seed, step(), store().spec(id).name));
    for (const auto& [state, value] : {std::pair(states.full, next.full), std::pair(states.row, next.row),
                                       std::pair(states.column, next.column)})
        if (state.defined()) state.copy_(value);
}

std::vector<at::Tensor> Adafactor::statesAt(size_t position) const {
    const Moments& moments = m_moments[position];
    if (moments.full.defined()) return {moments.full};
    return {moments.row, moments.column};
}

std::vector<NamedTensor> Adafactor::stateTensors() const {
    std::vector<NamedTensor> states;
    for (size_t i = 0; i < trainable().size(); ++i) {
        const std::string& name = store().spec(trainable()[i]).name;
        if (m_moments[i].full.defined()) {
            states.push_back({name + ".exp_avg_sq", m_moments[i].full});
            continue;
        }
        states.push_back({name + ".exp_avg_sq_row", m_moments[i].row});
        states.push_back({name + ".exp_avg_sq_col", m_moments[i].column});
    }
    return states;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/adamw8bit.h"

#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"
#include "kernels/optim/adamw8bit.h"

namespace homebooth::core {
namespace {

/// Codes that stand for zero.
at::Tensor zeroCodes(const at::Tensor& like, bool isSigned) {
    const std::array<float, 256>& map = kernels::dynamicMap(isSigned);
    const auto zero = std::find(map.begin(), map.end(), 0.0f) - map.begin();
    return zerosInOrderOf(like, at::kByte).fill_(static_cast<int64_t>(zero));
}

int64_t blockCount(int64_t elements) {
    return (elements + kernels::kQuantisationBlock - 1) / kernels::kQuantisationBlock;
}

kernels::QuantisedMoments momentsAt(int64_t element, const at::Tensor& first, const at::Tensor& firstScales,
                                    const at::Tensor& second, const at::Tensor& secondScales) {
    const int64_t block = element / kernels::kQuantisationBlock;
    return {first.data_ptr<uint8_t>() + element, firstScales.data_ptr<float>() + block,
            second.data_ptr<uint8_t>() + element, secondScales.data_ptr<float>() + block};
}

} // namespace

AdamW8bit::AdamW8bit(const OptimizerConfig& config, ParameterStore& store, uint64_t seed)
    : Optimizer(store)
    , m_config(config)
    , m_seed(seed) {
    const TierScope besideTheParameters(store.homeTier());
    for (const ParameterId id : trainable()) {
        const at::Tensor parameter = store.parameter(id);
        Moments moments;
        if (parameter.numel() < kSmallest) {
            moments.first = zerosInOrderOf(parameter, at::kFloat);
            moments.second = zerosInOrderOf(parameter, at::kFloat);
        } else {
            const at::TensorOptions options = parameter.options().dtype(at::kFloat);
            moments.first = zeroCodes(parameter, true);
            moments.second = zeroCodes(parameter, false);
            moments.firstScales = at::zeros({blockCount(parameter.numel())}, options);
            moments.secondScales = at::zeros({blockCount(parameter.numel())}, options);
        }
        m_moments.push_back(std::move(moments));
    }
}

void AdamW8bit::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    const at::Tensor parameter = store().parameter(id);
    const std::string& name = store().spec(id).name;
    Moments& moments = m_moments[position(id)];
    const at::Tensor ordered = inOrderOf(gradient, parameter);
    if (moments.firstScales.defined()) {
        updateQuantised(parameter, ordered, moments, gradientScale, name);
    } else {
        stepAdamW(parameter, ordered, moments.first, moments.second,
                  adamWStepOf(m_config, statesAge(), learningRate(), gradientScale),
                  roundingStream(m_seed, step(), name));
    }
}

void AdamW8bit::updateQuantised(const at::Tensor& parameter, const at::Tensor& gradient, Moments& moments,
                                double gradientScale, const std::string& name) {
    if (parameter.is_meta()) return; // a rehearsal: there are no numbers
    if (!parameter.is_cpu()) {
        Moments here{moments.first.cpu(), moments.second.cpu(), moments.firstScales.cpu(),
                     moments.secondScales.cpu()};
        const at::Tensor copy = parameter.cpu();
        updateQuantised(copy, gradient.cpu(), here, gradientScale, name);
        at::Tensor target = parameter;
        target.copy_(copy);
        moments.first.copy_(here.first);
        moments.second.copy_(here.second);
        moments.firstScales.copy_(here.firstScales);
        moments.secondScales.copy_(here.secondScales);
        return;
    }
    kernels::AdamWRange range;
    range.parameter = flatAlias(parameter).data_ptr();
    range.gradient = flatAlias(gradient).const_data_ptr();
    range.parameterType = numberType(parameter);
    range.gradientType = numberType(gradient);
    range.count = parameter.numel();
    const kernels::AdamWStep step8 = adamWStepOf(m_config, statesAge(), learningRate(), gradientScale);
    const kernels::RandomStream random = roundingStream(m_seed, step(), name);
    parallelOver(range.count, kernels::kQuantisationBlock, [&](int64_t begin, int64_t end) {
        kernels::adamW8bit(
            kernels::slice(range, begin, end - begin),
            momentsAt(begin, moments.first, moments.firstScales, moments.second, moments.secondScales), step8,
            random);
    });
}

std::vector<NamedTensor> AdamW8bit::stateTensors() const {
    std::vector<NamedTensor> states;
    for (size_t i = 0; i < trainable().size(); ++i) {
        const std::string& name = store().spec(trainable()[i]).name;
        const Moments& moments = m_moments[i];
        states.push_back({name + ".exp_avg", moments.first});
        states.push_back({name + ".exp_avg_sq", moments.second});
        if (!moments.firstScales.defined()) continue;
        states.push_back({name + ".exp_avg.absmax", moments.firstScales});
        states.push_back({name + ".exp_avg_sq.absmax", moments.secondScales});
    }
    return states;
}

} // namespace homebooth::core

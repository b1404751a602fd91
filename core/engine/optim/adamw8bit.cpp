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
    const at::Tensor ordered = flatAlias(inOrderOf(gradient, store().parameter(id)));
    step(id, ordered, 0, gradientScale, Workers::All);
}

void AdamW8bit::updateRange(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale) {
    step(id, gradient, begin, gradientScale, Workers::Caller);
}

void AdamW8bit::step(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                     Workers workers) {
    const Moments& whole = m_moments[position(id)];
    const int64_t count = gradient.numel();
    const at::Tensor parameter = stretchOf(store().parameter(id), begin, count);
    const Moments moments = whole.stretch(begin, count);
    const kernels::AdamWStep numbers = adamWStepOf(m_config, statesAge(), learningRate(), gradientScale);
    const kernels::RandomStream random = roundingStream(m_seed, Optimizer::step(), store().spec(id).name);
    if (!whole.firstScales.defined()) {
        stepAdamW({parameter, gradient, moments.first, moments.second, begin}, numbers, random, workers);
    } else if (parameter.is_cpu()) {
        moments.stepQuantised(parameter, gradient, begin, numbers, random, workers);
    } else if (!parameter.is_meta()) { // a rehearsal has no numbers
        const Moments here = moments.onCpu();
        const at::Tensor copy = parameter.cpu();
        here.stepQuantised(copy, gradient.cpu(), begin, numbers, random, workers);
        parameter.copy_(copy);
        moments.take(here);
    }
}

AdamW8bit::Moments AdamW8bit::Moments::stretch(int64_t begin, int64_t count) const {
    Moments part{stretchOf(first, begin, count), stretchOf(second, begin, count), {}, {}};
    if (!firstScales.defined()) return part;
    part.firstScales = firstScales.narrow(0, begin / kernels::kQuantisationBlock, blockCount(count));
    part.secondScales = secondScales.narrow(0, begin / kernels::kQuantisationBlock, blockCount(count));
    return part;
}

AdamW8bit::Moments AdamW8bit::Moments::onCpu() const {
    return {first.cpu(), second.cpu(), firstScales.cpu(), secondScales.cpu()};
}

void AdamW8bit::Moments::take(const Moments& other) const {
    first.copy_(other.first);
    second.copy_(other.second);
    firstScales.copy_(other.firstScales);
    secondScales.copy_(other.secondScales);
}

void AdamW8bit::Moments::stepQuantised(const at::Tensor& parameter, const at::Tensor& gradient,
                                       int64_t firstElement, const kernels::AdamWStep& numbers,
                                       const kernels::RandomStream& random, Workers workers) const {
    kernels::AdamWRange range;
    range.parameter = parameter.data_ptr();
    range.gradient = gradient.const_data_ptr();
    range.parameterType = numberType(parameter);
    range.gradientType = numberType(gradient);
    range.firstElement = firstElement;
    range.count = gradient.numel();
    const kernels::QuantisedMoments all{first.data_ptr<uint8_t>(), firstScales.data_ptr<float>(),
                                        second.data_ptr<uint8_t>(), secondScales.data_ptr<float>()};
    const auto work = [&](int64_t begin, int64_t end) {
        const int64_t block = begin / kernels::kQuantisationBlock;
        kernels::adamW8bit(kernels::slice(range, begin, end - begin),
                           {all.firstCodes + begin, all.firstScales + block, all.secondCodes + begin,
                            all.secondScales + block},
                           numbers, random);
    };
    parallelOver(range.count, kernels::kQuantisationBlock, work, workers);
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

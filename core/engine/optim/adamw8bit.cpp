// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/adamw8bit.h"

#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"
#include "kernels/optim/adamw8bit.h"

namespace homebooth::core {
namespace {

/// The code that stands for zero.
int64_t zeroCode(bool isSigned) {
    const std::array<float, 256>& map = kernels::dynamicMap(isSigned);
    return std::find(map.begin(), map.end(), 0.0f) - map.begin();
}

int64_t blockCount(int64_t elements) {
    return (elements + kernels::kQuantisationBlock - 1) / kernels::kQuantisationBlock;
}

} // namespace

AdamW8bit::AdamW8bit(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory)
    : Optimizer(config, store, seed, memory) {
    for (const ParameterId id : trainable()) {
        const at::Tensor parameter = store.parameter(id);
        const bool isSmall = parameter.numel() < kSmallest;
        Quantised moments;
        moments.first = memory.zerosLike(id, isSmall ? at::kFloat : at::kByte);
        moments.second = memory.zerosLike(id, isSmall ? at::kFloat : at::kByte);
        if (!isSmall) {
            const int64_t blocks = blockCount(memory.range(id).count);
            moments.firstScales = memory.zeros(id, blocks, at::kFloat);
            moments.secondScales = memory.zeros(id, blocks, at::kFloat);
            memory.fill(moments.first, zeroCode(true));
            memory.fill(moments.second, zeroCode(false));
        }
        m_moments.push_back(std::move(moments));
    }
}

void AdamW8bit::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    TORCH_CHECK(!isSharded(), "one rank updates its part of ", store().spec(id).name, ", not all of it");
    updateRange(id, flatAlias(inOrderOf(gradient, store().parameter(id))), 0, gradientScale, Workers::All);
}

std::vector<at::Tensor> AdamW8bit::touched(ParameterId id, int64_t begin, int64_t count) const {
    const size_t place = position(id);
    const int64_t inStates = begin - range(id).begin;
    const Quantised moments = m_moments[place].stretch(inStates, count);
    return {stretchOf(store().parameter(id), begin, count),
            stretchOf(masterAt(place), inStates, count),
            moments.first,
            moments.second,
            moments.firstScales,
            moments.secondScales};
}

void AdamW8bit::updateCopies(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                             const std::vector<at::Tensor>& copies, Workers workers) const {
    const kernels::AdamWStep numbers = adamWStepOf(config(), statesAge(), learningRate(), gradientScale);
    const kernels::RandomStream random = roundingStream(seed(), Optimizer::step(), store().spec(id).name);
    const Quantised moments{copies.at(2), copies.at(3), copies.at(4), copies.at(5)};
    AdamWStretch stretch{copies.at(0), gradient, {}, {}, begin, copies.at(1)};
    if (moments.firstScales.defined()) {
        moments.step(stretch, numbers, random, workers);
        return;
    }
    stretch.first = moments.first;
    stretch.second = moments.second;
    stepAdamW(stretch, numbers, random, workers);
}

std::vector<Optimizer::Moment> AdamW8bit::momentsAt(size_t position) const {
    const Quantised& moments = m_moments[position];
    std::vector<Moment> all = {{"exp_avg", moments.first}, {"exp_avg_sq", moments.second}};
    if (moments.firstScales.defined())
        all.insert(all.end(), {{"exp_avg.absmax", moments.firstScales, kernels::kQuantisationBlock},
                               {"exp_avg_sq.absmax", moments.secondScales, kernels::kQuantisationBlock}});
    return all;
}

AdamW8bit::Quantised AdamW8bit::Quantised::stretch(int64_t begin, int64_t count) const {
    Quantised part{stretchOf(first, begin, count), stretchOf(second, begin, count), {}, {}};
    if (!firstScales.defined()) return part;
    part.firstScales = firstScales.narrow(0, begin / kernels::kQuantisationBlock, blockCount(count));
    part.secondScales = secondScales.narrow(0, begin / kernels::kQuantisationBlock, blockCount(count));
    return part;
}

void AdamW8bit::Quantised::step(const AdamWStretch& stretch, const kernels::AdamWStep& numbers,
                                const kernels::RandomStream& random, Workers workers) const {
    const at::Device device = stretch.parameter.device();
    if (device.is_meta()) return; // a rehearsal: there are no numbers
    const kernels::AdamWRange range = rangeOf(stretch);
    const kernels::QuantisedMoments all{first.data_ptr<uint8_t>(), firstScales.data_ptr<float>(),
                                        second.data_ptr<uint8_t>(), secondScales.data_ptr<float>()};
    if (device.is_cuda())
        return launchOnGpu(device, [&](void* stream) {
            return kernels::launchAdamW8bit(range, all, numbers, random, stream);
        });
    const auto work = [&](int64_t begin, int64_t end) {
        const int64_t block = begin / kernels::kQuantisationBlock;
        kernels::adamW8bit(kernels::slice(range, begin, end - begin),
                           {all.firstCodes + begin, all.firstScales + block, all.secondCodes + begin,
                            all.secondScales + block},
                           numbers, random);
    };
    parallelOver(range.count, kernels::kQuantisationBlock, work, workers);
}

} // namespace homebooth::core

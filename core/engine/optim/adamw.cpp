// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/adamw.h"

#include "core/engine/memory/device_wait.h"
#include "core/engine/nn/number_type.h"
#include "core/engine/optim/memory_order.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace homebooth::core {

kernels::AdamWRange rangeOf(const AdamWStretch& stretch) {
    kernels::AdamWRange range;
    range.parameter = stretch.parameter.data_ptr();
    range.gradient = stretch.gradient.const_data_ptr();
    range.firstElement = stretch.firstElement;
    range.count = stretch.gradient.numel();
    range.parameterType = numberTypeOf(stretch.parameter.scalar_type());
    range.gradientType = numberTypeOf(stretch.gradient.scalar_type());
    if (stretch.master.defined()) range.master = stretch.master.data_ptr<float>();
    if (!stretch.first.defined()) return range;
    range.firstMoment = stretch.first.data_ptr();
    range.secondMoment = stretch.second.data_ptr();
    range.momentType = numberTypeOf(stretch.first.scalar_type());
    return range;
}

void launchOnGpu(at::Device device, const std::function<int(void*)>& launch) {
    const c10::DeviceGuard guard(device);
    const c10::impl::VirtualGuardImpl driver(device.type());
    checkGpu(launch(driver.getStreamNativeHandle(driver.getStream(device))),
             "start a kernel of the optimizer");
}

void stepAdamW(const AdamWStretch& stretch, const kernels::AdamWStep& step,
               const kernels::RandomStream& random, Workers workers) {
    const at::Device device = stretch.parameter.device();
    TORCH_CHECK(stretch.gradient.device() == device, "a gradient lies on ", stretch.gradient.device(),
                ", its parameter on ", device);
    if (device.is_meta()) return; // a rehearsal: there are no numbers
    const kernels::AdamWRange range = rangeOf(stretch);
    if (device.is_cuda())
        return launchOnGpu(device,
                           [&](void* stream) { return kernels::launchAdamW(range, step, random, stream); });
    parallelOver(
        range.count, kernels::kRandomGroup,
        [&](int64_t begin, int64_t end) {
            kernels::adamW(kernels::slice(range, begin, end - begin), step, random);
        },
        workers);
}

kernels::AdamWStep adamWStepOf(const OptimizerConfig& config, int64_t age, double learningRate,
                               double gradientScale) {
    return kernels::adamWStep(age, learningRate, config.beta1, config.beta2, config.epsilon,
                              config.weightDecay, gradientScale);
}

kernels::RandomStream roundingStream(uint64_t seed, int64_t step, const std::string& name) {
    return {seed, static_cast<uint32_t>(step), parameterHash(name),
            kernels::RandomPurpose::OptimizerRounding};
}

AdamW::AdamW(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory)
    : Optimizer(config, store, seed, memory) {
    const at::ScalarType type = config.states == StateType::Bf16 ? at::kBFloat16 : at::kFloat;
    for (const ParameterId id : trainable()) {
        m_first.push_back(memory.zerosLike(id, type));
        m_second.push_back(memory.zerosLike(id, type));
    }
}

void AdamW::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    TORCH_CHECK(!isSharded(), "one rank updates its part of ", store().spec(id).name, ", not all of it");
    updateRange(id, flatAlias(inOrderOf(gradient, store().parameter(id))), 0, gradientScale, Workers::All);
}

std::vector<at::Tensor> AdamW::touched(ParameterId id, int64_t begin, int64_t count) const {
    const size_t place = position(id);
    const int64_t inStates = begin - range(id).begin;
    return {stretchOf(store().parameter(id), begin, count), stretchOf(masterAt(place), inStates, count),
            stretchOf(m_first[place], inStates, count), stretchOf(m_second[place], inStates, count)};
}

void AdamW::updateCopies(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                         const std::vector<at::Tensor>& copies, Workers workers) const {
    stepAdamW({copies.at(0), gradient, copies.at(2), copies.at(3), begin, copies.at(1)},
              adamWStepOf(config(), statesAge(), learningRate(), gradientScale),
              roundingStream(seed(), Optimizer::step(), store().spec(id).name), workers);
}

std::vector<Optimizer::Moment> AdamW::momentsAt(size_t position) const {
    return {{"exp_avg", m_first[position]}, {"exp_avg_sq", m_second[position]}};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/adamw.h"

#include "core/engine/optim/memory_order.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace homebooth::core {
namespace {

kernels::AdamWRange rangeOf(const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& first,
                            const at::Tensor& second) {
    kernels::AdamWRange range;
    range.parameter = parameter.data_ptr();
    range.gradient = gradient.const_data_ptr();
    range.firstMoment = first.data_ptr();
    range.secondMoment = second.data_ptr();
    range.count = parameter.numel();
    range.parameterType = numberType(parameter);
    range.gradientType = numberType(gradient);
    range.momentType = numberType(first);
    return range;
}

} // namespace

void stepAdamW(const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& first,
               const at::Tensor& second, const kernels::AdamWStep& step,
               const kernels::RandomStream& random) {
    TORCH_CHECK(parameter.is_non_overlapping_and_dense(), "AdamW needs dense parameters, found strides ",
                parameter.strides());
    TORCH_CHECK(gradient.device() == parameter.device(), "a gradient lies on ", gradient.device(),
                ", its parameter on ", parameter.device());
    if (parameter.is_meta()) return; // a rehearsal: there are no numbers
    const kernels::AdamWRange range = rangeOf(parameter, gradient, first, second);
    if (parameter.is_cuda()) {
        const c10::DeviceGuard guard(parameter.device());
        const c10::impl::VirtualGuardImpl device(parameter.device().type());
        const c10::Stream stream = device.getStream(parameter.device());
        const int status = kernels::launchAdamW(range, step, random, device.getStreamNativeHandle(stream));
        TORCH_CHECK(status == 0, "AdamW on the GPU did not start: CUDA error ", status,
                    " (-1: this build has no CUDA kernels)");
        return;
    }
    parallelOver(range.count, kernels::kRandomGroup, [&](int64_t begin, int64_t end) {
        kernels::adamW(kernels::slice(range, begin, end - begin), step, random);
    });
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

AdamW::AdamW(const OptimizerConfig& config, ParameterStore& store, uint64_t seed)
    : Optimizer(store)
    , m_config(config)
    , m_seed(seed) {
    const at::ScalarType type = config.states == StateType::Bf16 ? at::kBFloat16 : at::kFloat;
    const TierScope besideTheParameters(store.homeTier());
    for (const ParameterId id : trainable()) {
        m_first.push_back(zerosInOrderOf(store.parameter(id), type));
        m_second.push_back(zerosInOrderOf(store.parameter(id), type));
    }
}

void AdamW::update(ParameterId id, const at::Tensor& gradient, double gradientScale) {
    const at::Tensor parameter = store().parameter(id);
    const size_t place = position(id);
    stepAdamW(parameter, inOrderOf(gradient, parameter), m_first[place], m_second[place],
              adamWStepOf(m_config, statesAge(), learningRate(), gradientScale),
              roundingStream(m_seed, step(), store().spec(id).name));
}

std::vector<NamedTensor> AdamW::stateTensors() const {
    std::vector<NamedTensor> states;
    for (size_t i = 0; i < trainable().size(); ++i) {
        const std::string& name = store().spec(trainable()[i]).name;
        states.push_back({name + ".exp_avg", m_first[i]});
        states.push_back({name + ".exp_avg_sq", m_second[i]});
    }
    return states;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/lone_parameter.h"

namespace homebooth::core {
namespace {

Schedule scheduleOf(std::vector<int64_t> shape) {
    BlockSpec block;
    block.kind = block.name = "probe";
    ParameterSpec parameter;
    parameter.name = "probe.weight";
    parameter.shape = std::move(shape);
    parameter.trainable = true;
    block.parameters.push_back(parameter);
    Schedule schedule;
    schedule.add(block, {}, {});
    return schedule;
}

ParameterStore::Options optionsOf(at::ScalarType type, at::Device device) {
    ParameterStore::Options options;
    options.type = type;
    options.device = device;
    return options;
}

} // namespace

LoneParameter::LoneParameter(const OptimizerConfig& config, std::vector<int64_t> shape, at::ScalarType type,
                             at::Device device)
    : m_learningRate(config.learningRate)
    , m_schedule(scheduleOf(std::move(shape)))
    , m_store(m_schedule, optionsOf(type, device)) {
    parameter().fill_(1e-2);
    m_optimizer = makeOptimizer(config, m_store, /*seed=*/1);
}

void LoneParameter::update(Workers workers) {
    m_optimizer->beginStep(++m_step, m_learningRate);
    if (m_optimizer->updatesRanges())
        m_optimizer->updateRange({0, 0}, flatAlias(inOrderOf(gradient, parameter())), 0, 1.0, workers);
    else
        m_optimizer->update({0, 0}, gradient, 1.0);
}

} // namespace homebooth::core

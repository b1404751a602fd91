// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/ema.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/optim/memory_order.h"

#include <algorithm>

namespace homebooth::core {

Ema::Ema(const Optimizer& optimizer, double decay)
    : m_optimizer(optimizer)
    , m_store(optimizer.store())
    , m_decay(decay)
    , m_parameters(optimizer.trainable()) {
    for (const ParameterId id : m_parameters) {
        const at::Tensor parameter = m_store.parameter(id);
        m_averages.push_back(
            emptyBeside(m_store, id, parameter.sizes(), parameter.strides(), at::kFloat).zero_());
        m_tiers.push_back(m_store.homeTier(id.block));
    }
    restart();
}

void Ema::restart() {
    TORCH_CHECK(!swappedIn(), "the moving average cannot begin anew while it is swapped in");
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const NamedTensor exact = m_optimizer.exact(m_parameters[i]);
        const auto held = required(holdTensor(exact, false));
        m_averages[i].copy_(exact.tensor);
    }
}

int64_t Ema::streamedStateBytes() const {
    int64_t bytes = 0;
    for (size_t i = 0; i < m_parameters.size(); ++i)
        if (m_store.streams(m_parameters[i].block)) bytes += static_cast<int64_t>(m_averages[i].nbytes());
    return bytes;
}

double Ema::decayAt(int64_t step, double decay) {
    if (step <= 1) return 0.0;
    return std::min(decay, static_cast<double>(step) / static_cast<double>(step + 9));
}

void Ema::update(int64_t step) {
    TORCH_CHECK(!swappedIn(), "the moving average cannot learn while it is swapped in");
    const double weight = 1.0 - decayAt(step, m_decay);
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const NamedTensor exact = m_optimizer.exact(m_parameters[i]);
        const auto held = required(holdTensor(exact, false));
        at::Tensor difference = m_averages[i] - exact.tensor;
        m_averages[i].sub_(difference.mul_(weight));
    }
}

void Ema::swapIn() {
    TORCH_CHECK(!swappedIn(), "the moving average is swapped in already");
    std::vector<at::Tensor>
        originals; // all of them first: whoever lacks the memory keeps the weights as they are
    for (const ParameterId id : m_parameters) {
        const auto held = m_store.hold(id, false);
        originals.push_back(m_store.parameter(id).clone());
    }
    m_originals = std::move(originals);
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const auto held = m_store.hold(m_parameters[i], true);
        at::Tensor parameter = m_store.parameter(m_parameters[i]);
        parameter.copy_(m_averages[i]);
    }
}

void Ema::swapOut() {
    for (size_t i = 0; i < m_originals.size(); ++i) {
        const auto held = m_store.hold(m_parameters[i], true);
        at::Tensor parameter = m_store.parameter(m_parameters[i]);
        parameter.copy_(m_originals[i]);
    }
    m_originals.clear();
}

void Ema::followParameters() {
    TORCH_CHECK(!swappedIn(), "the moving average cannot move while it is swapped in");
    for (const Tier leaves : {Tier::Device, Tier::Ram})
        for (size_t i = 0; i < m_parameters.size(); ++i) {
            const Tier home = m_store.homeTier(m_parameters[i].block);
            if (m_tiers[i] != leaves || home == leaves) continue;
            m_averages[i] = copyBeside(m_store, m_parameters[i], m_averages[i]);
            m_tiers[i] = home;
        }
}

std::vector<NamedTensor> Ema::stateTensors() const {
    std::vector<NamedTensor> states;
    for (size_t i = 0; i < m_parameters.size(); ++i)
        states.push_back({m_store.spec(m_parameters[i]).name + ".ema", m_averages[i]});
    return states;
}

int64_t Ema::stateBytes() const {
    int64_t bytes = 0;
    for (const at::Tensor& average : m_averages) bytes += static_cast<int64_t>(average.nbytes());
    return bytes;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/ema.h"

#include "core/engine/optim/memory_order.h"

#include <algorithm>

namespace homebooth::core {

Ema::Ema(ParameterStore& store, double decay)
    : m_store(store)
    , m_decay(decay) {
    const std::vector<BlockSpec>& blocks = store.schedule().blocks();
    for (size_t block = 0; block < blocks.size(); ++block)
        for (size_t index = 0; index < blocks[block].parameters.size(); ++index)
            if (blocks[block].parameters[index].trainable)
                m_parameters.push_back({static_cast<int>(block), static_cast<int>(index)});
    for (const ParameterId id : m_parameters) {
        const TierScope besideTheParameter(store.homeTier(id.block));
        const at::Tensor parameter = store.parameter(id);
        const auto held = store.hold(id, false);
        m_averages.push_back(zerosInOrderOf(parameter, at::kFloat).copy_(parameter));
        m_tiers.push_back(store.homeTier(id.block));
    }
}

void Ema::restart() {
    TORCH_CHECK(!swappedIn(), "the moving average cannot begin anew while it is swapped in");
    for (size_t i = 0; i < m_parameters.size(); ++i) {
        const auto held = m_store.hold(m_parameters[i], false);
        m_averages[i].copy_(m_store.parameter(m_parameters[i]));
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
        const auto held = m_store.hold(m_parameters[i], false);
        const at::Tensor parameter = m_store.parameter(m_parameters[i]);
        at::Tensor difference = m_averages[i] - parameter;
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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/component.h"

#include "core/engine/models/block_factory.h"

namespace homebooth::core {

Component::Component(Schedule schedule, const ParameterStore::Options& options, const BlockFactory& factory)
    : m_network(std::move(schedule), factory ? factory : makeBlock)
    , m_store(m_network.schedule(), options)
    , m_executor(m_network, m_store) {}

at::Tensor Component::prepared(const at::Tensor& tensor) const {
    return tensor.to(device(), tensor.is_floating_point() ? type() : tensor.scalar_type());
}

} // namespace homebooth::core

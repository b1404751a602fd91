// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One network with its parameters and its executor: what training and sampling hold of a model.
// Owns all three; neither copied nor moved, because they refer to each other. One thread.
#pragma once

#include "core/engine/memory/executor.h"

namespace homebooth::core {

class Component {
public:
    /// Lays out and allocates; the parameters' contents are undefined until they are loaded or initialised.
    /// @param factory  makes the blocks; empty: makeBlock
    /// Errors: throws c10::Error on a kind of block that is not known; std::bad_alloc or c10's out-of-memory
    Component(Schedule schedule, const ParameterStore::Options& options, const BlockFactory& factory = {});
    Component(const Component&) = delete;
    Component& operator=(const Component&) = delete;

    [[nodiscard]] const Network& network() const { return m_network; }
    [[nodiscard]] const Schedule& schedule() const { return m_network.schedule(); }
    [[nodiscard]] ParameterStore& store() { return m_store; }
    [[nodiscard]] const ParameterStore& store() const { return m_store; }
    [[nodiscard]] Executor& executor() { return m_executor; }

    [[nodiscard]] at::ScalarType type() const { return m_store.options().type; }
    [[nodiscard]] at::Device device() const { return m_store.options().device; }
    /// `tensor` on the device and in the type of the model; integers keep their type.
    [[nodiscard]] at::Tensor prepared(const at::Tensor& tensor) const;

private:
    Network m_network;
    ParameterStore m_store;
    Executor m_executor;
};

} // namespace homebooth::core

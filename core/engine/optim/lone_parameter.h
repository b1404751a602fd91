// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One parameter with a gradient and an optimizer, by which the speed of updates is measured.
// Owns all of it; one thread.
#pragma once

#include "core/base/schedule/schedule.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/optim/optimizer.h"

namespace homebooth::core {

class LoneParameter {
public:
    /// @param shape  at least one element
    /// Errors: throws c10::Error where memory is refused
    LoneParameter(const OptimizerConfig& config, std::vector<int64_t> shape, at::ScalarType type,
                  at::Device device);

    /// Its gradient, which updates read; undefined until it is set. Shapes: the parameter's
    at::Tensor gradient;

    /// One optimizer step. @param workers  where it updates elements by themselves; else all
    void update(Workers workers = Workers::All);

    [[nodiscard]] at::Tensor parameter() const { return m_store.parameter({0, 0}); }
    [[nodiscard]] const Optimizer& optimizer() const { return *m_optimizer; }

private:
    double m_learningRate;
    Schedule m_schedule;
    ParameterStore m_store;
    std::unique_ptr<Optimizer> m_optimizer; // last: it borrows the store
    int64_t m_step = 0;
};

} // namespace homebooth::core

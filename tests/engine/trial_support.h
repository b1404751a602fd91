// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Real steps of a model in a folder of tests, placed one way or another.
#pragma once

#include "core/engine/io/precision.h"
#include "core/engine/planning/trial_step.h"

#include <memory>
#include <stdexcept>

namespace homebooth::core::testing {

/// @param config, model  borrowed
inline std::unique_ptr<TrialStep> trialOf(const TrainConfig& config, const ModelSource& model,
                                          const StepPlacement& placement, LinkSpeed link = {}) {
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    store.link = link;
    store.disk.folder = config.memory.swapDir;
    auto made = TrialStep::make(config, model, store, placement);
    if (!made) throw std::runtime_error(made.error().text());
    return std::move(*made);
}

/// Steps that draw the same batches whatever ran before.
inline void runSteps(TrialStep& steps, int64_t first, int64_t last) {
    for (int64_t step = first; step <= last; ++step) {
        at::manual_seed(static_cast<uint64_t>(step));
        steps.run(step);
    }
}

} // namespace homebooth::core::testing

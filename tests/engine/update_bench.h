// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Loose parameters that are trained with random gradients, where they stay on a device or are streamed to it
// and updated there.
#pragma once

#include "core/engine/optim/gradient_flow.h"
#include "tests/engine/optim_support.h"

#include <memory>
#include <ostream>
#include <utility>
#include <vector>

namespace homebooth::core {

/// The first one has more pieces than there are slots, the last of them ragged.
inline const std::vector<std::vector<int64_t>> kUpdateShapes = {
    {5003, 1031}, {7}, {5000}, {64, 3, 3, 3}, {33}};
constexpr int64_t kUpdateSteps = 3;

struct UpdateCase {
    const char* name;
    OptimizerConfig optimizer;
    at::ScalarType type = at::kBFloat16;
    GradientFlowOptions flow = {};
};

inline std::ostream& operator<<(std::ostream& stream, const UpdateCase& c) {
    return stream << c.name;
}

inline OptimizerConfig optimizerOf(OptimizerKind kind, StateType states = StateType::Fp32,
                                   MasterWeights master = MasterWeights::None) {
    OptimizerConfig config;
    config.kind = kind;
    config.states = states;
    config.master = master;
    return config;
}

/// @param visits  streamed, and updated on the device; otherwise all parameters stay there
inline ParameterStore::Options updateOptions(at::ScalarType type, bool visits, at::Device device = at::kCPU) {
    ParameterStore::Options options;
    options.type = type;
    options.device = device;
    if (visits) options.streaming = StreamingOptions{.updatesOnDevice = true};
    return options;
}

inline ParameterStore& withRandomValues(ParameterStore& store) {
    at::manual_seed(1);
    for (size_t index = 0; index < kUpdateShapes.size(); ++index) {
        at::Tensor parameter = store.parameter({0, static_cast<int>(index)});
        parameter.copy_(at::randn(parameter.sizes()));
    }
    return store;
}

/// A store with its optimizer and flow.
struct UpdateBench {
    Schedule schedule = looseParameters(kUpdateShapes);
    ParameterStore store;
    std::unique_ptr<Optimizer> optimizer;
    GradientFlow flow;

    UpdateBench(const UpdateCase& c, bool visits, at::Device device = at::kCPU)
        : store(schedule, updateOptions(c.type, visits, device))
        , optimizer(makeOptimizer(c.optimizer, withRandomValues(store), 5))
        , flow(c.flow, {optimizer.get()}) {
        flow.reserve();
    }

    void train(const UpdateCase& c) {
        const double rate = 1e-2;
        const at::Device device = store.options().device;
        for (int64_t step = 1; step <= kUpdateSteps; ++step) {
            flow.beginStep(step, {&rate, 1});
            at::manual_seed(static_cast<uint64_t>(step));
            for (int64_t micro = 0; micro < c.flow.accumulationSteps; ++micro) {
                for (const ParameterId id : optimizer->trainable())
                    flow.sink(0)(id, at::randn(store.parameter(id).sizes()).to(device, c.type));
                flow.endMicroStep();
            }
            (void)flow.endStep();
        }
    }
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Loose parameters that are trained with random gradients, where they stay on a device or are streamed to it
// and updated there.
#pragma once

#include "core/engine/optim/gradient_flow.h"
#include "tests/engine/optim_support.h"

#include <limits>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

namespace homebooth::core {

/// The first one has more pieces than there are slots, the last of them ragged and shared with the others.
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

    [[nodiscard]] int64_t parameterBytes() const {
        int64_t bytes = 0;
        for (const ParameterId id : optimizer->trainable())
            bytes += static_cast<int64_t>(store.parameter(id).nbytes());
        return bytes;
    }
    /// Bytes that go to the device and back in a step in which all of them are updated there.
    /// @param computes  as `train` has it
    [[nodiscard]] int64_t visitingBytes(bool computes) const {
        const bool comesFromHome = !computes && !optimizer->hasMaster(optimizer->trainable().front());
        return (computes ? store.fetchBytes(0) : 0) + (comesFromHome ? parameterBytes() : 0) +
               optimizer->stateBytes() + parameterBytes() + optimizer->stateBytes();
    }

    /// @param computes  the block is on the device when gradients come, as within a backward
    /// @param busy      zeros [n, n]: on a GPU gradients are there when a product of them is, and
    ///                  memory that is given back is written to at once
    void train(const UpdateCase& c, bool computes, const at::Tensor& busy = {}) {
        const double rate = 1e-2;
        const at::Device device = store.options().device;
        for (int64_t step = 1; step <= kUpdateSteps; ++step) {
            flow.beginStep(step, {&rate, 1});
            at::manual_seed(static_cast<uint64_t>(step));
            for (int64_t micro = 0; micro < c.flow.accumulationSteps; ++micro) {
                if (computes) {
                    store.beginPass({0});
                    (void)store.acquire(0);
                }
                for (const ParameterId id : optimizer->trainable()) {
                    at::Tensor gradient = at::randn(store.parameter(id).sizes()).to(device, c.type);
                    if (busy.defined()) gradient = gradient + at::mm(busy, busy)[0][0].to(c.type);
                    const auto options = gradient.options();
                    flow.sink(0)(id, std::exchange(gradient, {}));
                    if (busy.defined())
                        (void)at::full(store.parameter(id).sizes(), std::numeric_limits<double>::quiet_NaN(),
                                       options);
                }
                if (computes) {
                    overwriteArena();
                    store.release(0);
                    store.endPass();
                }
                flow.endMicroStep();
            }
            (void)flow.endStep();
        }
    }

private:
    /// As the block would that comes next.
    void overwriteArena() {
        for (const ParameterId id : optimizer->trainable()) {
            at::Tensor copy = store.copyInUse(id);
            if (copy.defined()) copy.fill_(std::numeric_limits<double>::quiet_NaN());
        }
    }
};

/// Whether both have the same parameters, masters and states, byte by byte.
inline void expectSameBytes(const UpdateBench& expected, const UpdateBench& found, const char* of) {
    for (const ParameterId id : expected.optimizer->trainable()) {
        const std::string& name = expected.store.spec(id).name;
        EXPECT_TRUE(at::equal(expected.store.parameter(id).cpu(), found.store.parameter(id).cpu()))
            << of << ": " << name;
        EXPECT_TRUE(
            at::equal(expected.optimizer->exact(id).tensor.cpu(), found.optimizer->exact(id).tensor.cpu()))
            << of << ": exact " << name;
    }
    const auto states = copiedStates(*found.optimizer);
    const auto expectedStates = copiedStates(*expected.optimizer);
    ASSERT_EQ(states.size(), expectedStates.size()) << of;
    for (const auto& [name, state] : expectedStates)
        EXPECT_TRUE(at::equal(state.cpu(), states.at(name).cpu())) << of << ": " << name;
}

} // namespace homebooth::core

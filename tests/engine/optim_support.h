// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of optimizers share: a schedule of loose parameters, and the fixture of the reference side.
#pragma once

#include "core/base/formats/safetensors_reader.h"
#include "core/engine/optim/optimizer.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

/// One block that holds parameters p0, p1 ... of these shapes; no inputs or outputs.
inline Schedule looseParameters(const std::vector<std::vector<int64_t>>& shapes) {
    BlockSpec block;
    block.kind = "loose";
    for (size_t i = 0; i < shapes.size(); ++i) {
        ParameterSpec parameter;
        parameter.name = "p" + std::to_string(i);
        parameter.shape = shapes[i];
        block.parameters.push_back(parameter);
    }
    Schedule schedule;
    schedule.add(block, {}, {});
    return schedule;
}

/// A file of tests/fixtures/optim, by default what tests/reference/optimizers.py has written.
class OptimizerFixture {
public:
    explicit OptimizerFixture(const std::string& file = "optimizers.safetensors") {
        const std::string path = std::string(HOMEBOOTH_FIXTURES_DIR) + "/optim/" + file;
        auto reader = SafetensorsReader::open(path);
        if (!reader) throw std::runtime_error(reader.error().text());
        for (const TensorInfo& info : reader.value()->tensors()) {
            const at::ScalarType type = info.type == DataType::F64  ? at::kDouble
                                        : info.type == DataType::U8 ? at::kByte
                                                                    : at::kFloat;
            at::Tensor tensor = at::empty(info.shape, type);
            auto* bytes = static_cast<std::byte*>(tensor.data_ptr());
            const auto read = reader.value()->read(info.name, {bytes, static_cast<size_t>(info.byteCount)});
            if (!read) throw std::runtime_error(read.error().text());
            m_tensors[info.name] = tensor;
        }
    }
    [[nodiscard]] const at::Tensor& operator[](const std::string& name) const { return m_tensors.at(name); }

    static constexpr int64_t kSteps = 8;
    [[nodiscard]] static std::vector<std::vector<int64_t>> shapes() {
        return {{8, 4, 3, 3}, {16, 12}, {16}, {6, 5, 1, 1}};
    }
    [[nodiscard]] static OptimizerConfig config(OptimizerKind kind) {
        OptimizerConfig result;
        result.kind = kind;
        result.learningRate = 1e-2;
        result.weightDecay = 1e-2;
        return result;
    }
    void fillStart(ParameterStore& store) const {
        for (const ParameterId id : allParameters(store)) {
            at::Tensor parameter = store.parameter(id);
            parameter.copy_(m_tensors.at("start." + store.spec(id).name));
        }
    }
    [[nodiscard]] at::Tensor gradient(int64_t step, const ParameterStore& store, ParameterId id) const {
        return m_tensors.at("gradient." + std::to_string(step) + "." + store.spec(id).name);
    }
    static std::vector<ParameterId> allParameters(const ParameterStore& store) {
        std::vector<ParameterId> ids;
        const auto count = store.schedule().blocks().front().parameters.size();
        for (size_t i = 0; i < count; ++i) ids.push_back({0, static_cast<int>(i)});
        return ids;
    }

private:
    std::map<std::string, at::Tensor> m_tensors;
};

/// Greatest difference over greatest value.
inline double relativeError(const at::Tensor& found, const at::Tensor& expected) {
    return (found.to(at::kDouble) - expected.to(at::kDouble)).abs().max().item<double>() /
           expected.abs().max().item<double>();
}

/// All states, copied, by name.
inline std::map<std::string, at::Tensor> copiedStates(const Optimizer& optimizer) {
    std::map<std::string, at::Tensor> states;
    for (const NamedTensor& state : optimizer.stateTensors())
        states[state.name] = state.tensor.contiguous().clone();
    return states;
}

inline TensorLookup lookupIn(const std::map<std::string, at::Tensor>& tensors) {
    return [&tensors](const std::string& name) {
        const auto found = tensors.find(name);
        return found == tensors.end() ? at::Tensor() : found->second;
    };
}

} // namespace homebooth::core

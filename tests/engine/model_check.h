// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a network with tensors that the reference implementation wrote. Shared by the tests of models.
#pragma once

#include "core/base/formats/safetensors_reader.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/component.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace homebooth::core::testing {

constexpr double kOutputTolerance = 1e-5;   // greatest error over greatest value
constexpr double kGradientTolerance = 1e-4; // of a parameter's gradient, by norms
constexpr double kGradientFloor = 1e-6;     // of the norm of all gradients

inline std::string readText(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::shared_ptr<SafetensorsReader> openTensors(const std::string& path) {
    auto reader = SafetensorsReader::open(path);
    if (!reader) throw std::runtime_error(reader.error().text());
    return *reader;
}

inline at::Tensor readTensor(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    if (info == nullptr) throw std::runtime_error("fixture lacks " + name);
    at::Tensor tensor = at::empty(info->shape, scalarTypeOf(info->type));
    const auto read =
        source.read(name, {static_cast<std::byte*>(tensor.data_ptr()), static_cast<size_t>(info->byteCount)});
    if (!read) throw std::runtime_error(read.error().text());
    return tensor;
}

/// Greatest absolute error over the greatest absolute value.
inline double relativeError(const at::Tensor& actual, const at::Tensor& expected) {
    if (actual.sizes() != expected.sizes()) return std::numeric_limits<double>::infinity();
    const at::Tensor wide = expected.to(at::kDouble);
    const double error = (actual.to(at::kDouble) - wide).abs().max().item<double>();
    return error / std::max(wide.abs().max().item<double>(), 1e-30);
}

struct Gradients {
    at::Tensor output;
    std::vector<at::Tensor> inputs;
    std::map<std::string, at::Tensor> parameters;
};

/// One forward and backward; gradients of all floating-point inputs and of all parameters.
inline Gradients differentiate(Component& component, const std::vector<at::Tensor>& inputs,
                               const at::Tensor& gradOutput, Recompute recompute, uint64_t seed = 0) {
    Executor& executor = component.executor();
    for (size_t i = 0; i < component.schedule().blocks().size(); ++i)
        executor.setRecompute(static_cast<int>(i), recompute);
    std::vector<bool> needInputs;
    for (const at::Tensor& input : inputs) needInputs.push_back(input.is_floating_point());
    Gradients result;
    result.output = executor.forward(inputs, needInputs, seed).front().clone();
    result.inputs = executor.backward({gradOutput}, [&](ParameterId id, const at::Tensor& gradient) {
        result.parameters[component.store().spec(id).name] = gradient.clone();
    });
    return result;
}

/// Checks the gradient of every parameter against the tensors called "grad." + name in `expected`.
inline void expectGradients(const Gradients& actual, const Schedule& schedule, const TensorSource& expected) {
    double total = 0.0;
    for (const TensorInfo& info : expected.tensors())
        if (info.name.starts_with("grad."))
            total += std::pow(readTensor(expected, info.name).to(at::kDouble).norm().item<double>(), 2);
    const double floor = kGradientFloor * std::sqrt(total);
    int64_t compared = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters) {
            const at::Tensor reference = readTensor(expected, "grad." + parameter.name).to(at::kDouble);
            const auto found = actual.parameters.find(parameter.name);
            ASSERT_NE(found, actual.parameters.end()) << parameter.name;
            const double error = (found->second.to(at::kDouble) - reference).norm().item<double>();
            EXPECT_LE(error, kGradientTolerance * reference.norm().item<double>() + floor) << parameter.name;
            ++compared;
        }
    EXPECT_GT(compared, 0);
}

inline void expectEqualBytes(const Gradients& a, const Gradients& b) {
    EXPECT_TRUE(at::equal(a.output, b.output));
    for (size_t i = 0; i < a.inputs.size(); ++i)
        if (a.inputs[i].defined()) {
            EXPECT_TRUE(at::equal(a.inputs[i], b.inputs[i])) << "input " << i;
        }
    ASSERT_EQ(a.parameters.size(), b.parameters.size());
    for (const auto& [name, gradient] : a.parameters)
        EXPECT_TRUE(at::equal(gradient, b.parameters.at(name))) << name;
}

} // namespace homebooth::core::testing

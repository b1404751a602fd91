// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a network with tensors that the reference implementation wrote. Shared by the tests of models.
#pragma once

#include "core/base/formats/safetensors_reader.h"
#include "core/engine/io/weights.h"
#include "core/engine/models/component.h"
#include "tests/held_numbers.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace homebooth::core::testing {

constexpr double kOutputTolerance = 1e-5;   // greatest error over greatest value
constexpr double kGradientTolerance = 1e-4; // of a parameter's gradient, by norms
constexpr double kGradientFloor = 1e-6;     // of the norm of all gradients

/// One thread: tensors this small lose more at barriers than they win, above all on a busy machine.
class OneThread : public ::testing::Environment {
public:
    void SetUp() override { at::set_num_threads(1); }
};
inline const ::testing::Environment* const kOneThread = ::testing::AddGlobalTestEnvironment(new OneThread);

/// @param path  in the folder of fixtures; $HOMEBOOTH_FIXTURES names it for tests that were built elsewhere
inline std::string fixture(const std::string& path) {
    const char* moved = std::getenv("HOMEBOOTH_FIXTURES");
    std::string full = moved != nullptr ? moved : HOMEBOOTH_FIXTURES_DIR;
    full += "/" + path;
    return full;
}

inline std::string readText(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::shared_ptr<SafetensorsReader> openTensors(const std::string& path) {
    auto reader = SafetensorsReader::open(path);
    if (!reader) throw std::runtime_error(reader.error().text());
    return *reader;
}

/// Tensors of a fixture file whose names begin with a prefix.
class Reference {
public:
    Reference(std::shared_ptr<SafetensorsReader> file, std::string prefix)
        : m_file(std::move(file))
        , m_prefix(std::move(prefix)) {}

    [[nodiscard]] bool has(const std::string& name) const { return m_file->find(m_prefix + name) != nullptr; }

    [[nodiscard]] at::Tensor operator[](const std::string& name) const {
        const TensorInfo* info = m_file->find(m_prefix + name);
        if (info == nullptr) throw std::runtime_error("the fixture lacks " + m_prefix + name);
        at::Tensor tensor = at::empty(info->shape, scalarTypeOf(info->type));
        const auto bytes = static_cast<size_t>(info->byteCount);
        const auto read = m_file->read(info->name, {static_cast<std::byte*>(tensor.data_ptr()), bytes});
        if (!read) throw std::runtime_error(read.error().text());
        return tensor;
    }

    /// Names behind `group`, e.g. all that follow "gradient/".
    [[nodiscard]] std::vector<std::string> names(const std::string& group) const {
        std::vector<std::string> found;
        const std::string start = m_prefix + group;
        for (const TensorInfo& info : m_file->tensors())
            if (info.name.starts_with(start)) found.push_back(info.name.substr(start.size()));
        return found;
    }

private:
    std::shared_ptr<SafetensorsReader> m_file;
    std::string m_prefix;
};

inline void load(Component& component, const std::string& path) {
    const auto source = openTensors(path);
    const auto report = loadParameters(component.store(), *source);
    if (!report) throw std::runtime_error(report.error().text());
}

/// Greatest absolute error over the greatest absolute value.
inline double relativeError(const at::Tensor& actual, const at::Tensor& expected) {
    if (actual.sizes() != expected.sizes()) return std::numeric_limits<double>::infinity();
    const at::Tensor wide = expected.to(at::kDouble);
    const double error = (actual.to(at::kDouble) - wide).abs().max().item<double>();
    return error / std::max(wide.abs().max().item<double>(), std::numeric_limits<double>::min());
}

/// Runs the blocks one after another and keeps every value by its name.
inline std::map<std::string, at::Tensor> traceValues(Component& component,
                                                     const std::vector<at::Tensor>& inputs) {
    const at::NoGradGuard noGrad;
    const Schedule& schedule = component.schedule();
    std::vector<at::Tensor> values(schedule.values().size());
    for (size_t i = 0; i < inputs.size(); ++i) values[schedule.inputs()[i]] = inputs[i];
    std::map<std::string, at::Tensor> named;
    for (const Node& node : schedule.nodes()) {
        std::vector<at::Tensor> given;
        for (const ValueId id : node.inputs) given.push_back(values[id]);
        const auto& parameters = component.store().acquire(node.block);
        const auto outputs = component.network().block(node.block).forward({parameters, false, 0}, given);
        component.store().release(node.block);
        for (size_t i = 0; i < outputs.size(); ++i) {
            values[node.outputs[i]] = outputs[i];
            named[schedule.values()[node.outputs[i]].name] = outputs[i].clone();
        }
    }
    return named;
}

/// A value or gradient as the fixture holds it: of a large one some numbers in a row.
inline at::Tensor asHeld(const at::Tensor& tensor, const at::Tensor& expected) {
    if (tensor.sizes() == expected.sizes()) return tensor;
    const at::Tensor thinned = tensor.flatten().slice(0, 0, std::nullopt, kHeldStride);
    if (thinned.sizes() != expected.sizes()) throw std::runtime_error("a tensor of another size");
    return thinned;
}

/// relativeError of what the fixture holds.
inline double heldError(const at::Tensor& tensor, const at::Tensor& expected) {
    return relativeError(asHeld(tensor, expected), expected);
}

/// Checks every value that the reference has under "output/" and the schedule under the same name.
inline void expectValues(Component& component, const std::vector<at::Tensor>& inputs,
                         const Reference& reference) {
    int compared = 0;
    for (const auto& [name, value] : traceValues(component, inputs)) {
        if (!reference.has("output/" + name)) continue;
        const at::Tensor expected = reference["output/" + name];
        EXPECT_LE(heldError(value, expected), kOutputTolerance) << name;
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

struct ModelGradients {
    at::Tensor output;
    std::vector<at::Tensor> inputs;
    std::map<std::string, at::Tensor> parameters;
};

/// One forward and backward of mean((output - target)^2); gradients of all real inputs and all parameters.
inline ModelGradients differentiateModel(Component& component, const std::vector<at::Tensor>& inputs,
                                         const at::Tensor& target, Recompute recompute, uint64_t seed = 0) {
    Executor& executor = component.executor();
    for (size_t i = 0; i < component.schedule().blocks().size(); ++i)
        executor.setRecompute(static_cast<int>(i), recompute);
    std::vector<bool> needInputs;
    for (const at::Tensor& input : inputs) needInputs.push_back(input.is_floating_point());
    ModelGradients result;
    result.output = executor.forward(inputs, needInputs, seed).front().clone();
    const at::Tensor gradOutput =
        (result.output - target) * (2.0 / static_cast<double>(result.output.numel()));
    result.inputs = executor.backward({gradOutput}, [&](ParameterId id, const at::Tensor& gradient) {
        result.parameters[component.store().spec(id).name] = gradient.clone();
    });
    return result;
}

/// Cuts what lies one behind another in the order of the names of exactly the parameters of `schedule`,
/// of each as many numbers as `held` says of its count.
inline std::map<std::string, at::Tensor> cutByParameters(const at::Tensor& all, const Schedule& schedule,
                                                         int64_t (*held)(int64_t)) {
    std::map<std::string, const ParameterSpec*> parameters;
    int64_t wanted = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters) {
            parameters[parameter.name] = &parameter;
            wanted += held(parameter.elementCount());
        }
    if (wanted != all.numel())
        throw std::runtime_error("the fixture has rows of " + std::to_string(all.numel()) +
                                 " numbers, expected " + std::to_string(wanted));
    std::map<std::string, at::Tensor> cut;
    int64_t start = 0;
    for (const auto& [name, parameter] : parameters) {
        const int64_t count = held(parameter->elementCount());
        const at::Tensor piece = all.narrow(0, start, count);
        cut[name] = count == parameter->elementCount() ? piece.view(parameter->shape) : piece;
        start += count;
    }
    return cut;
}

/// The reference's gradients by their parameters' names: all in "gradients", or each under "gradient/".
inline std::map<std::string, at::Tensor> heldGradients(const Reference& reference, const Schedule& schedule) {
    if (reference.has("gradients")) return cutByParameters(reference["gradients"], schedule, heldCount);
    std::map<std::string, at::Tensor> held;
    for (const std::string& name : reference.names("gradient/")) held[name] = reference["gradient/" + name];
    return held;
}

/// Norm of all of them together.
inline double normOf(const std::map<std::string, at::Tensor>& gradients) {
    double total = 0.0;
    for (const auto& [name, gradient] : gradients)
        total += std::pow(gradient.to(at::kDouble).norm().item<double>(), 2);
    return std::sqrt(total);
}

/// Checks every gradient that the reference has and that belongs to `schedule`.
inline void expectGradients(const ModelGradients& actual, const Schedule& schedule,
                            const Reference& reference) {
    const std::map<std::string, at::Tensor> held = heldGradients(reference, schedule);
    const double floor = kGradientFloor * normOf(held);
    size_t compared = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters) {
            const auto wanted = held.find(parameter.name);
            ASSERT_NE(wanted, held.end()) << parameter.name;
            const at::Tensor expected = wanted->second.to(at::kDouble);
            const auto found = actual.parameters.find(parameter.name);
            ASSERT_NE(found, actual.parameters.end()) << parameter.name;
            const double error =
                (asHeld(found->second, expected).to(at::kDouble) - expected).norm().item<double>();
            EXPECT_LE(error, kGradientTolerance * expected.norm().item<double>() + floor) << parameter.name;
            ++compared;
        }
    EXPECT_EQ(compared, held.size());
}

inline void expectEqualBytes(const ModelGradients& a, const ModelGradients& b) {
    EXPECT_TRUE(at::equal(a.output, b.output));
    for (size_t i = 0; i < a.inputs.size(); ++i) {
        if (a.inputs[i].defined()) {
            EXPECT_TRUE(at::equal(a.inputs[i], b.inputs[i])) << "input " << i;
        }
    }
    ASSERT_EQ(a.parameters.size(), b.parameters.size());
    for (const auto& [name, gradient] : a.parameters)
        EXPECT_TRUE(at::equal(gradient, b.parameters.at(name))) << name;
}

} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/schedule/schedule.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace homebooth::core {

int64_t ParameterSpec::elementCount() const {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

int64_t ParameterSpec::byteCount(int64_t modelElementBytes) const {
    switch (storage) {
    case StorageType::Model:
        return elementCount() * modelElementBytes;
    case StorageType::Float32:
        return elementCount() * int64_t{sizeof(float)};
    case StorageType::Int8:
        return elementCount();
    }
    return 0;
}

double BlockSpec::attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    assert(found != attributes.end());
    return found->second;
}

bool BlockSpec::flag(const std::string& key) const {
    const auto found = attributes.find(key);
    return found != attributes.end() && found->second != 0.0;
}

int BlockSpec::parameterIndex(const std::string& relativeName) const {
    const std::string full = name.empty() ? relativeName : name + "." + relativeName;
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const ParameterSpec& parameter) { return parameter.name == full; });
    return found == parameters.end() ? -1 : static_cast<int>(found - parameters.begin());
}

int BlockSpec::adapterIndex(int weightIndex) const {
    const auto found = std::find_if(adapters.begin(), adapters.end(), [&](const AdapterSpec& adapter) {
        return adapter.weight == weightIndex;
    });
    return found == adapters.end() ? -1 : static_cast<int>(found - adapters.begin());
}

int64_t BlockSpec::parameterCount() const {
    int64_t count = 0;
    for (const ParameterSpec& parameter : parameters) count += parameter.elementCount();
    return count;
}

ValueId Schedule::addInput(ValueSpec value) {
    m_values.push_back(std::move(value));
    m_inputs.push_back(static_cast<ValueId>(m_values.size()) - 1);
    return m_inputs.back();
}

std::vector<ValueId> Schedule::add(BlockSpec block, std::vector<ValueId> inputs,
                                   std::vector<ValueSpec> outputs) {
    Node node;
    node.block = static_cast<int>(m_blocks.size());
    for (const ValueId input : inputs) assert(input >= 0 && input < static_cast<ValueId>(m_values.size()));
    node.inputs = std::move(inputs);
    for (ValueSpec& output : outputs) {
        m_values.push_back(std::move(output));
        node.outputs.push_back(static_cast<ValueId>(m_values.size()) - 1);
    }
    m_blocks.push_back(std::move(block));
    m_nodes.push_back(node);
    return node.outputs;
}

void Schedule::addOutput(ValueId value) {
    assert(value >= 0 && value < static_cast<ValueId>(m_values.size()));
    m_outputs.push_back(value);
}

std::vector<int> Schedule::lastUses() const {
    std::vector<int> last(m_values.size(), -1);
    for (size_t index = 0; index < m_nodes.size(); ++index)
        for (const ValueId input : m_nodes[index].inputs) last[input] = static_cast<int>(index);
    for (const ValueId output : m_outputs) last[output] = static_cast<int>(m_nodes.size());
    return last;
}

std::vector<int> Schedule::firstUses() const {
    std::vector<int> first(m_values.size(), static_cast<int>(m_nodes.size()));
    for (size_t index = m_nodes.size(); index-- > 0;)
        for (const ValueId input : m_nodes[index].inputs) first[input] = static_cast<int>(index);
    return first;
}

int64_t Schedule::parameterCount() const {
    int64_t count = 0;
    for (const BlockSpec& block : m_blocks) count += block.parameterCount();
    return count;
}

int64_t Schedule::trainableCount() const {
    int64_t count = 0;
    for (const BlockSpec& block : m_blocks)
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.trainable) count += parameter.elementCount();
    return count;
}

} // namespace homebooth::core

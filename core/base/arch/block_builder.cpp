// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/block_builder.h"

namespace homebooth::core {

BlockBuilder::BlockBuilder(std::string kind, std::string name) {
    m_block.kind = std::move(kind);
    m_block.name = std::move(name);
}

BlockBuilder& BlockBuilder::attribute(const std::string& key, double value) {
    m_block.attributes[key] = value;
    return *this;
}

BlockBuilder& BlockBuilder::label(const std::string& key, std::string value) {
    m_block.labels[key] = std::move(value);
    return *this;
}

void BlockBuilder::add(const std::string& name, std::vector<int64_t> shape, Initialisation how,
                       double scale) {
    ParameterSpec parameter;
    parameter.name = m_block.name.empty() ? name : m_block.name + "." + name;
    parameter.shape = std::move(shape);
    parameter.initialisation = how;
    parameter.initialisationScale = scale;
    m_block.parameters.push_back(std::move(parameter));
}

BlockBuilder& BlockBuilder::convolution(const std::string& name, int64_t in, int64_t out, int64_t kernel) {
    const double fanIn = static_cast<double>(in * kernel * kernel);
    add(name + ".weight", {out, in, kernel, kernel}, Initialisation::KaimingUniform, fanIn);
    add(name + ".bias", {out}, Initialisation::KaimingUniform, fanIn);
    return *this;
}

BlockBuilder& BlockBuilder::linear(const std::string& name, int64_t in, int64_t out, bool bias) {
    const double fanIn = static_cast<double>(in);
    add(name + ".weight", {out, in}, Initialisation::KaimingUniform, fanIn);
    if (bias) add(name + ".bias", {out}, Initialisation::KaimingUniform, fanIn);
    return *this;
}

BlockBuilder& BlockBuilder::normalLinear(const std::string& name, int64_t in, int64_t out, double deviation) {
    add(name + ".weight", {out, in}, Initialisation::Normal, deviation);
    add(name + ".bias", {out}, Initialisation::Zeros, 0.0);
    return *this;
}

BlockBuilder& BlockBuilder::norm(const std::string& name, int64_t channels) {
    add(name + ".weight", {channels}, Initialisation::Ones, 1.0);
    add(name + ".bias", {channels}, Initialisation::Zeros, 0.0);
    return *this;
}

BlockBuilder& BlockBuilder::embedding(const std::string& name, int64_t rows, int64_t channels,
                                      double deviation) {
    add(name + ".weight", {rows, channels}, Initialisation::Normal, deviation);
    return *this;
}

} // namespace homebooth::core

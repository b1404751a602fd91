// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes one BlockSpec: parameters with their shapes and what they hold in a model trained from scratch
// (PyTorch's own defaults, or a normal distribution where the model's family wants it).
#pragma once

#include "core/base/schedule/schedule.h"

#include <string>

namespace homebooth::core {

class BlockBuilder {
public:
    BlockBuilder(std::string kind, std::string name);

    BlockBuilder& attribute(const std::string& key, double value);
    BlockBuilder& label(const std::string& key, std::string value);

    /// weight [out, in, kernel, kernel] and bias [out]
    BlockBuilder& convolution(const std::string& name, int64_t in, int64_t out, int64_t kernel);
    /// weight [out, in] and, with `bias`, bias [out]
    BlockBuilder& linear(const std::string& name, int64_t in, int64_t out, bool bias = true);
    /// weight [out, in] of a normal distribution, bias [out] of zeros
    BlockBuilder& normalLinear(const std::string& name, int64_t in, int64_t out, double deviation);
    /// weight [channels] of ones, bias [channels] of zeros
    BlockBuilder& norm(const std::string& name, int64_t channels);
    /// weight [rows, channels] of a normal distribution
    BlockBuilder& embedding(const std::string& name, int64_t rows, int64_t channels, double deviation);

    [[nodiscard]] BlockSpec take() { return std::move(m_block); }

private:
    void add(const std::string& name, std::vector<int64_t> shape, Initialisation how, double scale);

    BlockSpec m_block;
};

} // namespace homebooth::core

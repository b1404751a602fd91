// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW with 8-bit moments (kernels/optim/adamw8bit.h). Parameters of fewer than 4096 elements keep fp32
// moments: they cost nothing and suffer most. Contract: optimizer.h.
#pragma once

#include "core/engine/optim/optimizer.h"

namespace homebooth::core {

class AdamW8bit final : public Optimizer {
public:
    static constexpr int64_t kSmallest = 4096; ///< elements of the smallest parameter with 8-bit moments

    AdamW8bit(const OptimizerConfig& config, ParameterStore& store, uint64_t seed);

    /// On a GPU the moments lie there too, but the arithmetic is done on the CPU.
    void update(ParameterId id, const at::Tensor& gradient, double gradientScale) override;
    [[nodiscard]] std::vector<NamedTensor> stateTensors() const override;

private:
    /// Either fp32 moments, or codes (uint8, in the parameter's memory order) with a scale for each block.
    struct Moments {
        at::Tensor first;
        at::Tensor second;
        at::Tensor firstScales;  // fp32 [blocks]; undefined with fp32 moments
        at::Tensor secondScales; // likewise
    };
    void updateQuantised(const at::Tensor& parameter, const at::Tensor& gradient, Moments& moments,
                         double gradientScale, const std::string& name);

    OptimizerConfig m_config;
    uint64_t m_seed;
    std::vector<Moments> m_moments;
};

} // namespace homebooth::core

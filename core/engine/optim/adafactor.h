// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Adafactor with a given learning rate: the second moment of a matrix is kept as a row and a column, no first
// moment. Written with Torch's operators, whose sums depend on the thread count. Contract: optimizer.h.
#pragma once

#include "core/engine/optim/optimizer.h"

namespace homebooth::core {

class Adafactor final : public Optimizer {
public:
    Adafactor(const OptimizerConfig& config, ParameterStore& store, uint64_t seed);

    /// Source: Shazeer, Stern, "Adafactor", 2018, as transformers.Adafactor computes it with
    ///         relative_step=False, scale_parameter=False, clip_threshold=1.0, decay_rate=-0.8, beta1=None
    void update(ParameterId id, const at::Tensor& gradient, double gradientScale) override;
    [[nodiscard]] std::vector<NamedTensor> stateTensors() const override;

protected:
    [[nodiscard]] std::vector<at::Tensor> statesAt(size_t position) const override;

private:
    /// Moments of one parameter: row and column for two dimensions and more, else `full`.
    struct Moments {
        at::Tensor row;
        at::Tensor column;
        at::Tensor full;
    };
    [[nodiscard]] Moments advanced(const at::Tensor& gradient, const Moments& before) const;
    [[nodiscard]] static at::Tensor normalised(const at::Tensor& gradient, const Moments& moments);

    OptimizerConfig m_config;
    uint64_t m_seed;
    std::vector<Moments> m_moments;
};

} // namespace homebooth::core

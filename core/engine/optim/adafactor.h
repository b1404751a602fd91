// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Adafactor with a given learning rate: the second moment of a matrix is kept as a row and a column, no first
// moment. Written with Torch's operators that round once and sums in one order (ordered_sum.h), so that CPU
// and GPU give the same bytes, whatever the thread count. Contract: optimizer.h.
#pragma once

#include "core/engine/optim/optimizer.h"

namespace homebooth::core {

class Adafactor final : public Optimizer {
public:
    Adafactor(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory);

    /// Source: Shazeer, Stern, "Adafactor", 2018, as transformers.Adafactor computes it with
    ///         relative_step=False, scale_parameter=False, clip_threshold=1.0, decay_rate=-0.8, beta1=None
    void update(ParameterId id, const at::Tensor& gradient, double gradientScale) override;

protected:
    [[nodiscard]] std::vector<Moment> momentsAt(size_t position) const override;
    void wantStates(ParameterId id) override;

private:
    /// Of one parameter's squared gradients: row and column for two dimensions and more, else `full`.
    struct Averages {
        at::Tensor row;
        at::Tensor column;
        at::Tensor full;
    };
    [[nodiscard]] Averages advanced(const at::Tensor& gradient, const Averages& before) const;
    [[nodiscard]] static at::Tensor normalised(const at::Tensor& gradient, const Averages& averages);
    void apply(ParameterId id, const at::Tensor& change);

    std::vector<Averages> m_averages; // by position
};

} // namespace homebooth::core

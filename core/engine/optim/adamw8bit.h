// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW with 8-bit moments (kernels/optim/adamw8bit.h). Parameters of fewer than 4096 elements keep fp32
// moments: they cost nothing and suffer most. Contract: optimizer.h.
#pragma once

#include "core/engine/optim/adamw.h"
#include "kernels/optim/adamw8bit.h"

namespace homebooth::core {

class AdamW8bit final : public Optimizer {
public:
    static constexpr int64_t kSmallest = 4096; ///< elements of the smallest parameter with 8-bit moments

    AdamW8bit(const OptimizerConfig& config, ParameterStore& store, uint64_t seed, StateMemory& memory);

    void update(ParameterId id, const at::Tensor& gradient, double gradientScale) override;
    [[nodiscard]] bool updatesRanges() const override { return true; }
    /// Parameter, master, moments, and scales of 8-bit ones.
    [[nodiscard]] std::vector<at::Tensor> touched(ParameterId id, int64_t begin,
                                                  int64_t count) const override;
    void updateCopies(ParameterId id, const at::Tensor& gradient, int64_t begin, double gradientScale,
                      const std::vector<at::Tensor>& copies, Workers workers) const override;

protected:
    [[nodiscard]] std::vector<Moment> momentsAt(size_t position) const override;

private:
    /// Either fp32 moments, or codes (uint8, in the parameter's memory order) with a scale for each block.
    struct Quantised {
        at::Tensor first;
        at::Tensor second;
        at::Tensor firstScales;  // fp32 [blocks]; undefined with fp32 moments
        at::Tensor secondScales; // likewise

        /// Those of `count` elements from `begin` on, flat; they alias these.
        [[nodiscard]] Quantised stretch(int64_t begin, int64_t count) const;
        /// One step of 8-bit moments, which are those of the stretch; its own are left out.
        void step(const AdamWStretch& stretch, const kernels::AdamWStep& numbers,
                  const kernels::RandomStream& random, Workers workers) const;
    };

    std::vector<Quantised> m_moments; // by position
};

} // namespace homebooth::core

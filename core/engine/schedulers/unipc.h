// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// UniPC: a predictor whose step is corrected once the next output is known, at no further network call.
// Source: Zhao et al., "UniPC: A Unified Predictor-Corrector Framework for Fast Sampling of Diffusion
// Models", 2023
#pragma once

#include "core/engine/schedulers/sigma_sampler.h"

namespace homebooth::core {

class UniPcSampler : public SolverSampler {
public:
    UniPcSampler(const SchedulerSettings& settings, const NoiseSchedule& schedule);

    [[nodiscard]] SamplerStep step(const at::Tensor& modelOutput, int64_t index, const at::Tensor& sample,
                                   NoiseSource& noise) override;

protected:
    void reset() override;

private:
    /// Everything that predictor and corrector share about one interval.
    struct Expansion;
    /// @param from   full index where the interval starts
    /// @param order  of the expansion; the newest output belongs to `from`
    [[nodiscard]] Expansion expansion(size_t from, int64_t order) const;
    [[nodiscard]] at::Tensor firstOrder(const Expansion& expansion, const at::Tensor& sample) const;
    [[nodiscard]] at::Tensor predict(const at::Tensor& sample, size_t full) const;
    [[nodiscard]] at::Tensor correct(const at::Tensor& output, size_t full) const;

    std::vector<at::Tensor> m_outputs; ///< converted, the newest last
    at::Tensor m_lastSample;           ///< before the last prediction
    int64_t m_order = 0;               ///< of the last prediction
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Dynamic loss scaling for fp16: the loss is multiplied so that small gradients survive, and the factor finds
// its own size. The same rule and defaults as torch.amp.GradScaler. Plain value; one thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

/// What a checkpoint keeps of a LossScaler.
struct LossScalerState {
    double scale = 65536.0;
    int64_t goodSteps = 0; ///< steps without overflow since the scale last changed
};

class LossScaler {
public:
    static constexpr double kGrowth = 2.0;
    static constexpr double kBackoff = 0.5;
    static constexpr int64_t kGrowthInterval = 2000;

    [[nodiscard]] double scale() const { return m_state.scale; }

    /// Adapts the scale after a step: halves it after an overflow, doubles it after 2000 steps without one.
    void finishStep(bool overflow);

    [[nodiscard]] const LossScalerState& state() const { return m_state; }
    void restore(const LossScalerState& state) { m_state = state; }

private:
    LossScalerState m_state;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/loss_scaler.h"

namespace homebooth::core {

void LossScaler::finishStep(bool overflow) {
    if (overflow) {
        m_state.scale *= kBackoff;
        m_state.goodSteps = 0;
    } else if (++m_state.goodSteps == kGrowthInterval) {
        m_state.scale *= kGrowth;
        m_state.goodSteps = 0;
    }
}

} // namespace homebooth::core

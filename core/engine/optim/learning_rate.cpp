// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace homebooth::core {

double learningRateFactor(LearningRateSchedule schedule, int64_t step, int64_t steps, int64_t warmupSteps) {
    const int64_t done = step - 1;
    if (done < warmupSteps) return static_cast<double>(done) / static_cast<double>(warmupSteps);
    const auto length = static_cast<double>(std::max<int64_t>(1, steps - warmupSteps));
    switch (schedule) {
    case LearningRateSchedule::Constant:
        return 1.0;
    case LearningRateSchedule::Linear:
        return std::max(0.0, static_cast<double>(steps - done) / length);
    case LearningRateSchedule::Cosine: {
        const double progress = static_cast<double>(done - warmupSteps) / length;
        return std::max(0.0, 0.5 * (1.0 + std::cos(std::numbers::pi * progress)));
    }
    }
    return 1.0;
}

} // namespace homebooth::core

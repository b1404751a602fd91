// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/faster_policy.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/training/step_time.h"

namespace homebooth::core {

std::optional<PlanDecision> aboutAuto(const TrainConfig& config, double streamedSeconds,
                                      const std::function<Result<StepNeed>(const TrainConfig&)>& plan) {
    constexpr double kMuch = 0.75; // of the time, and less
    if (config.memory.policy != PlacementPolicy::Cpu || config.parallel.processes > 1) return std::nullopt;
    TrainConfig staying = config;
    staying.memory.policy = PlacementPolicy::Gpu;
    const auto found = plan(staying);
    if (!found || found->stepSeconds > kMuch * streamedSeconds) return std::nullopt;
    return PlanDecision{"policy: auto would take roughly " + stepTimeText(found->stepSeconds) +
                            " a step, with " + byteSizeText(totalBytes(found->device)) +
                            " on the device; cpu was asked for",
                        "auto-is-faster",
                        {{"stepSeconds", found->stepSeconds},
                         {"deviceBytes", static_cast<double>(totalBytes(found->device))}}};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/step_spacing.h"

namespace homebooth::core {
namespace {

// As their makers publish them: 1 to 8 steps, without guidance or with little.
constexpr int64_t kMostOfFewSteps = 8;
constexpr double kMostOfLittleGuidance = 2.0;

bool isSolver(SamplerKind kind) {
    return kind == SamplerKind::DpmPlusPlus2M || kind == SamplerKind::DpmPlusPlus2MSde ||
           kind == SamplerKind::UniPc;
}

} // namespace

bool takesSpacing(SamplerKind sampler, bool karrasSigmas) {
    return sampler != SamplerKind::Lcm && !(karrasSigmas && isSolver(sampler));
}

bool lacksTrailingSteps(const SampleConfig& config, bool modelTrails) {
    return !modelTrails && config.stepSpacing != StepSpacing::Trailing && config.steps <= kMostOfFewSteps &&
           config.guidanceScale <= kMostOfLittleGuidance && takesSpacing(config.sampler, config.karrasSigmas);
}

std::string fewStepsWarning(int64_t steps) {
    return std::string("so few steps (")
        .append(std::to_string(steps))
        .append(
            ") with so little guidance are for models that were made for them (Turbo, Lightning, Hyper, "
            "DMD2), and those have learned other timesteps than this model's scheduler has; if it is one, "
            "or a LoRA makes it one, add --spacing trailing");
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets whole trainings place their steps as a test says, where the planner would do so beside a GPU or with
// little memory alone. For one source of a test, which the linker puts in front of planStep and planAgain
// (CMakeLists.txt). One thread.
#pragma once

#include "core/engine/planning/step_planner.h"

#include <functional>

namespace homebooth::core::testing {

/// Changes homes with everything streamed to those of all steps from now on; empty: those that are planned.
using Placing = std::function<void(StepPlacement&)>;

inline Placing& placing() {
    static Placing one;
    return one;
}

inline StepPlacement homesBy(const Placing& place) {
    StepPlacement homes{.streaming = StreamingOptions{}};
    place(homes);
    return homes;
}

// By the names that the linker knows functions by.
Result<StepPlan> plannedStep(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                             const MachineSpeed& speed) //
    asm("__real__ZN9homebooth4core8planStepERKNS0_11TrainConfigERKNS0_11ModelSourceERKNS0_10StepBudgetE"
        "RKNS0_12MachineSpeedE");
Result<StepPlan> placedStep(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                            const MachineSpeed& speed) //
    asm("__wrap__ZN9homebooth4core8planStepERKNS0_11TrainConfigERKNS0_11ModelSourceERKNS0_10StepBudgetE"
        "RKNS0_12MachineSpeedE");
Result<StepPlan> plannedAgain(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                              const MachineSpeed& speed, const MeasuredStep& measured,
                              const StepPlan& current) //
    asm("__real__ZN9homebooth4core9planAgainERKNS0_11TrainConfigERKNS0_11ModelSourceERKNS0_10StepBudgetE"
        "RKNS0_12MachineSpeedERKNS0_12MeasuredStepERKNS0_8StepPlanE");
Result<StepPlan> placedAgain(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                             const MachineSpeed& speed, const MeasuredStep& measured,
                             const StepPlan& current) //
    asm("__wrap__ZN9homebooth4core9planAgainERKNS0_11TrainConfigERKNS0_11ModelSourceERKNS0_10StepBudgetE"
        "RKNS0_12MachineSpeedERKNS0_12MeasuredStepERKNS0_8StepPlanE");

Result<StepPlan> placedStep(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                            const MachineSpeed& speed) {
    if (!placing()) return plannedStep(config, model, budget, speed);
    auto plan = planAlike(config, model, speed, KeptForBackward::Products, homesBy(placing()));
    if (plan) plan->budgetBytes = budget.deviceBytes;
    return plan;
}

Result<StepPlan> placedAgain(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                             const MachineSpeed& speed, const MeasuredStep& measured,
                             const StepPlan& current) {
    if (!placing()) return plannedAgain(config, model, budget, speed, measured, current);
    return timedAgain(config, model, speed, measured, current);
}

} // namespace homebooth::core::testing

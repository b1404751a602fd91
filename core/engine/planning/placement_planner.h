// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans one placement of the parameters at a time: what each block keeps is searched by sums that a few
// rehearsals gave, and what a search proposes is rehearsed before it is taken. Borrows configuration and
// model. Not two at a time in one process.
#pragma once

#include "core/base/plan/training/kept_search.h"
#include "core/base/run/journal/event.h"
#include "core/engine/planning/step_planner.h"

#include <vector>

namespace homebooth::core {

/// A plan that takes clearly less time is worth what comes with it: traffic, moving, or memory.
constexpr double kWorthIt = 0.98;

/// One part in so many of a budget is held back: what a rehearsal may miss.
constexpr int64_t kHeldBack = 50;

/// The least budget that has room for steps which need so much, bytes.
constexpr int64_t budgetFor(int64_t neededBytes) {
    return neededBytes * kHeldBack / (kHeldBack - 1) + kHeldBack;
}

/// @param plan  rehearsed without room for gradients; keeps what else was found then
void grantGradientRoom(StepPlan& plan, int64_t limitBytes);

/// Lets gradients wait on the device for their way to RAM or their update as far as that raises no peak;
/// where they would keep computing waiting, as far as that helps within a limit.
/// @param costs        that have learned of such a step
/// @param usableBytes  of the device, for all that the step takes
/// @param plan         rehearsed without room for gradients, of blocks that are streamed
/// Errors: those of rehearseStep
[[nodiscard]] Result<void> letGradientsWait(const TrainConfig& config, const ModelSource& model,
                                            const StepCosts& costs, int64_t usableBytes, StepPlan& plan);

/// Counts what the blocks of a plan keep, of those that have a backward.
void countKept(StepPlan& plan);

class PlacementPlanner {
public:
    PlacementPlanner(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                     const StepCosts& costs)
        : m_config(config)
        , m_model(model)
        , m_budget(budget)
        , m_costs(costs) {}

    /// @param homes  where parameters and values lie; what blocks keep is searched
    /// Errors: those of planStep
    [[nodiscard]] Result<StepPlan> plan(const StepPlacement& homes);

    /// Whether the last plan was refused for want of room on the device, rather than in RAM beside it.
    [[nodiscard]] bool deviceIsTight() const { return m_leanest.devicePeakBytes > m_usableBytes; }
    /// Whether RAM beside the device is too small for it, whatever the device has.
    [[nodiscard]] bool ramIsTight() const { return !ramHolds(m_leanest); }
    /// Whether streamed parameters come by way of an arena, some turns ahead.
    [[nodiscard]] bool prefetches() const { return !m_config.parallel.spreadsParameters(); }
    /// Whether states of streamed blocks may come to the device for their update, and whether that may help:
    /// not where the same cores compute and update, and not of gradients that rest, nor from a disk.
    [[nodiscard]] bool mayUpdateOnDevice() const;
    [[nodiscard]] bool oneMemory() const { return m_budget.oneMemory; }
    /// Of the device, what blocks that stay may fill, also where they are taken off RAM for that.
    [[nodiscard]] int64_t usableBytes() const { return m_fillableBytes; }
    [[nodiscard]] Result<Rehearsal> rehearsed(const StepPlacement& placement) const {
        return rehearseStep(m_config, m_model, placement);
    }

private:
    /// Whether RAM has room for what steps need of it, beside what they need of the device.
    [[nodiscard]] bool ramHolds(const Rehearsal& steps) const {
        const auto ram = m_budget.ramBeside(steps.devicePeakBytes);
        return !ram || steps.ramPeakBytes <= *ram;
    }
    Result<void> rehearseAlike(const StepPlacement& placement);
    [[nodiscard]] std::vector<std::vector<Recompute>> everywhere(Recompute recompute) const;
    [[nodiscard]] Result<StepPlan> taken(const KeptChoice& choice, const StepPlacement& homes) const;
    [[nodiscard]] StepPlan leanest(const StepPlacement& homes) const;
    Result<StepPlan> fastestThatFits(const StepPlacement& homes) const;
    Result<void> widenArena(StepPlan& plan) const;
    Result<StepPlan> finished(StepPlan plan) const;
    [[nodiscard]] ResourceUse useOfAll(const Rehearsal& steps, bool gpu) const;
    [[nodiscard]] int64_t ramOfAll(const Rehearsal& steps, bool gpu) const;
    [[nodiscard]] int64_t leastWhereItComputes(int64_t ofSteps) const;
    [[nodiscard]] int64_t ramFor(const Rehearsal& steps, int64_t deviceBytes) const;
    [[nodiscard]] int64_t mostRam() const;
    [[nodiscard]] Error tooSmall(bool streams) const;
    [[nodiscard]] Error tooLittleRam(const Rehearsal& steps) const;

    const TrainConfig& m_config;
    const ModelSource& m_model;
    StepBudget m_budget;
    int64_t m_fillableBytes = 0; // of the device
    int64_t m_usableBytes = 0;   // of it, by the plan that is made
    StepCosts m_costs;
    Rehearsal m_leanest;
    std::vector<KeptNode> m_nodes; // of m_leanest.blocks
};

} // namespace homebooth::core

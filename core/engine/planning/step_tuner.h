// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps a run's plan in step with what its steps really take: measures the first ones block by block and
// plans once more, again when what was measured no longer holds, and lower when memory ran out in spite of
// the plan. A new plan holds from the next step on; it changes when and where things are computed, never the
// result. Borrows configuration, model and learner. One thread, between and around steps; not during a
// rehearsal.
#pragma once

#include "core/base/plan/training/replan_rule.h"
#include "core/base/plan/training/take_back_rule.h"
#include "core/engine/learning/learner.h"
#include "core/engine/planning/step_planner.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Memory that a plan needs and that other programs have taken, where no other plan needs less of it.
struct MemoryShortage {
    bool ofRam = false; ///< beside the device; else of the device itself
    int64_t neededBytes = 0;
    int64_t freeBytes = 0; ///< that the run may take, with what it holds
};

class StepTuner {
public:
    struct Options {
        ReplanOptions rule = {};
        bool fixed = false; ///< what is kept stays as it is; only time and room for gradients are found anew
        int64_t fixedDeviceBytes = 0;        ///< that room's, as timedAgain has it
        const Ranks* ranks = &Ranks::lone(); ///< who steps together, borrowed
        /// Gives some of what is held in RAM beside the steps up, so that these may have it; false: there is
        /// no more. None: nothing is held.
        std::function<bool()> holdFewer = {};
        /// Of what was given up so, what the next part takes that can be had again; 0: there is none.
        std::function<int64_t()> givenUpBytes = {};
        /// Holds that part again from now on. None: what was given up stays so.
        std::function<void()> holdMore = {};
        double restSeconds = TakeBackRule::kRestSeconds; ///< of steps with room for it, before that
    };
    /// What a step may take as the machine stands now.
    using BudgetNow = std::function<StepBudget()>;

    /// @param learner  placed as `plan` says; borrowed
    StepTuner(const TrainConfig& config, const ModelSource& model, Learner& learner, StepPlan plan,
              const MachineSpeed& speed, BudgetNow budget, Options options);
    ~StepTuner();
    StepTuner(const StepTuner&) = delete;
    StepTuner& operator=(const StepTuner&) = delete;

    /// May rehearse, which is no part of the step.
    void stepBegins();
    /// @param seconds  of the step, since `stepBegins` has returned
    /// @returns  why a new plan holds from now on; None where the old one does
    [[nodiscard]] ReplanReason stepEnded(double seconds);

    /// What the step that ended last found out, once.
    [[nodiscard]] std::optional<MemoryShortage> takeShortage() {
        return std::exchange(m_shortage, std::nullopt);
    }

    /// Memory ran out, or nearly: plans for less than the present plan needs, whatever seems to be free, and
    /// never again for more. A step that was measured is not any more: it is begun anew, or did other than
    /// planned. @returns  whether there was anything left to give up
    bool lower();

    /// Steps until the first plan that is made of measurements.
    [[nodiscard]] int warmUpSteps() const { return m_options.rule.warmUpSteps; }
    /// How often a pass went on with less because memory ran out, up to now.
    [[nodiscard]] int64_t reliefs() const;
    [[nodiscard]] const StepPlan& plan() const { return m_plan; }

private:
    struct Sum {
        TurnSeconds seconds;
        int64_t passes = 0;
    };

    void measure();
    void stopClocks();
    void absorb(double seconds);
    void addTurns(size_t part, const BlockTimes& times);
    [[nodiscard]] MeasuredStep measured() const;
    [[nodiscard]] Result<StepPlan> planned() const;
    [[nodiscard]] Result<StepPlan> leanest() const;
    [[nodiscard]] StepBudget budget() const;
    [[nodiscard]] LinkTraffic traffic() const;
    [[nodiscard]] double waitedForRanks() const;
    void addRanks(StepPlan& plan) const;
    void useLeanerWays();
    void use(const StepPlacement& placement);
    bool adopt(StepPlan plan);
    void follow();
    /// RAM beside the device, what is needed and what there is in the same terms.
    struct RamWatch {
        int64_t neededBytes = 0;           ///< by the present plan; 0: whatever is left will do
        std::optional<int64_t> bytes = {}; ///< that there is; none: no such tier
    };
    [[nodiscard]] RamWatch ramOf(const StepBudget& now) const;
    [[nodiscard]] bool hasRoom(int64_t besideBytes = 0) const;
    [[nodiscard]] bool mayPlanForLess(ReplanReason reason) const;
    bool makesRoom(ReplanReason reason);
    bool takesBack(double seconds);
    [[nodiscard]] Component& component(size_t part) const { return *m_learner.part(part).component; }

    const TrainConfig& m_config;
    const ModelSource& m_model;
    Learner& m_learner;
    StepPlan m_plan;
    MachineSpeed m_speed;
    BudgetNow m_budget;
    Options m_options;
    ReplanRule m_rule;
    TakeBackRule m_takeBack;
    std::optional<MemoryShortage> m_shortage;
    int64_t m_capBytes = 0;          // of the device, since memory ran out; 0: it never did
    StepPlacement m_now;             // what the running step is placed by
    bool m_measuring = false;        // the running step
    std::vector<BlockTimes> m_times; // by part, of the running step
    int64_t m_reliefsBefore = 0;
    LinkTraffic m_trafficBefore;                       // of the running step
    std::vector<std::array<Sum, kWaysToKeep>> m_turns; // by block as in Rehearsal::blocks
    double m_besideSeconds = 0.0;                      // summed over measured steps
    LinkTraffic m_linkTraffic;                         // of measured steps
    double m_tailBefore = 0.0;                         // of updates on the device, when it began
    double m_waitedBefore = 0.0;                       // for other ranks, when the running step began
    double m_waitedSeconds = 0.0;                      // for them, in measured steps
    int m_measuredSteps = 0;
    std::vector<UpdatePlace> m_measuredPlaces; // by block, while it was measured
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/step_planner.h"

#include "core/base/plan/own_limits.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/engine/learning/state_disk.h"
#include "core/engine/planning/placement_planner.h"
#include "core/engine/planning/plan_choice.h"
#include "core/engine/planning/resident_blocks.h"
#include "core/engine/planning/visiting_plans.h"

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

/// How many turns ahead blocks may come.
constexpr int kLeastAhead = 1;
constexpr std::array kAhead = {kLeastAhead, 2, 3, 5, 8, 12};

StepCosts costsOf(const TrainConfig& config, const MachineSpeed& speed, const MeasuredStep* measured) {
    const bool fetchesForNextPass = !flowOptionsOf(config).needsAll() && config.parallel.processes == 1;
    return {speed, measured, config.optimizer.accumulationSteps, fetchesForNextPass};
}

const MeasuredStep* ifAny(const MeasuredStep& measured) {
    return measured.blocks.empty() ? nullptr : &measured;
}

/// A refusal for want of room on the device, where values could wait in RAM if there were more of that.
Error orMoreRam(Error refusal) {
    refusal.message += std::string("; ") + kMoreRamWouldDo;
    return refusal;
}

/// Values stay on the device, or go to RAM meanwhile where they do not fit or the room that they leave is
/// worth more than their way. In one memory there is nothing to gain by that, nor where RAM is what lacks.
/// @param deviceLacked  becomes true where one of them was refused for want of room on the device
Result<StepPlan> planWithValues(PlacementPlanner& planner, StepPlacement homes, bool& deviceLacked) {
    auto staying = planner.plan(homes);
    if (!staying && !tight(staying)) return staying;
    const bool ramLacks = planner.ramIsTight();
    const bool deviceLacks = !staying && planner.deviceIsTight();
    deviceLacked = deviceLacked || deviceLacks;
    const bool mayHelp = staying ? staying->recomputed > 0 : deviceLacks;
    if (!mayHelp || planner.oneMemory()) return staying;
    homes.valuesInRam = true;
    auto leaving = planner.plan(homes);
    // Of two refusals the one whose figure is enough by itself.
    if (!staying && !leaving && !planner.deviceIsTight() && !ramLacks) return orMoreRam(staying.error());
    if (!staying) return leaving;
    return faster(std::move(staying), std::move(leaving));
}

/// What a disk could take from memory.
struct DiskUse {
    bool parameters = false;
    bool averagesAndGradients = false;
};

DiskUse diskUseOf(const TrainConfig& config) {
    const bool disk = !config.memory.swapDir.empty();
    // To a GPU parameters are copied from memory alone: what is read from a disk would have to pass pinned
    // pages on its way, and stay there until the copy is done.
    return {disk && !computesOnGpu(config.memory),
            disk && (config.optimizer.emaDecay > 0.0 || flowOptionsOf(config).letsRest())};
}

/// Where averages, gradients and parameters rest: in RAM and, in this order, on a disk if there is one.
std::vector<StepPlacement> homesToTry(StepPlacement homes, const DiskUse& disk) {
    std::vector<StepPlacement> tried = {homes};
    if (disk.averagesAndGradients && !homes.allStatesOnDisk) {
        homes.allStatesOnDisk = true;
        tried.push_back(homes);
    }
    if (disk.parameters && !homes.streaming->homeOnDisk) {
        homes.streaming->homeOnDisk = true;
        tried.push_back(homes);
    }
    return tried;
}

/// Everything streamed, from the first of these homes that there is room for.
/// @param homes         at least one
/// @param deviceLacked  as planWithValues has it
Result<StepPlan> planHomes(PlacementPlanner& planner, const std::vector<StepPlacement>& homes,
                           bool& deviceLacked) {
    auto plan = planWithValues(planner, homes.front(), deviceLacked);
    for (size_t index = 1; index < homes.size() && tight(plan); ++index)
        plan = planWithValues(planner, homes[index], deviceLacked);
    return plan;
}

/// The same; blocks come a single turn ahead where the device has no room for more of them, be it that it had
/// without values for which RAM has none.
Result<StepPlan> planLean(PlacementPlanner& planner, StepPlacement homes, const DiskUse& disk) {
    bool deviceLacked = false;
    auto plan = planHomes(planner, homesToTry(homes, disk), deviceLacked);
    if (!tight(plan) || !deviceLacked || !planner.prefetches()) return plan;
    homes.streaming->prefetchDistance = kLeastAhead;
    return planHomes(planner, homesToTry(homes, disk), deviceLacked);
}

/// The same blocks on the device with the others coming fewer or more turns ahead, where that is clearly
/// faster: less of the device for what is on its way, or less waiting for it.
Result<StepPlan> planAhead(PlacementPlanner& planner, StepPlan best) {
    const StepPlacement chosen = best.placement;
    for (const int distance : kAhead) {
        // Values are read a turn later, and would come behind all that.
        const bool soon = !chosen.valuesInRam;
        const bool isChosen = distance == chosen.streaming->prefetchDistance;
        if (isChosen && soon == chosen.streaming->asSoonAsPossible) continue;
        StepPlacement homes = chosen;
        homes.streaming->deviceBytes = 0;
        homes.streaming->prefetchDistance = distance;
        homes.streaming->asSoonAsPossible = soon;
        homes.recompute.clear();
        homes.gradientRoom.clear();
        auto other = planner.plan(homes);
        if (!other && !tight(other)) return other;
        if (other && other->stepSeconds < kWorthIt * best.stepSeconds) best = std::move(*other);
    }
    return best;
}

/// Everything streamed, so many turns ahead that a step takes least.
Result<StepPlan> planStreamed(PlacementPlanner& planner, const StepPlacement& homes, const DiskUse& disk) {
    auto plan = planLean(planner, homes, disk);
    return plan && planner.prefetches() ? planAhead(planner, std::move(*plan)) : std::move(plan);
}

/// Everything where it computes, but for what a disk takes where there is no room.
Result<StepPlan> planResident(PlacementPlanner& planner, StepPlacement homes, const DiskUse& disk) {
    auto plan = planner.plan(homes);
    if (!tight(plan) || !disk.averagesAndGradients || homes.allStatesOnDisk) return plan;
    homes.allStatesOnDisk = true;
    return planner.plan(homes);
}

/// With the largest blocks on the device, `count` of them or a few less. @returns  tight where none of that
/// fits
Result<StepPlan> planWithLargest(PlacementPlanner& planner, StepPlacement homes, const ResidentBlocks& blocks,
                                 size_t count) {
    for (;; count -= 1 + count / 8) { // the estimate is not far off
        homes.resident = blocks.largest(count);
        auto plan = planner.plan(homes);
        if (!tight(plan) || count <= 1 + count / 8) return plan;
        if (planner.ramIsTight() && !planner.deviceIsTight()) return plan; // fewer would take more of it
    }
}

/// Of plans that are about as fast as the fastest the last one.
StepPlan takeLastOfFastest(std::vector<StepPlan> plans) {
    std::vector<double> seconds;
    for (const StepPlan& plan : plans) seconds.push_back(plan.stepSeconds);
    return std::move(plans[lastOfFastest(seconds)]);
}

/// Lets as many blocks stay on the device as the budget allows; fewer where more room for what backward needs
/// is worth more.
/// @param homes     of what is streamed
/// @param streamed  everything; tight where RAM has no room for that, though it may have for less
Result<StepPlan> planFilled(PlacementPlanner& planner, StepPlacement homes, Result<StepPlan> streamed) {
    homes.streaming->deviceBytes = 0;
    homes.recompute.clear();
    homes.gradientRoom.clear();
    HOMEBOOTH_ASSIGN(const Rehearsal lean, planner.rehearsed(homes));
    const ResidentBlocks blocks(lean, homes.streaming->prefetchDistance);
    std::vector<StepPlan> found; // of equals the last one moves least
    if (streamed) found.push_back(std::move(*streamed));
    for (const size_t count : countsToTry(blocks.mostWithin(planner.usableBytes()))) {
        auto filled = planWithLargest(planner, homes, blocks, count);
        if (!filled && !tight(filled)) return filled;
        if (filled) found.push_back(std::move(*filled));
    }
    if (found.empty()) return streamed;
    return takeLastOfFastest(std::move(found));
}

/// The same, with the others coming so many turns ahead that a step takes least; or everything streamed where
/// over a slow link the room is worth more to what comes than to blocks that stay.
Result<StepPlan> planMixed(PlacementPlanner& planner, const StepPlacement& homes, Result<StepPlan> streamed) {
    auto filled = planFilled(planner, streamed ? streamed->placement : homes, streamed);
    if (!filled || !planner.prefetches()) return filled;
    const bool nothingStays = filled->placement.resident.empty();
    auto mixed = planAhead(planner, std::move(*filled));
    return nothingStays || !streamed ? std::move(mixed)
                                     : faster(std::move(mixed), planAhead(planner, std::move(*streamed)));
}

/// Some blocks on the device where RAM has no room for all of them, with the first homes that fit then.
/// @param refused  what everything streamed came to
Result<StepPlan> planPartly(PlacementPlanner& planner, StepPlacement homes, const DiskUse& disk,
                            Result<StepPlan> refused) {
    for (const bool lean : {false, true}) {
        if (lean && !planner.prefetches()) break;
        if (lean) homes.streaming->prefetchDistance = kLeastAhead;
        for (const StepPlacement& tried : homesToTry(homes, disk)) {
            auto plan = planMixed(planner, tried, refused);
            if (!tight(plan)) return plan;
        }
    }
    return refused;
}

/// Streamed as far as that leaves the shortest step.
Result<StepPlan> planStreamedOrMixed(PlacementPlanner& planner, const StepPlacement& streaming,
                                     const DiskUse& disk) {
    auto streamed = planLean(planner, streaming, disk);
    if (streamed) return planMixed(planner, streaming, std::move(streamed));
    const bool lessMayDo = tight(streamed) && planner.ramIsTight() && !planner.deviceIsTight();
    return lessMayDo ? planPartly(planner, streaming, disk, std::move(streamed)) : std::move(streamed);
}

/// They move more, by a way that was never measured: a twentieth has to come of it.
constexpr double kWorthVisiting = 0.95;

bool isWorthVisiting(const StepPlan& visiting, const StepPlan& plan) {
    return visiting.stepSeconds < kWorthVisiting * plan.stepSeconds;
}

/// With states that come to the device for their update, all or those of some blocks, where that leaves a
/// shorter step.
/// @param plan  without
Result<StepPlan> planVisiting(PlacementPlanner& planner, StepPlacement streaming, const DiskUse& disk,
                              StepPlan plan) {
    auto tried = planSharedUpdates(planner, plan);
    if (!tried && !tight(tried)) return tried;
    if (tried && !isWorthVisiting(*tried, plan)) return plan;
    streaming.streaming->updatesOnDevice = true;
    auto visiting = planStreamedOrMixed(planner, streaming, disk);
    if (!visiting && !tight(visiting)) return visiting;
    if (visiting) {
        // What the search found may be better for other homes alone.
        auto atHome = planUpdating(planner, visiting->placement, false);
        if (!atHome && !tight(atHome)) return atHome;
        if (atHome && atHome->stepSeconds < kWorthIt * plan.stepSeconds) plan = std::move(*atHome);
        visiting = planSharedUpdates(planner, *visiting);
        if (!visiting && !tight(visiting)) return visiting;
    }
    auto best = faster(std::move(visiting), std::move(tried));
    return best && isWorthVisiting(*best, plan) ? std::move(*best) : std::move(plan);
}

/// All on the device, or as much of it as leaves the shortest step.
Result<StepPlan> planAuto(PlacementPlanner& planner, const StepBudget& budget, const StepPlacement& streaming,
                          const DiskUse& disk) {
    StepPlacement staying;
    staying.allStatesOnDisk = streaming.allStatesOnDisk;
    staying.diskOfStreamed = streaming.diskOfStreamed;
    if (!budget.ramBytes) return planResident(planner, staying, disk);
    auto resident = planner.plan(staying);
    if (!resident && !tight(resident)) return resident;
    if (resident && resident->recomputed == 0) return resident;
    auto streamed = planStreamedOrMixed(planner, streaming, disk);
    if (streamed && planner.mayUpdateOnDevice())
        streamed = planVisiting(planner, streaming, disk, std::move(*streamed));
    if (!resident && !streamed) return streamed;
    return faster(std::move(resident), std::move(streamed));
}

/// What a step takes whose gradients have the room that helps. @param plan  rehearsed without that room
Result<void> timeWithRoom(const TrainConfig& config, const ModelSource& model, const StepCosts& costs,
                          int64_t deviceBytes, StepPlan& plan) {
    const int64_t usableBytes = deviceBytes - deviceBytes / kHeldBack;
    if (plan.placement.streaming) HOMEBOOTH_CHECK(letGradientsWait(config, model, costs, usableBytes, plan));
    plan.stepSeconds = costs.stepSeconds(plan.need, keptOf(plan));
    plan.turns = costs.turns(keptOf(plan));
    return {};
}

} // namespace

size_t lastOfFastest(const std::vector<double>& seconds) {
    const double least = *std::min_element(seconds.begin(), seconds.end());
    size_t last = 0;
    for (size_t index = 0; index < seconds.size(); ++index)
        if (kWorthIt * seconds[index] <= least) last = index;
    return last;
}

std::vector<KeptForBackward> keptOf(const StepPlan& plan) {
    std::vector<KeptForBackward> kept;
    for (const RehearsedBlock& block : plan.need.blocks) {
        const auto& ofPart = plan.placement.recompute.at(block.part);
        const auto index = static_cast<size_t>(block.block);
        kept.push_back(index < ofPart.size() ? keptBy(ofPart[index]) : KeptForBackward::Inputs);
    }
    return kept;
}

Result<StepPlan> planStep(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                          const MachineSpeed& speed) {
    PlacementPlanner planner(config, model, budget, costsOf(config, speed, nullptr));
    StepPlacement staying;
    staying.diskOfStreamed = computesOnGpu(config.memory) && !config.memory.swapDir.empty();
    StepPlacement streaming = staying;
    streaming.streaming.emplace();
    switch (config.memory.policy) {
    case PlacementPolicy::Gpu:
        return planResident(planner, staying, diskUseOf(config));
    case PlacementPolicy::Cpu:
        return planStreamed(planner, streaming, diskUseOf(config));
    default:
        return planAuto(planner, budget, streaming, diskUseOf(config));
    }
}

Result<StepPlan> planAgain(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                           const MachineSpeed& speed, const MeasuredStep& measured, const StepPlan& current) {
    PlacementPlanner planner(config, model, budget, costsOf(config, speed, ifAny(measured)));
    StepPlacement streaming; // the arena is decided once more, the disk is where it is
    streaming.streaming.emplace();
    streaming.streaming->homeOnDisk = current.placement.streaming && current.placement.streaming->homeOnDisk;
    streaming.allStatesOnDisk = current.placement.allStatesOnDisk;
    streaming.diskOfStreamed = current.placement.diskOfStreamed;
    StepPlacement staying;
    staying.allStatesOnDisk = streaming.allStatesOnDisk;
    staying.diskOfStreamed = streaming.diskOfStreamed;
    const bool chooses = config.memory.policy == PlacementPolicy::Auto;
    Result<StepPlan> plan = chooses                       ? planAuto(planner, budget, streaming, {})
                            : current.placement.streaming ? planStreamed(planner, streaming, {})
                                                          : planner.plan(staying);
    if (plan) plan->measured = !measured.blocks.empty();
    return plan;
}

Result<StepPlan> planAlike(const TrainConfig& config, const ModelSource& model, const MachineSpeed& speed,
                           KeptForBackward kept, const StepPlacement& homes, int64_t deviceBytes) {
    StepPlan plan;
    plan.placement = homes;
    plan.placement.gradientRoom.clear();
    const auto keptIn = [&](size_t part, const Schedule& schedule) {
        std::vector<Recompute> ways(schedule.blocks().size(), recomputeFor(kept));
        for (size_t block = 0; block < ways.size(); ++block)
            if ((homes.streams(part, static_cast<int>(block)) || config.parallel.spreadsParameters()) &&
                ways[block] == Recompute::Never)
                ways[block] = Recompute::CheapParts;
        return ways;
    };
    HOMEBOOTH_ASSIGN(const std::vector<Schedule> schedules, learningSchedules(config, model));
    plan.placement.recompute.clear();
    for (size_t part = 0; part < schedules.size(); ++part)
        plan.placement.recompute.push_back(keptIn(part, schedules[part]));
    HOMEBOOTH_ASSIGN(plan.need, rehearseStep(config, model, plan.placement));
    countKept(plan);
    StepCosts costs = costsOf(config, speed, nullptr);
    costs.learn(kept, plan.need);
    HOMEBOOTH_CHECK(timeWithRoom(config, model, costs, deviceBytes, plan));
    return plan;
}

Result<StepPlan> timedAgain(const TrainConfig& config, const ModelSource& model, const MachineSpeed& speed,
                            const MeasuredStep& measured, const StepPlan& current, int64_t deviceBytes) {
    StepPlan plan = current;
    plan.placement.gradientRoom.clear();
    HOMEBOOTH_ASSIGN(plan.need, rehearseStep(config, model, plan.placement));
    StepCosts costs = costsOf(config, speed, ifAny(measured));
    costs.learn(KeptForBackward::Inputs, plan.need); // for updates: all else was measured
    HOMEBOOTH_CHECK(timeWithRoom(config, model, costs, deviceBytes, plan));
    plan.measured = !measured.blocks.empty();
    return plan;
}

} // namespace homebooth::core

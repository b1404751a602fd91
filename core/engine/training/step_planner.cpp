// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/step_planner.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/config/byte_size.h"
#include "core/engine/training/gradient_room.h"
#include "core/engine/training/kept_nodes.h"
#include "core/engine/training/resident_blocks.h"
#include "core/engine/training/state_disk.h"

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

/// Rounded up, so that the figure itself is enough.
std::string wholeMebibytes(int64_t bytes) {
    constexpr int64_t kMebibyte = int64_t{1} << 20;
    return std::to_string((bytes + kMebibyte - 1) / kMebibyte) + " MiB";
}

/// A plan that takes clearly less time is worth what comes with it: traffic, moving, or memory.
constexpr double kWorthIt = 0.98;

/// @param plan  rehearsed without room for gradients; keeps what else was found then
void grantGradientRoom(StepPlan& plan, int64_t limitBytes) {
    plan.placement.gradientRoom = gradientRoomWithin(plan.need, limitBytes);
    for (RehearsedBlock& block : plan.need.blocks)
        block.gradientRoomBytes = plan.placement.gradientRoomOf(block.part, block.block);
}

/// Plans one placement of the parameters.
class Planner {
public:
    Planner(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
            const StepCosts& costs)
        : m_config(config)
        , m_model(model)
        , m_budget(budget)
        , m_costs(costs) {}

    /// @param homes  where parameters and values lie; what blocks keep is searched
    Result<StepPlan> plan(const StepPlacement& homes) {
        StepPlan plan;
        plan.placement = homes;
        plan.placement.gradientRoom.clear();
        HOMEBOOTH_CHECK(rehearseAlike(plan.placement));
        m_usableBytes = m_budget.deviceBytes - std::max<int64_t>(m_budget.deviceBytes, 0) / kHeldBack;
        if (m_budget.oneMemory)
            m_usableBytes = std::min(m_usableBytes, m_budget.ramBytes - m_leanest.ramPeakBytes);
        int64_t budgetBytes = m_usableBytes;
        for (int attempt = 0; attempt < kAttempts; ++attempt) {
            const auto choice = searchKept(m_nodes, budgetBytes);
            if (!choice) break;
            take(*choice, plan);
            HOMEBOOTH_ASSIGN(plan.need, rehearseStep(m_config, m_model, plan.placement));
            const int64_t over = plan.need.devicePeakBytes - m_usableBytes;
            if (over <= 0) {
                HOMEBOOTH_CHECK(letGradientsWait(plan));
                const bool onlyWhatComputes = m_config.memory.policy == PlacementPolicy::Cpu;
                if (homes.streaming && !onlyWhatComputes) HOMEBOOTH_CHECK(widenArena(plan));
                return finished(std::move(plan));
            }
            budgetBytes -= over; // blocks share what they keep, so sums are not quite exact
        }
        if (m_leanest.devicePeakBytes > m_usableBytes) return tooSmall();
        takeLeanest(plan);
        HOMEBOOTH_CHECK(letGradientsWait(plan));
        return finished(std::move(plan));
    }

    /// Whether the last plan was refused for want of room on the device, rather than in RAM beside it.
    [[nodiscard]] bool deviceIsTight() const { return m_leanest.devicePeakBytes > m_usableBytes; }
    [[nodiscard]] bool oneMemory() const { return m_budget.oneMemory; }
    [[nodiscard]] int64_t usableBytes() const { return m_usableBytes; }
    [[nodiscard]] Result<Rehearsal> rehearsed(const StepPlacement& placement) const {
        return rehearseStep(m_config, m_model, placement);
    }

private:
    static constexpr int kAttempts = 4;
    static constexpr int64_t kHeldBack = 50; // one part in so many: what a rehearsal may miss

    /// Rehearses the step with all blocks treated alike, once for each way to treat them.
    Result<void> rehearseAlike(const StepPlacement& placement) {
        std::vector<KeptForBackward> ways = {KeptForBackward::Inputs, KeptForBackward::Products};
        if (!placement.streaming || !placement.resident.empty()) ways.push_back(KeptForBackward::Everything);
        std::vector<AlikeStep> found;
        for (const KeptForBackward way : ways) {
            StepPlacement alike = placement;
            alike.recompute = everywhere(recomputeFor(way));
            HOMEBOOTH_ASSIGN(Rehearsal need, rehearseStep(m_config, m_model, alike));
            m_costs.learn(way, need);
            if (way == KeptForBackward::Inputs) m_leanest = need; // which tells how many blocks there are
            found.push_back({way, std::move(need)});
        }
        m_nodes = keptNodesOf(found, m_costs);
        return {};
    }

    /// More than any network has blocks; those beyond its own are left out.
    [[nodiscard]] std::vector<std::vector<Recompute>> everywhere(Recompute recompute) const {
        std::vector<std::vector<Recompute>> byPart(kParts);
        for (const RehearsedBlock& block : m_leanest.blocks) {
            std::vector<Recompute>& ofPart = byPart[block.part];
            const auto index = static_cast<size_t>(block.block);
            ofPart.resize(std::max(ofPart.size(), index + 1), recompute);
            // A kept graph would hold on to parameters that have to leave.
            if (block.streamed && recompute == Recompute::Never) ofPart[index] = Recompute::CheapParts;
        }
        return byPart;
    }

    void take(const KeptChoice& choice, StepPlan& plan) const {
        plan.placement.recompute = everywhere(Recompute::Always);
        plan.recomputed = plan.partlyKept = plan.wholeGraphs = 0;
        for (size_t index = 0; index < m_nodes.size(); ++index) {
            const RehearsedBlock& block = m_leanest.blocks[index];
            const KeptForBackward kept = m_nodes[index].options[choice.option[index]].kept;
            plan.placement.recompute[block.part][static_cast<size_t>(block.block)] = recomputeFor(kept);
            ++(kept == KeptForBackward::Inputs     ? plan.recomputed
               : kept == KeptForBackward::Products ? plan.partlyKept
                                                   : plan.wholeGraphs);
        }
    }

    void takeLeanest(StepPlan& plan) const {
        plan.placement.recompute = everywhere(Recompute::Always);
        plan.need = m_leanest;
        plan.recomputed = static_cast<int64_t>(m_leanest.blocks.size());
        plan.partlyKept = plan.wholeGraphs = 0;
    }

    /// Lets gradients wait on the device for their way to RAM as far as that raises no peak, and as far as
    /// the budget allows where they would keep computing waiting.
    Result<void> letGradientsWait(StepPlan& plan) const {
        if (!plan.placement.streaming) return {};
        grantGradientRoom(plan, plan.need.devicePeakBytes);
        StepPlan roomy = plan;
        grantGradientRoom(roomy, m_usableBytes);
        const std::vector<KeptForBackward> kept = keptOf(plan);
        if (m_costs.stepSeconds(roomy.need, kept) >= kWorthIt * m_costs.stepSeconds(plan.need, kept))
            return {};
        HOMEBOOTH_ASSIGN(roomy.need, rehearseStep(m_config, m_model, roomy.placement));
        if (roomy.need.devicePeakBytes <= m_usableBytes) plan = std::move(roomy);
        return {};
    }

    /// Gives what is left of the budget to the arena, so that less is fetched again.
    Result<void> widenArena(StepPlan& plan) const {
        const int64_t left = m_usableBytes - plan.need.devicePeakBytes;
        const auto parts = static_cast<int64_t>(plan.placement.recompute.back().empty() ? 1 : kParts);
        StepPlacement wider = plan.placement;
        int64_t arenas = plan.need.parameterBytes;
        for (const RehearsedBlock& block : plan.need.blocks)
            if (!block.streamed) arenas -= block.parameterBytes;
        wider.streaming->deviceBytes = (arenas + left) / parts;
        auto need = rehearseStep(m_config, m_model, wider);
        if (!need && need.error().code != ErrorCode::OutOfResources) return need.error();
        if (!need || need->devicePeakBytes > m_usableBytes) return {}; // as it was, then
        plan.placement = std::move(wider);
        plan.need = std::move(*need);
        return {};
    }

    Result<StepPlan> finished(StepPlan plan) const {
        plan.stepSeconds = m_costs.stepSeconds(plan.need, keptOf(plan));
        plan.budgetBytes = m_budget.deviceBytes;
        const bool enough = m_budget.ramBytes == 0 || plan.need.ramPeakBytes <= m_budget.ramBytes;
        if (enough || !plan.placement.streaming) return plan;
        return Error{ErrorCode::OutOfResources,
                     "parameters and optimizer states need " + byteSizeText(plan.need.ramPeakBytes) +
                         " of RAM beside the device, and " + byteSizeText(m_budget.ramBytes) +
                         " may be used; close other programs, or take a leaner optimizer",
                     {}};
    }

    [[nodiscard]] Error tooSmall() const {
        const int64_t beside = m_budget.programBytes + (m_budget.oneMemory ? m_leanest.ramPeakBytes : 0);
        const int64_t least = m_leanest.devicePeakBytes * kHeldBack / (kHeldBack - 1) + kHeldBack + beside;
        const int64_t most =
            m_budget.programBytes + (m_budget.oneMemory ? m_budget.ramBytes : m_budget.deviceBytes);
        return Error{
            ErrorCode::OutOfResources,
            "this training needs at least " + wholeMebibytes(least) + " of memory where it computes, and " +
                byteSizeText(most) +
                " may be used; try --precision bf16, --optimizer adamw8bit, --method lora, a smaller "
                "--resolution or --batch, or close other programs",
            {}};
    }

    static constexpr size_t kParts = 2;

    const TrainConfig& m_config;
    const ModelSource& m_model;
    StepBudget m_budget;
    int64_t m_usableBytes = 0; // of the device, by the plan that is made
    StepCosts m_costs;
    Rehearsal m_leanest;
    std::vector<KeptNode> m_nodes; // of m_leanest.blocks
};

bool tight(const Result<StepPlan>& plan) {
    return !plan && plan.error().code == ErrorCode::OutOfResources;
}

/// The faster one; the first where both are about as fast. One that found no room loses.
Result<StepPlan> faster(Result<StepPlan> first, Result<StepPlan> second) {
    if (!first) return second ? std::move(second) : std::move(first);
    return second && second->stepSeconds < kWorthIt * first->stepSeconds ? std::move(second)
                                                                         : std::move(first);
}

/// Values stay on the device, or go to RAM meanwhile where they do not fit or the room that they leave is
/// worth more than their way. In one memory there is nothing to gain by that, nor where RAM is what lacks.
Result<StepPlan> planWithValues(Planner& planner, StepPlacement homes) {
    auto staying = planner.plan(homes);
    if (!staying && !tight(staying)) return staying;
    const bool mayHelp = staying ? staying->recomputed > 0 : planner.deviceIsTight();
    if (!mayHelp || planner.oneMemory()) return staying;
    homes.valuesInRam = true;
    auto leaving = planner.plan(homes);
    if (!staying && !leaving && !planner.deviceIsTight()) return staying;
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
    return {disk, disk && (config.optimizer.emaDecay > 0.0 || flowOptionsOf(config).letsRest())};
}

/// Averages, gradients and parameters in RAM where there is room, else, in this order, on a disk if there is
/// one.
Result<StepPlan> planStreamed(Planner& planner, StepPlacement homes, const DiskUse& disk) {
    auto plan = planWithValues(planner, homes);
    if (tight(plan) && disk.averagesAndGradients && !homes.allStatesOnDisk) {
        homes.allStatesOnDisk = true;
        plan = planWithValues(planner, homes);
    }
    if (!tight(plan) || homes.streaming->homeOnDisk || !disk.parameters) return plan;
    homes.streaming->homeOnDisk = true;
    return planWithValues(planner, homes);
}

/// Everything where it computes, but for what a disk takes where there is no room.
Result<StepPlan> planResident(Planner& planner, StepPlacement homes, const DiskUse& disk) {
    auto plan = planner.plan(homes);
    if (!tight(plan) || !disk.averagesAndGradients || homes.allStatesOnDisk) return plan;
    homes.allStatesOnDisk = true;
    return planner.plan(homes);
}

/// With the largest blocks on the device, `count` of them or a few less. @returns  tight where none of that
/// fits
Result<StepPlan> planWithLargest(Planner& planner, StepPlacement homes, const ResidentBlocks& blocks,
                                 size_t count) {
    for (;; count -= 1 + count / 8) { // the estimate is not far off
        homes.resident = blocks.largest(count);
        auto plan = planner.plan(homes);
        if (!tight(plan) || count <= 1 + count / 8) return plan;
    }
}

/// Lets as many blocks stay on the device as the budget allows; fewer where more room for what backward needs
/// is worth more.
Result<StepPlan> planFilled(Planner& planner, StepPlan streamed) {
    StepPlacement homes = streamed.placement;
    homes.streaming->deviceBytes = 0;
    homes.recompute.clear();
    homes.gradientRoom.clear();
    HOMEBOOTH_ASSIGN(const Rehearsal lean, planner.rehearsed(homes));
    const ResidentBlocks blocks(lean);
    const size_t most = blocks.mostWithin(planner.usableBytes());
    Result<StepPlan> best = std::move(streamed);
    for (const size_t count : {most / 2, most}) {
        if (count == 0) continue;
        auto filled = planWithLargest(planner, homes, blocks, count);
        if (!filled && !tight(filled)) return filled;
        best = faster(std::move(filled), std::move(best)); // of equals that which moves less
    }
    return best;
}

/// All on the device, or as much of it as leaves the shortest step.
Result<StepPlan> planAuto(Planner& planner, const StepBudget& budget, const StepPlacement& streaming,
                          const DiskUse& disk) {
    StepPlacement staying;
    staying.allStatesOnDisk = streaming.allStatesOnDisk;
    if (budget.ramBytes == 0) return planResident(planner, staying, disk);
    auto resident = planner.plan(staying);
    if (!resident && !tight(resident)) return resident;
    if (resident && resident->recomputed == 0) return resident;
    auto streamed = planStreamed(planner, streaming, disk);
    if (streamed) streamed = planFilled(planner, std::move(*streamed));
    if (!resident && !streamed) return streamed;
    return faster(std::move(resident), std::move(streamed));
}

} // namespace

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
    Planner planner(config, model, budget, {speed, nullptr, config.optimizer.accumulationSteps});
    StepPlacement streaming;
    streaming.streaming.emplace();
    switch (config.memory.policy) {
    case PlacementPolicy::Gpu:
        return planResident(planner, {}, diskUseOf(config));
    case PlacementPolicy::Cpu:
        return planStreamed(planner, streaming, diskUseOf(config));
    default:
        return planAuto(planner, budget, streaming, diskUseOf(config));
    }
}

Result<StepPlan> planAgain(const TrainConfig& config, const ModelSource& model, const StepBudget& budget,
                           const MachineSpeed& speed, const MeasuredStep& measured, const StepPlan& current) {
    Planner planner(config, model, budget, {speed, &measured, config.optimizer.accumulationSteps});
    StepPlacement streaming; // the arena is decided once more, the disk is where it is
    streaming.streaming.emplace();
    streaming.streaming->homeOnDisk = current.placement.streaming && current.placement.streaming->homeOnDisk;
    streaming.allStatesOnDisk = current.placement.allStatesOnDisk;
    StepPlacement staying;
    staying.allStatesOnDisk = streaming.allStatesOnDisk;
    const bool chooses = config.memory.policy == PlacementPolicy::Auto;
    Result<StepPlan> plan = chooses                       ? planAuto(planner, budget, streaming, {})
                            : current.placement.streaming ? planWithValues(planner, streaming)
                                                          : planner.plan(staying);
    if (plan) plan->measured = !measured.blocks.empty();
    return plan;
}

Result<StepPlan> planAlike(const TrainConfig& config, const ModelSource& model, const MachineSpeed& speed,
                           KeptForBackward kept, const StepPlacement& homes) {
    StepPlan plan;
    plan.placement = homes;
    plan.placement.gradientRoom.clear();
    const auto keptIn = [&](size_t part, const Schedule& schedule) {
        std::vector<Recompute> ways(schedule.blocks().size(), recomputeFor(kept));
        for (size_t block = 0; block < ways.size(); ++block)
            if (homes.streams(part, static_cast<int>(block)) && ways[block] == Recompute::Never)
                ways[block] = Recompute::CheapParts;
        return ways;
    };
    plan.placement.recompute = {keptIn(0, unetSchedule(model.unet))};
    if (config.trainTextEncoder || config.mode == TrainMode::FromScratch)
        plan.placement.recompute.push_back(keptIn(1, clipSchedule(model.textEncoder)));
    HOMEBOOTH_ASSIGN(plan.need, rehearseStep(config, model, plan.placement));
    if (homes.streaming) grantGradientRoom(plan, plan.need.devicePeakBytes);
    for (const KeptForBackward one : keptOf(plan))
        ++(one == KeptForBackward::Inputs     ? plan.recomputed
           : one == KeptForBackward::Products ? plan.partlyKept
                                              : plan.wholeGraphs);
    StepCosts costs(speed, nullptr, config.optimizer.accumulationSteps);
    costs.learn(kept, plan.need);
    plan.stepSeconds = costs.stepSeconds(plan.need, keptOf(plan));
    return plan;
}

Result<StepPlan> timedAgain(const TrainConfig& config, const ModelSource& model, const MachineSpeed& speed,
                            const MeasuredStep& measured, const StepPlan& current) {
    StepPlan plan = current;
    HOMEBOOTH_ASSIGN(plan.need, rehearseStep(config, model, plan.placement));
    StepCosts costs(speed, &measured, config.optimizer.accumulationSteps);
    plan.stepSeconds = costs.stepSeconds(plan.need, keptOf(plan));
    plan.measured = !measured.blocks.empty();
    return plan;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/placement_planner.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/generation/text_memory.h"
#include "core/base/plan/own_limits.h"
#include "core/base/plan/training/fitting_search.h"
#include "core/base/plan/weight_format.h"
#include "core/engine/learning/state_disk.h"
#include "core/engine/planning/gradient_room.h"
#include "core/engine/planning/kept_nodes.h"
#include "core/engine/planning/tier_kinds.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace homebooth::core {
namespace {

constexpr size_t kParts = 2;
constexpr int64_t kGradientSteps = 16; // of the room for gradients that wait
constexpr double kGradientLoss = 0.1;  // of what all the room would spare, what a lesser one may miss
constexpr double kSlowerStep = 0.02;   // and of the step at most

/// Those in front of all that learns, as of an add-on, have no backward: nothing of them is computed again.
bool goesBackward(const RehearsedBlock& block) {
    const RehearsedWork& work = block.backward.work;
    return work.allocations > 0 || work.allMultiplyAdds() > 0;
}

} // namespace

void grantGradientRoom(StepPlan& plan, int64_t limitBytes) {
    plan.placement.gradientRoom = gradientRoomWithin(plan.need, limitBytes);
    for (RehearsedBlock& block : plan.need.blocks)
        block.gradientRoomBytes = plan.placement.gradientRoomOf(block.part, block.block);
}

Result<void> letGradientsWait(const TrainConfig& config, const ModelSource& model, const StepCosts& costs,
                              int64_t usableBytes, StepPlan& plan) {
    const int64_t peak = plan.need.devicePeakBytes;
    const std::vector<KeptForBackward> kept = keptOf(plan);
    StepPlan roomy = plan;
    const auto secondsWithin = [&](int64_t limitBytes) {
        grantGradientRoom(roomy, limitBytes);
        return costs.stepSeconds(roomy.need, kept);
    };
    grantGradientRoom(plan, peak);
    if (usableBytes <= peak) return {};
    const double waiting = secondsWithin(peak);
    const double least = secondsWithin(usableBytes);
    if (least >= kWorthIt * waiting) return {};
    const double nearlyLeast = least + std::min(kGradientLoss * (waiting - least), kSlowerStep * least);
    HOMEBOOTH_ASSIGN(const Rehearsal all, rehearseStep(config, model, roomy.placement));
    const int64_t room = std::min(all.devicePeakBytes, usableBytes) - peak;
    for (int64_t part = 1; part <= kGradientSteps; ++part)
        if (secondsWithin(peak + room * part / kGradientSteps) <= nearlyLeast) break;
    HOMEBOOTH_ASSIGN(roomy.need, rehearseStep(config, model, roomy.placement));
    if (roomy.need.devicePeakBytes <= usableBytes) plan = std::move(roomy);
    return {};
}

void countKept(StepPlan& plan) {
    plan.recomputed = plan.partlyKept = plan.wholeGraphs = 0;
    const std::vector<KeptForBackward> kept = keptOf(plan);
    for (size_t index = 0; index < kept.size(); ++index) {
        if (!goesBackward(plan.need.blocks[index])) continue;
        ++(kept[index] == KeptForBackward::Inputs     ? plan.recomputed
           : kept[index] == KeptForBackward::Products ? plan.partlyKept
                                                      : plan.wholeGraphs);
    }
}

Result<StepPlan> PlacementPlanner::plan(const StepPlacement& homes) {
    StepPlacement bare = homes;
    bare.gradientRoom.clear();
    HOMEBOOTH_CHECK(rehearseAlike(bare));
    m_usableBytes = m_budget.deviceBytes - std::max<int64_t>(m_budget.deviceBytes, 0) / kHeldBack;
    if (m_budget.oneMemory)
        m_usableBytes = std::min(m_usableBytes, m_budget.ramBytes.value_or(0) - m_leanest.ramPeakBytes);
    m_fillableBytes = m_usableBytes;
    if (m_budget.partOfRam) // no more than homes leave of it; where that is too little RAM is what lacks
        m_usableBytes =
            std::min(m_usableBytes,
                     std::max(m_leanest.devicePeakBytes,
                              m_budget.deviceBytes + m_budget.ramBytes.value_or(0) - m_leanest.ramPeakBytes));
    HOMEBOOTH_ASSIGN(StepPlan plan, fastestThatFits(bare));
    if (plan.placement.streaming)
        HOMEBOOTH_CHECK(letGradientsWait(m_config, m_model, m_costs, m_usableBytes, plan));
    const bool onlyWhatComputes = m_config.memory.policy == PlacementPolicy::Cpu;
    const bool hasArena = homes.streaming && prefetches();
    if (hasArena && !onlyWhatComputes) HOMEBOOTH_CHECK(widenArena(plan));
    return finished(std::move(plan));
}

bool PlacementPlanner::mayUpdateOnDevice() const {
    return m_costs.updatesBeside() && m_config.optimizer.kind != OptimizerKind::Adafactor &&
           !flowOptionsOf(m_config).letsRest() && m_config.parallel.processes == 1 &&
           m_config.memory.swapDir.empty();
}

/// Rehearses the step with all blocks treated alike, once for each way to treat them.
Result<void> PlacementPlanner::rehearseAlike(const StepPlacement& placement) {
    std::vector<KeptForBackward> ways = {KeptForBackward::Inputs, KeptForBackward::Products};
    const bool staying = !placement.streaming || !placement.resident.empty();
    // A kept graph would hold the parameters that other ranks have.
    if (staying && !m_config.parallel.spreadsParameters()) ways.push_back(KeptForBackward::Everything);
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

/// The same way for every block, by part.
std::vector<std::vector<Recompute>> PlacementPlanner::everywhere(Recompute recompute) const {
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

StepPlan PlacementPlanner::leanest(const StepPlacement& homes) const {
    StepPlan plan;
    plan.placement = homes;
    plan.placement.recompute = everywhere(Recompute::Always);
    plan.need = m_leanest;
    countKept(plan);
    return plan;
}

/// A choice of the search, rehearsed.
Result<StepPlan> PlacementPlanner::taken(const KeptChoice& choice, const StepPlacement& homes) const {
    StepPlan plan = leanest(homes);
    for (size_t index = 0; index < m_nodes.size(); ++index) {
        const RehearsedBlock& block = m_leanest.blocks[index];
        const KeptForBackward kept = m_nodes[index].options[choice.option[index]].kept;
        plan.placement.recompute[block.part][static_cast<size_t>(block.block)] = recomputeFor(kept);
    }
    HOMEBOOTH_ASSIGN(plan.need, rehearseStep(m_config, m_model, plan.placement));
    countKept(plan);
    return plan;
}

Result<StepPlan> PlacementPlanner::fastestThatFits(const StepPlacement& homes) const {
    std::vector<std::pair<std::vector<size_t>, StepPlan>> tried;
    const WalkChoice rehearse = [&](const KeptChoice& choice) -> Result<WalkedChoice> {
        HOMEBOOTH_ASSIGN(StepPlan plan, taken(choice, homes));
        WalkedChoice walked{plan.need.devicePeakBytes, {}};
        for (size_t index = 0; index < m_nodes.size(); ++index)
            walked.taken.push_back(optionOf(m_nodes[index].options[choice.option[index]].kept,
                                            plan.need.blocks[index], m_leanest.blocks[index]));
        tried.emplace_back(choice.option, std::move(plan));
        return walked;
    };
    HOMEBOOTH_ASSIGN(const auto best, searchFitting(m_nodes, m_usableBytes, rehearse));
    if (!best && m_leanest.devicePeakBytes > m_usableBytes) return tooSmall(homes.streaming.has_value());
    if (!best) return leanest(homes);
    const auto isBest = [&](const auto& one) { return one.first == best->option; };
    return std::move(std::find_if(tried.begin(), tried.end(), isBest)->second);
}

/// Gives what is left of the budget to the arena, so that less is fetched again.
Result<void> PlacementPlanner::widenArena(StepPlan& plan) const {
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
    const std::vector<KeptForBackward> kept = keptOf(plan);
    if (m_costs.stepSeconds(*need, kept) > m_costs.stepSeconds(plan.need, kept)) return {};
    plan.placement = std::move(wider);
    plan.need = std::move(*need);
    return {};
}

Result<StepPlan> PlacementPlanner::finished(StepPlan plan) const {
    plan.stepSeconds = m_costs.stepSeconds(plan.need, keptOf(plan));
    plan.turns = m_costs.turns(keptOf(plan));
    plan.budgetBytes = m_budget.deviceBytes;
    // What stays on a device that is a part of RAM may be too much for both, and less of it if it is
    // streamed.
    const bool mayStream = m_budget.partOfRam && m_config.memory.policy == PlacementPolicy::Auto;
    if (!(plan.placement.streaming || mayStream) || ramHolds(plan.need)) return plan;
    return tooLittleRam(plan.need);
}

/// What the run takes with such steps, before them and behind them, too; nothing where that is not known.
ResourceUse PlacementPlanner::useOfAll(const Rehearsal& steps, bool gpu) const {
    constexpr int64_t kWhatever = std::numeric_limits<int64_t>::max();
    const TierPeaks peaks = tierPeaksOf(steps);
    StepNeed need;
    need.device = peaks.device;
    need.ram = peaks.ram;
    need.ram.cacheBytes += m_budget.heldBytes;
    need.encodingBytes = 0; // where there is no more room all is encoded first, whatever was wished for
    TrainConfig config = m_config;
    config.output.previewEverySteps = 0; // previews are made with what there is,
    if (gpu && !config.parallel.spreadsParameters())
        config.data.classPrompt.clear(); // and for class pictures a GPU streams as much as it has to
    const auto whole = planTraining(config, m_model, {gpu, kWhatever, kWhatever}, need);
    return whole ? whole->event.predicted : ResourceUse();
}

/// Of RAM; with what computes where that is no GPU.
int64_t PlacementPlanner::ramOfAll(const Rehearsal& steps, bool gpu) const {
    const ResourceUse use = useOfAll(steps, gpu);
    return use.ramBytes + (gpu ? 0 : use.deviceBytes);
}

/// The least that does for the whole run where steps take so much of the memory that computes.
int64_t PlacementPlanner::leastWhereItComputes(int64_t ofSteps) const {
    const bool gpu = computesOnGpu(m_config.memory);
    if (gpu) return std::max(ofSteps, useOfAll(m_leanest, gpu).deviceBytes);
    return m_budget.inRam ? std::max(ofSteps, ramOfAll(m_leanest, gpu)) : ofSteps;
}

/// RAM that is enough for steps like these. What the user allows has to do for what comes before and behind
/// them, too, and, without a GPU, for what stands for one.
/// @param deviceBytes  that the device may take with them
int64_t PlacementPlanner::ramFor(const Rehearsal& steps, int64_t deviceBytes) const {
    const int64_t beside = steps.ramPeakBytes + m_budget.ramProgramBytes;
    if (m_budget.split.limitBytes == 0) return beside;
    const bool gpu = computesOnGpu(m_config.memory);
    const int64_t standIn = gpu ? 0 : deviceBytes;
    const int64_t unused = std::max<int64_t>(standIn - steps.devicePeakBytes, 0); // another plan may use it
    return std::max(beside + standIn, ramOfAll(steps, gpu) + unused);
}

/// The RAM that there is, in the same terms.
int64_t PlacementPlanner::mostRam() const {
    const bool withDevice = m_budget.partOfRam && m_budget.split.limitBytes > 0;
    const int64_t standIn = withDevice ? m_budget.deviceBytes : 0;
    return std::max<int64_t>(m_budget.ramBytes.value_or(0) + m_budget.ramProgramBytes + standIn, 0);
}

Error PlacementPlanner::tooLittleRam(const Rehearsal& steps) const {
    const int64_t needed = ramFor(steps, m_budget.deviceBytes);
    return Error{ErrorCode::OutOfResources,
                 "parameters, optimizer states" + std::string(m_budget.textBytes > 0 ? ", texts" : "") +
                     " and the program do not fit into RAM beside the device: " + wholeMebibytes(needed) +
                     " of RAM would do, and " + fullMebibytes(mostRam()) + " may be used" +
                     m_budget.split.inWords() + "; " + m_budget.split.advice() +
                     fewerTexts(m_budget.textBytes, needed - mostRam()) + leanerInRam(m_config),
                 {}};
}

/// @param streams  what found no room, so that RAM may lack, too
Error PlacementPlanner::tooSmall(bool streams) const {
    const int64_t beside = m_budget.programBytes + (m_budget.oneMemory ? m_leanest.ramPeakBytes : 0);
    const int64_t ofSteps = budgetFor(m_leanest.devicePeakBytes) + beside;
    const int64_t least = leastWhereItComputes(ofSteps);
    const RamSplit split = m_budget.inRam ? m_budget.split : RamSplit();
    const int64_t most =
        m_budget.programBytes + (m_budget.oneMemory ? m_budget.ramBytes.value_or(0) : m_budget.deviceBytes);
    const bool both = streams && !m_budget.oneMemory && ramIsTight();
    const int64_t lacking = both ? ramFor(m_leanest, ofSteps) - mostRam() : least - most;
    return Error{ErrorCode::OutOfResources,
                 "this training needs at least " + wholeMebibytes(least) + kWhereItComputes +
                     (both ? " and " + wholeMebibytes(ramFor(m_leanest, ofSteps)) + " of RAM" : "") +
                     ", and " + fullMebibytes(most) + (both ? " and " + fullMebibytes(mostRam()) : "") +
                     " may be used" + split.inWords() + "; " + split.advice() +
                     higherDeviceLimit(m_config.memory, most) +
                     fewerTexts(m_budget.inRam || both ? m_budget.textBytes : 0, lacking) +
                     leanerTraining(m_config, m_budget.inRam),
                 {}};
}

} // namespace homebooth::core

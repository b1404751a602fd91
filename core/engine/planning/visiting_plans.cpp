// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/visiting_plans.h"

#include "core/engine/planning/plan_choice.h"

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

/// Of the elements, what is tried to be updated at home where the rest comes to the device.
constexpr std::array kSharesAtHome = {1.0 / 4.0, 1.0 / 3.0, 1.0 / 2.0, 2.0 / 3.0};

bool learnsAway(const RehearsedBlock& block) {
    return block.streamed && block.updatedElements > 0;
}

} // namespace

std::vector<std::vector<bool>> updatedAtHome(const Rehearsal& need, double share) {
    std::vector<std::vector<bool>> atHome;
    double lacking = 0.0; // elements that should be at home by now and are not
    for (const RehearsedBlock& block : need.blocks) {
        atHome.resize(std::max(atHome.size(), block.part + 1));
        std::vector<bool>& ofPart = atHome[block.part];
        const auto index = static_cast<size_t>(block.block);
        ofPart.resize(std::max(ofPart.size(), index + 1), false);
        if (!learnsAway(block) || ofPart[index]) continue; // one that is used twice has its place
        const auto elements = static_cast<double>(block.updatedElements);
        lacking += share * elements;
        if (lacking < elements / 2.0) continue;
        ofPart[index] = true;
        lacking -= elements;
    }
    return atHome;
}

UpdatedBlocks updatedBlocks(const Rehearsal& need) {
    UpdatedBlocks found;
    for (const RehearsedBlock& block : need.blocks) {
        if (!learnsAway(block)) continue;
        ++found.all;
        if (block.visits()) ++found.visiting;
    }
    return found;
}

std::string visitsInWords(const UpdatedBlocks& blocks, bool measured) {
    if (blocks.visiting == 0) return "";
    const std::string all = std::to_string(blocks.all);
    std::string text = "; for their update ";
    if (blocks.visiting == blocks.all)
        text += "those of all " + all +
                " streamed blocks come to the device, which takes less than the "
                "processor would";
    else
        text += "those of " + std::to_string(blocks.visiting) + " of " + all +
                " streamed blocks come to the device, and the processor updates the others in RAM: link and "
                "processor work at the same time, which takes less than either of them alone";
    if (!measured) text += " (foretold, and never run on a GPU yet)";
    return text;
}

Result<StepPlan> planUpdating(PlacementPlanner& planner, StepPlacement homes, bool onDevice,
                              std::vector<std::vector<bool>> atHome) {
    homes.streaming->updatesOnDevice = onDevice;
    homes.streaming->deviceBytes = 0;
    homes.updatedAtHome = std::move(atHome);
    homes.recompute.clear();
    homes.gradientRoom.clear();
    return planner.plan(homes);
}

Result<StepPlan> planSharedUpdates(PlacementPlanner& planner, const StepPlan& plan) {
    auto best = plan.placement.streaming->updatesOnDevice ? Result<StepPlan>(plan)
                                                          : planUpdating(planner, plan.placement, true);
    if (!best && !tight(best)) return best;
    for (const double share : kSharesAtHome) {
        auto shared = planUpdating(planner, plan.placement, true, updatedAtHome(plan.need, share));
        if (!shared && !tight(shared)) return shared;
        best = faster(std::move(best), std::move(shared));
    }
    return best;
}

} // namespace homebooth::core

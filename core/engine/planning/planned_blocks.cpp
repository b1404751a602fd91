// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/planned_blocks.h"

#include <algorithm>
#include <set>

namespace homebooth::core {
namespace {

/// How often a block's parameters come in a micro-step, and how many turns ahead of the first one that needs
/// them.
void addFetches(const RehearsedStream& stream, PlannedBlock& planned, int block) {
    std::set<int> stays;
    bool first = true;
    for (size_t use = 0; use < stream.order.size(); ++use) {
        if (stream.order[use] != block) continue;
        const int stay = use < stream.residency.stayOfUse.size() ? stream.residency.stayOfUse[use] : -1;
        if (stay < 0) { // without an arena, as parts that are spread: during the turn before
            if (use > 0 && stream.order[use - 1] == block) continue;
            ++planned.fetches;
            if (first) planned.fetchedAhead = 1;
        } else if (const Stay& one = stream.residency.stays.at(static_cast<size_t>(stay));
                   !one.permanent && stays.insert(stay).second) {
            ++planned.fetches;
            // Before the first use of all, or so many uses before the end of the pass before.
            const int fetchAt = one.fetchAt < -1 ? one.fetchAt + 1 : std::max(0, one.fetchAt);
            if (first) planned.fetchedAhead = std::max(0, one.firstUse - fetchAt);
        }
        first = false;
    }
}

const RehearsedStream* streamOf(const Rehearsal& need, size_t part) {
    const auto found = std::find_if(need.streams.begin(), need.streams.end(),
                                    [part](const RehearsedStream& one) { return one.part == part; });
    return found == need.streams.end() ? nullptr : &*found;
}

} // namespace

std::vector<PlannedBlock> plannedBlocks(const StepPlan& plan) {
    const std::vector<KeptForBackward> kept = keptOf(plan);
    std::vector<PlannedBlock> blocks;
    for (size_t index = 0; index < plan.need.blocks.size(); ++index) {
        const RehearsedBlock& found = plan.need.blocks[index];
        PlannedBlock& planned = blocks.emplace_back();
        planned.name = found.partName + " " + found.name;
        planned.kept = kept[index];
        if (index < plan.turns.size()) {
            planned.forwardSeconds = plan.turns[index].forward;
            planned.backwardSeconds = plan.turns[index].backward;
        }
        planned.parameterBytes = found.parameterBytes;
        planned.gatheredBytes = found.gatheredBytes;
        planned.activationBytes = std::max<int64_t>(0, found.forward.leftBytes - found.forward.heldBytes);
        planned.peakBytes = std::max(found.forward.peakBytes, found.backward.peakBytes);
        planned.leftBytes = found.forward.values.leftBytes + found.backward.values.leftBytes;
        planned.returnedBytes = found.forward.values.fetchedBytes + found.backward.values.fetchedBytes;
        planned.streamed = found.streamed;
        planned.homeOnDisk =
            found.streamed && plan.placement.streaming && plan.placement.streaming->homeOnDisk;
        const RehearsedStream* stream = streamOf(plan.need, found.part);
        if (found.streamed && stream != nullptr) addFetches(*stream, planned, found.block);
    }
    return blocks;
}

} // namespace homebooth::core

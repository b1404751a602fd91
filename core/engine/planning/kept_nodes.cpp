// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/kept_nodes.h"

namespace homebooth::core {
namespace {

int64_t growth(const RehearsedTurn& turn) {
    return turn.leftBytes - turn.heldBytes;
}

} // namespace

/// Backward counts from what sums say is held: a block's outputs, which its graph holds on to, are no more
/// than the leanest step holds in forward, but that has let go of them when the block's backward begins.
KeptOption optionOf(KeptForBackward kept, const RehearsedBlock& block, const RehearsedBlock& leanest) {
    const int64_t keptSoFar = block.forward.leftBytes - leanest.forward.leftBytes;
    return {kept, growth(block.forward) - growth(leanest.forward),
            block.forward.peakBytes - block.forward.heldBytes,
            block.backward.peakBytes - leanest.backward.heldBytes - keptSoFar, 0.0};
}

std::vector<KeptNode> keptNodesOf(const std::vector<AlikeStep>& alike, const StepCosts& costs) {
    const std::vector<RehearsedBlock>& leanest = alike.front().need.blocks;
    std::vector<KeptNode> nodes(leanest.size());
    for (size_t index = 0; index < nodes.size(); ++index) {
        nodes[index].forwardBaseBytes = leanest[index].forward.heldBytes;
        nodes[index].backwardBaseBytes = leanest[index].backward.heldBytes;
        for (const AlikeStep& step : alike) {
            if (step.kept == KeptForBackward::Everything && leanest[index].streamed) continue;
            KeptOption option = optionOf(step.kept, step.need.blocks[index], leanest[index]);
            const TurnSeconds turn = costs.turn(index, step.kept);
            option.seconds = turn.forward + turn.backward;
            nodes[index].options.push_back(option);
        }
    }
    return nodes;
}

} // namespace homebooth::core

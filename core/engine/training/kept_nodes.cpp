// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/kept_nodes.h"

namespace homebooth::core {
namespace {

int64_t growth(const RehearsedTurn& turn) {
    return turn.leftBytes - turn.heldBytes;
}

KeptOption optionOf(KeptForBackward kept, const RehearsedBlock& block, const RehearsedBlock& leanest) {
    return {kept, growth(block.forward) - growth(leanest.forward),
            block.forward.peakBytes - block.forward.heldBytes,
            block.backward.peakBytes - block.backward.heldBytes, 0.0};
}

} // namespace

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

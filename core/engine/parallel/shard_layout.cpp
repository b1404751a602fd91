// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/shard_layout.h"

#include <algorithm>

namespace homebooth::core {
namespace {

ShardedParameters kindOf(const ParameterSpec& spec) {
    if (spec.trainable) return ShardedParameters::Trainable;
    switch (spec.storage) {
    case StorageType::Model:
        return ShardedParameters::Frozen;
    case StorageType::Float32:
        return ShardedParameters::FrozenScales;
    case StorageType::Int8:
        return ShardedParameters::FrozenIntegers;
    }
    return ShardedParameters::Frozen;
}

} // namespace

ShardLayout::ShardLayout(const Schedule& schedule, int ranks, ShardedParameters which)
    : m_ranks(ranks) {
    TORCH_CHECK(ranks >= 1, "a model is spread over at least one rank, got ", ranks);
    for (size_t index = 0; index < schedule.blocks().size(); ++index) {
        BlockCuts block;
        int64_t total = 0;
        for (const ParameterSpec& spec : schedule.blocks()[index].parameters) {
            const int64_t elements = c10::multiply_integers(spec.shape);
            const bool isMember = kindOf(spec) == which;
            block.begins.push_back(isMember ? total : -1);
            block.elements.push_back(elements);
            if (!isMember) continue;
            block.members.push_back({static_cast<int>(index), static_cast<int>(block.begins.size()) - 1});
            total += elements;
        }
        for (int rank = 0; rank < ranks; ++rank)
            block.cuts.push_back(nearestCut(block, total / ranks * rank + total % ranks * rank / ranks));
        block.cuts.push_back(total);
        for (int rank = 0; rank < ranks; ++rank)
            block.sliceElements = std::max(block.sliceElements, block.cuts[rank + 1] - block.cuts[rank]);
        m_blocks.push_back(std::move(block));
    }
}

/// The place near to `wanted` at which a block may be cut.
int64_t ShardLayout::nearestCut(const BlockCuts& block, int64_t wanted) {
    for (const ParameterId id : block.members) {
        const int64_t begin = block.begins[id.index];
        const int64_t elements = block.elements[id.index];
        if (wanted >= begin + elements) continue;
        const int64_t below = (wanted - begin) / kShardUnit * kShardUnit;
        const int64_t above = std::min(below + kShardUnit, elements);
        return begin + (wanted - begin - below <= begin + above - wanted ? below : above);
    }
    return wanted;
}

ElementRange ShardLayout::range(int rank, ParameterId id) const {
    const BlockCuts& block = m_blocks.at(id.block);
    const int64_t first = block.begins.at(id.index);
    TORCH_CHECK(first >= 0, "parameter ", id.index, " of block ", id.block, " is in another layout");
    const int64_t begin = std::max(first, block.cuts[rank]);
    const int64_t end = std::min(first + block.elements[id.index], block.cuts[rank + 1]);
    if (begin >= end) return {};
    return {begin - first, end - begin};
}

int64_t ShardLayout::offset(int rank, ParameterId id) const {
    const BlockCuts& block = m_blocks.at(id.block);
    return std::max<int64_t>(block.begins.at(id.index) - block.cuts[rank], 0);
}

} // namespace homebooth::core

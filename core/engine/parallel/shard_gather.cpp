// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/shard_gather.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace homebooth::core {
namespace {

/// The parameters of a block on their way.
struct Gathering {
    int block = -1;
    at::Tensor whole; // [ranks * slice]
    CollectiveTicket ticket = 0;
};

Gathering begin(const Ranks& ranks, const ParameterStore& store, const ShardLayout& layout, int block) {
    const int64_t slice = layout.sliceElements(block);
    const at::Tensor like = store.parameter(layout.members(block).front());
    const at::TensorOptions where = like.options().device(store.options().device);
    Gathering gathering{block, at::empty({ranks.count() * slice}, where)};
    const at::Tensor own = gathering.whole.narrow(0, ranks.rank() * slice, slice);
    for (const ParameterId id : layout.members(block)) {
        const ElementRange range = layout.range(ranks.rank(), id);
        if (range.count == 0) continue;
        const at::Tensor part = stretchOf(store.parameter(id), range.begin, range.count);
        const auto held = store.holdPart(part, false);
        own.narrow(0, layout.offset(ranks.rank(), id), range.count).copy_(part);
    }
    gathering.ticket = ranks.collective().allGather(gathering.whole, own);
    return gathering;
}

void end(const Ranks& ranks, const ParameterStore& store, const ShardLayout& layout,
         const Gathering& gathering) {
    if (gathering.block < 0) return;
    ranks.collective().wait(gathering.ticket);
    const int64_t slice = layout.sliceElements(gathering.block);
    for (const ParameterId id : layout.members(gathering.block))
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const ElementRange range = layout.range(rank, id);
            if (range.count == 0 || rank == ranks.rank()) continue;
            const at::Tensor part = stretchOf(store.parameter(id), range.begin, range.count);
            const auto held = store.holdPart(part, true);
            part.copy_(gathering.whole.narrow(0, rank * slice + layout.offset(rank, id), range.count));
        }
}

} // namespace

void gatherParameters(const Ranks& ranks, const ParameterStore& store, const ShardLayout& layout) {
    const at::NoGradGuard noGrad;
    Gathering before;
    for (int block = 0; block < layout.blockCount(); ++block) {
        if (layout.sliceElements(block) == 0) continue;
        Gathering next = begin(ranks, store, layout, block);
        end(ranks, store, layout, before);
        before = std::move(next);
    }
    end(ranks, store, layout, before);
}

at::Tensor gatherState(const Ranks& ranks, const NamedTensor& state) {
    if (!state.part) return state.tensor;
    const at::NoGradGuard noGrad;
    const std::vector<ElementRange>& parts = state.part->ofRanks;
    int64_t longest = 0;
    for (const ElementRange& part : parts) longest = std::max(longest, part.count);
    at::TensorOptions options = state.tensor.options();
    if (!state.tensor.is_meta()) options = options.device(at::kCPU);
    const at::Tensor all = at::empty({ranks.count() * longest}, options);
    const at::Tensor own = all.narrow(0, ranks.rank() * longest, longest);
    {
        const auto held = required(holdTensor(state, false));
        own.narrow(0, 0, state.tensor.numel()).copy_(state.tensor);
    }
    ranks.collective().wait(ranks.collective().allGather(all, own));
    at::Tensor whole = at::empty_strided(state.part->sizes, state.part->strides, options);
    for (size_t rank = 0; rank < parts.size(); ++rank)
        if (parts[rank].count > 0)
            stretchOf(whole, parts[rank].begin, parts[rank].count)
                .copy_(all.narrow(0, static_cast<int64_t>(rank) * longest, parts[rank].count));
    return whole;
}

} // namespace homebooth::core

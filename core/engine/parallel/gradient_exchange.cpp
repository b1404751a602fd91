// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/gradient_exchange.h"

#include "core/engine/collective/device_sum.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/memory_order.h"

#include <utility>

namespace homebooth::core {

GradientSink GradientExchange::sink(size_t part) {
    return [this, part](ParameterId id, const at::Tensor& gradient) {
        if (gradient.defined()) take(part, id, gradient);
    };
}

void GradientExchange::take(size_t part, ParameterId id, const at::Tensor& gradient) {
    const bool continues = m_filling && m_filling->part == part && m_filling->block == id.block;
    if (!continues) {
        advance();
        open(part, id.block, gradient);
    }
    Bucket& bucket = *m_filling;
    TORCH_CHECK(gradient.scalar_type() == bucket.whole.scalar_type(),
                "gradients of one block have one type, found ", gradient.scalar_type(), " beside ",
                bucket.whole.scalar_type());
    const at::Tensor flat = flatAlias(inOrderOf(gradient, m_parts[part].store->parameter(id)));
    const ShardLayout& layout = *m_parts[part].layout;
    const int64_t slice = layout.sliceElements(id.block);
    for (int rank = 0; rank < layout.ranks(); ++rank) {
        const ElementRange range = layout.range(rank, id);
        if (range.count == 0) continue;
        bucket.whole.narrow(0, rank * slice + layout.offset(rank, id), range.count)
            .copy_(flat.narrow(0, range.begin, range.count));
    }
    bucket.taken.push_back(id);
}

/// All memory that the bucket will need, before anything is asked of others.
void GradientExchange::open(size_t part, int block, const at::Tensor& like) {
    const int64_t slice = m_parts[part].layout->sliceElements(block);
    Bucket bucket;
    bucket.part = part;
    bucket.block = block;
    bucket.whole = at::empty({m_ranks.count() * slice}, like.options());
    bucket.shard = m_ownParts ? at::empty({slice}, like.options())
                              : bucket.whole.narrow(0, m_ranks.rank() * slice, slice);
    m_filling = std::move(bucket);
}

/// Sends what was filled on its way, and hands on what was there before it.
void GradientExchange::advance() {
    if (m_filling) ask(*m_filling);
    if (m_flying) handOn(*m_flying);
    m_flying = std::exchange(m_filling, std::nullopt);
}

/// What GPUs take of memory for a sum (collective/nccl_collective): parts of all ranks until it has ended,
/// and some of it in fp32. It is added up beside what computes, which takes no longer for it.
void GradientExchange::rehearseSum(Bucket& bucket) const {
    if (!bucket.whole.is_meta() || computedOnHost(bucket.whole)) return;
    const WithinProduct noWorkOfItsOwn;
    const int64_t stretch = stretchElements(bucket.shard.numel(), bucket.whole.element_size());
    bucket.parts = at::empty({m_ranks.count(), stretch}, bucket.whole.options());
    sumOnDevice(bucket.shard.narrow(0, 0, stretch), bucket.parts, sumScratch(bucket.parts));
}

void GradientExchange::ask(Bucket& bucket) const {
    if (bucket.ticket) return;
    rehearseSum(bucket);
    Collective& collective = m_ranks.collective();
    bucket.ticket = collective.reduceScatter(bucket.shard, bucket.whole);
    if (!m_ownParts) bucket.ticket = collective.allGather(bucket.whole, bucket.shard);
}

void GradientExchange::handOn(Bucket& bucket) {
    m_ranks.collective().wait(bucket.ticket.value());
    bucket.parts.reset();
    const Part& part = m_parts[bucket.part];
    for (; bucket.handedOn < bucket.taken.size(); ++bucket.handedOn) {
        const ParameterId id = bucket.taken[bucket.handedOn];
        const ElementRange own = part.layout->range(m_ranks.rank(), id);
        if (!m_ownParts)
            part.next(id, wholeGradient(bucket, id));
        else if (own.count > 0)
            part.next(id, bucket.shard.narrow(0, part.layout->offset(m_ranks.rank(), id), own.count));
    }
}

/// Put together from the slices in which its elements lie.
at::Tensor GradientExchange::wholeGradient(const Bucket& bucket, ParameterId id) const {
    const ShardLayout& layout = *m_parts[bucket.part].layout;
    const at::Tensor parameter = m_parts[bucket.part].store->parameter(id);
    const int64_t slice = layout.sliceElements(id.block);
    at::Tensor gradient = at::empty_strided(parameter.sizes(), parameter.strides(), bucket.whole.options());
    for (int rank = 0; rank < layout.ranks(); ++rank) {
        const ElementRange range = layout.range(rank, id);
        if (range.count == 0) continue;
        stretchOf(gradient, range.begin, range.count)
            .copy_(bucket.whole.narrow(0, rank * slice + layout.offset(rank, id), range.count));
    }
    return gradient;
}

void GradientExchange::flush() {
    while (m_filling || m_flying) advance();
}

void GradientExchange::discard() {
    m_filling.reset();
    m_flying.reset();
}

} // namespace homebooth::core

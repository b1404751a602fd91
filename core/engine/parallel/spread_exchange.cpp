// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/spread_exchange.h"

#include "core/engine/memory/parameter_views.h"
#include "core/engine/optim/memory_order.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

/// What `later` is given from now on begins when `earlier` has done what it was given.
void putInOrder(c10::Stream earlier, c10::Stream later) {
    c10::Event done(earlier.device_type());
    done.record(earlier);
    done.block(later);
}

c10::Stream currentStream(at::Device device) {
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

} // namespace

/// A part on its way from RAM to a GPU, on a stream beside the one that computes. Ends when nothing is
/// read any more: what it keeps lives until then, also where the block is never used.
class SpreadExchange::Departure {
public:
    /// Begins after what was computed up to now: memory that is written may have been in use.
    explicit Departure(c10::Stream beside)
        : m_beside(beside) {
        putInOrder(currentStream(beside.device()), beside);
    }
    ~Departure() {
        try { // a block that was gathered has come: there is nothing to wait for
            c10::impl::VirtualGuardImpl(m_beside.device_type()).synchronizeStream(m_beside);
        } catch (...) { // a GPU that is lost reads nothing
        }
    }
    Departure(const Departure&) = delete;
    Departure& operator=(const Departure&) = delete;

    void keep(const at::Tensor& part) { m_parts.push_back(part); }
    /// What is computed from now on comes after it, and after what was begun there of the collective.
    void arrive() const { putInOrder(m_beside, currentStream(m_beside.device())); }

private:
    c10::Stream m_beside;
    std::vector<at::Tensor> m_parts;
};

SpreadExchange::SpreadExchange(const Ranks& ranks, const Schedule& schedule, at::Device device)
    : m_ranks(ranks)
    , m_device(device)
    , m_layouts{ShardLayout(schedule, ranks.count(), ShardedParameters::Trainable),
                ShardLayout(schedule, ranks.count(), ShardedParameters::Frozen),
                ShardLayout(schedule, ranks.count(), ShardedParameters::FrozenIntegers),
                ShardLayout(schedule, ranks.count(), ShardedParameters::FrozenScales)} {}

ElementRange SpreadExchange::ownRange(ParameterId id) const {
    const auto layout = std::find_if(m_layouts.begin(), m_layouts.end(),
                                     [id](const ShardLayout& one) { return one.has(id); });
    return layout->range(m_ranks.rank(), id);
}

void SpreadExchange::put(int block, int index, const at::Tensor& parameter, const at::Tensor& whole) const {
    const at::NoGradGuard noGrad;
    ElementRange range{0, parameter.numel()};
    if (!isWhole(block)) range = ownRange({block, index});
    if (range.count == 0) return;
    const at::Tensor part = stretchOf(parameter, range.begin, range.count);
    const auto held = holdOwn(part, true);
    part.copy_(stretchOf(whole, range.begin, range.count));
}

int64_t SpreadExchange::partBytes(int block, const std::vector<at::Tensor>& parameters) const {
    int64_t bytes = 0;
    for (size_t index = 0; index < parameters.size(); ++index) {
        const int64_t own = ownRange({block, static_cast<int>(index)}).count *
                            static_cast<int64_t>(parameters[index].element_size());
        bytes += (own + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
    }
    return bytes;
}

/// Asks for one layout's part of a block. Where this rank has its own says nothing of the other ranks.
SpreadExchange::Parcel SpreadExchange::send(const ShardLayout& layout, int block,
                                            const std::vector<at::Tensor>& parameters) {
    const at::Tensor& like = parameters.at(layout.members(block).front().index);
    Parcel parcel{&layout,
                  at::empty({m_ranks.count() * layout.sliceElements(block)}, like.options().device(m_device)),
                  0, nullptr};
    if (!m_device.is_cuda() || !like.is_cpu()) {
        load(parcel, block, parameters);
        return parcel;
    }
    if (!m_beside)
        m_beside =
            c10::impl::VirtualGuardImpl(m_device.type()).getStreamFromGlobalPool(parcel.whole.device());
    parcel.departure = std::make_shared<Departure>(*m_beside);
    const c10::StreamGuard besideWhatComputes(*m_beside);
    load(parcel, block, parameters);
    return parcel;
}

/// Puts this rank's part into its place and has the collective begin after that, on the current stream.
void SpreadExchange::load(Parcel& parcel, int block, const std::vector<at::Tensor>& parameters) const {
    const ShardLayout& layout = *parcel.layout;
    const int64_t slice = layout.sliceElements(block);
    const at::Tensor own = parcel.whole.narrow(0, m_ranks.rank() * slice, slice);
    for (const ParameterId id : layout.members(block)) {
        const ElementRange range = layout.range(m_ranks.rank(), id);
        if (range.count == 0) continue;
        const at::Tensor part = stretchOf(parameters[id.index], range.begin, range.count);
        const auto held = holdOwn(part, false);
        const bool stays = parcel.departure && !held; // what is on a disk is here for this scope alone
        if (stays) parcel.departure->keep(part);
        own.narrow(0, layout.offset(m_ranks.rank(), id), range.count).copy_(part, /*non_blocking=*/stays);
    }
    parcel.ticket = m_ranks.collective().allGather(parcel.whole, own);
}

void SpreadExchange::take(const Parcel& parcel, int block, const std::vector<at::Tensor>& targets,
                          bool ownToo) const {
    m_ranks.collective().wait(parcel.ticket);
    if (parcel.departure) parcel.departure->arrive();
    const ShardLayout& layout = *parcel.layout;
    const int64_t slice = layout.sliceElements(block);
    for (const ParameterId id : layout.members(block))
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const ElementRange range = layout.range(rank, id);
            if (range.count == 0 || (rank == m_ranks.rank() && !ownToo)) continue;
            stretchOf(targets[id.index], range.begin, range.count)
                .copy_(parcel.whole.narrow(0, rank * slice + layout.offset(rank, id), range.count));
        }
}

void SpreadExchange::ask(int block, const std::vector<at::Tensor>& parameters) {
    if (isWhole(block)) return;
    TORCH_CHECK(!m_asked, "block ", block, " was asked for before block ", m_asked ? m_asked->block : -1,
                " was used");
    const at::NoGradGuard noGrad;
    Asked asked{block, {}};
    for (const ShardLayout& layout : m_layouts)
        if (layout.sliceElements(block) > 0) asked.parcels.push_back(send(layout, block, parameters));
    m_asked = std::move(asked);
}

void SpreadExchange::gatherInto(int block, const std::vector<at::Tensor>& parameters,
                                const std::vector<at::Tensor>& whole) {
    const at::NoGradGuard noGrad;
    if (isWhole(block)) {
        for (size_t index = 0; index < whole.size(); ++index) whole[index].copy_(parameters[index]);
        return;
    }
    for (const Parcel& parcel : takeAsked(block, parameters)) take(parcel, block, whole, true);
}

void SpreadExchange::takeOthers(int block, const std::vector<at::Tensor>& parameters) {
    const at::NoGradGuard noGrad;
    for (const Parcel& parcel : takeAsked(block, parameters)) take(parcel, block, parameters, false);
}

/// What is on its way of a block, asked for or not.
std::vector<SpreadExchange::Parcel> SpreadExchange::takeAsked(int block,
                                                              const std::vector<at::Tensor>& parameters) {
    if (!m_asked) ask(block, parameters);
    TORCH_CHECK(m_asked->block == block, "block ", block, " is used, and block ", m_asked->block,
                " was asked for");
    std::vector<Parcel> parcels = std::move(m_asked->parcels);
    m_asked.reset();
    return parcels;
}

} // namespace homebooth::core

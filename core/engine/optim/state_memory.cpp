// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/state_memory.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/jobs/failure.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/optim/memory_order.h"

#include <functional>
#include <utility>

namespace homebooth::core {
namespace {

int64_t aligned(int64_t bytes) {
    return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

} // namespace

std::span<const std::byte> memoryBehind(const at::Tensor& tensor) {
    return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

at::Tensor emptyBeside(const ParameterStore& store, ParameterId id, at::IntArrayRef sizes,
                       at::IntArrayRef strides, at::ScalarType type) {
    const TierScope besideTheParameter(store.homeTier(id.block));
    return at::empty_strided(sizes, strides, store.parameter(id).options().dtype(type));
}

ElementRange StateMemory::range(ParameterId id) const {
    return m_layout != nullptr ? m_layout->range(m_rank, id)
                               : ElementRange{0, m_store->parameter(id).numel()};
}

std::optional<StatePart> StateMemory::part(ParameterId id, int64_t unit) const {
    if (m_layout == nullptr) return std::nullopt;
    const at::Tensor parameter = m_store->parameter(id);
    StatePart part;
    for (int rank = 0; rank < m_layout->ranks(); ++rank) {
        const ElementRange range = m_layout->range(rank, id);
        part.ofRanks.push_back({range.begin / unit, (range.count + unit - 1) / unit});
    }
    part.begin = part.ofRanks[m_rank].begin;
    if (unit == 1) {
        part.sizes = parameter.sizes().vec();
        part.strides = parameter.strides().vec();
    } else {
        part.sizes = {(parameter.numel() + unit - 1) / unit};
        part.strides = {1};
    }
    return part;
}

at::Tensor StateMemory::zerosLike(ParameterId id, at::ScalarType type) {
    if (m_layout != nullptr) return zeros(id, {range(id).count}, type);
    const at::Tensor like = m_store->parameter(id);
    return make(id, like.sizes(), like.strides(), type);
}

at::Tensor StateMemory::zeros(ParameterId id, at::IntArrayRef sizes, at::ScalarType type) {
    return make(id, sizes, c10::contiguous_strides(sizes), type);
}

at::Tensor StateMemory::place(at::IntArrayRef sizes, at::ScalarType type) {
    TORCH_CHECK(hasDisk(), "places are for what lies on a disk");
    return tensorIn(takeSlot(sizes, c10::contiguous_strides(sizes), type));
}

at::Tensor StateMemory::placeLike(ParameterId id, at::ScalarType type) {
    if (m_layout != nullptr) return place({range(id).count}, type);
    TORCH_CHECK(hasDisk(), "places are for what lies on a disk");
    const at::Tensor like = m_store->parameter(id);
    return tensorIn(takeSlot(like.sizes(), like.strides(), type));
}

at::Tensor StateMemory::make(ParameterId id, at::IntArrayRef sizes, at::IntArrayRef strides,
                             at::ScalarType type) {
    const int64_t before = m_bytes;
    Slot slot = takeSlot(sizes, strides, type);
    if (m_counts) {
        m_blockBytes.resize(m_store->schedule().blocks().size(), 0);
        m_blockBytes[static_cast<size_t>(id.block)] += m_bytes - before;
    }
    const at::Tensor state = onDisk(id) ? tensorIn(slot) : empty(id, sizes, strides, type).zero_();
    if (hasDisk() && followsHomes()) (*m_slots)[state.unsafeGetTensorImpl()] = std::move(slot);
    return state;
}

/// Undefined memory where a state belongs that is not on the disk.
at::Tensor StateMemory::empty(ParameterId id, at::IntArrayRef sizes, at::IntArrayRef strides,
                              at::ScalarType type) const {
    const bool visits = m_room && m_store->updatesOnDevice(id.block);
    return visits ? m_room->take(id.block, sizes, strides, type)
                  : emptyBeside(*m_store, id, sizes, strides, type);
}

/// A rehearsal has no memory to put them in; sharded ones, and those on a disk, are updated where they are.
bool StateMemory::mightVisit() const {
    return !hasDisk() && !isSharded() && !m_store->options().device.is_meta();
}

void StateMemory::mayVisit(const StateMemory& counted) {
    m_room = std::make_shared<RamRoom>(m_store->options().device, counted.m_blockBytes);
}

/// The next bytes of what is handed out.
StateMemory::Slot StateMemory::takeSlot(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type) {
    Slot slot{m_begin + m_bytes, sizes.vec(), strides.vec(), type};
    m_bytes += aligned(c10::multiply_integers(sizes) * static_cast<int64_t>(c10::elementSize(type)));
    return slot;
}

/// Shapes: the slot's
at::Tensor StateMemory::tensorIn(const Slot& slot) const {
    const auto options = at::TensorOptions().dtype(slot.type);
    // A rehearsal counts what LibTorch allocates; this is not.
    if (m_counts)
        return at::for_blob(nullptr, slot.sizes)
            .strides(slot.strides)
            .options(options.device(at::kMeta))
            .target_device(at::kMeta)
            .make_tensor();
    const std::span<std::byte> all = m_swap->bytes();
    TORCH_CHECK(m_begin + m_bytes <= static_cast<int64_t>(all.size()), "optimizer states need ",
                m_begin + m_bytes, " bytes of swapped memory, found ", all.size());
    return at::from_blob(all.data() + slot.begin, slot.sizes, slot.strides, options);
}

bool StateMemory::isSwapped(const at::Tensor& state) const {
    if (m_swap == nullptr || !state.defined() || !state.is_cpu()) return false;
    const auto* begin = static_cast<const std::byte*>(state.const_data_ptr());
    const std::span<const std::byte> disk = m_swap->bytes();
    return std::greater_equal<>()(begin, disk.data()) && std::less<>()(begin, disk.data() + disk.size());
}

at::Tensor StateMemory::elsewhere(ParameterId id, const at::Tensor& state) const {
    if (!hasDisk()) return empty(id, state.sizes(), state.strides(), state.scalar_type()).copy_(state);
    at::Tensor moved = onDisk(id) ? tensorIn(m_slots->at(state.unsafeGetTensorImpl()))
                                  : empty(id, state.sizes(), state.strides(), state.scalar_type());
    for (int64_t begin = 0; begin < state.numel(); begin += kSwappedElements) {
        const int64_t count = std::min(kSwappedElements, state.numel() - begin);
        const at::Tensor from = stretchOf(state, begin, count);
        const at::Tensor to = stretchOf(moved, begin, count);
        const auto heldFrom = hold({from}, false);
        const auto heldTo = hold({to}, true);
        to.copy_(from);
    }
    return moved;
}

void StateMemory::moveTo(const at::Tensor& state, const at::Tensor& moved) const {
    const at::Tensor left = state.detach(); // another tensor on the memory that it leaves
    state.set_data(moved);
    discard(left);
}

void StateMemory::fill(const at::Tensor& state, int64_t value) {
    if (value == 0) return; // it is
    const auto held = hold({state}, true);
    at::Tensor target = state;
    target.fill_(value);
}

std::vector<SwapHold> StateMemory::hold(at::TensorList states, bool changes) const {
    std::vector<SwapHold> holds;
    if (m_swap == nullptr) return holds;
    for (const at::Tensor& state : states) {
        if (!isSwapped(state)) continue;
        auto taken = SwapHold::take(*m_swap, memoryBehind(state), changes);
        if (!taken) throw ExpectedFailure(taken.error());
        holds.push_back(std::move(taken).value());
    }
    return holds;
}

at::Tensor StateMemory::seenAs(const at::Tensor& state, at::ScalarType type) {
    const auto options = at::TensorOptions().dtype(type).device(state.device());
    return at::for_blob(state.is_meta() ? nullptr : state.data_ptr(), state.sizes())
        .strides(state.strides())
        .options(options)
        .target_device(state.device())
        .make_tensor();
}

void StateMemory::discard(const at::Tensor& state) const {
    if (isSwapped(state)) m_swap->discard(memoryBehind(state));
}

/// In a catch block, where some pieces of a parameter have changed and others have not.
void StateMemory::endHalfChanged() {
    if (memoryRanOut())
        throw ExpectedFailure(failureInFlight("updating the weights", "close other programs or lower the "
                                                                      "batch, and resume the run"));
}

void StateMemory::want(at::TensorList states) const {
    if (m_swap == nullptr) return;
    for (const at::Tensor& state : states)
        if (isSwapped(state)) m_swap->want(memoryBehind(state));
}

} // namespace homebooth::core

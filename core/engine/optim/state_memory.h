// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the states of one optimizer lie.
//   beside     in memory, in the tier of the parameters that they belong to
//   counted    nowhere: says how much an optimizer will want
//   swapped    on a disk, but for the states in use, which are held for that time
// A disk takes them all, or those of streamed blocks alone: beside a GPU, which updates resident ones itself.
// Each then has a place there for good, and is brought to it, or away from it, when its block gets another
// home (`elsewhere`).
// Borrows store and swapped memory; copies share what is known of the places. Holds may be taken on any
// thread; states are made and moved on one.
#pragma once

#include "core/base/swap/swapped_memory.h"
#include "core/engine/memory/parameter_store.h"
#include "core/engine/memory/ram_room.h"
#include "core/engine/parallel/shard_layout.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

/// Elements of a parameter that are held at a time, with their states, where either is swapped.
inline constexpr int64_t kSwappedElements = int64_t{1} << 19;

/// Of a state that is spread over the ranks: which of its elements each rank has, in memory order.
struct StatePart {
    std::vector<ElementRange> ofRanks;
    int64_t begin = 0;          ///< of the elements that are here
    std::vector<int64_t> sizes; ///< of the whole
    std::vector<int64_t> strides;
};

/// Which states a disk takes.
enum class DiskTakes : uint8_t { All, OfStreamed };

class StateMemory {
public:
    [[nodiscard]] static StateMemory beside(const ParameterStore& store) { return StateMemory(store); }
    /// @param takes  what of it would lie on a disk; the rest is made beside its parameters
    [[nodiscard]] static StateMemory counted(const ParameterStore& store, DiskTakes takes = DiskTakes::All) {
        StateMemory memory(store);
        memory.m_counts = true;
        memory.m_takes = takes;
        return memory;
    }
    /// @param begin  of this optimizer's states, bytes; a multiple of kParameterAlignment
    [[nodiscard]] static StateMemory swapped(const ParameterStore& store, SwappedMemory& swap, int64_t begin,
                                             DiskTakes takes = DiskTakes::All) {
        StateMemory memory(store);
        memory.m_swap = &swap;
        memory.m_begin = begin;
        memory.m_takes = takes;
        return memory;
    }

    /// From now on states are made for one rank's elements of each parameter alone.
    /// @param layout  borrowed, as the store is
    void shard(const ShardLayout& layout, int rank) {
        m_layout = &layout;
        m_rank = rank;
    }
    [[nodiscard]] bool isSharded() const { return m_layout != nullptr; }
    /// The elements of a trainable parameter whose states are here: all, or this rank's.
    [[nodiscard]] ElementRange range(ParameterId id) const;
    /// Which ranks have what of a state. @param unit  elements of the parameter for each of the state's
    [[nodiscard]] std::optional<StatePart> part(ParameterId id, int64_t unit) const;

    /// Zeros with the memory order of a parameter. Shapes: those of the parameter; [n] of this rank's
    /// elements where it is sharded
    [[nodiscard]] at::Tensor zerosLike(ParameterId id, at::ScalarType type);
    /// Zeros that belong to a parameter, one behind another. Shapes: `sizes`
    [[nodiscard]] at::Tensor zeros(ParameterId id, at::IntArrayRef sizes, at::ScalarType type);
    /// A place on the disk for what belongs to a parameter and is not always there, wherever its block is at
    /// home; only where there is a disk. Shapes: `sizes`
    [[nodiscard]] at::Tensor place(at::IntArrayRef sizes, at::ScalarType type);
    /// The same with the memory order of a parameter, or for this rank's elements.
    [[nodiscard]] at::Tensor placeLike(ParameterId id, at::ScalarType type);
    /// Gives a state that has just been made its first value.
    void fill(const at::Tensor& state, int64_t value);

    /// Whether any states are not in memory: on a disk, or nowhere.
    [[nodiscard]] bool hasDisk() const { return m_swap != nullptr || m_counts; }
    /// Whether those of this parameter are not.
    [[nodiscard]] bool onDisk(ParameterId id) const {
        return hasDisk() && (m_takes == DiskTakes::All || m_store->streams(id.block));
    }
    /// Whether states of blocks may come to the device for their update, as far as it depends on them.
    [[nodiscard]] bool mightVisit() const;
    /// From now on states of blocks that are updated on a GPU lie in RAM that it knows, those of a block
    /// behind one another. @param counted  that has counted these states
    void mayVisit(const StateMemory& counted);
    /// Whether states have to move when their parameter's block gets another home.
    [[nodiscard]] bool followsHomes() const { return !hasDisk() || m_takes == DiskTakes::OfStreamed; }
    /// A state where it belongs since its parameter's block has got another home, with its contents.
    /// Errors: throws c10::OutOfMemoryError, ExpectedFailure when the disk failed
    [[nodiscard]] at::Tensor elsewhere(ParameterId id, const at::Tensor& state) const;
    /// Makes a state lie where `elsewhere` has brought it; what it leaves on the disk is of no use any more.
    void moveTo(const at::Tensor& state, const at::Tensor& moved) const;
    /// Which a state's memory belongs to; null: it is always there.
    [[nodiscard]] SwappedMemory* swapOf(const at::Tensor& state) const {
        return isSwapped(state) ? m_swap : nullptr;
    }
    /// A state's place with elements of another type, which are not larger. Shapes and order: the state's
    [[nodiscard]] static at::Tensor seenAs(const at::Tensor& state, at::ScalarType type);
    /// Says that what lies there is of no use any more.
    void discard(const at::Tensor& state) const;
    /// Whether states are nowhere.
    [[nodiscard]] bool counts() const { return m_counts; }
    /// Bytes that were handed out, with what aligns them.
    [[nodiscard]] int64_t bytes() const { return m_bytes; }
    /// Null where states are always in memory.
    [[nodiscard]] SwappedMemory* swap() const { return m_swap; }

    /// Keeps states in memory while it lives. Undefined ones are left out.
    /// Errors: throws ExpectedFailure when the disk failed
    [[nodiscard]] std::vector<SwapHold> hold(at::TensorList states, bool changes) const;
    /// Calls work(begin, count) for the pieces of a parameter, of which `elements` are meant, whose states
    /// are to be held one after another; all of them are one piece where nothing has to be held.
    template <class Work>
    void forPieces(ParameterId id, int64_t elements, const Work& work) const {
        const bool onADisk = m_swap != nullptr && onDisk(id);
        const bool homeOnADisk = m_store->swap() != nullptr && m_store->streams(id.block);
        const int64_t most = onADisk || homeOnADisk ? kSwappedElements : elements;
        for (int64_t begin = 0; begin < elements; begin += most)
            work(begin, std::min(most, elements - begin));
    }
    /// The same with work that must not be done twice. Memory that is refused behind the first piece is a
    /// failure then which nobody gets over by beginning anew. Errors: throws ExpectedFailure for that
    template <class Work>
    void changePieces(ParameterId id, int64_t elements, const Work& work) const {
        forPieces(id, elements, [&work](int64_t begin, int64_t count) {
            try {
                work(begin, count);
            } catch (const std::exception&) {
                if (begin > 0) endHalfChanged();
                throw;
            }
        });
    }

    /// Says that these will be held soon, after what was said before. Nothing to do where they are in memory.
    void want(at::TensorList states) const;

private:
    explicit StateMemory(const ParameterStore& store)
        : m_store(&store) {}
    /// A state's place on the disk.
    struct Slot {
        int64_t begin = 0; ///< bytes
        std::vector<int64_t> sizes;
        std::vector<int64_t> strides;
        at::ScalarType type = at::kFloat;
    };

    at::Tensor make(ParameterId id, at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type);
    [[nodiscard]] at::Tensor empty(ParameterId id, at::IntArrayRef sizes, at::IntArrayRef strides,
                                   at::ScalarType type) const;
    [[nodiscard]] Slot takeSlot(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type);
    [[nodiscard]] at::Tensor tensorIn(const Slot& slot) const;
    [[nodiscard]] bool isSwapped(const at::Tensor& state) const;
    static void endHalfChanged();

    const ParameterStore* m_store;
    const ShardLayout* m_layout = nullptr;
    int m_rank = 0;
    SwappedMemory* m_swap = nullptr;
    int64_t m_begin = 0;
    bool m_counts = false;
    DiskTakes m_takes = DiskTakes::All;
    int64_t m_bytes = 0;
    std::vector<int64_t> m_blockBytes; // of that, where they are counted
    std::shared_ptr<RamRoom> m_room;   // of states that come to a GPU
    /// Of states that move; a tensor stays the same one wherever its memory is.
    std::shared_ptr<std::unordered_map<const c10::TensorImpl*, Slot>> m_slots =
        std::make_shared<std::unordered_map<const c10::TensorImpl*, Slot>>();
};

/// Undefined memory for what belongs to a parameter, in the tier and on the device of its home.
[[nodiscard]] at::Tensor emptyBeside(const ParameterStore& store, ParameterId id, at::IntArrayRef sizes,
                                     at::IntArrayRef strides, at::ScalarType type);

/// The memory behind a dense tensor.
[[nodiscard]] std::span<const std::byte> memoryBehind(const at::Tensor& tensor);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Values between their uses: what a later block of forward or backward will read lies in RAM meanwhile, when
// that is some turns away.
//
//   turn            0     1     2     3    ...  2N-3   2N-2   2N-1       a block's forward or backward
//   on the device |value|----->                      |----->|value|
//   link                 to RAM                       fetched
//
// A value is copied to RAM once, during the turn behind the first use after which it leaves, and gone from
// the device when that turn has ended; it comes back during the turn before each later use. So the values of
// two turns are on their way at most, whatever the link's speed, and a rehearsal, whose links take no time,
// finds the same. Contents and strides stay what they are. A place in RAM is used again by a later pass only:
// a link that merely orders the device has read it when a pass ends (Link::settle).
// Borrows store, memory and counters. One thread.
#pragma once

#include "core/engine/memory/parameter_store.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <vector>

namespace homebooth::core {

/// By value, the turns that read it; none for the graph's inputs and outputs, which others hold, too.
/// @param needsBackward  by node
[[nodiscard]] std::vector<std::vector<int>> turnsOfValues(const Schedule& schedule,
                                                          const std::vector<bool>& needsBackward);

/// RAM for values, kept from pass to pass: fresh pages cost as much time as a slow link. What a pass did not
/// take goes at its end. One thread.
class ShelfMemory {
public:
    /// Shapes: uint8 [bytes]. Errors: throws c10::OutOfMemoryError
    [[nodiscard]] at::Tensor take(int64_t bytes, at::Device beside);
    void giveBack(at::Tensor memory);
    void endPass();
    /// Of all that is kept or was given back.
    [[nodiscard]] int64_t bytes() const;

private:
    using BySize = std::multimap<int64_t, at::Tensor>;
    BySize m_free;
    BySize m_returned; // in this pass
};

/// What went between the tiers up to now.
struct ShelfTraffic {
    int64_t leftBytes = 0;
    int64_t fetchedBytes = 0;
};

class ValueShelf {
public:
    /// A use further away than so many turns lets a value leave.
    static constexpr int kFarTurns = 3;

    /// @param store  streamed: its links are used
    /// @param uses   by value: the turns that read it, in their order; without any it stays where it is
    ValueShelf(ParameterStore& store, ShelfMemory& memory, ShelfTraffic& traffic,
               std::vector<std::vector<int>> uses);
    /// Waits for what is on its way.
    ~ValueShelf();
    ValueShelf(const ValueShelf&) = delete;
    ValueShelf& operator=(const ValueShelf&) = delete;

    /// A turn begins: what it reads is there, what the next one reads is on its way.
    /// Errors: throws c10::OutOfMemoryError where there is no room for what it reads; may be called again
    /// then
    void beginTurn(int turn, std::vector<at::Tensor>& values);
    /// A turn has ended: values that began to leave a turn ago are gone, those that it read and that are not
    /// read again soon begin to, unless RAM is full.
    void endTurn(int turn, std::vector<at::Tensor>& values);

private:
    struct Place {
        std::vector<int> uses;
        size_t nextUse = 0;
        at::Tensor inRam;           // flat, uint8; from its first leaving to its last use
        at::Tensor onTheWay;        // from or to the device
        std::vector<int64_t> sizes; // of the value
        std::vector<int64_t> strides;
        at::TensorOptions options;
        LinkTicket ticket = 0;
        bool leaving = false; // else what is on the way comes
    };
    [[nodiscard]] const std::vector<int>& readAt(int turn) const;
    void fetch(Place& place);
    void leave(int value, Place& place, at::Tensor& tensor);
    void finishLeaving();

    ParameterStore& m_store;
    ShelfMemory& m_memory;
    ShelfTraffic& m_traffic;
    std::vector<Place> m_places;            // by value
    std::vector<std::vector<int>> m_readAt; // by turn
    std::vector<int> m_leaving;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that the kernel knows for good (registered, so pinned), in frames that lie wherever they are used:
// a frame's page tables move, its memory does not. Registering the addresses of their use instead would pin
// all that ever lies there.
//
//   registered:  |frame 0|frame 1|frame 2| ...    what transfers name, wherever the frame lies now
//   in use:      ... |frame 2|   |frame 0| ...    what the program touches
//
// Owns the registered addresses; those of use belong to others and must outlive it. One thread at a time.
#pragma once

#include "core/base/memory/page_memory.h"

#include <cstddef>
#include <span>
#include <vector>

namespace homebooth::core {

class FramePool {
public:
    static constexpr int kNone = -1;

    /// @param frameBytes  a multiple of 4096. Errors: OutOfResources, also where the kernel cannot move
    /// memory (before Linux 5.7)
    [[nodiscard]] static Result<FramePool> create(int64_t frameBytes, int64_t count);

    /// Everything, as it is to be registered.
    [[nodiscard]] std::span<std::byte> registered() const { return m_memory.bytes(); }
    /// A frame as transfers name it. Never to be touched.
    [[nodiscard]] std::span<std::byte> transferMemory(int frame) const;

    /// Has a free frame lie at an address. What it holds then is undefined.
    /// @param place  of private anonymous memory, aligned like a frame
    /// @param last   frame that lay there last; it is taken if it still does. kNone: none did
    /// @returns      kNone where none is free or the kernel cannot move it
    [[nodiscard]] int take(std::byte* place, int last) noexcept;
    void giveBack(int frame) noexcept;

    [[nodiscard]] int64_t count() const { return static_cast<int64_t>(m_places.size()); }

private:
    FramePool(PageMemory memory, int64_t frameBytes, int64_t count);

    PageMemory m_memory;
    size_t m_frameBytes;
    std::vector<std::byte*> m_places; // by frame: where it lies
    std::vector<int> m_free;          // room for all from the start
};

} // namespace homebooth::core

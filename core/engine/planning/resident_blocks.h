// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which blocks stay on a device that has room for some of them: the largest first, because the arena that the
// others are streamed through is as large as the largest of these. An estimate from one rehearsal of the
// fully streamed step; whoever uses it rehearses the choice. One thread.
#pragma once

#include "core/engine/planning/rehearsal.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

class ResidentBlocks {
public:
    /// @param streamed  a step with every block streamed
    /// @param prefetchDistance  that it was rehearsed with
    ResidentBlocks(const Rehearsal& streamed, int prefetchDistance);

    [[nodiscard]] size_t count() const { return m_blocks.size(); }
    /// How many of them can stay within `deviceBytes`.
    [[nodiscard]] size_t mostWithin(int64_t deviceBytes) const;
    /// By part and block, as in StepPlacement: the `count` largest ones.
    [[nodiscard]] std::vector<std::vector<bool>> largest(size_t count) const;

private:
    struct Block {
        size_t part = 0;
        int block = 0;
        int64_t parameterBytes = 0;
        int64_t besideBytes = 0; ///< states and resting gradients
    };
    /// One part as its parameters are streamed, without those that stay.
    struct Part {
        size_t part = 0;
        std::vector<int> order;
        std::vector<int64_t> blockBytes;
    };
    [[nodiscard]] int64_t arenaBytes(const std::vector<std::vector<bool>>& staying) const;

    std::vector<Block> m_blocks; // the largest first
    std::vector<Part> m_parts;
    int m_prefetchDistance;
    int64_t m_peakBytes = 0; // of the step, without arenas
};

/// How many blocks are tried on a device that has room for `most`: quarters of them, the fewest first.
[[nodiscard]] std::vector<size_t> countsToTry(size_t most);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a model belong to which rank. The parameters of a block that learn (or, in layouts of
// their own, those that do not, by type) lie one behind the other and are cut into as many slices as there
// are ranks:
//
//   block     |p0                    |p1    |p2          |
//   slices    |rank 0      |rank 1       |rank 2         |    cut within a parameter or between two
//
// A cut within a parameter lies at a multiple of kShardUnit of its elements, in its memory order, so whatever
// is indexed there (quantisation blocks, counters of stochastic rounding) stays whole. Slices of a block
// differ by less than two units; what is exchanged has the length of the longest, and the rest is padding.
// Plain value; any thread.
#pragma once

#include "core/base/schedule/schedule.h"
#include "core/engine/memory/parameter_store.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

inline constexpr int64_t kShardUnit = 256;

/// Elements of one parameter, in its memory order.
struct ElementRange {
    int64_t begin = 0;
    int64_t count = 0;
    friend bool operator==(const ElementRange&, const ElementRange&) = default;
};

/// Whose layout it is. Within a block all of them have one type.
enum class ShardedParameters : uint8_t {
    Trainable,
    Frozen,         ///< in the model's own type
    FrozenIntegers, ///< quantized weights,
    FrozenScales    ///< and what they are multiplied by, in fp32
};

class ShardLayout {
public:
    /// @param ranks  at least 1
    ShardLayout(const Schedule& schedule, int ranks, ShardedParameters which = ShardedParameters::Trainable);

    [[nodiscard]] int ranks() const { return m_ranks; }
    /// Whether a parameter is laid out here.
    [[nodiscard]] bool has(ParameterId id) const { return m_blocks.at(id.block).begins.at(id.index) >= 0; }
    /// Of a parameter, those of one rank; perhaps none.
    [[nodiscard]] ElementRange range(int rank, ParameterId id) const;
    /// Where they begin in that rank's slice of the block.
    [[nodiscard]] int64_t offset(int rank, ParameterId id) const;
    /// Elements of the longest slice of a block; 0: it has no such parameter.
    [[nodiscard]] int64_t sliceElements(int block) const { return m_blocks.at(block).sliceElements; }
    /// The parameters of a block that are laid out, in order.
    [[nodiscard]] const std::vector<ParameterId>& members(int block) const {
        return m_blocks.at(block).members;
    }
    [[nodiscard]] int blockCount() const { return static_cast<int>(m_blocks.size()); }

private:
    struct BlockCuts {
        std::vector<ParameterId> members;
        std::vector<int64_t> begins;   // by parameter of the block: its first element; -1: it is none of them
        std::vector<int64_t> elements; // by parameter of the block
        std::vector<int64_t> cuts;     // ranks + 1
        int64_t sliceElements = 0;
    };
    [[nodiscard]] static int64_t nearestCut(const BlockCuts& block, int64_t wanted);

    int m_ranks;
    std::vector<BlockCuts> m_blocks;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where what a training remembers between steps lies: beside the parameters, or, with --swap, on a disk, all
// parts in one place there; beside a GPU only what belongs to streamed blocks, and the rest has a place there
// in case that its blocks are streamed later. Of states that are spread over ranks only this rank's are
// there, and nothing is set aside for others. Owns that place; borrows the stores and the layouts. One
// thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/engine/memory/disk_tier.h"
#include "core/engine/optim/gradient_flow.h"
#include "core/engine/optim/state_memory.h"

#include <memory>
#include <span>
#include <vector>

namespace homebooth::core {

/// What the configuration says of the way of gradients.
[[nodiscard]] GradientFlowOptions flowOptionsOf(const TrainConfig& config);

/// What lies on a disk.
struct DiskContents {
    bool all = false; ///< averages and gradients, too; else states alone
    DiskTakes takes = DiskTakes::All;
};

/// How states are spread over ranks.
struct StateShards {
    std::span<const ShardLayout> layouts = {}; ///< by part; empty: each rank has all states
    int rank = 0;
};

class StateDisk {
public:
    /// Of one part.
    struct Memories {
        StateMemory states; ///< moments and masters
        StateMemory averages;
        StateMemory gradients; ///< that rest
    };

    /// @param stores  of the parts that learn
    /// @param place   without a folder nothing lies on a disk
    /// Errors: throws ExpectedFailure when the disk is too small or fails
    StateDisk(const TrainConfig& config, const std::vector<ParameterStore*>& stores,
              const DiskContents& contents, const DiskPlace& place, const StateShards& shards = {});

    [[nodiscard]] Memories& of(size_t part) { return m_memories.at(part); }
    [[nodiscard]] std::vector<StateMemory> gradientMemories() const;
    /// Null where nothing is swapped, or nothing is there to be swapped as in a rehearsal.
    [[nodiscard]] SwappedMemory* swap() const { return m_swap.get(); }
    /// What is set aside on the disk, in bytes.
    struct Sizes {
        int64_t states = 0;
        int64_t averages = 0;
        int64_t originals = 0; ///< of the parameters, while averages stand for them
        int64_t gradients = 0;
        [[nodiscard]] int64_t sum() const { return states + averages + originals + gradients; }
    };
    [[nodiscard]] const Sizes& sizes() const { return m_sizes; }
    /// All of that, and what of it every step would change as a whole if every block were streamed.
    [[nodiscard]] int64_t bytes() const { return m_sizes.sum(); }
    [[nodiscard]] int64_t changingBytes() const { return m_sizes.states + m_sizes.averages; }
    /// Whether that is so of what belongs to streamed blocks alone.
    [[nodiscard]] bool takesOfStreamed() const {
        return bytes() > 0 && m_contents.takes == DiskTakes::OfStreamed;
    }

private:
    [[nodiscard]] Sizes sizesOf(const TrainConfig& config, ParameterStore& store, size_t part) const;
    void open(const DiskPlace& place, at::Device device);
    [[nodiscard]] StateMemory take(const ParameterStore& store, size_t part, int64_t bytes,
                                   int64_t& begin) const;
    [[nodiscard]] StateMemory shard(StateMemory memory, size_t part) const;

    DiskContents m_contents;
    StateShards m_shards;
    std::vector<Memories> m_memories; // by part
    Sizes m_sizes;                    // of all parts
    std::unique_ptr<SwappedMemory> m_swap;
    at::Tensor m_rehearsedWindow; // stands for what of it is in memory, in a rehearsal
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/state_disk.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/disk_tier.h"
#include "core/engine/optim/ema.h"

namespace homebooth::core {

GradientFlowOptions flowOptionsOf(const TrainConfig& config) {
    GradientFlowOptions options;
    options.accumulationSteps = config.optimizer.accumulationSteps;
    options.maxGradientNorm = config.optimizer.maxGradientNorm;
    options.lossScaling = config.precision == Precision::Fp16;
    return options;
}

StateDisk::StateDisk(const TrainConfig& config, const std::vector<ParameterStore*>& stores,
                     const DiskContents& contents, const DiskPlace& place, const StateShards& shards)
    : m_contents(contents)
    , m_shards(shards) {
    for (size_t part = 0; part < stores.size(); ++part) {
        const StateMemory beside = shard(StateMemory::beside(*stores[part]), part);
        m_memories.push_back({beside, beside, beside});
    }
    if (place.folder.empty()) return;
    std::vector<Sizes> sizes;
    for (size_t part = 0; part < stores.size(); ++part) {
        const Sizes one = sizesOf(config, *stores[part], part);
        m_sizes.states += one.states;
        m_sizes.averages += one.averages;
        m_sizes.originals += one.originals;
        m_sizes.gradients += one.gradients;
        sizes.push_back(one);
    }
    if (bytes() == 0) return;
    open(place, stores.front()->options().device);
    int64_t begin = 0;
    for (size_t part = 0; part < stores.size(); ++part) {
        m_memories[part].states = take(*stores[part], part, sizes[part].states, begin);
        if (!contents.all) continue;
        const Sizes& one = sizes[part]; // without averages or resting gradients nothing is set aside for them
        if (one.averages > 0)
            m_memories[part].averages = take(*stores[part], part, one.averages + one.originals, begin);
        if (one.gradients > 0) m_memories[part].gradients = take(*stores[part], part, one.gradients, begin);
    }
}

/// The same place for this rank's states alone, where they are spread.
StateMemory StateDisk::shard(StateMemory memory, size_t part) const {
    if (!m_shards.layouts.empty()) memory.shard(m_shards.layouts[part], m_shards.rank);
    return memory;
}

/// What the parts of one store will take, by laying them out nowhere.
StateDisk::Sizes StateDisk::sizesOf(const TrainConfig& config, ParameterStore& store, size_t part) const {
    Sizes sizes;
    const auto counted = [&] { return shard(StateMemory::counted(store), part); };
    StateMemory states = counted();
    const auto optimizer = makeOptimizer(config.optimizer, store, 0, states);
    sizes.states = states.bytes();
    if (!m_contents.all) return sizes;
    if (config.optimizer.emaDecay > 0.0) {
        const Ema average(*optimizer, config.optimizer.emaDecay, counted());
        sizes.averages = average.stateBytes();
        sizes.originals = average.reservedBytes() - sizes.averages;
    }
    const GradientFlowOptions flow = flowOptionsOf(config);
    if (flow.letsRest())
        sizes.gradients =
            RestingGradients({optimizer.get()}, flow.accumulationSteps > 1, {counted()}).reservedBytes();
    return sizes;
}

void StateDisk::open(const DiskPlace& place, at::Device device) {
    TORCH_CHECK(device.is_cpu() || device.is_meta() || m_contents.takes == DiskTakes::OfStreamed,
                "states of parameters on ", device, " are not swapped");
    if (device.is_meta()) {
        const TierScope besideTheParameters(Tier::Ram);
        m_rehearsedWindow = at::empty({swapShapeFor(bytes()).windowBytes},
                                      at::TensorOptions().dtype(at::kByte).device(device));
        return;
    }
    m_swap = required(makeDiskTier(place, bytes(),
                                   m_contents.all ? "optimizer states, moving averages and gradients"
                                                  : "optimizer states"));
}

/// The next bytes of the disk.
StateMemory StateDisk::take(const ParameterStore& store, size_t part, int64_t bytes, int64_t& begin) const {
    const int64_t at = begin;
    begin += bytes;
    return shard(m_swap ? StateMemory::swapped(store, *m_swap, at, m_contents.takes)
                        : StateMemory::counted(store, m_contents.takes),
                 part);
}

std::vector<StateMemory> StateDisk::gradientMemories() const {
    std::vector<StateMemory> memories;
    for (const Memories& one : m_memories) memories.push_back(one.gradients);
    return memories;
}

} // namespace homebooth::core

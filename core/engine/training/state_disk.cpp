// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/state_disk.h"

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

StateDisk::StateDisk(const TrainConfig& config, const std::vector<ParameterStore*>& stores, bool all,
                     SwapDevice& device) {
    for (const ParameterStore* store : stores) {
        const StateMemory beside = StateMemory::beside(*store);
        m_memories.push_back({beside, beside, beside});
    }
    if (config.memory.swapDir.empty()) return;
    std::vector<Sizes> sizes;
    for (ParameterStore* store : stores) {
        const Sizes one = sizesOf(config, *store, all);
        m_bytes += one.states + one.averages + one.originals + one.gradients;
        m_changingBytes += one.states + one.averages;
        sizes.push_back(one);
    }
    if (m_bytes == 0) return;
    open(config, stores.front()->options().device, all, device);
    int64_t begin = 0;
    for (size_t part = 0; part < stores.size(); ++part) {
        m_memories[part].states = take(*stores[part], sizes[part].states, begin);
        if (!all) continue;
        const Sizes& one = sizes[part]; // without averages or resting gradients nothing is set aside for them
        if (one.averages > 0)
            m_memories[part].averages = take(*stores[part], one.averages + one.originals, begin);
        if (one.gradients > 0) m_memories[part].gradients = take(*stores[part], one.gradients, begin);
    }
}

/// What the parts of one store will take, by laying them out nowhere.
StateDisk::Sizes StateDisk::sizesOf(const TrainConfig& config, ParameterStore& store, bool all) {
    Sizes sizes;
    StateMemory states = StateMemory::counted(store);
    const auto optimizer = makeOptimizer(config.optimizer, store, 0, states);
    sizes.states = states.bytes();
    if (!all) return sizes;
    if (config.optimizer.emaDecay > 0.0) {
        const Ema average(*optimizer, config.optimizer.emaDecay, StateMemory::counted(store));
        sizes.averages = average.stateBytes();
        sizes.originals = average.reservedBytes() - sizes.averages;
    }
    const GradientFlowOptions flow = flowOptionsOf(config);
    if (flow.letsRest())
        sizes.gradients =
            RestingGradients({optimizer.get()}, flow.accumulationSteps > 1, {StateMemory::counted(store)})
                .reservedBytes();
    return sizes;
}

void StateDisk::open(const TrainConfig& config, at::Device device, bool all, SwapDevice& swapDevice) {
    TORCH_CHECK(device.is_cpu() || device.is_meta(), "states of parameters on ", device, " are not swapped");
    if (device.is_meta()) {
        const TierScope besideTheParameters(Tier::Ram);
        m_rehearsedWindow = at::empty({swapShapeFor(m_bytes).windowBytes},
                                      at::TensorOptions().dtype(at::kByte).device(device));
        return;
    }
    const DiskPlace place{config.memory.swapDir, config.memory.swapBytes, &swapDevice};
    m_swap = required(makeDiskTier(
        place, m_bytes, all ? "optimizer states, moving averages and gradients" : "optimizer states"));
}

/// The next bytes of the disk.
StateMemory StateDisk::take(const ParameterStore& store, int64_t bytes, int64_t& begin) const {
    const int64_t at = begin;
    begin += bytes;
    return m_swap ? StateMemory::swapped(store, *m_swap, at) : StateMemory::counted(store);
}

std::vector<StateMemory> StateDisk::gradientMemories() const {
    std::vector<StateMemory> memories;
    for (const Memories& one : m_memories) memories.push_back(one.gradients);
    return memories;
}

} // namespace homebooth::core

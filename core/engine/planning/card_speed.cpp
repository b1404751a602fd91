// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/card_speed.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/system/gpu_facts.h"

#include <algorithm>
#include <cstdio>

namespace homebooth::core {
namespace {

constexpr double kOperationsPerMultiplyAdd = 2.0;
/// Parts of the published peaks.
constexpr double kShareOfProducts = 0.4;
constexpr double kShareOfAttention = 0.25;
constexpr double kShareOfMemory = 0.7;
constexpr double kShareOfBus = 0.8;
constexpr double kSecondsPerLaunch = 5e-6;
/// Of the card, a desktop's windows.
constexpr int64_t kDesktopBytes = int64_t{450} << 20;

double flopsOf(const CardFacts& card, Precision precision) {
    const bool tensorCores = precision == Precision::Fp16 || (precision == Precision::Bf16 && card.bfloat16);
    return tensorCores ? card.tensorFlops : card.floatFlops;
}

std::string percent(double share) {
    return std::to_string(static_cast<int>(100.0 * share + 0.5)) + " %";
}

} // namespace

MachineSpeed speedOf(const CardInMachine& machine, const TrainConfig& config, double updatedInRamPerSecond) {
    const double products = flopsOf(machine.card, config.precision) / kOperationsPerMultiplyAdd;
    const double memory = kShareOfMemory * machine.card.memoryBytesPerSecond;
    constexpr double kBytesPerUpdate = 20.0; // parameter, gradient and two moments, read and written
    MachineSpeed speed = MachineSpeed::uniform(kShareOfProducts * products, memory / kPassesPerResult,
                                               kSecondsPerLaunch, memory / kBytesPerUpdate);
    for (const ProductKind kind : {ProductKind::Attention, ProductKind::AttentionGradient})
        speed.multiplyAddsPerSecond[static_cast<size_t>(kind)] = kShareOfAttention * products;
    speed.linkBytesPerSecond = kShareOfBus * machine.pcie.bytesPerSecond();
    speed.updatedInRamPerSecond = updatedInRamPerSecond;
    speed.updatesBeside = true;
    return speed;
}

StepBudget budgetOf(const CardInMachine& machine, const MemoryConfig& memory,
                    std::optional<int64_t> ramBytes) {
    GpuDevice device;
    device.totalBytes = machine.card.memoryBytes;
    GpuLoad load;
    load.freeBytes = machine.card.memoryBytes - kDesktopBytes;
    StepBudget budget;
    budget.deviceBytes = memory.deviceBytes > 0 ? std::min(memory.deviceBytes, machine.card.memoryBytes)
                                                : usableBytes(device, load);
    budget.ramProgramBytes = programBytes(/*gpu=*/true);
    if (ramBytes) budget.ramBytes = *ramBytes - budget.ramProgramBytes;
    return budget;
}

std::vector<std::string> assumptionsOf(const CardInMachine& machine, const TrainConfig& config,
                                       const StepPlan& plan) {
    const CardFacts& card = machine.card;
    char facts[200];
    std::snprintf(facts, sizeof facts, "%.0f GB/s, %.1f TFLOP/s in 16 bits with sums in fp32, PCIe %d.0 x%d",
                  card.memoryBytesPerSecond / 1e9, card.tensorFlops / 1e12, machine.pcie.generation,
                  machine.pcie.lanes);
    char nvlink[48] = "";
    if (card.nvlink.generation > 0)
        std::snprintf(nvlink, sizeof nvlink, ", NVLink %d of %.0f GB/s each way", card.nvlink.generation,
                      card.nvlink.bytesPerSecond / 1e9);
    std::vector<std::string> lines;
    lines.push_back("card: " + std::string(card.name) + " as published: " + byteSizeText(card.memoryBytes) +
                    ", " + facts + nvlink + "; this prediction was never checked on such a card");
    lines.push_back("assumed: " + percent(kShareOfProducts) + " of its peak in products (" +
                    percent(kShareOfAttention) + " in attention), " + percent(kShareOfMemory) +
                    " of its memory's speed, " + percent(kShareOfBus) + " of its bus; " +
                    byteSizeText(plan.budgetBytes) + " of its memory for the training");
    if (config.precision == Precision::Bf16 && !card.bfloat16)
        lines.push_back(
            "bf16: this card's tensor cores do not take it; --precision fp16 is what they are for");
    if (plan.placement.streaming)
        lines.push_back("streaming is the same schedule simulated, with optimizer and states in RAM at this "
                        "machine's speed");
    return lines;
}

} // namespace homebooth::core

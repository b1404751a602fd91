// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/parallel_check.h"

#include <string>

namespace homebooth::core {
namespace {

Error refused(const std::string& message) {
    return {ErrorCode::Usage, "training with several processes: " + message, {}};
}

/// Every process takes as many samples of each micro-step, so that all are done at the same time.
Result<void> checkBatch(const TrainConfig& config) {
    const int64_t processes = config.parallel.processes;
    if (config.batchSize % processes == 0) return {};
    const int64_t more = (config.batchSize / processes + 1) * processes;
    return refused("expected a --batch that " + std::to_string(processes) +
                   " processes can share equally, found " + std::to_string(config.batchSize) +
                   "; take --batch " + std::to_string(more) + ", or another number of --processes");
}

} // namespace

Result<void> checkParallel(const TrainConfig& config) {
    if (config.parallel.processes == 1) return {};
    HOMEBOOTH_CHECK(checkBatch(config));
    if (config.mode == TrainMode::FromScratch && config.scratch.component == "vae")
        return refused("an autoencoder (--component vae) is trained by one process in this version; leave "
                       "--processes out");
    if (config.memory.device == ComputeDevice::Gpu)
        return refused("several GPUs (NCCL) are not in this version; choose --device cpu, or leave "
                       "--processes out");
    if (!config.memory.swapDir.empty())
        return refused("--swap is for one process in this version; leave it or --processes out");
    if (config.parallel.zero > 2 &&
        (config.memory.policy == PlacementPolicy::Cpu || config.memory.deviceBytes > 0))
        return refused("--zero 3 keeps parameters in the memory of all processes, and --policy cpu or "
                       "--gpu-memory would stream them from elsewhere; take --zero 2, or leave them out");
    if (config.parallel.zero > 0 && config.optimizer.kind == OptimizerKind::Adafactor)
        return refused("--zero " + std::to_string(config.parallel.zero) +
                       " gives each process a slice of every tensor, and adafactor needs sums over its rows "
                       "and columns as a whole; take --optimizer adamw or adamw8bit, or --zero 0");
    return {};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/parallel_check.h"

#include <algorithm>
#include <string>

namespace homebooth::core {
namespace {

Error refused(const std::string& message) {
    return {ErrorCode::Usage, "training with several processes: " + message, {}};
}

/// The numbers of processes next to this one that share a batch equally: "4 or 6".
std::string fittingProcesses(int64_t batch, int64_t processes) {
    int64_t fewer = std::min(processes, batch);
    while (batch % fewer != 0) --fewer;
    int64_t more = processes;
    while (more <= batch && batch % more != 0) ++more;
    return std::to_string(fewer) + (more <= batch ? " or " + std::to_string(more) : std::string());
}

/// Every process takes as many samples of each micro-step, so that all are done at the same time.
Result<void> checkBatch(const TrainConfig& config) {
    const int64_t processes = config.parallel.processes;
    if (config.batchSize % processes == 0) return {};
    return refused("expected a --batch that " + std::to_string(processes) +
                   " processes can share equally, found " + std::to_string(config.batchSize) +
                   "; take --processes " + fittingProcesses(config.batchSize, processes) + ", or --batch " +
                   std::to_string(sharedBatch(config.batchSize, processes)) + ", which makes other steps");
}

} // namespace

int64_t sharedBatch(int64_t batch, int64_t processes) {
    return (batch + processes - 1) / processes * processes;
}

Result<void> checkParallel(const TrainConfig& config) {
    if (config.parallel.processes == 1) return {};
    HOMEBOOTH_CHECK(checkBatch(config));
    if (config.parallel.zero > 2 && config.mode == TrainMode::FromScratch &&
        config.scratch.component == "vae")
        return refused("--zero 3 is not for an autoencoder (--component vae) in this version; take --zero 2, "
                       "which spreads the optimizer's states, or leave it out");
    if (config.parallel.zero > 0 && config.optimizer.kind == OptimizerKind::Adafactor)
        return refused("--zero " + std::to_string(config.parallel.zero) +
                       " gives each process a slice of every tensor, and adafactor needs sums over its rows "
                       "and columns as a whole; take --optimizer adamw or adamw8bit, or --zero 0");
    return {};
}

} // namespace homebooth::core

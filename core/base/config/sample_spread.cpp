// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/sample_spread.h"

#include <algorithm>

namespace homebooth::core {
namespace {

int64_t batchesOf(const SampleConfig& config) {
    return (config.count + config.batchSize - 1) / config.batchSize;
}

std::string counted(int64_t number, const std::string& one, const std::string& several) {
    return std::to_string(number) + " " + (number == 1 ? one : several);
}

} // namespace

SampleSpread spreadSampling(const SampleConfig& config, int64_t processes) {
    const int64_t batches = batchesOf(config);
    // Where some batches alone could be halved, all would still wait for the others.
    if (config.guidanceScale > 1.0 && processes >= 2 * batches) return {2 * batches, true};
    return {std::min(processes, batches), false};
}

std::string idleProcesses(const SampleConfig& config, int64_t asked, int64_t gpus) {
    const int64_t most = gpus > 0 ? std::min(asked, gpus) : asked;
    const SampleSpread spread = spreadSampling(config, most);
    if (spread.processes == asked) return {};
    const std::string used =
        "of " + counted(asked, "process", "processes") + " " +
        (spread.processes == 1 ? "1 is used: " : std::to_string(spread.processes) + " are used: ");
    if (spread.processes == most && most < asked)
        return used + "one for each GPU, and there " + (gpus == 1 ? "is 1" : "are " + std::to_string(gpus));
    const int64_t batches = batchesOf(config);
    std::string why = counted(config.count, "picture", "pictures");
    if (config.batchSize > 1 && config.count > 1) // else a picture is what is meant anyway
        why += " in " + counted(batches, "batch", "batches");
    why += spread.halves ? ", two processes each" : ", one process each";
    if (batches < config.count) why += "; a smaller --batch gives more of them work";
    return used + why;
}

} // namespace homebooth::core

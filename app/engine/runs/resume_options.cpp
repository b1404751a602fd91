// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/resume_options.h"

#include "core/base/run/ram_failure.h"

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// Four fifths of the smaller one; a limit of 0 is none.
int64_t lowered(int64_t limit, int64_t taken) {
    const int64_t base = limit > 0 && taken > 0 ? std::min(limit, taken) : std::max(limit, taken);
    return base / 5 * 4;
}

} // namespace

core::ResourceUse mostUsed(const RunData& data) {
    core::ResourceUse most;
    if (data.plan) {
        most.deviceBytes = data.plan->predicted.deviceBytes;
        most.ramBytes = data.plan->predicted.ramBytes;
    }
    for (const MemorySample& sample : data.memory) {
        most.deviceBytes = std::max(most.deviceBytes, usedBytes(sample.device));
        most.ramBytes = std::max(most.ramBytes, usedBytes(sample.ram));
    }
    const core::MemoryConfig& memory = data.config.memory;
    const bool goesOnWithoutCard = memory.device == core::ComputeDevice::Cpu && memory.deviceBytes == 0;
    if (goesOnWithoutCard) most.deviceBytes = 0; // what was taken of it before
    return most;
}

core::ResourceUse ramAlone(core::ResourceUse use) {
    use.deviceBytes = 0;
    return use;
}

core::ResourceUse mostUsedOfLacking(const RunData& data) {
    const core::ResourceUse most = mostUsed(data);
    const bool ofRam = data.outcome && core::ramRanOut(data.outcome->code, data.outcome->message);
    return ofRam ? ramAlone(most) : most;
}

core::TrainConfig withLessMemory(core::TrainConfig config, const core::ResourceUse& seen) {
    if (seen.deviceBytes > 0)
        config.memory.deviceBytes = lowered(config.memory.deviceBytes, seen.deviceBytes);
    else if (seen.ramBytes > 0)
        config.memory.ramBytes = // of all processes together; what was seen is one's
            lowered(config.memory.ramBytes, seen.ramBytes * config.parallel.processes);
    return config;
}

core::TrainConfig atHalfRate(core::TrainConfig config) {
    config.optimizer.learningRate /= 2.0;
    config.optimizer.textEncoderLearningRate /= 2.0; // 0 stays: the same as the other one
    return config;
}

bool rateFalls(const core::TrainConfig& config) {
    return config.optimizer.schedule != core::LearningRateSchedule::Constant;
}

core::TrainConfig atSteadyRate(core::TrainConfig config) {
    if (!rateFalls(config)) return config;
    config.optimizer.schedule = core::LearningRateSchedule::Constant;
    return atHalfRate(std::move(config));
}

bool hasLessMemory(const core::TrainConfig& config, const core::ResourceUse& seen) {
    const int64_t limit = seen.deviceBytes > 0 ? config.memory.deviceBytes : config.memory.ramBytes;
    const int64_t taken = seen.deviceBytes > 0 ? seen.deviceBytes : seen.ramBytes * config.parallel.processes;
    return limit > 0 && limit <= lowered(0, taken);
}

} // namespace homebooth::app

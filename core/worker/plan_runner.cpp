// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/config/train_config_json.h"
#include "core/engine/io/precision.h"
#include "core/engine/training/recomputation.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"

#include <cstdio>
#include <iostream>
#include <iterator>

namespace homebooth::core {
namespace {

/// Who takes what of both tiers at the peak.
MemoryEvent memoryOf(const StepPlan& plan) {
    MemoryEvent memory;
    const bool streamed = plan.placement.streaming.has_value();
    memory.device.parameterBytes = plan.need.parameterBytes;
    TierMemory& updated = streamed ? memory.ram : memory.device;
    updated.stateBytes = plan.need.stateBytes;
    updated.gradientBytes = plan.need.gradientBytes;
    memory.device.activationBytes = plan.need.devicePeakBytes - memory.device.parameterBytes -
                                    memory.device.stateBytes - memory.device.gradientBytes;
    if (streamed)
        memory.ram.parameterBytes = plan.need.ramPeakBytes - memory.ram.stateBytes - memory.ram.gradientBytes;
    return memory;
}

std::string parametersInWords(const StepPlan& plan) {
    const std::string bytes = byteSizeText(plan.need.parameterBytes);
    if (!plan.placement.streaming) return "parameters: " + bytes + " on the device all the time: they fit";
    return "parameters: in RAM, streamed through " + bytes + " on the device; " +
           byteSizeText(plan.need.linkBytesPerStep) + " come over the link in each step";
}

std::string gradientsInWords(const TrainConfig& config, const StepPlan& plan) {
    if (plan.need.gradientBytes == 0)
        return "gradients: used up inside backward, parameter by parameter; never all at once";
    const std::string why = config.optimizer.maxGradientNorm > 0.0   ? "clipping"
                            : config.optimizer.accumulationSteps > 1 ? "accumulation"
                                                                     : "fp16's check for overflow";
    return "gradients: " + byteSizeText(plan.need.gradientBytes) +
           " rest until the end of the step, because " + why + " needs all of them";
}

std::string activationsInWords(const StepPlan& plan) {
    const int64_t blocks = plan.recomputed + plan.partlyKept + plan.wholeGraphs;
    return "activations: of " + std::to_string(blocks) + " blocks " + std::to_string(plan.wholeGraphs) +
           " keep everything for backward, " + std::to_string(plan.partlyKept) +
           " the results of costly products, " + std::to_string(plan.recomputed) +
           " are computed again: the least time that fits";
}

std::vector<std::string> decisionsOf(const TrainConfig& config, const StepPlan& plan) {
    const char* where = plan.placement.streaming ? " in RAM" : " beside the parameters";
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.2g", plan.stepSeconds);
    return {parametersInWords(plan), "optimizer states: " + byteSizeText(plan.need.stateBytes) + where,
            gradientsInWords(config, plan), activationsInWords(plan),
            std::string("step: roughly ") + seconds +
                " s, guessed from this machine's speed in products and memory; the first steps tell"};
}

Result<void> plan(std::string_view text, EventStream& events) {
    TrainConfig config;
    HOMEBOOTH_CHECK(readJson(text, config));
    HOMEBOOTH_ASSIGN(const at::Device device, chooseDevice(config.memory.device));
    useThreads(config.threads);
    const bool scratch = config.mode == TrainMode::FromScratch;
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model,
                     openModel(scratch ? config.scratch.configDir : config.model, open));
    const MachineSpeed speed = measureSpeed(device, scalarTypeOf(config.precision));
    HOMEBOOTH_ASSIGN(const StepPlan found, planStep(config, model, stepBudget(device, config.memory), speed));
    events.emit(memoryOf(found));
    PlanEvent event;
    event.predicted.stepSeconds = found.stepSeconds;
    event.predicted.linkBytesPerStep = found.need.linkBytesPerStep;
    event.decisions = decisionsOf(config, found);
    events.emit(event);
    return {};
}

} // namespace

int runPlanning(EventStream& events) {
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    const OutcomeEvent outcome = guarded([&] {
        const auto done = plan(text, events);
        OutcomeEvent planned;
        planned.result = "done";
        return done ? planned : failedOutcome(done.error());
    });
    events.emit(outcome);
    return outcome.code;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/step_need.h"

#include "core/base/config/train_config_json.h"
#include "core/cli/worker_process.h"

namespace homebooth::core {
namespace {

void take(const JournalEntry& entry, StepNeed& need) {
    if (const auto* memory = std::get_if<MemoryEvent>(&entry.event)) {
        need.device = memory->device;
        need.ram = memory->ram;
    } else if (const auto* plan = std::get_if<PlanEvent>(&entry.event)) {
        need.stepSeconds = plan->predicted.stepSeconds;
        need.linkBytesPerStep = plan->predicted.linkBytesPerStep;
        need.swapBytes = plan->predicted.swapBytes;
        need.swapBytesWrittenPerStep = plan->predicted.swapBytesWrittenPerStep;
        need.decisions = plan->decisions;
    }
}

} // namespace

Result<std::optional<StepNeed>> askStepNeed(const TrainConfig& config, const CardName& card, int64_t sharing,
                                            const std::string& gpu) {
    if (config.mode == TrainMode::FromScratch && config.scratch.component == "vae")
        return std::optional<StepNeed>();
    WorkerOptions worker;
    worker.arguments = {"plan", "--sharing", std::to_string(sharing)};
    if (!card.name.empty()) {
        worker.arguments.insert(worker.arguments.end(), {"--card", card.name});
        if (!card.pcie.empty()) worker.arguments.insert(worker.arguments.end(), {"--pcie", card.pcie});
        if (card.scaling) worker.arguments.emplace_back("--scaling");
    }
    worker.device = gpu;
    worker.input = toJson(config);
    StepNeed need;
    HOMEBOOTH_ASSIGN(const WorkerEnd end, runWorker(worker,
                                                    [&need](const std::string&, const auto& entry) {
                                                        if (entry) take(*entry, need);
                                                    },
                                                    {}));
    const OutcomeEvent outcome = outcomeOf(end);
    if (outcome.result == "done") return std::optional(std::move(need));
    return Error{static_cast<ErrorCode>(outcome.code), outcome.message, {}};
}

} // namespace homebooth::core

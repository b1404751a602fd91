// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/step_need.h"

#include "core/base/config/train_config_json.h"
#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/plan/training/planned_block.h"
#include "core/base/plan/training/swap_wear.h"
#include "core/cli/worker/worker_process.h"

namespace homebooth::core {
namespace {

/// The worker tells blocks ahead, as plans that have nothing else.
bool tellsBlocks(const PlanEvent& plan) {
    return !plan.decisions.empty() && plan.decisions.front().code == kPlannedBlock;
}

/// What a step reads is a figure of the decision about swapping: the event has no place for it.
int64_t swapReadsOf(const PlanEvent& plan) {
    for (const PlanDecision& one : plan.decisions)
        if (const auto found = one.facts.find(kStepReadBytes); found != one.facts.end())
            return static_cast<int64_t>(found->second);
    return 0;
}

void take(const JournalEntry& entry, StepNeed& need) {
    if (const auto* memory = std::get_if<MemoryEvent>(&entry.event)) {
        need.device = memory->device;
        need.freeBytes = memory->device.freeBytes;
        need.ram = memory->ram;
        need.swap = memory->swap;
        return;
    }
    const auto* plan = std::get_if<PlanEvent>(&entry.event);
    if (plan == nullptr) return;
    if (tellsBlocks(*plan)) {
        need.blocks.insert(need.blocks.end(), plan->decisions.begin(), plan->decisions.end());
        return;
    }
    need.stepSeconds = plan->predicted.stepSeconds;
    need.linkBytesPerStep = plan->predicted.linkBytesPerStep;
    need.swapBytes = plan->predicted.swapBytes;
    need.swapBytesWrittenPerStep = plan->predicted.swapBytesWrittenPerStep;
    need.swapBytesReadPerStep = swapReadsOf(*plan);
    need.decisions = plan->decisions;
    need.encodingBytes = takeEncoding(need.decisions);
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
    if (card.stages) worker.arguments.emplace_back("--stages");
    if (card.blocks) worker.arguments.emplace_back("--blocks");
    if (!card.pictures.empty())
        worker.arguments.insert(worker.arguments.end(), {"--pictures", card.pictures});
    if (card.inTurn) worker.arguments.emplace_back("--in-turn");
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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/rank_forecast.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/parallel_check.h"
#include "core/base/plan/ranks/scaling_table.h"
#include "core/engine/learning/state_disk.h"
#include "core/engine/memory/rehearsed_gpu.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/stage_report.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace homebooth::core {
namespace {

constexpr const char* kFacts = "the card's published facts alone";
constexpr double kAsFast = 1.02; // what a leaner way may take longer
constexpr int64_t kStages = 4;

/// The slowest network of those in the table.
const NamedLink& usualNetwork() {
    return networkLinks().front();
}

RankedStep stepOf(const RankRequest& request, const StepPlan& plan, int64_t zero) {
    const RankNetwork network{linkOf(request.card).link, usualNetwork().link};
    return simulateRanks(rankScheduleOf(request.config, plan, request.speed, zero),
                         placesOf(request.config.parallel.processes), network);
}

/// What joins the cards, and what was taken for granted of it.
std::vector<PlanDecision> aboutLinks(const RankRequest& request) {
    const RankPlaces places = placesOf(request.config.parallel.processes);
    const NamedLink inside = linkOf(request.card);
    char rate[48];
    std::snprintf(rate, sizeof rate, "%.1f GB/s", inside.link.bytesPerSecond / 1e9);
    std::string text = "links: " + std::to_string(request.config.parallel.processes) + " GPUs, " +
                       inside.name + " between those of a machine (" + rate + " each way assumed)";
    if (places.machines > 1)
        text += ", " + std::to_string(places.perMachine) + " in each of " + std::to_string(places.machines) +
                " machines, " + usualNetwork().name + " between machines";
    const int64_t ownBytes = exchangeBytes(places);
    return {
        {std::move(text), "rank-links"},
        {"NCCL: " + byteSizeText(ownBytes) +
             " of each GPU for itself, beside what is planned (buffers of 4 MiB, as its guide says, on two "
             "channels, which is assumed); in the plan is what comes of all GPUs to be added up, up to "
             "16 MiB of each for two blocks at a time; neither was ever checked",
         "rank-nccl",
         {{"exchangeBytes", static_cast<double>(ownBytes)}}},
        {"several GPUs have never trained together with this program yet; this prediction, like that of its "
         "links, was never checked on such machines",
         "rank-forecast"}};
}

const char* sampleWord(const TrainConfig& config) {
    return config.mode == TrainMode::Language ? " text" : " picture";
}

PlanDecision aboutScaling(const RankRequest& request) {
    const TrainConfig& config = request.config;
    const int64_t pictures = config.ownBatchSize() * config.optimizer.accumulationSteps;
    return {
        "scaling: --zero " + std::to_string(config.parallel.zero) + ", " + std::to_string(pictures) +
            sampleWord(config) + (pictures == 1 ? "" : "s") + " of a step for each GPU, " +
            std::to_string(kRanksPerMachine) +
            " GPUs in a machine, whatever bus the card has; rings, one block after another beside computing, "
            "80 % of the links' peaks. Predictions, never checked on such machines or cards",
        "scaling",
        {{"zero", static_cast<double>(config.parallel.zero)},
         {"picturesOfRank", static_cast<double>(pictures)}}};
}

/// @param lone  one GPU's step; becomes known with the first count
Result<std::vector<PlanDecision>> scaledTo(const RankRequest& request, int64_t ranks, LoneStep& lone) {
    const TrainConfig& config = request.config;
    const auto plan = planOfRank(request, ranks, config.parallel.zero);
    if (!plan && plan.error().code != ErrorCode::OutOfResources && plan.error().code != ErrorCode::Usage)
        return plan.error();
    if (!plan) return std::vector<PlanDecision>{scalingRefused(ranks, plan.error().text())};
    ScaledTraining training;
    training.schedule = rankScheduleOf(config, *plan, request.speed, config.parallel.zero);
    training.ranks = ranks;
    training.picturesOfRank = config.ownBatchSize() * config.optimizer.accumulationSteps;
    if (ranks == 1) {
        lone.seconds = plan->stepSeconds;
        for (const RankedBlock& block : training.schedule.turns) lone.updateSeconds += block.updateSeconds;
    }
    training.lone = lone;
    return scalingRows(training);
}

Result<void> addScaling(const RankRequest& request, std::vector<PlanDecision>& decisions) {
    decisions.push_back(aboutScaling(request));
    LoneStep lone;
    for (const int64_t ranks : scalingCounts()) {
        HOMEBOOTH_ASSIGN(const std::vector<PlanDecision> rows, scaledTo(request, ranks, lone));
        decisions.insert(decisions.end(), rows.begin(), rows.end());
    }
    return {};
}

/// Decisions that come before those of the plan.
void putFirst(std::vector<PlanDecision> first, StepNeed& need) {
    need.decisions.insert(need.decisions.begin(), first.begin(), first.end());
}

} // namespace

Result<StepPlan> planOfRank(const RankRequest& request, int64_t ranks, int64_t zero) {
    TrainConfig config = request.config;
    config.batchSize = request.config.ownBatchSize() * ranks;
    config.parallel.processes = ranks;
    config.parallel.zero = zero;
    config.memory.device = ComputeDevice::Gpu; // whatever this machine has
    HOMEBOOTH_CHECK(checkParallel(config));
    const RehearsedGpu gpu(request.card.card.bfloat16);
    const auto planned = [&](std::optional<int64_t> ram) {
        StepBudget budget = besideTexts(budgetOf(request.card, config.memory, ram), request.textBytes);
        budget = besideHeld(budget, request.pictureBytes);
        budget.deviceBytes -= request.encodingBytes;
        budget.split = {placesOf(ranks).perMachine, config.memory.ramBytes};
        // What the user names is the training's.
        if (config.memory.deviceBytes == 0) budget.deviceBytes -= exchangeBytes(placesOf(ranks));
        return planStep(config, request.model, budget, request.speed);
    };
    const int64_t ram = request.ramBytes / placesOf(ranks).perMachine;
    const bool streams = config.memory.policy == PlacementPolicy::Cpu;
    if (!config.parallel.spreadsParameters() || streams) return planned(ram);
    auto staying =
        planned(std::nullopt); // parts go to RAM where the cards have no room for them, and only there
    const bool tight = !staying && staying.error().code == ErrorCode::OutOfResources;
    return tight ? planned(ram) : staying;
}

RankSchedule rankScheduleOf(const TrainConfig& config, const StepPlan& plan, const MachineSpeed& speed,
                            int64_t zero) {
    RankSchedule schedule;
    schedule.microSteps = config.optimizer.accumulationSteps;
    schedule.zero = zero;
    schedule.updatesAtEnd = flowOptionsOf(config).needsAll();
    double seconds = 0.0;
    for (const RehearsedBlock& block : plan.need.blocks) {
        const double rate = block.streamed ? speed.updatedInRamPerSecond : speed.updatedElementsPerSecond;
        RankedBlock turn;
        turn.forwardSeconds = speed.seconds(block.forward.work);
        turn.backwardSeconds = speed.seconds(block.backward.work);
        const auto secondsFor = [rate](int64_t elements) {
            return rate > 0.0 ? static_cast<double>(elements) / rate : 0.0;
        };
        turn.updateSeconds = secondsFor(block.trainedElements);
        turn.parameterBytes = std::max(block.parameterBytes, block.trainedBytes);
        turn.trainedBytes = block.trainedBytes;
        seconds += static_cast<double>(schedule.microSteps) * (turn.forwardSeconds + turn.backwardSeconds) +
                   secondsFor(block.updatedElements); // what this rank's plan counted
        schedule.turns.push_back(turn);
    }
    // One rank takes what was planned, with what it waits for where parameters are streamed.
    const double stretch = seconds > 0.0 ? plan.stepSeconds / seconds : 1.0;
    for (RankedBlock& turn : schedule.turns)
        for (double* part : {&turn.forwardSeconds, &turn.backwardSeconds, &turn.updateSeconds})
            *part *= stretch;
    return schedule;
}

std::vector<StageForecast>
forecastStages(const std::function<Result<StepPlan>(int64_t zero)>& planOf,
               const std::function<RankedStep(const StepPlan& plan, int64_t zero)>& stepOf) {
    std::vector<StageForecast> stages;
    for (int64_t zero = 0; zero < kStages; ++zero) {
        StageForecast stage;
        stage.zero = zero;
        if (zero == 2 && stages.back().plan) {
            stage.plan = stages.back().plan; // gradients are spread behind each block in stage 1, too
        } else if (auto plan = planOf(zero)) {
            stage.plan = std::move(*plan);
        } else {
            stage.refusal = plan.error();
        }
        if (stage.plan) stage.step = stepOf(*stage.plan, zero);
        stages.push_back(std::move(stage));
    }
    return stages;
}

std::vector<StageForecast> forecastStages(const RankRequest& request) {
    return forecastStages(
        [&](int64_t zero) { return planOfRank(request, request.config.parallel.processes, zero); },
        [&](const StepPlan& plan, int64_t zero) { return stepOf(request, plan, zero); });
}

const StageForecast* bestStage(const std::vector<StageForecast>& stages) {
    const StageForecast* fastest = nullptr;
    for (const StageForecast& stage : stages)
        if (stage.plan && (fastest == nullptr || stage.step.seconds < fastest->step.seconds))
            fastest = &stage;
    for (const StageForecast& stage : stages)
        if (stage.plan && stage.step.seconds <= kAsFast * fastest->step.seconds) return &stage;
    return nullptr;
}

Result<StepPlan> chosenOf(const std::vector<StageForecast>& stages, int64_t zero) {
    const StageForecast& chosen = stages.at(static_cast<size_t>(zero));
    if (chosen.plan) {
        StepPlan plan = *chosen.plan;
        plan.stepSeconds = chosen.step.seconds;
        return plan;
    }
    Error error = chosen.refusal;
    if (const StageForecast* best = bestStage(stages))
        error.message += "; or take --zero " + std::to_string(best->zero) + ", with which it fits";
    return error;
}

Result<StepNeed> forecastNeed(const RankRequest& request, bool scaling) {
    const TrainConfig& config = request.config;
    const bool several = config.parallel.processes > 1;
    const std::vector<StageForecast> stages =
        several ? forecastStages(request) : std::vector<StageForecast>();
    HOMEBOOTH_ASSIGN(const StepPlan found, several ? chosenOf(stages, config.parallel.zero)
                                                   : planOfRank(request, 1, config.parallel.zero));
    StepNeed need = stepNeedOf(config, found, kFacts);
    std::vector<PlanDecision> first;
    for (const std::string& line : assumptionsOf(request.card, config, found)) first.push_back({line});
    if (several)
        for (PlanDecision& line : aboutLinks(request)) first.push_back(std::move(line));
    putFirst(std::move(first), need);
    for (const StageForecast& stage : stages) need.decisions.push_back(aboutStage(config, stage, {}));
    if (const StageForecast* best = bestStage(stages)) need.decisions.push_back(aboutBest(*best, {}));
    if (scaling) HOMEBOOTH_CHECK(addScaling(request, need.decisions));
    return need;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/train_config_json.h"
#include "core/base/plan/picture_memory.h"
#include "core/base/plan/text_memory.h"
#include "core/base/plan/train_plan.h"
#include "core/base/system/gpu_facts.h"
#include "core/engine/collective/link_probe.h"
#include "core/engine/data/picture_counts.h"
#include "core/engine/io/precision.h"
#include "core/engine/planning/local_forecast.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rank_forecast.h"
#include "core/engine/training/recomputation.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <iterator>
#include <optional>

namespace homebooth::core {
namespace {

/// What the arguments say.
struct Asked {
    std::optional<CardInMachine> card; ///< none: this machine
    int64_t sharing = 1;               ///< processes of this machine that share it
    bool scaling = false;              ///< with a table for other numbers of cards
    bool blocks = false;               ///< with a line for each block of the model
    bool stages = false;               ///< with what each stage of --zero would take on this machine
    TextMemory texts;                  ///< of a language model
    int64_t pictureBytes = 0;          ///< of latents and encoded captions
};

/// Of the GPU that this process sees, its NVLink or its bus as published; a common bus where nothing is known
/// of it.
NamedLink publishedLink() {
    constexpr PcieLink kCommon{4, 16};
    const GpuFacts gpu = gpuFacts();
    const auto card = cardNamed(gpu.devices.empty() ? "" : gpu.devices.front().name);
    NamedLink link = card ? linkOf(CardInMachine{*card, card->pcie}) : linkOf(kCommon);
    link.name += card ? ", the card's link as it is published" : ", taken for granted: the card is not known";
    link.name += "; the training measures it between its GPUs";
    return link;
}

/// What lies between ranks that are not started yet. Where it cannot be measured the plan goes without.
NamedLink linkBetween(at::Device device, const TrainConfig& config, int64_t sharing) {
    constexpr int64_t kMostThreads = 8; // what a message takes hardly changes beyond
    if (device.is_cuda()) return publishedLink();
    const int64_t threads = std::clamp<int64_t>(sharing, 2, kMostThreads);
    const auto found = probeLinkOfThreads(static_cast<int>(threads), scalarTypeOf(config.precision));
    if (!found) return {"not measured (" + found.error().text() + ")", {}};
    return {"measured between " + std::to_string(threads) + " threads of this machine" +
                (sharing < config.parallel.processes ? "; not what lies between machines" : ""),
            *found};
}

/// The plan of a rank's step on this machine. @param budget  of one
Result<StepNeed> needOfRanks(const TrainConfig& config, const ModelSource& model, const Asked& asked,
                             at::Device device, StepBudget budget) {
    const MachineSpeed speed = measureSpeed(device, config, model);
    // What NCCL takes for itself; what the user names is the training's.
    if (device.is_cuda() && config.memory.deviceBytes == 0)
        budget.deviceBytes -= exchangeBytes(placesOf(config.parallel.processes));
    const LocalRequest request{
        config, model, speed, budget, linkBetween(device, config, asked.sharing), device.is_cuda()};
    return forecastNeed(request, asked.stages);
}

Result<StepNeed> needHere(const TrainConfig& config, const ModelSource& model, const Asked& asked) {
    HOMEBOOTH_ASSIGN(const at::Device device, chooseDevice(config.memory.device));
    HOMEBOOTH_CHECK(checkPlacement(config.memory, device));
    const StepBudget free = stepBudget(device, config.memory, asked.sharing);
    const StepBudget budget = besideHeld(besideTexts(free, asked.texts.bytes), asked.pictureBytes);
    if (config.parallel.processes > 1) return needOfRanks(config, model, asked, device, budget);
    const MachineSpeed speed = measureSpeed(device, config, model);
    HOMEBOOTH_ASSIGN(const StepPlan found, planStep(config, model, budget, speed));
    return stepNeedOf(config, found, kThisMachine);
}

/// The plan of a step on this machine, or on cards that it does not have.
Result<StepNeed> needOf(const TrainConfig& config, const ModelSource& model, const Asked& asked) {
    const std::optional<CardInMachine>& card = asked.card;
    const at::Device host(at::kCPU);
    if (!card) return needHere(config, model, asked);
    const int64_t ram = config.memory.ramBytes > 0 ? config.memory.ramBytes : mostOfFree(roomOn(host));
    HOMEBOOTH_CHECK(checkPlacement(config.memory, at::Device(at::kCUDA)));
    const MachineSpeed speed = speedOf(*card, config, measureSpeed(host, config, model));
    return forecastNeed(RankRequest{config, model, *card, speed, ram, asked.texts.bytes, asked.pictureBytes},
                        asked.scaling);
}

/// What stands behind an option; empty without it.
std::string textOf(const std::vector<std::string>& arguments, const char* option) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    return found == arguments.end() || found + 1 == arguments.end() ? "" : *(found + 1);
}

/// Of "--card NAME --pcie 3x16". Errors: Usage
Result<std::optional<CardInMachine>> cardOf(const std::vector<std::string>& arguments) {
    const std::string name = textOf(arguments, "--card");
    if (name.empty()) return std::optional<CardInMachine>();
    HOMEBOOTH_ASSIGN(CardInMachine machine, cardInMachine(name, textOf(arguments, "--pcie")));
    return std::optional(std::move(machine));
}

/// How many processes of this machine share it, of "--sharing 2"; 1 without it. Errors: Usage
Result<int64_t> sharingOf(const std::vector<std::string>& arguments) {
    const std::string text = textOf(arguments, "--sharing");
    int64_t sharing = 1;
    if (text.empty()) return sharing;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), sharing);
    if (fault == std::errc() && end == text.data() + text.size() && sharing >= 1) return sharing;
    return Error{ErrorCode::Usage, "expected a whole number from 1 behind --sharing, found " + text, {}};
}

/// Errors: Usage
Result<Asked> askedFor(const std::vector<std::string>& arguments) {
    Asked asked;
    HOMEBOOTH_ASSIGN(asked.card, cardOf(arguments));
    HOMEBOOTH_ASSIGN(asked.sharing, sharingOf(arguments));
    asked.scaling = std::find(arguments.begin(), arguments.end(), "--scaling") != arguments.end();
    asked.blocks = std::find(arguments.begin(), arguments.end(), "--blocks") != arguments.end();
    asked.stages = std::find(arguments.begin(), arguments.end(), "--stages") != arguments.end();
    return asked;
}

/// Blocks as plans of their own, ahead of the plan: a line of the journal has an end.
void tellBlocks(const std::vector<PlanDecision>& blocks, EventStream& events) {
    constexpr size_t kAtOnce = 100;
    for (size_t first = 0; first < blocks.size(); first += kAtOnce) {
        PlanEvent some;
        for (size_t index = first; index < std::min(blocks.size(), first + kAtOnce); ++index)
            some.decisions.push_back(blocks[index]);
        events.emit(some);
    }
}

/// What the supervisor makes a plan of (cli/step_need).
void tell(const StepNeed& need, const Asked& asked, EventStream& events) {
    MemoryEvent memory;
    memory.device = need.device;
    memory.device.freeBytes = need.freeBytes.value_or(0); // what the engine plans, it knows
    memory.ram = need.ram;
    memory.swap = need.swap;
    events.emit(memory);
    if (asked.blocks) tellBlocks(need.blocks, events);
    PlanEvent event;
    event.predicted.stepSeconds = need.stepSeconds;
    event.predicted.linkBytesPerStep = need.linkBytesPerStep;
    event.predicted.swapBytes = need.swapBytes;
    event.predicted.swapBytesWrittenPerStep = need.swapBytesWrittenPerStep;
    event.decisions = need.decisions;
    events.emit(event);
}

Result<void> plan(std::string_view text, const std::vector<std::string>& arguments, EventStream& events) {
    TrainConfig config;
    HOMEBOOTH_CHECK(readJson(text, config));
    HOMEBOOTH_ASSIGN(Asked asked, askedFor(arguments));
    useThreads(config.threads, asked.sharing); // as many as a rank will have
    const bool scratch = config.mode == TrainMode::FromScratch;
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model,
                     openModel(scratch ? config.scratch.configDir : config.model, open));
    HOMEBOOTH_CHECK(checkLearning(config, model)); // before the machine is measured
    HOMEBOOTH_ASSIGN(asked.texts, textMemory(config, model));
    MediaPictureSource pictures;
    asked.pictureBytes = heldPictureBytes(countPictures(config, model, pictures), config, model);
    HOMEBOOTH_ASSIGN(StepNeed need, needOf(config, model, asked));
    need.ram.cacheBytes += asked.texts.bytes + asked.pictureBytes;
    if (asked.texts.bytes > 0) need.decisions.push_back(aboutTexts(asked.texts));
    if (asked.pictureBytes > 0) need.decisions.push_back(aboutPictures(asked.pictureBytes));
    tell(need, asked, events);
    return {};
}

} // namespace

int runPlanning(const std::vector<std::string>& arguments, EventStream& events) {
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    const OutcomeEvent outcome = guarded([&] {
        const auto done = plan(text, arguments, events);
        OutcomeEvent planned;
        planned.result = "done";
        return done ? planned : failedOutcome(done.error());
    });
    events.emit(outcome);
    return outcome.code;
}

} // namespace homebooth::core

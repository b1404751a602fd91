// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/config/train_config_json.h"
#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/generation/text_memory.h"
#include "core/base/plan/training/faster_policy.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/run/learned_texts.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/held_elsewhere.h"
#include "core/base/text/token_rate.h"
#include "core/engine/collective/link_probe.h"
#include "core/engine/data/cache_bound.h"
#include "core/engine/data/listed_pictures.h"
#include "core/engine/data/picture_counts.h"
#include "core/engine/io/precision.h"
#include "core/engine/planning/held_room.h"
#include "core/engine/planning/local_forecast.h"
#include "core/engine/planning/machine_speed.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rank_forecast.h"
#include "core/engine/training/recomputation.h"
#include "core/media/picture_list.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/media_pictures.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <system_error>

namespace homebooth::core {
namespace {

/// What the arguments say.
struct Asked {
    std::optional<CardInMachine> card;  ///< none: this machine
    int64_t sharing = 1;                ///< processes of this machine that share it
    bool scaling = false;               ///< with a table for other numbers of cards
    bool blocks = false;                ///< with a line for each block of the model
    bool stages = false;                ///< with what each stage of --zero would take on this machine
    bool inTurn = false;                ///< what trainings and pictures of Homebooth hold counts as free
    TextMemory texts;                   ///< of a language model
    std::vector<HeldPictures> pictures; ///< ways to hold latents and encoded captions
    bool many = false;                  ///< pictures, to be encoded (base/plan/generation/encoding_plan)
};

/// What a job would compute on, as it was before that was measured.
struct Machine {
    at::Device device;
    StepBudget free;      ///< of this machine
    int64_t ramBytes = 0; ///< of one with other cards
    MachineSpeed speed;
};

/// What one way to hold latents and captions, and to encode, comes to.
struct PlannedNeed {
    StepNeed need; ///< of the steps, with what encoding takes beside them
    HeldPictures pictures;
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
                             const Machine& machine, StepBudget budget) {
    const bool gpu = machine.device.is_cuda();
    // What NCCL takes for itself; what the user names is the training's.
    if (gpu && config.memory.deviceBytes == 0)
        budget.deviceBytes -= exchangeBytes(placesOf(config.parallel.processes));
    const NamedLink link = linkBetween(machine.device, config, asked.sharing);
    return forecastNeed(LocalRequest{config, model, machine.speed, budget, link, gpu}, asked.stages);
}

/// Once other workers of this user have given back what they hold on the GPU that this one sees, and of
/// RAM.
/// @param gpu  none: the processor computes
RoomThen roomInTurn(const GpuDevice* gpu) {
    const std::vector<int64_t> others = processesOf("/proc/self/exe");
    RoomThen then{std::nullopt, ramHeldBy(others)};
    if (gpu == nullptr) return then;
    const GpuLoad load = gpuLoads({*gpu}).front();
    if (load.freeBytes >= 0)
        then.deviceBytes = load.freeBytes + gpuHeldBy(others, gpu->uuid) - kGpuContextBytes;
    return then;
}

/// Of a card as it is published. This machine's processor updates beside it what is streamed: that is
/// measured as a training on such a card measures it.
MachineSpeed publishedSpeed(const CardInMachine& card, const TrainConfig& config) {
    return speedOf(card, config, updatedInRamPerSecond(config.optimizer, scalarTypeOf(config.precision)));
}

/// As it will be when a run has its turn. What fills a GPU now leaves no room to measure it, and would
/// be slowed down: its published facts count, unless nothing is known of it.
Machine machineInTurn(at::Device device, const TrainConfig& config, const ModelSource& model,
                      int64_t sharing) {
    const std::vector<GpuDevice> gpus = device.is_cuda() ? gpuFacts().devices : std::vector<GpuDevice>();
    const GpuDevice* gpu = gpus.empty() ? nullptr : &gpus.front();
    const auto card = cardNamed(gpu != nullptr ? gpu->name : std::string());
    const StepBudget then = stepBudget(device, config.memory, sharing, roomInTurn(gpu));
    if (!card) return {device, then, 0, measureSpeed(device, config, model)};
    return {device, then, 0, publishedSpeed(CardInMachine{*card, card->pcie}, config)};
}

/// This machine, or one with cards that it does not have.
Result<Machine> machineFor(const TrainConfig& config, const ModelSource& model, const Asked& asked) {
    if (!asked.card) {
        HOMEBOOTH_ASSIGN(const at::Device device, chooseDevice(config.memory.device));
        HOMEBOOTH_CHECK(checkPlacement(config.memory, device));
        if (asked.inTurn) return machineInTurn(device, config, model, asked.sharing);
        const StepBudget free = stepBudget(device, config.memory, asked.sharing);
        return Machine{device, free, 0, measureSpeed(device, config, model)};
    }
    const int64_t ram = config.memory.ramBytes > 0 ? config.memory.ramBytes : mostOfFree(roomOn(at::kCPU));
    HOMEBOOTH_CHECK(checkPlacement(config.memory, at::Device(at::kCUDA)));
    return Machine{at::Device(at::kCUDA), {}, ram, publishedSpeed(*asked.card, config)};
}

/// The plan of a step there, with what is held and encoded beside it.
Result<StepNeed> needOf(const TrainConfig& config, const ModelSource& model, const Asked& asked,
                        const Machine& machine, const BesideSteps& beside) {
    const int64_t heldBytes = beside.pictures.bytes;
    if (asked.card)
        return forecastNeed(RankRequest{config, model, *asked.card, machine.speed, machine.ramBytes,
                                        asked.texts.bytes, heldBytes, beside.encodingBytes},
                            asked.scaling);
    const StepBudget all = besideHeld(besideTexts(machine.free, asked.texts.bytes), heldBytes);
    const StepBudget budget = budgetBeside(all, beside.encodingBytes, machine.device, config.memory);
    if (config.parallel.processes > 1) return needOfRanks(config, model, asked, machine, budget);
    HOMEBOOTH_ASSIGN(const StepPlan found, planStep(config, model, budget, machine.speed));
    return stepNeedOf(config, found, kThisMachine);
}

/// As needOf, but for one plan beside another one.
std::optional<PlanDecision> aboutAutoHere(const TrainConfig& config, const ModelSource& model, Asked asked,
                                          const Machine& machine, const PlannedNeed& planned) {
    asked.scaling = asked.stages = false;
    const BesideSteps beside{planned.pictures, planned.need.encodingBytes.value_or(0)};
    return aboutAuto(config, planned.need.stepSeconds,
                     [&](const TrainConfig& other) { return needOf(other, model, asked, machine, beside); });
}

/// As the training itself will do it (engine/training/run_plan); pictures count as in no cache yet.
Result<PlannedNeed> plannedNeed(const TrainConfig& config, const ModelSource& model, const Asked& asked) {
    HOMEBOOTH_ASSIGN(const Machine machine, machineFor(config, model, asked));
    const bool gpu = machine.device.is_cuda();
    const EncodingWish wish = encodingWish(config, gpu, asked.many);
    const int64_t ram = asked.card ? machine.ramBytes / placesOf(config.parallel.processes).perMachine
                                   : ramOfRun(machine.free, gpu);
    BesideSearch<PlannedNeed> search;
    search.plan = [&](const BesideSteps& beside) -> Result<PlannedNeed> {
        HOMEBOOTH_ASSIGN(StepNeed need, needOf(config, model, asked, machine, beside));
        need.encodingBytes = beside.encodingBytes;
        return PlannedNeed{std::move(need), beside.pictures};
    };
    search.hasRoom = [&](const PlannedNeed& planned) {
        const int64_t onDisk = planned.need.swapBytes * asked.sharing;
        const bool diskHolds = config.memory.swapBytes == 0 || onDisk <= config.memory.swapBytes;
        return diskHolds && hasRoomBeside(config, model, planned.need, planned.pictures.bytes, gpu, ram);
    };
    search.stepSeconds = [](const PlannedNeed& planned) { return planned.need.stepSeconds; };
    search.disk = [](const PlannedNeed& planned) { return diskTrafficOf(planned.need, planned.pictures); };
    HOMEBOOTH_ASSIGN(PlannedNeed planned,
                     planBeside(asked.pictures, wish, encodingNeed(config, model).bytes(), search));
    planned.need.decisions.push_back(aboutEncoding(planned.need.encodingBytes.value_or(0), wish));
    if (const auto line = aboutAutoHere(config, model, asked, machine, planned))
        planned.need.decisions.push_back(*line);
    return planned;
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
    asked.inTurn = std::find(arguments.begin(), arguments.end(), "--in-turn") != arguments.end();
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

/// What the supervisor makes a plan of (cli/worker/step_need).
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

/// Errors: BadInput naming the first one that is not there, as the training's start will
Result<void> checkThere(const std::vector<CaptionedPicture>& pictures) {
    std::error_code code;
    for (const CaptionedPicture& picture : pictures)
        if (!std::filesystem::exists(picture.path, code))
            return badInput(std::string(kPhotoGoneWords), picture.path);
    return {};
}

/// What the training will be made of. Errors: BadInput for a list of pictures that is not understood
Result<PictureCounts> countsFor(const TrainConfig& config, const ModelSource& model,
                                const std::vector<std::string>& arguments) {
    MediaPictureSource pictures;
    const std::string list = textOf(arguments, "--pictures");
    if (list.empty()) return countPictures(config, model, pictures);
    HOMEBOOTH_ASSIGN(const std::vector<CaptionedPicture> listed,
                     readListedPictures(list, config.data.instancePrompt));
    HOMEBOOTH_CHECK(checkThere(listed));
    return countPictures(config, model, pictures, &listed);
}

/// How much of a language model's texts is learned. Nothing where that cannot be measured, e.g. without a
/// tokenizer: a training says why.
std::optional<PlanDecision> expectedTexts(const TrainConfig& config, const ModelSource& model,
                                          const TextMemory& texts) {
    constexpr double kBound = 1.0; // what is not measured, of UTF-16, is more
    if (texts.bytes <= 0) return std::nullopt;
    double rate = texts.tokensPerByte;
    if (rate <= 0.0) {
        const auto tokenizer = ByteLevelTokenizer::loadFolder(model.language->folder);
        const auto documents = Documents::open(config.data.textPath, config.data.textColumn);
        if (!tokenizer || !documents) return std::nullopt;
        const auto measured = tokensPerByte(*documents, *tokenizer);
        rate = measured ? *measured : 0.0;
    }
    if (rate <= 0.0 || rate >= kBound) return std::nullopt;
    return aboutExpectedTexts(config, static_cast<int64_t>(rate * static_cast<double>(texts.fileBytes)));
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
    HOMEBOOTH_ASSIGN(const PictureCounts counts, countsFor(config, model, arguments));
    asked.many = counts.trainedPictures() > kManyPictures;
    asked.pictures = waysToHold(counts, config, model, HeldLimits(), asked.card || takesFiles(cacheFolder()));
    HOMEBOOTH_ASSIGN(PlannedNeed planned, plannedNeed(config, model, asked));
    StepNeed& need = planned.need;
    need.ram.cacheBytes += asked.texts.bytes + planned.pictures.bytes;
    if (asked.texts.bytes > 0) need.decisions.push_back(aboutTexts(asked.texts));
    if (const auto expected = expectedTexts(config, model, asked.texts)) need.decisions.push_back(*expected);
    if (planned.pictures.allBytes > 0) need.decisions.push_back(aboutPictures(planned.pictures));
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

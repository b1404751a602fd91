// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/model/embedding_file.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/generation/text_memory.h"
#include "core/base/plan/ranks/scaling_table.h"
#include "core/base/plan/training/disk_need.h"
#include "core/base/plan/training/planned_block.h"
#include "core/base/run/journal/event_json.h"
#include "core/base/run/journal/figure_json.h"
#include "core/cli/sample_request.h"
#include "core/cli/told_lines.h"
#include "core/cli/train/train_request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>

namespace homebooth::core {
namespace {

bool isScaling(const PlanDecision& one) {
    return one.code == kScalingRow || one.code == kScalingRefused;
}

bool has(const std::vector<PlanDecision>& decisions, const char* code) {
    return std::any_of(decisions.begin(), decisions.end(),
                       [code](const PlanDecision& one) { return one.code == code; });
}

/// Whether the plan is of a language model.
bool isOfTexts(const std::vector<PlanDecision>& decisions) {
    return has(decisions, kTextsInRam);
}

/// What caches are in RAM.
const char* cacheName(const TrainPlan& plan) {
    const std::vector<PlanDecision>& decisions = plan.event.decisions;
    if (isOfTexts(decisions)) return "texts";
    const auto held = std::find_if(decisions.begin(), decisions.end(),
                                   [](const PlanDecision& one) { return one.code == kPicturesInRam; });
    if (held == decisions.end()) return "moving average";
    const bool averagesToo =
        static_cast<double>(plan.peaks.ram.cacheBytes) > held->facts.at("heldBytes") + 0.5;
    return averagesToo ? "latents, averages" : "latents, captions";
}

/// The table that `--scaling` asks for; nothing without it.
void printScaling(const std::vector<PlanDecision>& decisions) {
    if (std::none_of(decisions.begin(), decisions.end(), isScaling)) return;
    std::printf("\n%s\n", scalingHead(isOfTexts(decisions) ? "texts" : "pictures").c_str());
    for (const PlanDecision& one : decisions)
        if (isScaling(one)) std::printf("%s\n", one.text.c_str());
}

void printRow(const std::string& name, int64_t bytes) {
    std::printf("%-22s %10s\n", name.c_str(), byteSizeText(bytes).c_str());
}

/// A tier's peak, and below it what that consists of, which sums up to it.
/// @param workspace, cache  what these are in this tier
void printTier(const std::string& name, const TierMemory& tier, const char* workspace,
               const char* cache = "moving average") {
    struct Kind {
        const char* name;
        int64_t bytes;
    };
    printRow(name, totalBytes(tier));
    const std::array<Kind, 6> kinds{{{"parameters", tier.parameterBytes},
                                     {"gradients", tier.gradientBytes},
                                     {"optimizer states", tier.stateBytes},
                                     {"activations", tier.activationBytes},
                                     {workspace, tier.workspaceBytes},
                                     {cache, tier.cacheBytes}}};
    for (const Kind& kind : kinds)
        if (kind.bytes > 0) printRow(std::string("  ") + kind.name, kind.bytes);
}

void printTiers(const TrainPlan& plan) {
    const ResourceUse& use = plan.event.predicted;
    if (use.deviceBytes > 0)
        printTier(plan.gpu ? "GPU, at the peak" : "device tier (RAM)", plan.peaks.device, "workspace");
    const bool ramStandsForIt = use.deviceBytes > 0 && !plan.gpu;
    printTier(ramStandsForIt ? "other RAM" : "RAM, at the peak", plan.peaks.ram, "program, workspace",
              cacheName(plan));
    if (use.swapBytes == 0) return;
    printTier("disk of --swap", plan.peaks.swap, "for averages in use");
    printRow("  read in a step", plan.swapBytesReadPerStep);
    printRow("  written in a step", use.swapBytesWrittenPerStep);
}

void printPlan(const TrainPlan& plan) {
    printTiers(plan);
    if (plan.checkpointBytes > 0) printRow("a checkpoint", plan.checkpointBytes);
    std::printf("\n");
    for (const PlanDecision& one : plan.event.decisions)
        if (!isScaling(one)) std::printf("- %s\n", one.text.c_str());
    if (!plan.blocks.empty()) std::printf("\n");
    for (const PlanDecision& one : plan.blocks) std::printf("%s\n", one.text.c_str());
    printScaling(plan.event.decisions);
}

nlohmann::ordered_json kindsJson(const TierMemory& tier) {
    return {{"parameterBytes", tier.parameterBytes}, {"gradientBytes", tier.gradientBytes},
            {"stateBytes", tier.stateBytes},         {"activationBytes", tier.activationBytes},
            {"workspaceBytes", tier.workspaceBytes}, {"cacheBytes", tier.cacheBytes}};
}

nlohmann::ordered_json blocksJson(const std::vector<PlanDecision>& lines) {
    auto blocks = nlohmann::ordered_json::array();
    for (const PlanDecision& line : lines) {
        const PlannedBlock block = plannedBlockOf(line);
        blocks.push_back({{"name", block.name},
                          {"keeps", keptName(block.kept)},
                          {"forwardSeconds", block.forwardSeconds},
                          {"backwardSeconds", block.backwardSeconds},
                          {"activationBytes", block.activationBytes},
                          {"valueBytesToRam", block.leftBytes},
                          {"valueBytesFromRam", block.returnedBytes},
                          {"devicePeakBytes", block.peakBytes},
                          {"parameterBytes", block.parameterBytes},
                          {"parameterBytesOfOthers", block.gatheredBytes},
                          {"home", homeName(block)},
                          {"fetches", block.fetches},
                          {"fetchedAhead", block.fetchedAhead},
                          {"text", line.text}});
    }
    return blocks;
}

/// What the decisions with one of two codes say: their figures, and the text where it refuses.
nlohmann::ordered_json figuresJson(const std::vector<PlanDecision>& decisions, const std::string& code,
                                   const std::string& refusedCode) {
    auto rows = nlohmann::ordered_json::array();
    for (const PlanDecision& one : decisions) {
        if (one.code != code && one.code != refusedCode) continue;
        auto row = nlohmann::ordered_json::object();
        for (const auto& [name, value] : one.facts)
            if (name != "insideLink" && name != "betweenLink" && name != "bound")
                row[name] = figureJson(value);
        for (const auto& [name, text] : scalingNames(one)) row[name] = text;
        if (one.code == refusedCode) row["refused"] = one.text;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The plan's event with what only a plan knows: the peak by kind, and what will lie on the disk.
std::string fullPlanJson(const TrainPlan& plan, int64_t keptCheckpoints) {
    PlanEvent event = plan.event;
    std::erase_if(event.decisions, isScaling); // they are told as figures
    auto json = nlohmann::ordered_json::parse(planJson(event));
    const auto& decisions = plan.event.decisions;
    const auto stages = figuresJson(decisions, kRankStage, kRankStageRefused);
    const auto scaling = figuresJson(decisions, kScalingRow, kScalingRefused);
    if (!stages.empty()) json["stages"] = stages;
    if (!scaling.empty()) json["scaling"] = scaling;
    json["predicted"]["swapBytesReadPerStep"] = plan.swapBytesReadPerStep;
    json["peak"] = kindsJson(plan.tier);
    json["tiers"] = {{"device", kindsJson(plan.peaks.device)},
                     {"ram", kindsJson(plan.peaks.ram)},
                     {"swap", kindsJson(plan.peaks.swap)}};
    if (!plan.blocks.empty()) json["blocks"] = blocksJson(plan.blocks);
    json["checkpointBytes"] = plan.checkpointBytes;
    json["resultBytes"] = plan.resultBytes;
    json["diskBytes"] = plan.checkpointBytes > 0 ? diskBytes(plan, keptCheckpoints) : 0;
    return json.dump(2);
}

/// As `sample` opens them before any work: what is no add-on, or one for another kind of model, is told.
Result<void> checkAddOns(const SampleConfig& config, const ModelSource& model) {
    for (const LoraReference& lora : config.loras) {
        HOMEBOOTH_ASSIGN(const LoraFile file, openLora(lora.file, model));
        HOMEBOOTH_CHECK(checkLoraFits(file, model));
    }
    const auto words = openEmbeddings(config.embeddings, model);
    return words ? Result<void>() : Result<void>(words.error());
}

Result<TrainPlan> samplingPlan(SampleRequest& request) {
    request.allowNoOutput();
    HOMEBOOTH_ASSIGN(const SampleConfig asked, request.prepare());
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model, openPictureModel(asked.model, open));
    HOMEBOOTH_CHECK(checkAddOns(asked, model));
    HOMEBOOTH_ASSIGN(const SampleConfig config, settingsToPlan(asked, model));
    MemoryConfig memory;
    memory.device = config.device;
    HOMEBOOTH_ASSIGN(const MachineLimits limits, freeLimits(memory));
    HOMEBOOTH_ASSIGN(SamplePlan plan, planSampling(config, model, limits));
    for (std::string& text : request.idle(asked)) plan.event.decisions.push_back({std::move(text)});
    return static_cast<const TrainPlan&>(plan);
}

/// @param kept  checkpoints, as the settings turned out
Result<TrainPlan> trainingPlan(TrainRequest& request, const CardName& card, int64_t& kept) {
    request.onlyPlan();
    if (card.blocks) request.withBlocks();
    request.withPictures(card.pictures);
    if (card.inTurn) request.inTurn();
    if (!card.name.empty()) HOMEBOOTH_CHECK(request.planFor(card));
    HOMEBOOTH_ASSIGN(TrainRequest::Ready ready, request.prepare({}));
    kept = ready.config.output.keepCheckpoints;
    return std::move(ready.plan);
}

/// Takes the card that "--device" names out of the arguments; what it may name beside cards stays.
std::string takeCard(Arguments& arguments) {
    constexpr std::string_view kOption = "--device";
    for (size_t index = 0; index < arguments.size(); ++index) {
        const bool joined = arguments[index].starts_with(std::string(kOption) + "=");
        if (!joined && (arguments[index] != kOption || index + 1 == arguments.size())) continue;
        std::string name = joined ? arguments[index].substr(kOption.size() + 1) : arguments[index + 1];
        if (name == "auto" || name == "cpu" || name == "gpu" || name.starts_with("--")) return "";
        const auto first = arguments.begin() + static_cast<std::ptrdiff_t>(index);
        arguments.erase(first, first + (joined ? 1 : 2));
        return name;
    }
    return "";
}

/// The options of one of both plans. @param card  named among the arguments already
void addOptions(CLI::App& app, SampleRequest* sample, TrainRequest& train, CardName& card, bool& json) {
    if (sample != nullptr) {
        sample->addTo(app);
    } else {
        train.addTo(app);
        app.add_option("--pcie", card.pcie,
                       "with --device CARD: generation and lanes of its slot, e.g. 3x16 [the card's own]")
            ->type_name("GxL");
        app.add_flag("--scaling", card.scaling,
                     "with --device CARD: a table of what 1, 8, 64 and 512 of it would take, 8 in a machine, "
                     "over links of several kinds; never checked on such machines");
        app.add_flag("--blocks", card.blocks,
                     "a line for each block of the model as well: what it keeps for backward, its times, "
                     "activations, and how far ahead its parameters come");
        app.add_option("--pictures", card.pictures,
                       "counts the pictures that this file lists, one JSON object a line with file_name, a "
                       "whole path, and perhaps text, in place of those in --instance or --dataset")
            ->type_name("FILE");
        app.add_flag("--in-turn", card.inTurn,
                     "as for a run that waits in the queue: what trainings and pictures of Homebooth hold of "
                     "this machine's memory now counts as free");
    }
    app.add_flag("--json", json, "print the plan as one JSON object, or the outcome of one that fails");
}

/// Options that go with a named card alone, or not with one.
std::optional<Error> refusalOf(const CardName& card) {
    const bool named = !card.name.empty();
    if (!named && (card.scaling || !card.pcie.empty()))
        return Error{ErrorCode::Usage,
                     std::string(card.scaling ? "--scaling" : "--pcie") +
                         " is of a card named by --device; name one",
                     {}};
    if (named && card.inTurn)
        return Error{ErrorCode::Usage,
                     "--in-turn is of this machine's memory; leave it out, or name no card by --device",
                     {}};
    return std::nullopt;
}

constexpr const char* kAbout =
    "Says what a run would need, without starting it: `plan [train] OPTIONS` with the options of\n"
    "train, `plan sample OPTIONS` with those of sample but for --processes and --serve.\n"
    "`plan --device \"RTX 3060\"` predicts for a card that is not at hand, from its published facts;\n"
    "--ram and --pcie describe the machine around it, --processes says how many of it train together;\n"
    "photos and a prompt (--instance, --prompt) are needed for this machine alone.\n"
    "Also on this machine a plan of several processes says what each --zero would take, over the link\n"
    "that was measured, and which to choose.";

} // namespace

int runPlan(const Arguments& given) {
    const bool sampling = !given.empty() && given[0] == "sample";
    const bool named = sampling || (!given.empty() && given[0] == "train");
    Arguments arguments(given.begin() + (named ? 1 : 0), given.end());
    CLI::App app(kAbout, sampling ? "homebooth-engine plan sample" : "homebooth-engine plan");
    TrainRequest train;
    SampleRequest sample;
    CardName card;
    if (!sampling) card.name = takeCard(arguments);
    bool json = false;
    addOptions(app, sampling ? &sample : nullptr, train, card, json);
    const auto done = parseArguments(app, arguments, [&] {
        if (sampling)
            sample.showDefaults(app);
        else
            train.showDefaults(app);
    });
    if (done) return *done;
    if (const auto refusal = refusalOf(card)) return failTold("plan", *refusal, json);
    int64_t kept = 0;
    const Result<TrainPlan> plan = sampling ? samplingPlan(sample) : trainingPlan(train, card, kept);
    if (!plan) return failTold("plan", plan.error(), json);
    if (card.blocks && plan->blocks.empty())
        return failTold("plan",
                        {ErrorCode::BadInput,
                         "--blocks is of steps that are rehearsed block by block, and that of an "
                         "autoencoder is not; leave it out",
                         {}},
                        json);
    if (json)
        std::printf("%s\n", fullPlanJson(*plan, kept).c_str());
    else
        printPlan(*plan);
    return kExitDone;
}

} // namespace homebooth::core

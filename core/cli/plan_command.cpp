// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/plan/disk_need.h"
#include "core/base/plan/scaling_table.h"
#include "core/base/run/event_json.h"
#include "core/cli/sample_request.h"
#include "core/cli/train_request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace homebooth::core {
namespace {

bool isScaling(const PlanDecision& one) {
    return one.code == kScalingRow || one.code == kScalingRefused;
}

/// The table that `--scaling` asks for; nothing without it.
void printScaling(const std::vector<PlanDecision>& decisions) {
    if (std::none_of(decisions.begin(), decisions.end(), isScaling)) return;
    std::printf("\n%s\n", scalingHead().c_str());
    for (const PlanDecision& one : decisions)
        if (isScaling(one)) std::printf("%s\n", one.text.c_str());
}

void printPlan(const TrainPlan& plan) {
    struct Row {
        const char* name;
        int64_t bytes;
    };
    const TierMemory& tier = plan.tier;
    const std::array<Row, 6> rows{{{"parameters", tier.parameterBytes},
                                   {"gradients", tier.gradientBytes},
                                   {"optimizer states", tier.stateBytes},
                                   {"activations", tier.activationBytes},
                                   {"workspace", tier.workspaceBytes},
                                   {"moving average", tier.cacheBytes}}};
    for (const Row& row : rows)
        if (row.bytes > 0) std::printf("%-18s %10s\n", row.name, byteSizeText(row.bytes).c_str());
    const ResourceUse& use = plan.event.predicted;
    if (use.deviceBytes > 0)
        std::printf("%-18s %10s\n", plan.gpu ? "GPU, at the peak" : "device tier (RAM)",
                    byteSizeText(use.deviceBytes).c_str());
    const bool ramStandsForIt = use.deviceBytes > 0 && !plan.gpu;
    std::printf("%-18s %10s\n", ramStandsForIt ? "other RAM" : "RAM, at the peak",
                byteSizeText(use.ramBytes).c_str());
    if (plan.checkpointBytes > 0)
        std::printf("%-18s %10s\n", "a checkpoint", byteSizeText(plan.checkpointBytes).c_str());
    std::printf("\n");
    for (const PlanDecision& one : plan.event.decisions)
        if (!isScaling(one)) std::printf("- %s\n", one.text.c_str());
    printScaling(plan.event.decisions);
}

/// What the decisions with one of two codes say: their figures, and the text where it refuses.
nlohmann::ordered_json figuresJson(const std::vector<PlanDecision>& decisions, const std::string& code,
                                   const std::string& refusedCode) {
    auto rows = nlohmann::ordered_json::array();
    for (const PlanDecision& one : decisions) {
        if (one.code != code && one.code != refusedCode) continue;
        auto row = nlohmann::ordered_json::object();
        for (const auto& [name, value] : one.facts)
            if (name != "insideLink" && name != "betweenLink" && name != "bound") row[name] = value;
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
    const TierMemory& tier = plan.tier;
    json["peak"] = {{"parameterBytes", tier.parameterBytes}, {"gradientBytes", tier.gradientBytes},
                    {"stateBytes", tier.stateBytes},         {"activationBytes", tier.activationBytes},
                    {"workspaceBytes", tier.workspaceBytes}, {"cacheBytes", tier.cacheBytes}};
    json["checkpointBytes"] = plan.checkpointBytes;
    json["resultBytes"] = plan.resultBytes;
    json["diskBytes"] = plan.checkpointBytes > 0 ? diskBytes(plan, keptCheckpoints) : 0;
    return json.dump(2);
}

Result<TrainPlan> samplingPlan(SampleRequest& request) {
    request.allowNoOutput();
    HOMEBOOTH_ASSIGN(const SampleConfig config, request.prepare());
    OpenOptions open;
    open.weightsOptional = true;
    HOMEBOOTH_ASSIGN(const ModelSource model, openModel(config.model, open));
    MemoryConfig memory;
    memory.device = config.device;
    HOMEBOOTH_ASSIGN(const MachineLimits limits, machineLimits(memory));
    return planSampling(config, model, limits);
}

/// @param kept  checkpoints, as the settings turned out
Result<TrainPlan> trainingPlan(TrainRequest& request, const CardName& card, int64_t& kept) {
    request.onlyPlan();
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
    }
    app.add_flag("--json", json, "print the plan as JSON");
}

} // namespace

int runPlan(const Arguments& given) {
    const bool sampling = !given.empty() && given[0] == "sample";
    const bool named = sampling || (!given.empty() && given[0] == "train");
    Arguments arguments(given.begin() + (named ? 1 : 0), given.end());
    CLI::App app(
        "Says what a run would need, without starting it: `plan [train] OPTIONS` with the options of\n"
        "train, `plan sample OPTIONS` with those of sample. `plan --device \"RTX 3060\"` predicts for a "
        "card\n"
        "that is not at hand, from its published facts; --ram and --pcie describe the machine around it,\n"
        "--processes says how many of it train together.",
        sampling ? "homebooth-engine plan sample" : "homebooth-engine plan");
    TrainRequest train;
    SampleRequest sample;
    CardName card;
    if (!sampling) card.name = takeCard(arguments);
    bool json = false;
    addOptions(app, sampling ? &sample : nullptr, train, card, json);
    if (const auto done = parseArguments(app, arguments)) return *done;
    if (card.name.empty() && (card.scaling || !card.pcie.empty()))
        return fail("plan", {ErrorCode::Usage,
                             std::string(card.scaling ? "--scaling" : "--pcie") +
                                 " is of a card named by --device; name one",
                             {}});
    int64_t kept = 0;
    const Result<TrainPlan> plan = sampling ? samplingPlan(sample) : trainingPlan(train, card, kept);
    if (!plan) return fail("plan", plan.error());
    if (json)
        std::printf("%s\n", fullPlanJson(*plan, kept).c_str());
    else
        printPlan(*plan);
    return kExitDone;
}

} // namespace homebooth::core

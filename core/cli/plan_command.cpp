// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/run/event_json.h"
#include "core/cli/sample_request.h"
#include "core/cli/train_request.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

namespace homebooth::core {
namespace {

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
        std::printf("%-18s %10s\n", "GPU, at the peak", byteSizeText(use.deviceBytes).c_str());
    std::printf("%-18s %10s\n", "RAM, at the peak", byteSizeText(use.ramBytes).c_str());
    if (plan.checkpointBytes > 0)
        std::printf("%-18s %10s\n", "a checkpoint", byteSizeText(plan.checkpointBytes).c_str());
    std::printf("\n");
    for (const std::string& line : plan.event.decisions) std::printf("- %s\n", line.c_str());
}

/// The plan's event with what only a plan knows: the peak by kind, and what will lie on the disk.
std::string fullPlanJson(const TrainPlan& plan) {
    auto json = nlohmann::ordered_json::parse(planJson(plan.event));
    const TierMemory& tier = plan.tier;
    json["peak"] = {{"parameterBytes", tier.parameterBytes}, {"gradientBytes", tier.gradientBytes},
                    {"stateBytes", tier.stateBytes},         {"activationBytes", tier.activationBytes},
                    {"workspaceBytes", tier.workspaceBytes}, {"cacheBytes", tier.cacheBytes}};
    json["checkpointBytes"] = plan.checkpointBytes;
    json["resultBytes"] = plan.resultBytes;
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

Result<TrainPlan> trainingPlan(TrainRequest& request) {
    request.onlyPlan();
    HOMEBOOTH_ASSIGN(TrainRequest::Ready ready, request.prepare({}));
    return std::move(ready.plan);
}

} // namespace

int runPlan(const Arguments& arguments) {
    const bool sampling = !arguments.empty() && arguments[0] == "sample";
    const bool named = sampling || (!arguments.empty() && arguments[0] == "train");
    CLI::App app(
        "Says what a run would need, without starting it: `plan [train] OPTIONS` with the options of\n"
        "train, `plan sample OPTIONS` with those of sample.",
        sampling ? "homebooth-engine plan sample" : "homebooth-engine plan");
    TrainRequest train;
    SampleRequest sample;
    if (sampling)
        sample.addTo(app);
    else
        train.addTo(app);
    bool json = false;
    app.add_flag("--json", json, "print the plan as JSON");
    if (const auto done =
            parseArguments(app, Arguments(arguments.begin() + (named ? 1 : 0), arguments.end())))
        return *done;
    const Result<TrainPlan> plan = sampling ? samplingPlan(sample) : trainingPlan(train);
    if (!plan) return fail("plan", plan.error());
    if (json)
        std::printf("%s\n", fullPlanJson(*plan).c_str());
    else
        printPlan(*plan);
    return kExitDone;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/run_charts.h"

#include "core/base/plan/training/train_plan.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/own_places.h"
#include "core/media/chart.h"
#include "core/media/picture_io.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// @param texts  they are learned, not pictures
Picture lossChart(const RunHistory& history, bool texts) {
    LineChart chart;
    chart.title = "Loss";
    chart.xLabel = "step";
    chart.yLabel = texts ? "loss (nats a token)" : "loss (mean square)";
    chart.smooth = true;
    ChartSeries series{"loss", {}, {}};
    for (const StepEvent& step : history.steps) {
        series.x.push_back(static_cast<double>(step.step));
        series.y.push_back(step.loss);
    }
    chart.series.push_back(std::move(series));
    if (!history.validation.empty()) {
        ChartSeries heldOut{texts ? "held-out texts" : "held-out pictures", {}, {}, true};
        for (const ValidationEvent& one : history.validation) {
            heldOut.x.push_back(static_cast<double>(one.step));
            heldOut.y.push_back(one.loss);
        }
        chart.series.push_back(std::move(heldOut));
    }
    return drawLineChart(chart);
}

/// Bytes of a kind in memory, on the device or not. A disk is none.
int64_t total(const MemoryEvent& event, int64_t TierMemory::*kind) {
    return event.device.*kind + event.ram.*kind;
}

/// What lies on the disk of --swap; nothing for a run without one.
void addDisk(StackedChart& chart, const RunHistory& history) {
    ChartSeries disk{"on the disk", {}, {}};
    double most = 0.0;
    for (const MemoryEvent& event : history.memory) {
        disk.y.push_back(static_cast<double>(totalBytes(event.swap)));
        most = std::max(most, disk.y.back());
    }
    if (most > 0.0) chart.beside.push_back(std::move(disk));
}

/// What the plan counts with, where all of this is RAM. Far above what is used it would press that flat.
void addBudget(StackedChart& chart, const RunHistory& history) {
    constexpr double kFar = 2.0;
    if (!history.plan) return;
    double used = 0.0;
    for (size_t step = 0; step < chart.x.size(); ++step) {
        double sum = 0.0;
        for (const ChartSeries& layer : chart.layers) sum += layer.y[step];
        used = std::max(used, sum);
    }
    for (const PlanDecision& one : history.plan->decisions) {
        const auto bytes = one.facts.find("ramBytes");
        if (one.code != "budget" || bytes == one.facts.end() || bytes->second > kFar * used) continue;
        chart.limitBytes = bytes->second;
        chart.limitName = "budget";
    }
}

Picture memoryChart(const RunHistory& history) {
    struct Kind {
        const char* name;
        int64_t TierMemory::*bytes;
    };
    // Named and in the order as in the window, whose colours layers have.
    constexpr Kind kKinds[] = {
        {"model", &TierMemory::parameterBytes},     {"optimizer", &TierMemory::stateBytes},
        {"gradients", &TierMemory::gradientBytes},  {"activations", &TierMemory::activationBytes},
        {"workspace", &TierMemory::workspaceBytes}, {"cache", &TierMemory::cacheBytes}};
    StackedChart chart;
    chart.title = "Memory by kind";
    chart.xLabel = "step";
    for (const MemoryEvent& event : history.memory) chart.x.push_back(static_cast<double>(event.step));
    for (const Kind& kind : kKinds) {
        ChartSeries layer{kind.name, {}, {}};
        for (const MemoryEvent& event : history.memory)
            layer.y.push_back(static_cast<double>(total(event, kind.bytes)));
        chart.layers.push_back(std::move(layer));
    }
    addDisk(chart, history);
    addBudget(chart, history);
    return drawStackedChart(chart);
}

} // namespace

Result<void> drawRunCharts(const RunFolder& run) {
    HOMEBOOTH_ASSIGN(const RunHistory history, readHistory(run.journalFile()));
    if (history.steps.empty()) return {}; // a run that never began leaves nothing behind
    const std::string folder = chartsDir(run);
    HOMEBOOTH_CHECK(makeOwnPlace(run, folder));
    const auto config = run.config();
    const bool texts = config && config->mode == TrainMode::Language;
    HOMEBOOTH_CHECK(writePng(folder + "/loss.png", lossChart(history, texts), {}));
    return writePng(folder + "/memory.png", memoryChart(history), {});
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/rank_exchange.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/training/step_time.h"
#include "core/engine/planning/rank_forecast.h"

#include <cstdio>
#include <string>

namespace homebooth::core {
namespace {

/// "1.2 GB/s, 0.15 ms a message"
std::string rateText(const RankLink& link) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3g GB/s, %.3g ms a message", link.bytesPerSecond / 1e9,
                  link.latencySeconds * 1e3);
    return text;
}

} // namespace

RankedStep stepOfRanks(const RankLink& link, const TrainConfig& config, const MachineSpeed& speed,
                       const StepPlan& plan) {
    // A link that was measured among all of them is one ring, wherever they are.
    const RankPlaces places{1, config.parallel.processes};
    const RankSchedule schedule = rankScheduleOf(config, plan, speed, config.parallel.zero);
    return simulateRanks(schedule, places, {link, link});
}

PlannedExchange exchangeOf(const NamedLink& link, const RankedStep& step) {
    return {link, step.waitedInsideSeconds + step.waitedBetweenSeconds, step.sentBytes};
}

void addExchange(const NamedLink& link, const TrainConfig& config, const MachineSpeed& speed,
                 StepPlan& plan) {
    const RankedStep step = stepOfRanks(link.link, config, speed, plan);
    plan.exchange = exchangeOf(link, step);
    plan.stepSeconds = step.seconds;
}

PlanDecision aboutExchange(const PlannedExchange& exchange, bool measured) {
    const RankLink& link = exchange.link.link;
    const bool known = link.bytesPerSecond > 0.0;
    const std::string waited =
        !known && !measured
            ? std::string("how long that takes is not known")
            : stepTimeText(exchange.waitedSeconds) +
                  (measured ? " of the first steps' time each was waited" : " of a step are waited") +
                  " for it, the rest goes on beside computing";
    return {"exchange: each process sends the others " + byteSizeText(exchange.sentBytes) + " in a step; " +
                waited + "; link: " + (known ? rateText(link) + ", " : std::string()) + exchange.link.name,
            "step-exchange",
            {{"waitedSeconds", exchange.waitedSeconds},
             {"sentBytes", static_cast<double>(exchange.sentBytes)},
             {"linkBytesPerSecond", link.bytesPerSecond},
             {"linkLatencySeconds", link.latencySeconds}}};
}

} // namespace homebooth::core

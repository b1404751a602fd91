// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/ranks/scaling_table.h"

#include "core/base/config/byte_size.h"

#include <cstdio>

namespace homebooth::core {
namespace {

constexpr const char* kNone = "-";

/// Links by their places in machineLinks and networkLinks; none: not above 0.
struct Joined {
    int inside = -1;
    int between = -1;
};

std::string nameAmong(const std::vector<NamedLink>& links, int place) {
    const auto index = static_cast<size_t>(place);
    return place >= 0 && index < links.size() ? links[index].name : kNone;
}

std::string wordOf(RankBound bound) {
    switch (bound) {
    case RankBound::Inside:
        return "link inside";
    case RankBound::Between:
        return "link between";
    case RankBound::Optimizer:
        return "optimizer";
    case RankBound::LeanerSteps:
        return "leaner steps";
    default:
        return "compute";
    }
}

std::string rowText(const ScaledTraining& training, const Joined& joined, const RankedStep& step,
                    double picturesPerSecond, double efficiency) {
    char share[32] = "-";
    if (training.lone.seconds > 0.0) std::snprintf(share, sizeof share, "%.1f %%", 100.0 * efficiency);
    const RankLoss loss = lossOf(step, training.lone);
    char row[200];
    std::snprintf(row, sizeof row, "%5d  %-13s %-9s %10.3g %12.4g %11s %11s  %s %.0f %%",
                  static_cast<int>(training.ranks), nameAmong(machineLinks(), joined.inside).c_str(),
                  nameAmong(networkLinks(), joined.between).c_str(), step.seconds, picturesPerSecond, share,
                  byteSizeText(step.sentBytes).c_str(), wordOf(loss.bound).c_str(), 100.0 * loss.share);
    return row;
}

PlanDecision rowOf(const ScaledTraining& training, const RankPlaces& places, const Joined& joined) {
    RankNetwork network;
    if (joined.inside >= 0) network.inside = machineLinks()[static_cast<size_t>(joined.inside)].link;
    if (joined.between >= 0) network.between = networkLinks()[static_cast<size_t>(joined.between)].link;
    const RankedStep step = simulateRanks(training.schedule, places, network);
    const double pictures = static_cast<double>(training.ranks * training.picturesOfRank);
    const double perSecond = step.seconds > 0.0 ? pictures / step.seconds : 0.0;
    const double efficiency = step.seconds > 0.0 ? training.lone.seconds / step.seconds : 0.0;
    const RankLoss loss = lossOf(step, training.lone);
    PlanDecision row{rowText(training, joined, step, perSecond, efficiency), kScalingRow, {}};
    row.facts = {{"ranks", static_cast<double>(training.ranks)},
                 {"machines", static_cast<double>(places.machines)},
                 {"insideLink", static_cast<double>(joined.inside)},
                 {"betweenLink", static_cast<double>(joined.between)},
                 {"stepSeconds", step.seconds},
                 {"computeSeconds", step.computeSeconds},
                 {"waitedInsideSeconds", step.waitedInsideSeconds},
                 {"waitedBetweenSeconds", step.waitedBetweenSeconds},
                 {"picturesPerSecond", perSecond},
                 {"sentBytes", static_cast<double>(step.sentBytes)},
                 {"bound", static_cast<double>(loss.bound)},
                 {"boundShare", loss.share}};
    if (training.lone.seconds > 0.0) row.facts["efficiency"] = efficiency;
    return row;
}

/// A figure that is the place of something in a list; -1 where it is none.
int placeIn(const PlanDecision& row, const char* fact) {
    const auto found = row.facts.find(fact);
    return found == row.facts.end() ? -1 : static_cast<int>(found->second);
}

} // namespace

const std::vector<int64_t>& scalingCounts() {
    static const std::vector<int64_t> counts = {1, 8, 64, 512};
    return counts;
}

std::vector<PlanDecision> scalingRows(const ScaledTraining& training) {
    const RankPlaces places = placesOf(training.ranks);
    std::vector<int> inside = {-1};
    std::vector<int> between = {-1};
    if (places.perMachine > 1) {
        inside.clear();
        for (size_t link = 0; link < machineLinks().size(); ++link) inside.push_back(static_cast<int>(link));
    }
    if (places.machines > 1) {
        between.clear();
        for (size_t link = 0; link < networkLinks().size(); ++link) between.push_back(static_cast<int>(link));
    }
    std::vector<PlanDecision> rows;
    for (const int one : inside)
        for (const int other : between) rows.push_back(rowOf(training, places, {one, other}));
    return rows;
}

PlanDecision scalingRefused(int64_t ranks, const std::string& why) {
    char row[16];
    std::snprintf(row, sizeof row, "%5d  ", static_cast<int>(ranks));
    return {row + why, kScalingRefused, {{"ranks", static_cast<double>(ranks)}}};
}

std::string scalingHead(const std::string& samples) {
    char head[200];
    std::snprintf(head, sizeof head, "%5s  %-13s %-9s %10s %12s %11s %11s  %s", "GPUs", "in a machine",
                  "between", "s a step", (samples + "/s").c_str(), "efficiency", "each sends", "bound by");
    return head;
}

std::map<std::string, std::string> scalingNames(const PlanDecision& row) {
    std::map<std::string, std::string> names;
    const int inside = placeIn(row, "insideLink");
    const int between = placeIn(row, "betweenLink");
    const int bound = placeIn(row, "bound");
    if (inside >= 0) names["inside"] = nameAmong(machineLinks(), inside);
    if (between >= 0) names["between"] = nameAmong(networkLinks(), between);
    if (bound >= 0) names["bound"] = wordOf(static_cast<RankBound>(bound));
    return names;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/pass_simulation.h"

#include <algorithm>

namespace homebooth::core {
namespace {

double transferSeconds(const SimulatedLink& link, int64_t bytes) {
    if (bytes <= 0 || link.bytesPerSecond <= 0.0) return 0.0;
    return link.latencySeconds + static_cast<double>(bytes) / link.bytesPerSecond;
}

} // namespace

SimulatedPass simulatePass(const ResidencyPlan& plan, const std::vector<SimulatedUse>& uses,
                           const std::vector<int64_t>& blockBytes, const SimulatedLink& link) {
    SimulatedPass pass;
    std::vector<double> arrival(plan.stays.size(), 0.0);
    size_t nextFetch = 0;
    double fetchedUntil = 0.0;
    double computedUntil = 0.0;
    double returnedUntil = 0.0;
    double updatedUntil = 0.0;
    const auto issue = [&](int use) {
        for (; nextFetch < plan.stays.size() && plan.stays[nextFetch].fetchAt <= use; ++nextFetch) {
            const Stay& stay = plan.stays[nextFetch];
            if (stay.permanent) continue; // it came in the first pass of all
            const int64_t bytes = blockBytes.at(static_cast<size_t>(stay.block));
            fetchedUntil = std::max(fetchedUntil, computedUntil) + transferSeconds(link, bytes);
            arrival[nextFetch] = fetchedUntil;
            pass.fetchedBytes += bytes;
        }
    };
    issue(-1);
    for (size_t use = 0; use < uses.size(); ++use) {
        issue(static_cast<int>(use));
        if (use < plan.stayOfUse.size()) {
            const double there = arrival[static_cast<size_t>(plan.stayOfUse[use])];
            pass.waitedSeconds += std::max(0.0, there - computedUntil);
            computedUntil = std::max(computedUntil, there);
        }
        computedUntil += uses[use].computeSeconds;
        pass.computeSeconds += uses[use].computeSeconds;
        pass.returnedBytes += uses[use].returnedBytes;
        returnedUntil =
            std::max(returnedUntil, computedUntil) + transferSeconds(link, uses[use].returnedBytes);
        updatedUntil = std::max(updatedUntil, returnedUntil) + uses[use].updateSeconds;
    }
    pass.seconds = std::max({computedUntil, returnedUntil, updatedUntil});
    return pass;
}

} // namespace homebooth::core

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
    const auto carry = [&](double& until, int64_t bytes) { // not before what is computed now
        return until = std::max(until, computedUntil) + transferSeconds(link, bytes);
    };
    const auto issue = [&](int use) {
        for (; nextFetch < plan.stays.size() && plan.stays[nextFetch].fetchAt <= use; ++nextFetch) {
            const Stay& stay = plan.stays[nextFetch];
            if (stay.permanent) continue; // it came in the first pass of all
            const int64_t bytes = blockBytes.at(static_cast<size_t>(stay.block));
            arrival[nextFetch] = carry(fetchedUntil, bytes);
            pass.fetchedBytes += bytes;
        }
    };
    double there = 0.0; // what the next use reads
    issue(-1);
    for (size_t use = 0; use < uses.size(); ++use) {
        const SimulatedUse& what = uses[use];
        issue(static_cast<int>(use));
        if (use < plan.stayOfUse.size())
            there = std::max(there, arrival[static_cast<size_t>(plan.stayOfUse[use])]);
        const double valuesOfNext = what.fetchedBytes > 0 ? carry(fetchedUntil, what.fetchedBytes) : 0.0;
        pass.waitedSeconds += std::max(0.0, there - computedUntil);
        computedUntil = std::max(computedUntil, there) + what.computeSeconds;
        there = valuesOfNext;
        pass.computeSeconds += what.computeSeconds;
        pass.returnedBytes += what.returnedBytes;
        updatedUntil = std::max(updatedUntil, carry(returnedUntil, what.returnedBytes + what.leftBytes)) +
                       what.updateSeconds;
    }
    pass.seconds = std::max({computedUntil, returnedUntil, updatedUntil});
    return pass;
}

} // namespace homebooth::core

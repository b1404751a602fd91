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

/// Moments until which what goes on at the same time is busy, seconds from the beginning.
struct Busy {
    SimulatedLink link;
    double computing = 0.0;
    double fetching = 0.0;
    double returning = 0.0;
    double updating = 0.0;

    /// A transfer on one way of the link, not before what is computed now. @returns  when it arrives
    double carry(double& way, int64_t bytes) const {
        return way = std::max(way, computing) + transferSeconds(link, bytes);
    }
    /// @returns  how long computing stands still
    double waitFor(double moment) {
        const double waited = std::max(0.0, moment - computing);
        computing += waited;
        return waited;
    }
};

/// Gradients of one use on their way to RAM, seconds from the beginning.
struct Leaving {
    int64_t bytes = 0;
    double begins = 0.0;
    double ends = 0.0;
};

/// @param sent  one behind the other. @returns  when no more than `room` bytes of them are left
double momentWithAtMost(const std::vector<Leaving>& sent, int64_t room) {
    int64_t behind = 0; // of those that leave later
    for (auto one = sent.rbegin(); one != sent.rend(); behind += one->bytes, ++one) {
        const int64_t excess = behind + one->bytes - room;
        if (excess <= 0) continue;
        const double part = static_cast<double>(excess) / static_cast<double>(one->bytes);
        return one->begins + (one->ends - one->begins) * part;
    }
    return 0.0;
}

/// Sends the gradients of a use behind those before, and lets the update follow.
void sendGradients(std::vector<Leaving>& all, const SimulatedUse& use, Busy& busy, SimulatedPass& pass) {
    if (use.returnedBytes == 0 && use.updateSeconds <= 0.0) return;
    pass.returnedBytes += use.returnedBytes;
    Leaving sent{use.returnedBytes, std::max(busy.returning, busy.computing), 0.0};
    const double home = busy.carry(busy.returning, use.returnedBytes);
    busy.updating = std::max(busy.updating, home) + use.updateSeconds;
    // What waits to be updated keeps the rest from landing.
    const double landed = busy.link.landingBytes > 0 && use.returnedBytes > 0
                              ? std::min(1.0, static_cast<double>(busy.link.landingBytes) /
                                                  static_cast<double>(use.returnedBytes))
                              : 1.0;
    sent.ends = landed < 1.0 ? std::max(home, busy.updating - landed * use.updateSeconds) : home;
    busy.returning = sent.ends;
    if (sent.bytes > 0) all.push_back(sent);
}

} // namespace

SimulatedPass simulatePass(const ResidencyPlan& plan, const std::vector<SimulatedUse>& uses,
                           const std::vector<int64_t>& blockBytes, const SimulatedLink& link) {
    SimulatedPass pass;
    Busy busy{link};
    std::vector<double> arrival(plan.stays.size(), 0.0);
    size_t nextFetch = 0;
    const auto issue = [&](int use) {
        for (; nextFetch < plan.stays.size() && plan.stays[nextFetch].fetchAt <= use; ++nextFetch) {
            const Stay& stay = plan.stays[nextFetch];
            if (stay.permanent) continue; // it came in the first pass of all
            const int64_t bytes = blockBytes.at(static_cast<size_t>(stay.block));
            arrival[nextFetch] = busy.carry(busy.fetching, bytes);
            pass.fetchedBytes += bytes;
        }
    };
    double there = 0.0; // what the next use reads
    double left = 0.0;  // values that the use before let go
    std::vector<Leaving> gradients;
    issue(-1);
    for (size_t use = 0; use < uses.size(); ++use) {
        const SimulatedUse& what = uses[use];
        const double valuesOfNext =
            what.fetchedBytes > 0 ? busy.carry(busy.fetching, what.fetchedBytes) : 0.0;
        issue(static_cast<int>(use));
        if (use < plan.stayOfUse.size() && plan.stayOfUse[use] >= 0)
            there = std::max(there, arrival[static_cast<size_t>(plan.stayOfUse[use])]);
        const double room = momentWithAtMost(gradients, what.gradientRoomBytes);
        pass.waitedSeconds += busy.waitFor(std::max(there, room));
        busy.computing += what.computeSeconds;
        pass.waitedSeconds += busy.waitFor(left); // their place on the device is needed
        there = valuesOfNext;
        left = what.leftBytes > 0 ? busy.carry(busy.returning, what.leftBytes) : 0.0;
        pass.computeSeconds += what.computeSeconds;
        sendGradients(gradients, what, busy, pass);
    }
    pass.seconds = std::max({busy.computing, busy.returning, busy.updating});
    return pass;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/pass_simulation.h"

#include <algorithm>
#include <optional>
#include <utility>

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
    double returning = 0.0; // the way
    double landing = 0.0;   // gradients on it: what waits in RAM keeps the next ones from it
    double updating = 0.0;  // in RAM
    double visited = 0.0;   // updating on the device, until what came for it is back

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

/// What one use leaves on the device until it has gone to RAM, seconds from the beginning.
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

/// Gradients that leave the device because of the one way to update or of the other.
struct BothWays {
    std::vector<Leaving> home;
    std::vector<Leaving> visited;
};

/// The same of both: the more of the one have left, the more of the other may stay.
double momentWithAtMost(const BothWays& sent, int64_t room) {
    if (sent.visited.empty()) return momentWithAtMost(sent.home, room);
    if (sent.home.empty()) return momentWithAtMost(sent.visited, room);
    int64_t most = 0; // of the first
    for (const Leaving& one : sent.home) most += one.bytes;
    most = std::min(most, room);
    const auto momentWith = [&](int64_t first) {
        return std::pair{momentWithAtMost(sent.home, first), momentWithAtMost(sent.visited, room - first)};
    };
    int64_t least = 0; // with which it is no later than the second
    while (least < most) {
        const int64_t middle = least + (most - least) / 2;
        const auto [home, visited] = momentWith(middle);
        if (home <= visited)
            most = middle;
        else
            least = middle + 1;
    }
    const auto laterWith = [&](int64_t first) {
        const auto [home, visited] = momentWith(first);
        return std::max(home, visited);
    };
    return least == 0 ? laterWith(0) : std::min(laterWith(least), laterWith(least - 1));
}

/// Has what the update of a use needs come and go in pieces. Gradients leave as their parameters do,
/// copies of parameters all at once when the last of them has.
void bringStates(std::vector<Leaving>& all, const SimulatedUse& use, Busy& busy) {
    const double there = busy.carry(busy.fetching, use.visitFetchedBytes);
    const double begins = std::max(busy.visited, busy.computing);
    const double back = std::max(busy.returning, begins) + transferSeconds(busy.link, use.visitReturnedBytes);
    static_cast<void>(busy.carry(busy.returning, use.visitReturnedBytes)); // others may go in between
    const double ends = std::max({there, begins + use.updateSeconds, back});
    if (use.returnedBytes > 0) all.push_back({use.returnedBytes, begins, ends});
    if (use.visitCopiedBytes > 0) all.push_back({use.visitCopiedBytes, ends, ends});
    busy.visited = ends;
}

/// Sends the gradients of a use behind those before, and lets the update follow.
void sendGradients(BothWays& all, const SimulatedUse& use, Busy& busy, SimulatedPass& pass) {
    if (use.visitReturnedBytes > 0) {
        bringStates(all.visited, use, busy);
        return;
    }
    if (use.returnedBytes == 0 && use.updateSeconds <= 0.0) return;
    pass.returnedBytes += use.returnedBytes;
    Leaving sent{use.returnedBytes, std::max({busy.returning, busy.landing, busy.computing}), 0.0};
    const double home = sent.begins + transferSeconds(busy.link, use.returnedBytes);
    static_cast<void>(busy.carry(busy.returning, use.returnedBytes));
    busy.updating = std::max(busy.updating, home) + use.updateSeconds;
    // What waits to be updated keeps the rest from landing.
    const double landed = busy.link.landingBytes > 0 && use.returnedBytes > 0
                              ? std::min(1.0, static_cast<double>(busy.link.landingBytes) /
                                                  static_cast<double>(use.returnedBytes))
                              : 1.0;
    sent.ends = landed < 1.0 ? std::max(home, busy.updating - landed * use.updateSeconds) : home;
    busy.landing = sent.ends;
    if (sent.bytes > 0) all.home.push_back(sent);
}

/// Passes one behind the other.
class Passes {
public:
    Passes(const ResidencyPlan& plan, const std::vector<SimulatedUse>& uses,
           const std::vector<int64_t>& blockBytes, const SimulatedLink& link)
        : m_plan(plan)
        , m_uses(uses)
        , m_blockBytes(blockBytes)
        , m_busy{link}
        , m_next(plan.stays.size()) {}

    /// @param followed  blocks that are final come for the next pass
    SimulatedPass run(bool followed) {
        SimulatedPass pass;
        const double begin = m_busy.computing;
        m_now = std::exchange(m_next, std::vector<std::optional<double>>(m_plan.stays.size()));
        m_nextFetch = 0;
        m_nextAhead = followed ? 0 : m_plan.stays.size();
        m_final.assign(m_blockBytes.size(), begin);
        m_gradients = {};
        double there = 0.0; // what the next use reads
        double left = 0.0;  // values that the use before let go
        issueUntil(-1, pass);
        for (size_t use = 0; use < m_uses.size(); ++use) {
            const SimulatedUse& what = m_uses[use];
            const double valuesOfNext =
                what.fetchedBytes > 0 ? m_busy.carry(m_busy.fetching, what.fetchedBytes) : 0.0;
            issueUntil(static_cast<int>(use), pass);
            issueForNextPass(static_cast<int>(use));
            const int stay = use < m_plan.stayOfUse.size() ? m_plan.stayOfUse[use] : -1;
            if (stay >= 0) there = std::max(there, m_now[static_cast<size_t>(stay)].value_or(0.0));
            const double room = momentWithAtMost(m_gradients, what.gradientRoomBytes);
            pass.waitedSeconds += m_busy.waitFor(std::max(there, room));
            m_busy.computing += what.computeSeconds;
            pass.waitedSeconds += m_busy.waitFor(left); // their place on the device is needed
            there = valuesOfNext;
            left = what.leftBytes > 0 ? m_busy.carry(m_busy.returning, what.leftBytes) : 0.0;
            pass.computeSeconds += what.computeSeconds;
            sendGradients(m_gradients, what, m_busy, pass);
            if (stay >= 0 && (what.returnedBytes > 0 || what.updateSeconds > 0.0))
                m_final[static_cast<size_t>(m_plan.stays[static_cast<size_t>(stay)].block)] =
                    what.visitReturnedBytes > 0 ? m_busy.visited : m_busy.updating;
        }
        // The next one begins when all is done.
        m_busy.computing =
            std::max({m_busy.computing, m_busy.returning, m_busy.landing, m_busy.updating, m_busy.visited});
        pass.seconds = m_busy.computing - begin;
        return pass;
    }

private:
    double fetch(const Stay& stay) {
        return m_busy.carry(m_busy.fetching, m_blockBytes.at(static_cast<size_t>(stay.block)));
    }
    void issueUntil(int use, SimulatedPass& pass) {
        for (; m_nextFetch < m_plan.stays.size() && m_plan.stays[m_nextFetch].fetchAt <= use; ++m_nextFetch) {
            const Stay& stay = m_plan.stays[m_nextFetch];
            if (stay.permanent) continue; // it came in the first pass of all
            if (!m_now[m_nextFetch]) m_now[m_nextFetch] = fetch(stay);
            pass.fetchedBytes += m_blockBytes.at(static_cast<size_t>(stay.block));
        }
    }
    void issueForNextPass(int use) {
        for (; m_nextAhead < m_plan.stays.size(); ++m_nextAhead) {
            const Stay& stay = m_plan.stays[m_nextAhead];
            if (stay.permanent) continue;
            const std::optional<int> due = stay.fetchInPassBefore(static_cast<int>(m_uses.size()));
            const bool isFinal = m_final[static_cast<size_t>(stay.block)] <= m_busy.computing;
            if (!due || *due > use || !isFinal) return;
            m_next[m_nextAhead] = fetch(stay);
        }
    }

    const ResidencyPlan& m_plan;
    const std::vector<SimulatedUse>& m_uses;
    const std::vector<int64_t>& m_blockBytes;
    Busy m_busy;
    std::vector<std::optional<double>> m_now;  // by stay: when it is there; none: not yet asked for
    std::vector<std::optional<double>> m_next; // the same in the next pass
    std::vector<double> m_final;               // by block: when its home changes no more
    BothWays m_gradients;
    size_t m_nextFetch = 0;
    size_t m_nextAhead = 0;
};

} // namespace

SimulatedPass simulatePass(const ResidencyPlan& plan, const std::vector<SimulatedUse>& uses,
                           const std::vector<int64_t>& blockBytes, const SimulatedLink& link, bool inARow) {
    const bool fetchesAhead = inARow && std::any_of(plan.stays.begin(), plan.stays.end(),
                                                    [](const Stay& stay) { return stay.fetchAt < -1; });
    Passes passes(plan, uses, blockBytes, link);
    if (fetchesAhead) static_cast<void>(passes.run(true));
    return passes.run(fetchesAhead);
}

} // namespace homebooth::core

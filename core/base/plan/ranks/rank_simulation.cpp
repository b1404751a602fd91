// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/ranks/rank_simulation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace homebooth::core {
namespace {

/// Collectives one after another, seconds from the step's beginning.
class Lane {
public:
    /// @param between  it goes over the links between machines
    void carry(double asked, double seconds, bool between) {
        if (seconds <= 0.0) return;
        const double begins = std::max(m_free, asked);
        m_free = begins + seconds;
        m_stretches.push_back({begins, m_free, between});
    }
    [[nodiscard]] double freeAt() const { return m_free; }

    /// Of a time in which it was busy all the while, what went over one kind of link.
    [[nodiscard]] double busyWith(double from, double to, bool between) const {
        double seconds = 0.0;
        for (auto one = m_stretches.rbegin(); one != m_stretches.rend() && one->ends > from; ++one)
            if (one->between == between)
                seconds += std::max(0.0, std::min(one->ends, to) - std::max(one->begins, from));
        return seconds;
    }

private:
    struct Stretch {
        double begins = 0.0;
        double ends = 0.0;
        bool between = false;
    };
    std::vector<Stretch> m_stretches;
    double m_free = 0.0;
};

class RankedPass {
public:
    RankedPass(const RankSchedule& schedule, const RankPlaces& places, const RankNetwork& network)
        : m_schedule(schedule)
        , m_places(places)
        , m_network(network)
        , m_spreads(schedule.zero > 2 && places.count() > 1) {}

    RankedStep run() {
        for (int64_t micro = 1; micro <= m_schedule.microSteps; ++micro) {
            m_isLast = micro == m_schedule.microSteps;
            pass();
        }
        if (m_schedule.updatesAtEnd)
            for (const RankedBlock& turn : m_schedule.turns) update(turn);
        if (m_schedule.zero == 1 || m_schedule.zero == 2)
            for (const RankedBlock& turn : m_schedule.turns) waitFor(gathered(turn.trainedBytes));
        m_step.seconds = m_now;
        return m_step;
    }

private:
    struct Bucket {
        const RankedBlock* turn = nullptr;
        double arrives = 0.0;
    };

    void pass() {
        const auto& turns = m_schedule.turns;
        const size_t count = turns.size();
        m_asked.reset();
        for (size_t use = 0; use < 2 * count; ++use) {
            const bool forward = use < count;
            const RankedBlock& turn = turns[blockOf(use)];
            if (m_spreads) acquire(use);
            compute(forward ? turn.forwardSeconds : turn.backwardSeconds);
            if (!forward && turn.trainedBytes > 0) send(turn);
        }
        if (m_flying) handOn(*m_flying);
        m_flying.reset();
    }

    [[nodiscard]] size_t blockOf(size_t use) const {
        const size_t count = m_schedule.turns.size();
        return use < count ? use : 2 * count - 1 - use;
    }

    /// Waits for the other ranks' parts of a block and asks for those of the next; the block at the turn from
    /// forward to backward stays.
    void acquire(size_t use) {
        const size_t count = m_schedule.turns.size();
        const bool stayed = use == count;
        if (!stayed && !m_asked) m_asked = gathered(m_schedule.turns[blockOf(use)].parameterBytes);
        if (!stayed) waitFor(*m_asked);
        m_asked.reset();
        if (use + 1 == 2 * count || use + 1 == count) return;
        m_asked = gathered(m_schedule.turns[blockOf(use + 1)].parameterBytes);
    }

    void send(const RankedBlock& turn) {
        const Bucket filled{&turn, summed(turn.trainedBytes)};
        if (m_flying) handOn(*m_flying);
        m_flying = filled;
    }

    void handOn(const Bucket& bucket) {
        waitFor(bucket.arrives);
        if (m_isLast && !m_schedule.updatesAtEnd) update(*bucket.turn);
    }

    void update(const RankedBlock& turn) {
        const double ranks = m_schedule.zero > 0 ? static_cast<double>(m_places.count()) : 1.0;
        compute(turn.updateSeconds / ranks);
        m_step.updateSeconds += turn.updateSeconds / ranks;
    }

    /// Asks for a sum over the ranks. @returns  when it is there
    double summed(int64_t bytes) {
        const CollectiveCost cost = collectiveCost(bytes, m_places, m_network);
        m_step.sentBytes += cost.sentBytes;
        m_lane.carry(m_now, cost.insideSeconds, false);
        m_lane.carry(m_now, cost.betweenSeconds, true);
        return m_schedule.zero > 0 ? arrival(cost) : gathered(bytes);
    }

    /// Asks for the parts of all ranks. @returns  when they are there
    double gathered(int64_t bytes) {
        const CollectiveCost cost = collectiveCost(bytes, m_places, m_network);
        m_step.sentBytes += cost.sentBytes;
        m_lane.carry(m_now, cost.betweenSeconds, true);
        m_lane.carry(m_now, cost.insideSeconds, false);
        return arrival(cost);
    }

    [[nodiscard]] double arrival(const CollectiveCost& cost) const {
        return cost.insideSeconds + cost.betweenSeconds > 0.0 ? m_lane.freeAt() : m_now;
    }

    void compute(double seconds) {
        m_now += seconds;
        m_step.computeSeconds += seconds;
    }

    void waitFor(double moment) {
        if (moment <= m_now) return;
        const double between = m_lane.busyWith(m_now, moment, true);
        m_step.waitedBetweenSeconds += between;
        m_step.waitedInsideSeconds += moment - m_now - between;
        m_now = moment;
    }

    const RankSchedule& m_schedule;
    RankPlaces m_places;
    RankNetwork m_network;
    bool m_spreads;
    bool m_isLast = false;
    Lane m_lane;
    std::optional<double> m_asked; // when the next block is there
    std::optional<Bucket> m_flying;
    double m_now = 0.0;
    RankedStep m_step;
};

} // namespace

RankedStep simulateRanks(const RankSchedule& schedule, const RankPlaces& places, const RankNetwork& network) {
    return RankedPass(schedule, places, network).run();
}

RankLoss lossOf(const RankedStep& step, const LoneStep& lone) {
    constexpr double kHardlyLost = 0.1;
    if (step.seconds <= 0.0) return {};
    const bool known = lone.seconds > 0.0;
    const double blocks = step.computeSeconds - step.updateSeconds;
    const std::array<std::pair<RankBound, double>, 4> losses{
        {{RankBound::Inside, step.waitedInsideSeconds},
         {RankBound::Between, step.waitedBetweenSeconds},
         {RankBound::Optimizer, known ? step.updateSeconds - lone.updateSeconds : 0.0},
         {RankBound::LeanerSteps, known ? blocks - (lone.seconds - lone.updateSeconds) : 0.0}}};
    const double efficiency = (known ? lone.seconds : step.computeSeconds) / step.seconds;
    if (efficiency >= 1.0 - kHardlyLost) return {RankBound::Compute, step.computeSeconds / step.seconds};
    const auto* most = std::max_element(losses.begin(), losses.end(), [](const auto& one, const auto& other) {
        return one.second < other.second;
    });
    return {most->first, most->second / step.seconds};
}

} // namespace homebooth::core

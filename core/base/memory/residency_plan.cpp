// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/residency_plan.h"

#include "core/base/config/byte_size.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace homebooth::core {
namespace {

constexpr int kBeforeAll = -1; // the moment before the first use

/// Neighbouring uses of the same block, the shortest gaps first.
std::vector<std::pair<int, int>> neighbouringUses(const std::vector<int>& order) {
    std::vector<std::pair<int, int>> pairs;
    for (size_t use = 0; use < order.size(); ++use) {
        const auto next =
            std::find(order.begin() + static_cast<std::ptrdiff_t>(use) + 1, order.end(), order[use]);
        if (next != order.end())
            pairs.emplace_back(static_cast<int>(use), static_cast<int>(next - order.begin()));
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.second - a.first < b.second - b.first; });
    return pairs;
}

/// Builds stays use by use, joins them, and gives them addresses.
class Planner {
public:
    explicit Planner(const ResidencyRequest& request)
        : m_request(request)
        , m_budgetBytes(request.budgetBytes) {
        for (int use = 0; use < uses(); ++use) {
            m_stays.push_back({m_request.order[use], fetchAt(use), use, use});
            m_stayOfUse.push_back(use);
        }
        for (const auto& [first, second] : neighbouringUses(request.order))
            if (fetchAt(second) <= first) unite(m_stayOfUse[first], m_stayOfUse[second]);
    }

    /// Gives addresses to all stays. @returns the arena's size
    int64_t assignAddresses() {
        std::vector<int> byStart = liveStays();
        // Long stays first, so that short ones fill what is left between them.
        std::stable_sort(byStart.begin(), byStart.end(), [&](int a, int b) { return length(a) > length(b); });
        int64_t arena = 0;
        std::vector<int> placed;
        for (const int stay : byStart) {
            m_stays[stay].offsetBytes = lowestGap(stay, placed);
            arena = std::max(arena, m_stays[stay].offsetBytes + bytes(stay));
            placed.push_back(stay);
        }
        return arena;
    }

    /// Makes a block that never changes stay for good, if the arena then fits.
    void keepForGood(int block) {
        const std::vector<Stay> before = m_stays;
        const std::vector<int> usesBefore = m_stayOfUse;
        std::optional<int> kept;
        for (int use = 0; use < uses(); ++use) {
            if (m_request.order[use] != block) continue;
            if (!kept) {
                kept = m_stayOfUse[use];
                m_stays[*kept] = {block, -1, 0, uses() - 1, 0, true};
            } else if (m_stayOfUse[use] != *kept) {
                m_stays[m_stayOfUse[use]].block = -1;
                m_stayOfUse[use] = *kept;
            }
        }
        keepIfItFits(before, usesBefore);
    }

    /// Joins the stays of two uses of one block, if the arena then fits.
    void join(int firstUse, int secondUse) {
        const int first = m_stayOfUse[firstUse];
        const int second = m_stayOfUse[secondUse];
        if (first == second) return;
        const std::vector<Stay> before = m_stays;
        const std::vector<int> usesBefore = m_stayOfUse;
        unite(first, second);
        keepIfItFits(before, usesBefore);
    }

    /// Gives addresses in the order of uses, so that what leaves makes room for what comes next: first to
    /// what is used more than once, then to the second half of the pass, whose end the beginning of the next
    /// one has to leave room for, then to the first half. Fetches are issued as soon as the addresses are
    /// free.
    /// @param budgetBytes  of the arena, more than what was filled
    /// @returns            whether all of them found one; if not, this planner is of no more use
    bool fetchAsSoonAsPossible(int64_t budgetBytes) {
        m_budgetBytes = budgetBytes;
        std::vector<int> byUse = liveStays();
        std::stable_sort(byUse.begin(), byUse.end(),
                         [this](int a, int b) { return m_stays[a].firstUse < m_stays[b].firstUse; });
        const auto isOnce = [this](int stay) { return m_stays[stay].firstUse == m_stays[stay].lastUse; };
        const auto isLate = [this](int stay) { return m_stays[stay].firstUse >= uses() / 2; };
        std::vector<int> placed;
        const auto place = [&](int stay) {
            m_stays[stay].offsetBytes = lowestGap(stay, placed);
            placed.push_back(stay);
            return m_stays[stay].offsetBytes + bytes(stay) <= m_budgetBytes;
        };
        std::vector<int> longest = byUse;
        std::stable_sort(longest.begin(), longest.end(), [&](int a, int b) { return length(a) > length(b); });
        for (const int stay : longest)
            if (!isOnce(stay) && !place(stay)) return false;
        for (const int stay : byUse)
            if (isOnce(stay) && isLate(stay) && !place(stay)) return false;
        Forward forward(*this, byUse);
        for (const int stay : byUse) {
            if (isOnce(stay) && !isLate(stay) && !place(stay)) return false;
            forward.move(stay, placed);
        }
        return true;
    }

    [[nodiscard]] ResidencyPlan finished() {
        ResidencyPlan plan;
        std::vector<int> live = liveStays();
        std::stable_sort(live.begin(), live.end(), [&](int a, int b) {
            return std::pair(!m_stays[a].permanent, m_stays[a].fetchAt) <
                   std::pair(!m_stays[b].permanent, m_stays[b].fetchAt);
        });
        std::vector<int> newIndex(m_stays.size(), -1);
        for (const int stay : live) {
            newIndex[stay] = static_cast<int>(plan.stays.size());
            plan.stays.push_back(m_stays[stay]);
            plan.arenaBytes = std::max(plan.arenaBytes, m_stays[stay].offsetBytes + bytes(stay));
            if (!m_stays[stay].permanent) plan.fetchedBytes += bytes(stay);
        }
        for (const int stay : m_stayOfUse) plan.stayOfUse.push_back(newIndex[stay]);
        return plan;
    }

    /// Most bytes that are wanted at one time, whatever their addresses.
    [[nodiscard]] int64_t peakBytes() const {
        int64_t peak = 0;
        for (int use = -1; use < uses(); ++use) {
            int64_t sum = 0;
            for (const int stay : liveStays())
                if (m_stays[stay].fetchAt <= use && use <= m_stays[stay].lastUse) sum += bytes(stay);
            peak = std::max(peak, sum);
        }
        return peak;
    }

private:
    [[nodiscard]] int uses() const { return static_cast<int>(m_request.order.size()); }
    [[nodiscard]] int64_t bytes(int stay) const { return m_request.blockBytes[m_stays[stay].block]; }
    [[nodiscard]] int length(int stay) const { return m_stays[stay].lastUse - m_stays[stay].fetchAt; }
    [[nodiscard]] int fetchAt(int use) const {
        return std::max(kBeforeAll, use - m_request.prefetchDistance);
    }

    /// Whether both are there at the same time of a pass that goes on again and again.
    [[nodiscard]] bool meet(const Stay& a, const Stay& b) const {
        const auto inThePassBefore = [this](const Stay& early, const Stay& other) {
            const std::optional<int> due = early.fetchInPassBefore(uses());
            return due && *due <= other.lastUse;
        };
        const bool apart = a.lastUse < b.fetchAt || b.lastUse < a.fetchAt;
        return !apart || inThePassBefore(a, b) || inThePassBefore(b, a);
    }

    /// Moves fetches forward, in the order of first uses.
    class Forward {
    public:
        Forward(Planner& planner, const std::vector<int>& stays)
            : m_planner(planner)
            , m_after(planner.m_request.blockBytes.size(), 0)
            , m_left(m_after.size())
            , m_turn(-planner.uses() - 1) {
            for (const int stay : stays) {
                const Stay& what = planner.m_stays[stay];
                m_after[what.block] = std::max(m_after[what.block], what.lastUse + 1);
            }
        }
        void move(int stay, const std::vector<int>& placed) {
            Stay& what = m_planner.m_stays[stay];
            if (what.permanent) return;
            const int alone = m_left[what.block].value_or(m_after[what.block] - m_planner.uses() - 1);
            m_planner.moveForward(stay, std::max(m_turn, alone), placed);
            // What is still in use in the pass before holds up nobody but itself.
            if (what.fetchAt > alone) m_turn = std::max(m_turn, what.fetchAt);
            m_left[what.block] = what.lastUse + 1;
        }

    private:
        Planner& m_planner;
        std::vector<int> m_after;               // by block: the use after its last one
        std::vector<std::optional<int>> m_left; // by block: the same in this pass, up to now
        int m_turn;                             // nothing comes before what is needed sooner
    };

    /// Has a stay begin as soon as it finds a place among those, from `soonest` on.
    void moveForward(int stay, int soonest, std::vector<int> others) {
        others.erase(std::find(others.begin(), others.end(), stay));
        Stay best = m_stays[stay];
        while (soonest < best.fetchAt) { // what has room earlier has room later
            const int between = soonest + (best.fetchAt - soonest - 1) / 2;
            m_stays[stay].fetchAt = between;
            m_stays[stay].offsetBytes = lowestGap(stay, others);
            if (m_stays[stay].offsetBytes + bytes(stay) <= m_budgetBytes)
                best = m_stays[stay];
            else
                soonest = between + 1;
        }
        m_stays[stay] = best;
    }

    [[nodiscard]] std::vector<int> liveStays() const {
        std::vector<int> live;
        for (size_t stay = 0; stay < m_stays.size(); ++stay)
            if (m_stays[stay].block >= 0) live.push_back(static_cast<int>(stay));
        return live;
    }

    /// One block cannot be fetched while it is there: such stays are one.
    void unite(int first, int second) {
        if (first == second) return;
        m_stays[first].lastUse = std::max(m_stays[first].lastUse, m_stays[second].lastUse);
        m_stays[second].block = -1;
        std::replace(m_stayOfUse.begin(), m_stayOfUse.end(), second, first);
    }

    /// The lowest address at which a stay meets none of the placed ones.
    [[nodiscard]] int64_t lowestGap(int stay, const std::vector<int>& placed) const {
        std::vector<std::pair<int64_t, int64_t>> taken;
        for (const int other : placed) {
            if (meet(m_stays[other], m_stays[stay]))
                taken.emplace_back(m_stays[other].offsetBytes, bytes(other));
        }
        std::sort(taken.begin(), taken.end());
        int64_t offset = 0;
        for (const auto& [begin, size] : taken) {
            if (begin - offset >= bytes(stay)) break;
            offset = std::max(offset, begin + size);
        }
        return offset;
    }

    void keepIfItFits(const std::vector<Stay>& staysBefore, const std::vector<int>& usesBefore) {
        if (peakBytes() <= m_budgetBytes && assignAddresses() <= m_budgetBytes) return;
        m_stays = staysBefore;
        m_stayOfUse = usesBefore;
    }

    const ResidencyRequest& m_request;
    int64_t m_budgetBytes;
    std::vector<Stay> m_stays; // block -1: joined with another one
    std::vector<int> m_stayOfUse;
};

/// Blocks that never change, those with the most fetches saved for their bytes first.
std::vector<int> permanentCandidates(const ResidencyRequest& request) {
    std::vector<int64_t> count(request.blockBytes.size(), 0);
    for (const int block : request.order) ++count[block];
    std::vector<int> blocks;
    for (size_t block = 0; block < count.size(); ++block)
        if (count[block] > 0 && !request.writable[block]) blocks.push_back(static_cast<int>(block));
    std::stable_sort(blocks.begin(), blocks.end(), [&](int a, int b) { return count[a] > count[b]; });
    return blocks;
}

/// Keeps and joins what the budget has room for.
void fill(Planner& planner, const ResidencyRequest& request) {
    for (const int block : permanentCandidates(request)) planner.keepForGood(block);
    for (const auto& [first, second] : neighbouringUses(request.order)) planner.join(first, second);
}

/// Has blocks come as soon as there is room, which keeping and joining leave some of. None where addresses
/// cannot be found for that.
std::optional<ResidencyPlan> planAsSoonAsPossible(const ResidencyRequest& request) {
    constexpr int kFilledFirst = 75; // of the budget, in percent; SD 1.5 over a slow link waits least with it
    constexpr int kFilledLast = 35;
    constexpr int kStep = 10;
    ResidencyRequest filled = request;
    filled.prefetchDistance = std::min(request.prefetchDistance, 1); // the rest is what there is room for
    for (int percent = kFilledFirst; percent >= kFilledLast; percent -= kStep) {
        filled.budgetBytes = request.budgetBytes / 100 * percent;
        Planner planner(filled);
        if (planner.assignAddresses() > filled.budgetBytes) return std::nullopt;
        fill(planner, filled);
        if (planner.fetchAsSoonAsPossible(request.budgetBytes)) return planner.finished();
    }
    return std::nullopt;
}

} // namespace

int64_t leastArenaBytes(const ResidencyRequest& request, int prefetchDistance) {
    ResidencyRequest least = request;
    least.prefetchDistance = prefetchDistance;
    return Planner(least).assignAddresses();
}

Result<ResidencyPlan> planResidency(const ResidencyRequest& request) {
    if (request.asSoonAsPossible)
        if (auto plan = planAsSoonAsPossible(request)) return std::move(*plan);
    for (ResidencyRequest attempt = request; attempt.prefetchDistance >= 0; --attempt.prefetchDistance) {
        Planner planner(attempt);
        if (planner.assignAddresses() > attempt.budgetBytes) continue;
        fill(planner, attempt);
        static_cast<void>(planner.assignAddresses());
        return planner.finished();
    }
    return Error{ErrorCode::OutOfResources,
                 "parameters need at least " + byteSizeText(leastArenaBytes(request)) +
                     " on the device for the largest block, and " + byteSizeText(request.budgetBytes) +
                     " are left for them; allow more memory",
                 {}};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/fitting_search.h"

#include <algorithm>
#include <map>
#include <utility>

namespace homebooth::core {
namespace {

constexpr double kWorthWalking = 0.995; // times the best time so far

/// One search: what sums know by now, and the best choice so far.
class Search {
public:
    Search(std::vector<KeptNode> nodes, int64_t budgetBytes, const WalkChoice& walk)
        : m_nodes(std::move(nodes))
        , m_budgetBytes(budgetBytes)
        , m_sumBytes(budgetBytes)
        , m_walk(walk) {}

    Result<std::optional<KeptChoice>> run() {
        for (auto next = promising(); next; next = promising()) {
            if (const auto known = m_walked.find(next->option); known != m_walked.end()) {
                m_onlyRising = true;
                enter(known->first, known->second);
                leaveRoomOutside(evaluateKept(m_nodes, known->first).peakBytes, known->second.peakBytes);
            } else if (static_cast<int>(m_walked.size()) == kMostWalks) {
                break;
            } else {
                HOMEBOOTH_CHECK(follow(*next));
            }
        }
        return std::move(m_best);
    }

private:
    /// What sums take for the fastest choice that fits, if it is clearly faster than the best one.
    [[nodiscard]] std::optional<KeptChoice> promising() const {
        auto found = searchKept(m_nodes, m_sumBytes);
        if (!found || (m_best && found->seconds >= kWorthWalking * m_best->seconds)) return std::nullopt;
        return std::move(*found);
    }

    /// What lies outside of all turns is in no sum. A choice that did not fit, though its sum does, says how
    /// much it is.
    void leaveRoomOutside(int64_t sumBytes, int64_t peakBytes) {
        if (sumBytes <= m_sumBytes) m_sumBytes = m_budgetBytes - (peakBytes - sumBytes);
    }

    Result<void> follow(const KeptChoice& choice) {
        HOMEBOOTH_ASSIGN(const WalkedChoice walked, m_walk(choice));
        if (walked.peakBytes <= m_budgetBytes) {
            m_best = choice; // only what is faster is walked
            m_best->peakBytes = walked.peakBytes;
        }
        enter(m_walked.emplace(choice.option, walked).first->first, walked);
        return {};
    }

    void enter(const std::vector<size_t>& option, const WalkedChoice& walked) {
        for (size_t node = 0; node < m_nodes.size(); ++node)
            enter(m_nodes[node].options[option[node]], walked.taken[node]);
    }

    void enter(KeptOption& known, const KeptOption& taken) const {
        const auto entered = [&](int64_t before, int64_t now) {
            return m_onlyRising ? std::max(before, now) : now;
        };
        known.keptBytes = entered(known.keptBytes, taken.keptBytes);
        known.forwardBytes = entered(known.forwardBytes, taken.forwardBytes);
        known.backwardBytes = entered(known.backwardBytes, taken.backwardBytes);
    }

    std::vector<KeptNode> m_nodes;
    int64_t m_budgetBytes;
    int64_t m_sumBytes; // of the budget, what sums may take
    const WalkChoice& m_walk;
    std::map<std::vector<size_t>, WalkedChoice> m_walked; // by options
    std::optional<KeptChoice> m_best;
    bool m_onlyRising = false;
};

} // namespace

Result<std::optional<KeptChoice>> searchFitting(std::vector<KeptNode> nodes, int64_t budgetBytes,
                                                const WalkChoice& walk) {
    return Search(std::move(nodes), budgetBytes, walk).run();
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/kept_search.h"

#include "core/base/config/byte_size.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace homebooth::core {
namespace {

/// Sums of kept bytes are told apart in this many steps of the budget.
constexpr int64_t kSteps = 8192;
constexpr double kNever = std::numeric_limits<double>::infinity();

int64_t peakOf(const KeptNode& node, const KeptOption& option, int64_t keptBefore) {
    return std::max(node.forwardBaseBytes + keptBefore + option.forwardBytes,
                    node.backwardBaseBytes + keptBefore + option.keptBytes + option.backwardBytes);
}

/// The table of the search: the least time to get through the first nodes with a given sum kept.
class Table {
public:
    Table(const std::vector<KeptNode>& nodes, int64_t budgetBytes)
        : m_nodes(nodes)
        , m_budgetBytes(budgetBytes)
        , m_stepBytes(std::max<int64_t>(1, (budgetBytes + kSteps - 1) / kSteps)) {
        std::vector<double> seconds(kSteps + 1, kNever);
        seconds.front() = 0.0;
        for (const KeptNode& node : nodes) seconds = behind(node, seconds);
        const auto best = std::min_element(seconds.begin(), seconds.end());
        if (*best < kNever) m_end = best - seconds.begin();
    }

    /// The options on the way to the best end; none if nothing fits.
    [[nodiscard]] std::optional<std::vector<size_t>> options() const {
        if (!m_end) return std::nullopt;
        std::vector<size_t> chosen(m_nodes.size());
        int64_t sum = *m_end;
        for (size_t node = m_nodes.size(); node-- > 0;) {
            const Move& move = m_moves[node][static_cast<size_t>(sum)];
            chosen[node] = move.option;
            sum = move.from;
        }
        return chosen;
    }

private:
    struct Move {
        size_t option = 0;
        int64_t from = 0;
    };

    /// Takes all options of a node from every sum that can be reached.
    std::vector<double> behind(const KeptNode& node, const std::vector<double>& before) {
        std::vector<double> after(before.size(), kNever);
        std::vector<Move>& moves = m_moves.emplace_back(before.size());
        for (int64_t sum = 0; sum <= kSteps; ++sum) {
            if (before[static_cast<size_t>(sum)] == kNever) continue;
            for (size_t index = 0; index < node.options.size(); ++index) {
                const KeptOption& option = node.options[index];
                if (peakOf(node, option, sum * m_stepBytes) > m_budgetBytes) continue;
                // Rounded up, so that the true sum is never above what the table knows.
                const int64_t steps =
                    (std::max<int64_t>(option.keptBytes, 0) + m_stepBytes - 1) / m_stepBytes;
                const int64_t next = sum + steps;
                if (next > kSteps) continue;
                const double seconds = before[static_cast<size_t>(sum)] + option.seconds;
                if (seconds >= after[static_cast<size_t>(next)]) continue;
                after[static_cast<size_t>(next)] = seconds;
                moves[static_cast<size_t>(next)] = {index, sum};
            }
        }
        return after;
    }

    const std::vector<KeptNode>& m_nodes;
    int64_t m_budgetBytes;
    int64_t m_stepBytes;
    std::vector<std::vector<Move>> m_moves; // [node][sum behind it]
    std::optional<int64_t> m_end;
};

/// The choice that keeps least at every node.
std::vector<size_t> leanest(const std::vector<KeptNode>& nodes) {
    std::vector<size_t> options;
    for (const KeptNode& node : nodes) {
        const auto least = std::min_element(
            node.options.begin(), node.options.end(),
            [](const KeptOption& a, const KeptOption& b) { return a.keptBytes < b.keptBytes; });
        options.push_back(static_cast<size_t>(least - node.options.begin()));
    }
    return options;
}

} // namespace

KeptChoice evaluateKept(const std::vector<KeptNode>& nodes, std::vector<size_t> option) {
    KeptChoice choice{std::move(option), 0, 0.0};
    int64_t kept = 0;
    for (size_t node = 0; node < nodes.size(); ++node) {
        const KeptOption& taken = nodes[node].options.at(choice.option[node]);
        choice.peakBytes = std::max(choice.peakBytes, peakOf(nodes[node], taken, kept));
        choice.seconds += taken.seconds;
        kept += taken.keptBytes;
    }
    return choice;
}

Result<KeptChoice> searchKept(const std::vector<KeptNode>& nodes, int64_t budgetBytes) {
    const Table table(nodes, budgetBytes);
    if (auto options = table.options()) return evaluateKept(nodes, std::move(*options));
    KeptChoice least = evaluateKept(nodes, leanest(nodes));
    if (least.peakBytes <= budgetBytes) return least; // all but the rounding of the table
    return Error{ErrorCode::OutOfResources,
                 "a training step needs at least " + byteSizeText(least.peakBytes) + ", and " +
                     byteSizeText(budgetBytes) +
                     " may be used; allow more memory, or lower the resolution or the batch",
                 {}};
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/kept_search.h"

#include "core/base/config/byte_size.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace homebooth::core {
namespace {

constexpr int64_t kMostWays = 8192; // behind a node

int64_t peakOf(const KeptNode& node, const KeptOption& option, int64_t keptBefore) {
    return std::max(node.forwardBaseBytes + keptBefore + option.forwardBytes,
                    node.backwardBaseBytes + keptBefore + option.keptBytes + option.backwardBytes);
}

/// One way through the first nodes.
struct Way {
    int64_t keptBytes = 0;
    double seconds = 0.0;
    size_t option = 0; // of the last of these nodes
    size_t before = 0; // the way that it goes on from
};

/// All that keep less than the next one, and take longer.
using Ways = std::vector<Way>;

/// The least, and of those that lie close together the fastest.
void thin(Ways& ways) {
    if (static_cast<int64_t>(ways.size()) <= kMostWays) return;
    const int64_t least = ways.front().keptBytes;
    const int64_t width = (ways.back().keptBytes - least) / kMostWays + 1;
    const auto shelf = [&](const Way& way) { return (way.keptBytes - least) / width; };
    Ways few = {ways.front()};
    for (size_t index = 1; index < ways.size(); ++index)
        if (index + 1 == ways.size() || shelf(ways[index + 1]) != shelf(ways[index]))
            few.push_back(ways[index]);
    ways = std::move(few);
}

/// What each option of a node makes of the ways in front of it; by sum, as those are.
class Continued {
public:
    Continued(const KeptNode& node, const Ways& before, int64_t budgetBytes)
        : m_node(node)
        , m_before(before)
        , m_budgetBytes(budgetBytes)
        , m_next(node.options.size(), 0) {}

    /// The next one that keeps least; none when all have been seen.
    std::optional<Way> next() {
        std::optional<Way> least;
        for (size_t option = 0; option < m_next.size(); ++option) {
            const auto way = waiting(option);
            if (way && (!least || std::pair(way->keptBytes, way->seconds) <
                                      std::pair(least->keptBytes, least->seconds)))
                least = way;
        }
        if (least) ++m_next[least->option];
        return least;
    }

private:
    [[nodiscard]] std::optional<Way> waiting(size_t index) const {
        const KeptOption& option = m_node.options[index];
        if (m_next[index] == m_before.size()) return std::nullopt;
        const Way& way = m_before[m_next[index]];
        if (peakOf(m_node, option, way.keptBytes) > m_budgetBytes) return std::nullopt; // nor do those behind
        return Way{way.keptBytes + option.keptBytes, way.seconds + option.seconds, index, m_next[index]};
    }

    const KeptNode& m_node;
    const Ways& m_before;
    int64_t m_budgetBytes;
    std::vector<size_t> m_next; // by option
};

/// The options of the fastest way; none if nothing fits.
std::optional<std::vector<size_t>> fastest(const std::vector<KeptNode>& nodes, int64_t budgetBytes) {
    std::vector<Ways> behind;
    const Ways none = {{}};
    for (const KeptNode& node : nodes) {
        Continued continued(node, behind.empty() ? none : behind.back(), budgetBytes);
        Ways ways;
        while (const auto way = continued.next())
            if (ways.empty() || way->seconds < ways.back().seconds) ways.push_back(*way);
        if (ways.empty()) return std::nullopt;
        thin(ways);
        behind.push_back(std::move(ways));
    }
    std::vector<size_t> options(nodes.size());
    size_t way = nodes.empty() ? 0 : behind.back().size() - 1;
    for (size_t node = nodes.size(); node-- > 0;) {
        options[node] = behind[node][way].option;
        way = behind[node][way].before;
    }
    return options;
}

/// Whether anything fits: the least that can be kept in front of a block is what serves it best.
bool anyFits(const std::vector<KeptNode>& nodes, int64_t budgetBytes) {
    int64_t kept = 0;
    for (const KeptNode& node : nodes) {
        std::optional<int64_t> least;
        for (const KeptOption& option : node.options)
            if (peakOf(node, option, kept) <= budgetBytes)
                least = std::min(least.value_or(option.keptBytes), option.keptBytes);
        if (!least) return false;
        kept += *least;
    }
    return true;
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

int64_t leastKeptBudget(const std::vector<KeptNode>& nodes) {
    int64_t enough = evaluateKept(nodes, std::vector<size_t>(nodes.size(), 0)).peakBytes;
    int64_t tooLittle = -1;
    while (enough - tooLittle > 1) {
        const int64_t middle = tooLittle + (enough - tooLittle) / 2;
        (anyFits(nodes, middle) ? enough : tooLittle) = middle;
    }
    return enough;
}

Result<KeptChoice> searchKept(const std::vector<KeptNode>& nodes, int64_t budgetBytes) {
    if (auto options = fastest(nodes, budgetBytes)) return evaluateKept(nodes, std::move(*options));
    return Error{ErrorCode::OutOfResources,
                 "a training step needs at least " + byteSizeText(leastKeptBudget(nodes)) + ", and " +
                     byteSizeText(budgetBytes) +
                     " may be used; allow more memory, or lower the resolution or the batch",
                 {}};
}

} // namespace homebooth::core

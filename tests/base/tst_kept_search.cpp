// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What blocks keep for backward: the search against all choices there are.
#include "core/base/plan/training/kept_search.h"

#include <QtTest>

#include <algorithm>
#include <optional>
#include <random>

using namespace homebooth::core;

namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;

/// Nodes like a UNet's: wide at both ends, three ways each, keeping more takes less time.
std::vector<KeptNode> randomNodes(int count, unsigned seed) {
    std::mt19937 generator(seed);
    const auto draw = [&](int64_t least, int64_t most) {
        return std::uniform_int_distribution<int64_t>(least, most)(generator) * kMebibyte;
    };
    std::vector<KeptNode> nodes;
    int64_t base = draw(10, 50);
    for (int i = 0; i < count; ++i) {
        const int64_t graph = draw(20, 400);
        const double seconds = static_cast<double>(draw(1, 100)) / static_cast<double>(kMebibyte);
        KeptNode node;
        node.forwardBaseBytes = base;
        base += draw(1, 30); // its inputs
        node.backwardBaseBytes = base + draw(0, 20);
        node.options = {{KeptForBackward::Inputs, 0, graph / 4, graph + graph / 2, seconds * 3.0},
                        {KeptForBackward::Products, graph / 2, graph / 2, graph, seconds * 2.3},
                        {KeptForBackward::Everything, graph, graph, graph / 3, seconds * 2.0}};
        nodes.push_back(std::move(node));
    }
    return nodes;
}

/// The best of all choices; none if nothing fits.
std::optional<KeptChoice> bestOfAll(const std::vector<KeptNode>& nodes, int64_t budgetBytes) {
    std::optional<KeptChoice> best;
    std::vector<size_t> option(nodes.size(), 0);
    for (;;) {
        const KeptChoice choice = evaluateKept(nodes, option);
        if (choice.peakBytes <= budgetBytes && (!best || choice.seconds < best->seconds)) best = choice;
        size_t node = 0;
        while (node < nodes.size() && ++option[node] == nodes[node].options.size()) option[node++] = 0;
        if (node == nodes.size()) return best;
    }
}

} // namespace

class TestKeptSearch : public QObject {
    Q_OBJECT

private slots:
    void comesWithinTwoPercentOfTryingEverything() {
        int compared = 0;
        int between = 0; // budgets at which neither all nor nothing is kept
        for (unsigned seed = 1; seed <= 6; ++seed) {
            const std::vector<KeptNode> nodes = randomNodes(seed < 6 ? 9 : 11, seed);
            const KeptChoice lean = evaluateKept(nodes, std::vector<size_t>(nodes.size(), 0));
            const KeptChoice all = evaluateKept(nodes, std::vector<size_t>(nodes.size(), 2));
            for (int tenth = 0; tenth <= 10; tenth += 2) {
                const int64_t budget = lean.peakBytes + (all.peakBytes - lean.peakBytes) * tenth / 10;
                const auto best = bestOfAll(nodes, budget);
                const auto found = searchKept(nodes, budget);
                QVERIFY(best && found.ok());
                QVERIFY(found->peakBytes <= budget);
                QVERIFY2(found->seconds <= 1.02 * best->seconds,
                         qPrintable(QString("%1 s against %2 s").arg(found->seconds).arg(best->seconds)));
                ++compared;
                if (best->seconds < lean.seconds && best->seconds > all.seconds) ++between;
            }
        }
        QCOMPARE(compared, 36);
        QVERIFY(between >= 18);
    }

    void findsTheBestWhereKeepingSavesMemory() {
        int saving = 0; // choices that keep less than nothing somewhere
        for (unsigned seed = 1; seed <= 8; ++seed) {
            std::vector<KeptNode> nodes = randomNodes(8, seed);
            for (size_t node = seed % 2; node < nodes.size(); node += 2) {
                nodes[node].forwardBaseBytes += 400 * kMebibyte; // what can be saved lies there
                nodes[node].backwardBaseBytes += 400 * kMebibyte;
                nodes[node].options[1].keptBytes *= -1;
            }
            const int64_t least = leastKeptBudget(nodes);
            for (int step = 0; step <= 10; ++step) {
                const int64_t budget = least + step * 40 * kMebibyte;
                const auto best = bestOfAll(nodes, budget);
                const auto found = searchKept(nodes, budget);
                QVERIFY(best && found.ok());
                QVERIFY(found->peakBytes <= budget);
                QCOMPARE(found->seconds, best->seconds);
                saving += static_cast<int>(std::count(found->option.begin(), found->option.end(), size_t{1}));
            }
            QVERIFY(!bestOfAll(nodes, least - 1));
            QVERIFY(!searchKept(nodes, least - 1).ok());
        }
        QVERIFY(saving > 0);
    }

    void beatsKeepingAllAndKeepingNothingBetweenTheirBudgets() {
        const std::vector<KeptNode> nodes = randomNodes(60, 7);
        const KeptChoice lean = evaluateKept(nodes, std::vector<size_t>(nodes.size(), 0));
        const KeptChoice all = evaluateKept(nodes, std::vector<size_t>(nodes.size(), 2));
        double before = lean.seconds;
        for (int tenth = 1; tenth < 10; ++tenth) {
            const int64_t budget = lean.peakBytes + (all.peakBytes - lean.peakBytes) * tenth / 10;
            const auto found = searchKept(nodes, budget);
            QVERIFY(found.ok());
            QVERIFY(found->peakBytes <= budget);
            QVERIFY(found->seconds < before); // more memory is always of use here
            QVERIFY(found->seconds > all.seconds);
            before = found->seconds;
        }
    }

    void namesTheLeastBudgetThatWouldDo() {
        const std::vector<KeptNode> nodes = randomNodes(8, 3);
        const KeptChoice lean = evaluateKept(nodes, std::vector<size_t>(nodes.size(), 0));
        QVERIFY(searchKept(nodes, lean.peakBytes).ok());
        const auto refused = searchKept(nodes, lean.peakBytes / 2);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().code == ErrorCode::OutOfResources);
        QVERIFY(refused.error().message.find("at least") != std::string::npos);
    }

    void countsWhatIsKeptOnlyForThoseBehindIt() {
        // The second node's forward does not fit beside what the first one would keep.
        const KeptNode first{
            0, 0, {{KeptForBackward::Inputs, 0, 0, 10, 2.0}, {KeptForBackward::Everything, 60, 60, 0, 1.0}}};
        const KeptNode second{0, 0, {{KeptForBackward::Inputs, 0, 50, 0, 1.0}}};
        const auto both = searchKept({first, second}, 100);
        QVERIFY(both.ok());
        QCOMPARE(both->option.front(), size_t{0});
        const auto swapped = searchKept({second, first}, 100);
        QVERIFY(swapped.ok());
        QCOMPARE(swapped->option.back(), size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestKeptSearch)
#include "tst_kept_search.moc"

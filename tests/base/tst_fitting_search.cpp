// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What blocks keep where sums are only nearly right: against all choices, by what they really take.
#include "core/base/plan/training/fitting_search.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace homebooth::core;

namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;
constexpr size_t kNodes = 9;
constexpr size_t kOptions = 3;

/// Nodes of which each shares something with the one before: in truth less is kept if both keep everything,
/// and more if they are treated differently.
struct Sharing {
    std::vector<KeptNode> nodes;
    std::vector<int64_t> savedBytes; // with the node before
    std::vector<int64_t> addedBytes;

    [[nodiscard]] WalkedChoice walked(const std::vector<size_t>& option) const {
        std::vector<KeptNode> shared = nodes;
        WalkedChoice walked;
        for (size_t node = 0; node < nodes.size(); ++node) {
            KeptOption& taken = shared[node].options[option[node]];
            if (node > 0 && option[node] == 2 && option[node - 1] == 2) taken.keptBytes -= savedBytes[node];
            if (node > 0 && option[node] != option[node - 1]) taken.keptBytes += addedBytes[node];
            walked.taken.push_back(taken);
        }
        walked.peakBytes = evaluateKept(shared, option).peakBytes;
        return walked;
    }

    /// As far as they are known from steps of nodes treated alike.
    [[nodiscard]] std::vector<KeptNode> sums() const {
        std::vector<KeptNode> known = nodes;
        for (size_t option = 0; option < kOptions; ++option) {
            const WalkedChoice alike = walked(std::vector<size_t>(kNodes, option));
            for (size_t node = 0; node < kNodes; ++node) known[node].options[option] = alike.taken[node];
        }
        return known;
    }
};

Sharing sharing(unsigned seed, int64_t savedPercent, int64_t addedPercent) {
    std::mt19937 generator(seed);
    const auto draw = [&](int64_t least, int64_t most) {
        return std::uniform_int_distribution<int64_t>(least, most)(generator) * kMebibyte;
    };
    Sharing found;
    int64_t base = draw(100, 300);
    for (size_t i = 0; i < kNodes; ++i) {
        const int64_t graph = draw(40, 400);
        const double seconds = static_cast<double>(draw(20, 100)) / static_cast<double>(kMebibyte);
        KeptNode node;
        node.forwardBaseBytes = base;
        base += draw(1, 30);
        node.backwardBaseBytes = base;
        node.options = {{KeptForBackward::Inputs, 0, graph / 4, graph + graph / 2, seconds * 3.0},
                        {KeptForBackward::Products, graph / 2, graph / 2, graph, seconds * 2.3},
                        {KeptForBackward::Everything, graph, graph, graph / 3, seconds * 2.0}};
        found.nodes.push_back(std::move(node));
        found.savedBytes.push_back(graph * savedPercent / 100);
        found.addedBytes.push_back(graph * addedPercent / 100);
    }
    return found;
}

/// All choices, by what they really take.
std::vector<KeptChoice> allOf(const Sharing& model) {
    std::vector<KeptChoice> all;
    std::vector<size_t> option(kNodes, 0);
    for (;;) {
        all.push_back(evaluateKept(model.nodes, option));
        all.back().peakBytes = model.walked(option).peakBytes;
        size_t node = 0;
        while (node < kNodes && ++option[node] == kOptions) option[node++] = 0;
        if (node == kNodes) return all;
    }
}

double bestWithin(const std::vector<KeptChoice>& all, int64_t budgetBytes) {
    double best = std::numeric_limits<double>::max();
    for (const KeptChoice& choice : all)
        if (choice.peakBytes <= budgetBytes) best = std::min(best, choice.seconds);
    return best;
}

} // namespace

class TestFittingSearch : public QObject {
    Q_OBJECT

private slots:
    void comesNearTheBestOfAllThatFits_data() {
        QTest::addColumn<int>("savedPercent");
        QTest::addColumn<int>("addedPercent");
        QTest::addColumn<int>("mostAsked"); // on average
        QTest::newRow("sums are right") << 0 << 0 << 1;
        QTest::newRow("sums are too high") << 15 << 0 << 3;
        QTest::newRow("sums are too low") << 0 << 5 << 3;
        QTest::newRow("either") << 5 << 5 << 3;
    }

    void comesNearTheBestOfAllThatFits() {
        QFETCH(const int, savedPercent);
        QFETCH(const int, addedPercent);
        QFETCH(const int, mostAsked);
        int asked = 0;
        int searches = 0;
        double worst = 1.0;
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const Sharing model = sharing(seed, savedPercent, addedPercent);
            const std::vector<KeptChoice> all = allOf(model);
            const int64_t lean = all.front().peakBytes;
            const int64_t whole = all.back().peakBytes;
            for (int tenth = 0; tenth <= 10; ++tenth) {
                const int64_t budget = lean + (whole - lean) * tenth / 10;
                const WalkChoice walk = [&](const KeptChoice& choice) {
                    ++asked;
                    return Result<WalkedChoice>(model.walked(choice.option));
                };
                const auto found = searchFitting(model.sums(), budget, walk);
                QVERIFY(found.ok() && *found); // the leanest choice always fits
                QCOMPARE((*found)->peakBytes, model.walked((*found)->option).peakBytes);
                QVERIFY((*found)->peakBytes <= budget);
                worst = std::max(worst, (*found)->seconds / bestWithin(all, budget));
                ++searches;
            }
        }
        QVERIFY(worst <= 1.02);
        QVERIFY(asked <= mostAsked * searches);
    }

    void goesOnWhereAChoiceTakesLessThanItsSum() {
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const Sharing model = sharing(seed, 0, 0);
            std::vector<KeptNode> tooHigh = model.nodes;
            for (KeptNode& node : tooHigh)
                for (KeptOption& option : node.options) option.keptBytes *= 2;
            const int64_t lean = model.walked(std::vector<size_t>(kNodes, 0)).peakBytes;
            const int64_t whole = model.walked(std::vector<size_t>(kNodes, 2)).peakBytes;
            std::vector<double> walked;
            const auto found = searchFitting(tooHigh, (lean + whole) / 2, [&](const KeptChoice& choice) {
                walked.push_back(choice.seconds);
                return Result<WalkedChoice>(model.walked(choice.option));
            });
            QVERIFY(found.ok() && *found);
            QVERIFY((*found)->seconds < walked.front());
            QCOMPARE((*found)->seconds, *std::min_element(walked.begin(), walked.end()));
        }
    }

    void leavesRoomForWhatIsInNoSum() {
        constexpr int64_t kOutside = 60 * kMebibyte;
        double worst = 1.0;
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const Sharing model = sharing(seed, 0, 0);
            std::vector<KeptChoice> all = allOf(model);
            for (KeptChoice& choice : all) choice.peakBytes += kOutside;
            for (int tenth = 1; tenth < 10; ++tenth) {
                const int64_t lean = all.front().peakBytes;
                const int64_t budget = lean + (all.back().peakBytes - lean) * tenth / 10;
                const auto found = searchFitting(model.sums(), budget, [&](const KeptChoice& choice) {
                    WalkedChoice walked = model.walked(choice.option);
                    walked.peakBytes += kOutside;
                    return Result<WalkedChoice>(walked);
                });
                QVERIFY(found.ok() && *found);
                QVERIFY((*found)->peakBytes <= budget);
                worst = std::max(worst, (*found)->seconds / bestWithin(all, budget));
            }
        }
        QVERIFY(worst <= 1.02);
    }

    void findsNothingWhereNothingFits() {
        const Sharing model = sharing(1, 0, 10);
        int asked = 0;
        const WalkChoice never = [&](const KeptChoice& choice) {
            ++asked;
            WalkedChoice walked = model.walked(choice.option);
            walked.peakBytes += 10000 * kMebibyte;
            return Result<WalkedChoice>(walked);
        };
        const auto found = searchFitting(model.sums(), 800 * kMebibyte, never);
        QVERIFY(found.ok());
        QVERIFY(!*found);
        QVERIFY(asked <= kMostWalks);
    }

    void endsWithAnErrorOfTheAnswer() {
        const Sharing model = sharing(1, 0, 0);
        const auto found = searchFitting(model.sums(), 8000 * kMebibyte, [](const KeptChoice&) {
            return Result<WalkedChoice>(badInput("no"));
        });
        QVERIFY(!found.ok());
    }
};

QTEST_APPLESS_MAIN(TestFittingSearch)
#include "tst_fitting_search.moc"

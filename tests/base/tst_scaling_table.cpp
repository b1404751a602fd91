// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of 1 to 512 GPUs: which rows it has, and what their figures are of one GPU's.
#include "core/base/plan/ranks/scaling_table.h"

#include <QTest>

#include <cmath>
#include <cstdio>

using namespace homebooth::core;

namespace {

/// A gigabyte that learns, in ten blocks.
ScaledTraining trainingOf(int64_t ranks, double blockSeconds) {
    ScaledTraining training;
    training.schedule.turns.assign(10, {blockSeconds, 2 * blockSeconds, 0.0, 100'000'000, 100'000'000});
    training.ranks = ranks;
    training.picturesOfRank = 4;
    training.lone.seconds = 30 * blockSeconds;
    return training;
}

class ScalingTableTest : public QObject {
    Q_OBJECT
private slots:
    void hasARowForEachLinkThatMatters();
    void oneGpuIsThePlanItself();
    void countsPicturesAndEfficiencyOfManyGpus();
    void namesWhatBoundsAStep();
    void leavesAnEfficiencyOutThatNobodyKnows();
    void saysWhySoManyCannotTrain();
    void linesItsColumnsUp();
};

void ScalingTableTest::hasARowForEachLinkThatMatters() {
    QCOMPARE(scalingCounts(), (std::vector<int64_t>{1, 8, 64, 512}));
    const std::vector<size_t> rows{1, 4, 12, 12};
    for (size_t index = 0; index < rows.size(); ++index)
        QCOMPARE(scalingRows(trainingOf(scalingCounts()[index], 0.01)).size(), rows[index]);
    const auto names = scalingNames(scalingRows(trainingOf(64, 0.01)).back());
    QCOMPARE(names.at("inside"), std::string("NVLink 3"));
    QCOMPARE(names.at("between"), std::string("400 Gb/s"));
}

void ScalingTableTest::oneGpuIsThePlanItself() {
    const PlanDecision row = scalingRows(trainingOf(1, 0.01)).front();
    QCOMPARE(row.code, std::string(kScalingRow));
    QCOMPARE(row.facts.at("stepSeconds"), 0.3);
    QCOMPARE(row.facts.at("efficiency"), 1.0);
    QCOMPARE(row.facts.at("picturesPerSecond"), 4 / 0.3);
    QCOMPARE(row.facts.at("sentBytes"), 0.0);
    const auto names = scalingNames(row);
    QCOMPARE(names.size(), size_t{1}); // no links
    QCOMPARE(names.at("bound"), std::string("compute"));
}

void ScalingTableTest::countsPicturesAndEfficiencyOfManyGpus() {
    double slower = 0.0;
    for (const PlanDecision& row : scalingRows(trainingOf(8, 0.01))) { // from the slowest link
        const double seconds = row.facts.at("stepSeconds");
        QVERIFY(seconds > 0.3);
        QCOMPARE(row.facts.at("picturesPerSecond"), 32 / seconds);
        QCOMPARE(row.facts.at("efficiency"), row.facts.at("picturesPerSecond") / (8 * 4 / 0.3));
        QCOMPARE(row.facts.at("sentBytes"), 2 * 7.0 / 8.0 * 1e9);
        QCOMPARE(row.facts.at("machines"), 1.0);
        QVERIFY(row.facts.at("efficiency") > slower);
        slower = row.facts.at("efficiency");
    }
}

void ScalingTableTest::namesWhatBoundsAStep() {
    const auto boundOfRow = [](double blockSeconds, size_t row) {
        return scalingNames(scalingRows(trainingOf(64, blockSeconds)).at(row)).at("bound");
    };
    QCOMPARE(boundOfRow(10.0, 0), std::string("compute"));
    QCOMPARE(boundOfRow(1e-6, 0), std::string("link between")); // PCIe 3.0 x16, 100 Gb/s
    QCOMPARE(boundOfRow(1e-6, 2), std::string("link inside"));  // PCIe 3.0 x16, 400 Gb/s
    // Where most of a step is computing, but more than a tenth is lost.
    for (const PlanDecision& row : scalingRows(trainingOf(8, 0.01))) {
        const bool loses = row.facts.at("efficiency") < 0.9;
        const std::string bound = scalingNames(row).at("bound");
        QCOMPARE(bound, std::string(loses ? "link inside" : "compute"));
        const double share = row.facts.at("boundShare");
        QVERIFY(std::abs(share - (loses ? 1.0 - row.facts.at("efficiency") : row.facts.at("efficiency"))) <
                1e-9);
        char text[48];
        std::snprintf(text, sizeof text, "  %s %.0f %%", bound.c_str(), 100.0 * share);
        QVERIFY(row.text.ends_with(text));
    }
}

void ScalingTableTest::leavesAnEfficiencyOutThatNobodyKnows() {
    ScaledTraining training = trainingOf(64, 0.01); // whose rows name both links
    training.lone = {};                             // one GPU has no room for it
    for (const PlanDecision& row : scalingRows(training)) {
        QCOMPARE(row.facts.count("efficiency"), size_t{0});
        QVERIFY(row.facts.at("picturesPerSecond") > 0.0);
        QVERIFY(row.text.find(" - ") != std::string::npos);
    }
}

void ScalingTableTest::saysWhySoManyCannotTrain() {
    const PlanDecision row = scalingRefused(64, "no room");
    QCOMPARE(row.code, std::string(kScalingRefused));
    QCOMPARE(row.text, std::string("   64  no room"));
    QCOMPARE(row.facts.at("ranks"), 64.0);
    QVERIFY(scalingNames(row).empty());
}

void ScalingTableTest::linesItsColumnsUp() {
    const size_t last = scalingHead().find("bound by");
    QVERIFY(scalingHead("texts").find("   texts/s") < last);
    QCOMPARE(scalingHead("texts").find("bound by"), last);
    for (const int64_t ranks : scalingCounts())
        for (const PlanDecision& row : scalingRows(trainingOf(ranks, 0.01))) {
            QCOMPARE(row.text.substr(last - 2, 2), std::string("  "));
            const std::string bound = scalingNames(row).at("bound");
            QCOMPARE(row.text.substr(last, bound.size()), bound);
        }
}

} // namespace

QTEST_APPLESS_MAIN(ScalingTableTest)
#include "tst_scaling_table.moc"

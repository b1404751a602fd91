// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Holes are given back before every point once, then only where they would make the process larger than it
// has to be.
#include "core/base/memory/trim_rule.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace homebooth::core;

namespace {

constexpr int64_t kTolerated = 30;

/// A heap that keeps what is freed. Each point takes and frees its own, and leaves holes that no later point
/// fits into.
struct FakeHeap {
    int64_t heldBytes = 1000;   // all the time
    std::vector<int64_t> takes; // by point
    int64_t holesOfPoint = 10;
    int64_t mostHoles = 120; // then one of them fits

    int64_t residentBytes = heldBytes;
    int64_t holes = 0;

    void giveBack() {
        residentBytes = heldBytes;
        holes = 0;
    }
    void compute(size_t point) {
        residentBytes = std::max(residentBytes, heldBytes + takes[point] + holes);
        holes = std::min(holes + holesOfPoint, mostHoles);
    }
};

struct PassOutcome {
    std::vector<size_t> trims; // before which points
    int64_t peakBytes = 0;
};

PassOutcome pass(TrimRule& rule, FakeHeap& heap) {
    PassOutcome outcome;
    rule.passBegins(heap.takes.size());
    for (size_t point = 0; point < heap.takes.size(); ++point) {
        if (rule.trims(point, heap.residentBytes)) {
            heap.giveBack();
            rule.trimmed(heap.residentBytes);
            outcome.trims.push_back(point);
        }
        heap.compute(point);
        outcome.peakBytes = std::max(outcome.peakBytes, heap.residentBytes);
    }
    rule.passEnds(heap.residentBytes);
    return outcome;
}

/// Forward, a peak, and what is far below it.
FakeHeap usualHeap() {
    return {.takes = {120, 200, 80, 80, 80, 80, 80, 80, 80, 60}};
}

class TrimRuleTest : public QObject {
    Q_OBJECT
private slots:
    void learnsFromOneWholePass();
    void givesBackBeforeThePeakAlone();
    void withoutItThePeakWouldBeHigher();
    void aPointThatOutgrowsTheFloorIsOneOfThemFromThenOn();
    void holesThatCannotMatterStay();
    void memoryOfOthersIsNotLookedForAgain();
    void anOddNeedOfAPeakRaisesTheFloor();
    void aPassThatWasBrokenOffTeachesNothing();
    void anotherPassIsLearnedAnew();
};

void TrimRuleTest::learnsFromOneWholePass() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    QVERIFY(rule.learns());
    QCOMPARE(pass(rule, heap).trims.size(), heap.takes.size());
    QVERIFY(!rule.learns());
}

void TrimRuleTest::givesBackBeforeThePeakAlone() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    const int64_t floor = pass(rule, heap).peakBytes;
    for (int count = 0; count < 5; ++count) {
        const PassOutcome outcome = pass(rule, heap);
        QCOMPARE(outcome.trims, std::vector<size_t>{1});
        QVERIFY(outcome.peakBytes <= floor + kTolerated);
    }
}

void TrimRuleTest::withoutItThePeakWouldBeHigher() {
    FakeHeap heap = usualHeap();
    for (int count = 0; count < 2; ++count)
        for (size_t point = 0; point < heap.takes.size(); ++point) heap.compute(point);
    QVERIFY(heap.residentBytes > 1200 + kTolerated);
}

void TrimRuleTest::aPointThatOutgrowsTheFloorIsOneOfThemFromThenOn() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    heap.takes[8] = 165; // with the holes of seven points too much
    const int64_t floor = pass(rule, heap).peakBytes;
    QVERIFY(pass(rule, heap).peakBytes > floor + kTolerated);
    const PassOutcome outcome = pass(rule, heap);
    QCOMPARE(outcome.trims, (std::vector<size_t>{1, 8}));
    QVERIFY(outcome.peakBytes <= floor + kTolerated);
}

void TrimRuleTest::holesThatCannotMatterStay() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    heap.takes = {10, 200};
    heap.holesOfPoint = 0;
    (void)pass(rule, heap);
    heap.giveBack();
    QVERIFY(pass(rule, heap).trims.empty()); // 10 bytes of holes before a peak, and 30 are tolerated
}

void TrimRuleTest::memoryOfOthersIsNotLookedForAgain() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    (void)pass(rule, heap);
    heap.heldBytes += 500;
    heap.residentBytes += 500;
    (void)pass(rule, heap);
    QCOMPARE(pass(rule, heap).trims, std::vector<size_t>{1});
}

void TrimRuleTest::anOddNeedOfAPeakRaisesTheFloor() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    (void)pass(rule, heap);
    heap.takes[1] = 260; // also from a clean heap
    (void)pass(rule, heap);
    const PassOutcome outcome = pass(rule, heap);
    QCOMPARE(outcome.trims, std::vector<size_t>{1});
    QVERIFY(outcome.peakBytes <= 1260 + kTolerated);
}

void TrimRuleTest::aPassThatWasBrokenOffTeachesNothing() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    rule.passBegins(heap.takes.size());
    QVERIFY(rule.trims(0, heap.residentBytes));
    rule.trimmed(heap.residentBytes);
    QCOMPARE(pass(rule, heap).trims.size(), heap.takes.size());
    QCOMPARE(pass(rule, heap).trims, std::vector<size_t>{1});
}

void TrimRuleTest::anotherPassIsLearnedAnew() {
    TrimRule rule(kTolerated);
    FakeHeap heap = usualHeap();
    (void)pass(rule, heap);
    heap.takes.push_back(70);
    QCOMPARE(pass(rule, heap).trims.size(), heap.takes.size());
    QCOMPARE(pass(rule, heap).trims, std::vector<size_t>{1});
}

} // namespace

QTEST_APPLESS_MAIN(TrimRuleTest)
#include "tst_trim_rule.moc"

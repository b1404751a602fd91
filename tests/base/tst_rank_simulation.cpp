// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of several ranks against what can be reckoned by hand, and against bounds that no step can beat.
#include "core/base/plan/ranks/rank_simulation.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace homebooth::core;

namespace {

constexpr RankPlaces kAlone{1, 1};
constexpr RankPlaces kPair{1, 2};

RankNetwork networkOf(double insideBytesPerSecond, double betweenBytesPerSecond = 0.0) {
    return {{insideBytesPerSecond, 0.0}, {betweenBytesPerSecond, 0.0}};
}

/// Blocks of 200 bytes that all learn: a second forward, three backward, half a second of updates.
RankSchedule scheduleOf(size_t blocks, int64_t zero) {
    RankSchedule schedule;
    schedule.turns.assign(blocks, {1.0, 3.0, 0.5, 200, 200});
    schedule.zero = zero;
    return schedule;
}

double waited(const RankedStep& step) {
    return step.waitedInsideSeconds + step.waitedBetweenSeconds;
}

class RankSimulationTest : public QObject {
    Q_OBJECT
private slots:
    void putsRanksIntoMachines();
    void costsOneRingInAMachine();
    void costsARingInEachMachineAndOneBetween();
    void countsTheStepsOfARing();
    void fitsALinkToWhatWasMeasured();
    void knowsTheLinks();
    void oneRankTakesWhatItComputes_data();
    void oneRankTakesWhatItComputes();
    void takesBuffersForNeighboursAlone();
    void waitsForTheOnlyBucket();
    void hidesABucketBehindTheNextBlock();
    void isBoundByALinkThatIsSlower();
    void gathersParametersBehindTheUpdates_data();
    void gathersParametersBehindTheUpdates();
    void gathersSpreadParametersAheadOfTheirUse();
    void tellsWaitsInsideFromThoseBetween();
    void namesWhatMostIsLostBy_data();
    void namesWhatMostIsLostBy();
    void updatesAtTheEndWhereAllGradientsAreNeeded();
    void exchangesEveryMicroStep();
    void sendsNothingOfWhatDoesNotLearn();
    void takesNoLessTimeOverSlowerLinksOrWithMoreRanks_data();
    void takesNoLessTimeOverSlowerLinksOrWithMoreRanks();
};

void RankSimulationTest::putsRanksIntoMachines() {
    const auto check = [](int64_t ranks, int64_t machines, int64_t perMachine) {
        const RankPlaces places = placesOf(ranks);
        QCOMPARE(places.machines, machines);
        QCOMPARE(places.perMachine, perMachine);
    };
    check(1, 1, 1);
    check(5, 1, 5);
    check(8, 1, 8);
    check(9, 2, 5); // four in the other one
    check(64, 8, 8);
    check(512, 64, 8);
}

void RankSimulationTest::costsOneRingInAMachine() {
    const CollectiveCost pair = collectiveCost(200, kPair, networkOf(100.0));
    QCOMPARE(pair.insideSeconds, 1.0);
    QCOMPARE(pair.betweenSeconds, 0.0);
    QCOMPARE(pair.sentBytes, int64_t{100});
    // Both halves of an all-reduce: 2 (N - 1) / N of the bytes.
    const CollectiveCost eight = collectiveCost(800, {1, 8}, networkOf(100.0));
    QCOMPARE(2 * eight.insideSeconds, 2 * 7.0 / 8.0 * 800.0 / 100.0);
    QCOMPARE(2 * eight.sentBytes, int64_t{1400});
    QCOMPARE(collectiveCost(800, kAlone, networkOf(100.0)).insideSeconds, 0.0);
    QCOMPARE(collectiveCost(0, kPair, {{100.0, 1.0}, {}}).insideSeconds, 0.0); // nobody asks for nothing
}

void RankSimulationTest::costsARingInEachMachineAndOneBetween() {
    // Three steps of 200 bytes in each machine; then its four cards carry 400 bytes over its one link.
    const CollectiveCost cost = collectiveCost(800, {2, 4}, {{100.0, 0.0}, {50.0, 0.5}});
    QCOMPARE(cost.insideSeconds, 6.0);
    QCOMPARE(cost.betweenSeconds, 0.5 + 8.0);
    QCOMPARE(cost.sentBytes, int64_t{700}); // 600 inside, 100 between
}

void RankSimulationTest::countsTheStepsOfARing() {
    QCOMPARE(collectiveCost(400, {1, 4}, {{0.0, 0.25}, {}}).insideSeconds, 0.75);
    QCOMPARE(collectiveCost(400, {4, 1}, {{}, {0.0, 0.25}}).betweenSeconds, 0.75);
    QCOMPARE(collectiveCost(400, {1, 4}, {{100.0, 0.25}, {}}).insideSeconds, 3.75);
}

void RankSimulationTest::fitsALinkToWhatWasMeasured() {
    constexpr int64_t kSmall = int64_t{1} << 20;
    constexpr int64_t kLarge = int64_t{16} << 20;
    const auto seconds = [](int64_t bytes, const RankLink& link) {
        return collectiveCost(bytes, {1, 4}, {link, {}}).insideSeconds;
    };
    const RankLink link{2e9, 1e-4};
    const RankLink found = linkFrom({kSmall, seconds(kSmall, link)}, {kLarge, seconds(kLarge, link)}, 4);
    QVERIFY(std::abs(found.bytesPerSecond / link.bytesPerSecond - 1.0) < 1e-9);
    QVERIFY(std::abs(found.latencySeconds / link.latencySeconds - 1.0) < 1e-9);
    // Noise: the small one took longer, or next to nothing.
    for (const double noisy : {0.02, 1e-5}) {
        const RankLink plain = linkFrom({kSmall, noisy}, {kLarge, 0.016}, 4);
        QCOMPARE(plain.latencySeconds, 0.0);
        QVERIFY(std::abs(seconds(kLarge, plain) - 0.016) < 1e-9);
    }
}

void RankSimulationTest::knowsTheLinks() {
    QCOMPARE(machineLinks().size(), size_t{4});
    QCOMPARE(machineLinks()[1].name, std::string("PCIe 4.0 x16"));
    for (size_t link = 1; link < machineLinks().size(); ++link)
        QVERIFY(machineLinks()[link].link.bytesPerSecond > machineLinks()[link - 1].link.bytesPerSecond);
    const auto ofCard = [](const char* name) { return linkOf(*cardInMachine(name, "4x8")); };
    QCOMPARE(ofCard("RTX 3090").name, std::string("PCIe 4.0 x8"));
    QCOMPARE(ofCard("A100 80 GB").name, machineLinks()[3].name);
    QCOMPARE(ofCard("A100 80 GB").link.bytesPerSecond, machineLinks()[3].link.bytesPerSecond);
    QCOMPARE(ofCard("H100 80 GB").name, std::string("NVLink 4"));
    QVERIFY(ofCard("H100 80 GB").link.bytesPerSecond > machineLinks()[3].link.bytesPerSecond);
    QCOMPARE(networkLinks().size(), size_t{3});
    QCOMPARE(networkLinks()[2].name, std::string("400 Gb/s"));
    for (const NamedLink& network : networkLinks()) { // names are peaks, in bits
        const double peak = std::stod(network.name) * 1e9 / 8.0;
        QVERIFY(network.link.bytesPerSecond > 0.5 * peak && network.link.bytesPerSecond < peak);
        QVERIFY(network.link.latencySeconds > machineLinks()[0].link.latencySeconds);
    }
}

void RankSimulationTest::oneRankTakesWhatItComputes_data() {
    QTest::addColumn<int>("zero");
    for (int zero = 0; zero < 4; ++zero) QTest::addRow("zero %d", zero) << zero;
}

void RankSimulationTest::oneRankTakesWhatItComputes() {
    QFETCH(int, zero);
    RankSchedule schedule = scheduleOf(2, zero);
    schedule.microSteps = 2;
    const RankedStep step = simulateRanks(schedule, kAlone, networkOf(1.0, 1.0));
    QCOMPARE(step.seconds, 2 * 2 * 4.0 + 2 * 0.5);
    QCOMPARE(step.computeSeconds, step.seconds);
    QCOMPARE(waited(step), 0.0);
    QCOMPARE(step.sentBytes, int64_t{0});
    QVERIFY(lossOf(step, {step.seconds}).bound == RankBound::Compute);
    QCOMPARE(lossOf(step, {step.seconds}).share, 1.0);
}

void RankSimulationTest::takesBuffersForNeighboursAlone() {
    QCOMPARE(exchangeBytes(placesOf(1)), int64_t{0});
    const int64_t ofTwo = exchangeBytes(placesOf(2));
    QVERIFY(ofTwo > 0);
    QCOMPARE(exchangeBytes(placesOf(8)), 4 * ofTwo);
    QVERIFY(exchangeBytes(placesOf(64)) > exchangeBytes(placesOf(8)));
    QCOMPARE(exchangeBytes(placesOf(512)), exchangeBytes(placesOf(64))); // other machines share one
}

void RankSimulationTest::waitsForTheOnlyBucket() {
    // Computed at 4; a second scattered and one gathered; then updated.
    const RankedStep step = simulateRanks(scheduleOf(1, 0), kPair, networkOf(100.0));
    QCOMPARE(step.seconds, 6.5);
    QCOMPARE(step.computeSeconds, 4.5);
    QCOMPARE(step.waitedInsideSeconds, 2.0);
    QCOMPARE(step.sentBytes, int64_t{200});
}

void RankSimulationTest::hidesABucketBehindTheNextBlock() {
    // The first bucket flies from 5 to 7, and the block behind is done at 8. The second has nothing to hide
    // behind but that update: from 8 to 10.
    const RankedStep step = simulateRanks(scheduleOf(2, 0), kPair, networkOf(100.0));
    QCOMPARE(step.computeSeconds, 9.0);
    QCOMPARE(step.waitedInsideSeconds, 1.5);
    QCOMPARE(step.seconds, 10.5);
    QCOMPARE(step.sentBytes, int64_t{400});
    QCOMPARE(step.updateSeconds, 1.0);
}

void RankSimulationTest::isBoundByALinkThatIsSlower() {
    // Buckets of 20 s: from 5 to 25, and the other one, which was asked for at 8, behind it.
    const RankedStep step = simulateRanks(scheduleOf(2, 0), kPair, networkOf(10.0));
    QCOMPARE(step.waitedInsideSeconds, 17.0 + 19.5);
    QCOMPARE(step.seconds, 45.5);
    QVERIFY(lossOf(step, {9.0, 1.0}).bound == RankBound::Inside);
    QCOMPARE(lossOf(step, {9.0, 1.0}).share, 36.5 / 45.5);
}

void RankSimulationTest::gathersParametersBehindTheUpdates_data() {
    QTest::addColumn<int>("zero");
    QTest::newRow("zero 1") << 1;
    QTest::newRow("zero 2") << 2;
}

void RankSimulationTest::gathersParametersBehindTheUpdates() {
    QFETCH(int, zero);
    // Buckets from 5 to 6 and from 8 to 9, half of the updates, and at 9.25 two seconds of gathering.
    const RankedStep step = simulateRanks(scheduleOf(2, zero), kPair, networkOf(100.0));
    QCOMPARE(step.computeSeconds, 8.5);
    QCOMPARE(step.waitedInsideSeconds, 0.75 + 2.0);
    QCOMPARE(step.seconds, 11.25);
    QCOMPARE(step.sentBytes, int64_t{400});
}

void RankSimulationTest::gathersSpreadParametersAheadOfTheirUse() {
    // The first block is waited for alone, from 0 to 1; the one at the turn stays; buckets as above.
    const RankedStep step = simulateRanks(scheduleOf(2, 3), kPair, networkOf(100.0));
    QCOMPARE(step.computeSeconds, 8.5);
    QCOMPARE(step.waitedInsideSeconds, 1.0 + 0.75);
    QCOMPARE(step.seconds, 10.25);
    QCOMPARE(step.sentBytes, int64_t{300 + 200});
}

void RankSimulationTest::tellsWaitsInsideFromThoseBetween() {
    RankSchedule schedule = scheduleOf(1, 0);
    schedule.turns[0].trainedBytes = 800;
    const RankedStep step = simulateRanks(schedule, {2, 4}, networkOf(100.0, 50.0));
    QCOMPARE(step.waitedInsideSeconds, 2 * 6.0);
    QCOMPARE(step.waitedBetweenSeconds, 2 * 8.0);
    QCOMPARE(step.seconds, 4.5 + 28.0);
    QVERIFY(lossOf(step, {4.5, 0.5}).bound == RankBound::Between);
}

void RankSimulationTest::namesWhatMostIsLostBy_data() {
    QTest::addColumn<RankedStep>("step");
    QTest::addColumn<double>("alone"); // a second of it for the optimizer; 0: nobody knows
    QTest::addColumn<int>("bound");
    QTest::addColumn<double>("share");
    const auto row = [](const char* name, const RankedStep& step, double alone, RankBound bound,
                        double share) {
        QTest::newRow(name) << step << alone << static_cast<int>(bound) << share;
    };
    // computed, of that updates, waited inside, between
    row("a wait that is less than computing", {100, 55, 1, 20, 25}, 49.5, RankBound::Between, 0.25);
    row("inside", {100, 55, 1, 25, 20}, 54.0, RankBound::Inside, 0.25);
    row("a tenth", {100, 92, 1, 8, 0}, 90.0, RankBound::Compute, 0.92);
    row("more than a tenth", {100, 91, 1, 9, 0}, 89.0, RankBound::Inside, 0.09);
    row("updates", {100, 95, 41, 5, 0}, 55.0, RankBound::Optimizer, 0.4);
    row("blocks that compute longer", {100, 95, 1, 5, 0}, 75.0, RankBound::LeanerSteps, 0.2);
    row("against nobody", {100, 80, 40, 5, 15}, 0.0, RankBound::Between, 0.15);
    row("against nobody, hardly waiting", {100, 95, 40, 5, 0}, 0.0, RankBound::Compute, 0.95);
}

void RankSimulationTest::namesWhatMostIsLostBy() {
    QFETCH(RankedStep, step);
    QFETCH(double, alone);
    QFETCH(int, bound);
    QFETCH(double, share);
    const RankLoss loss = lossOf(step, {alone, alone > 0.0 ? 1.0 : 0.0});
    QCOMPARE(static_cast<int>(loss.bound), bound);
    QCOMPARE(loss.share, share);
}

void RankSimulationTest::updatesAtTheEndWhereAllGradientsAreNeeded() {
    RankSchedule schedule = scheduleOf(2, 0);
    schedule.updatesAtEnd = true;
    const RankedStep step = simulateRanks(schedule, kPair, networkOf(100.0));
    QCOMPARE(step.waitedInsideSeconds, 2.0); // no update to hide behind
    QCOMPARE(step.seconds, 11.0);
}

void RankSimulationTest::exchangesEveryMicroStep() {
    RankSchedule schedule = scheduleOf(2, 0);
    schedule.microSteps = 2;
    QCOMPARE(simulateRanks(schedule, kPair, networkOf(100.0)).sentBytes, int64_t{800});
    schedule.zero = 2; // parameters are gathered once
    QCOMPARE(simulateRanks(schedule, kPair, networkOf(100.0)).sentBytes, int64_t{400 + 200});
    schedule.zero = 3;
    QCOMPARE(simulateRanks(schedule, kPair, networkOf(100.0)).sentBytes, int64_t{2 * 500});
}

void RankSimulationTest::sendsNothingOfWhatDoesNotLearn() {
    RankSchedule schedule = scheduleOf(2, 2);
    schedule.turns[1].trainedBytes = 0;
    QCOMPARE(simulateRanks(schedule, kPair, networkOf(100.0)).sentBytes, int64_t{200});
    schedule.zero = 3; // but it is gathered for its use
    QCOMPARE(simulateRanks(schedule, kPair, networkOf(100.0)).sentBytes, int64_t{300 + 100});
}

void RankSimulationTest::takesNoLessTimeOverSlowerLinksOrWithMoreRanks_data() {
    oneRankTakesWhatItComputes_data();
}

void RankSimulationTest::takesNoLessTimeOverSlowerLinksOrWithMoreRanks() {
    QFETCH(int, zero);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> seconds(0.001, 0.1);
    std::uniform_int_distribution<int64_t> bytes(0, 10'000'000);
    RankSchedule schedule = scheduleOf(0, zero);
    for (int block = 0; block < 12; ++block) {
        const int64_t trained = bytes(random);
        // Without updates: of those each rank does the less the more there are.
        schedule.turns.push_back({seconds(random), seconds(random), 0.0, trained + 1000, trained});
    }
    double fewer = 0.0;
    for (const int64_t ranks : {1, 2, 4, 8, 16, 64, 512}) {
        double faster = 0.0;
        for (const double rate : {1e12, 1e9, 1e8, 1e7}) {
            const RankedStep step =
                simulateRanks(schedule, placesOf(ranks), {{2 * rate, 1e-5}, {rate, 2e-5}});
            QVERIFY(step.seconds >= faster);
            QVERIFY(std::abs(step.seconds - step.computeSeconds - waited(step)) < 1e-9 * step.seconds);
            QVERIFY(step.seconds >= static_cast<double>(step.sentBytes) / (2 * rate));
            faster = step.seconds;
        }
        QVERIFY(faster >= fewer);
        fewer = faster;
    }
}

} // namespace

QTEST_APPLESS_MAIN(RankSimulationTest)
#include "tst_rank_simulation.moc"

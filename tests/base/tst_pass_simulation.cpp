// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Simulated passes against what can be reckoned by hand, and against bounds that no pass can beat.
#include "core/base/plan/training/pass_simulation.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace homebooth::core;

namespace {

/// `count` blocks of 100 bytes, forward and back.
ResidencyRequest passOf(int count, int distance, int64_t budgetBytes) {
    ResidencyRequest request;
    for (int block = 0; block < count; ++block) {
        request.order.push_back(block);
        request.blockBytes.push_back(100);
        request.writable.push_back(true);
    }
    for (int block = count - 1; block >= 0; --block) request.order.push_back(block);
    request.prefetchDistance = distance;
    request.budgetBytes = budgetBytes;
    return request;
}

std::vector<SimulatedUse> usesOf(size_t count, double seconds) {
    return std::vector<SimulatedUse>(count, {.computeSeconds = seconds});
}

SimulatedPass simulated(const ResidencyRequest& request, const std::vector<SimulatedUse>& uses,
                        const SimulatedLink& link) {
    const auto plan = planResidency(request);
    if (!plan) qFatal("%s", plan.error().text().c_str());
    return simulatePass(*plan, uses, request.blockBytes, link);
}

class PassSimulationTest : public QObject {
    Q_OBJECT
private slots:
    void addsUpWhereNothingIsFetchedAhead();
    void hidesTransfersBehindComputing();
    void isBoundByTheLinkWhereThatIsSlower();
    void returnsGradientsWhileComputingGoesOn();
    void waitsForTheLastUpdate();
    void waitsForRoomThatGradientsTake();
    void waitsForGradientsThatCannotLand();
    void gradientsOfSeveralUsesLeaveOneBehindTheOther();
    void bringsStatesToTheUpdate();
    void copiesLeaveWithTheLastOfTheirUse();
    void updatesBothWaysBesideEachOther();
    void waitsForValues();
    void takesNoLessThanEachPartAlone();
    void waitsLessWhereBlocksComeInThePassBefore();
};

void PassSimulationTest::addsUpWhereNothingIsFetchedAhead() {
    // Distance 0 and no room: each of 6 uses fetches its own block but the one at the turn, which stays.
    const SimulatedPass pass = simulated(passOf(3, 0, 100), usesOf(6, 1.0), {100.0, 0.5});
    QCOMPARE(pass.fetchedBytes, int64_t{500});
    QCOMPARE(pass.seconds, 6 * 1.0 + 5 * 1.5);
    QCOMPARE(pass.waitedSeconds, 5 * 1.5);
}

void PassSimulationTest::hidesTransfersBehindComputing() {
    // Ten times faster than computing: only the very first block is waited for.
    const SimulatedPass pass = simulated(passOf(8, 1, 300), usesOf(16, 1.0), {1000.0, 0.0});
    QCOMPARE(pass.waitedSeconds, 0.1);
    QCOMPARE(pass.seconds, 16.1);
}

void PassSimulationTest::isBoundByTheLinkWhereThatIsSlower() {
    const SimulatedPass pass = simulated(passOf(8, 1, 300), usesOf(16, 1.0), {10.0, 0.0});
    QVERIFY(pass.seconds >= static_cast<double>(pass.fetchedBytes) / 10.0);
    QVERIFY(pass.waitedSeconds > pass.computeSeconds);
}

void PassSimulationTest::returnsGradientsWhileComputingGoesOn() {
    const ResidencyRequest request = passOf(4, 1, 400);
    std::vector<SimulatedUse> uses = usesOf(8, 1.0);
    for (size_t use = 4; use < 8; ++use) uses[use].returnedBytes = 50;
    const SimulatedLink link{100.0, 0.0};
    const double without = simulated(request, usesOf(8, 1.0), link).seconds;
    const SimulatedPass with = simulated(request, uses, link);
    QCOMPARE(with.returnedBytes, int64_t{200});
    QCOMPARE(with.seconds, without + 0.5); // the last ones alone have nothing to hide behind
}

void PassSimulationTest::waitsForTheLastUpdate() {
    std::vector<SimulatedUse> uses = usesOf(4, 1.0);
    uses[2].updateSeconds = 5.0;
    uses[3].updateSeconds = 2.0;
    const SimulatedPass pass = simulated(passOf(2, 0, 1000), uses, {0.0, 0.0});
    QCOMPARE(pass.seconds, 3.0 + 5.0 + 2.0);
    QCOMPARE(pass.computeSeconds, 4.0);
}

void PassSimulationTest::waitsForRoomThatGradientsTake() {
    // Four uses of a second each; what the third leaves takes 0.8 s to go.
    ResidencyRequest request = passOf(2, 4, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 0;
    const auto seconds = [&](int64_t room) {
        std::vector<SimulatedUse> uses = usesOf(4, 1.0);
        uses[2].returnedBytes = 80;
        uses[3].gradientRoomBytes = room;
        return simulated(request, uses, {100.0, 0.0}).seconds;
    };
    QCOMPARE(seconds(80), 4.0);
    QCOMPARE(seconds(40), 4.4); // half of it has to be gone
    QCOMPARE(seconds(0), 4.8);
}

void PassSimulationTest::waitsForGradientsThatCannotLand() {
    ResidencyRequest request = passOf(2, 4, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 0;
    std::vector<SimulatedUse> uses = usesOf(4, 1.0);
    uses[2].returnedBytes = 80;
    uses[2].updateSeconds = 4.0; // there at 3.8, updated at 7.8
    uses[3].gradientRoomBytes = 0;
    QCOMPARE(simulated(request, uses, {100.0, 0.0}).computeSeconds, 4.0);
    QCOMPARE(simulated(request, uses, {100.0, 0.0}).waitedSeconds, 3.8 - 3.0);
    // With room for a quarter, that of the third use has left when three quarters are updated.
    QCOMPARE(simulated(request, uses, {100.0, 0.0, 20}).waitedSeconds, 6.8 - 3.0);
}

void PassSimulationTest::gradientsOfSeveralUsesLeaveOneBehindTheOther() {
    ResidencyRequest request = passOf(3, 6, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 0;
    std::vector<SimulatedUse> uses = usesOf(6, 1.0);
    for (const size_t use : {size_t{3}, size_t{4}}) { // leave from 3.1 to 3.9 and from there to 4.7
        uses[use].computeSeconds = 0.1;
        uses[use].returnedBytes = 80;
        uses[use].updateSeconds = 0.3; // in RAM until 4.2 and 5.0
    }
    const auto with = [&](int64_t room) {
        uses[5].gradientRoomBytes = room; // would begin at 3.2
        return simulated(request, uses, {100.0, 0.0});
    };
    QCOMPARE(with(160).waitedSeconds, 0.0);
    QCOMPARE(with(160).seconds, 5.0);
    QVERIFY(std::abs(with(120).waitedSeconds - 0.3) < 1e-9); // half of the first is gone
    QVERIFY(std::abs(with(80).waitedSeconds - 0.7) < 1e-9);
    QVERIFY(std::abs(with(0).waitedSeconds - 1.5) < 1e-9);
    QVERIFY(std::abs(with(0).seconds - 5.7) < 1e-9);
}

void PassSimulationTest::bringsStatesToTheUpdate() {
    // Blocks come in no time; the third use leaves gradients of 80 bytes. Their update needs 120 and sends
    // 160 back.
    ResidencyRequest request = passOf(2, 4, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 0;
    std::vector<SimulatedUse> uses = usesOf(4, 1.0);
    uses[2].returnedBytes = 80;
    uses[2].updateSeconds = 0.5;
    uses[2].visitFetchedBytes = 120;
    uses[2].visitReturnedBytes = 160; // from 3 to 4.6, since pieces go back as others come
    const SimulatedPass pass = simulated(request, uses, {100.0, 0.0});
    QCOMPARE(pass.returnedBytes, int64_t{0});
    QCOMPARE(pass.waitedSeconds, 0.0);
    QVERIFY(std::abs(pass.seconds - 4.6) < 1e-9);
    uses[2].visitFetchedBytes = 200; // from 3 to 5, and then the last of them has gone back, too
    QVERIFY(std::abs(simulated(request, uses, {100.0, 0.0}).seconds - 5.0) < 1e-9);
    uses[2].visitFetchedBytes = 120;
    uses[3].gradientRoomBytes = 0; // so it waits for them
    QVERIFY(std::abs(simulated(request, uses, {100.0, 0.0}).seconds - 5.6) < 1e-9);
    uses[3].gradientRoomBytes = 20; // with three quarters of them gone at 4.2
    QVERIFY(std::abs(simulated(request, uses, {100.0, 0.0}).waitedSeconds - 1.2) < 1e-9);
    uses[2].visitCopiedBytes = 40; // which leave with the last of them
    for (const int64_t room : {20, 39}) {
        uses[3].gradientRoomBytes = room;
        QVERIFY(std::abs(simulated(request, uses, {100.0, 0.0}).waitedSeconds - 1.6) < 1e-9);
    }
    uses[3].gradientRoomBytes = 60;
    QVERIFY(std::abs(simulated(request, uses, {100.0, 0.0}).waitedSeconds - 1.2) < 1e-9);
    uses[3].gradientRoomBytes = 120;
    uses[2].updateSeconds = 3.0; // which takes longer than their way
    QVERIFY(std::abs(simulated(request, uses, {100.0, 0.0}).seconds - 6.0) < 1e-9);
}

void PassSimulationTest::copiesLeaveWithTheLastOfTheirUse() {
    ResidencyRequest request = passOf(3, 6, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 0;
    const auto waited = [&](int64_t room) {
        std::vector<SimulatedUse> uses = usesOf(6, 1.0);
        for (const size_t use : {size_t{3}, size_t{4}}) { // from 4 to 5.6, and from there to 7.2
            uses[use].returnedBytes = uses[use].visitCopiedBytes = 40;
            uses[use].updateSeconds = 0.5;
            uses[use].visitFetchedBytes = 120;
            uses[use].visitReturnedBytes = 160;
        }
        uses[5].gradientRoomBytes = room; // would begin at 5
        return simulated(request, uses, {100.0, 0.0}).waitedSeconds;
    };
    QVERIFY(std::abs(waited(0) - 2.2) < 1e-9);
    QVERIFY(std::abs(waited(40) - 2.2) < 1e-9); // for the second one's copies alone
    QVERIFY(std::abs(waited(60) - 1.4) < 1e-9); // and for half of its gradients
    for (const int64_t room : {80, 100, 120})   // those of the first one have to go, with its copies
        QVERIFY(std::abs(waited(room) - 0.6) < 1e-9);
    QVERIFY(std::abs(waited(130) - 0.2) < 1e-9); // three quarters of its gradients
    QCOMPARE(waited(140), 0.0);                  // half of them have left by then
}

void PassSimulationTest::updatesBothWaysBesideEachOther() {
    ResidencyRequest request = passOf(3, 6, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 0;
    const auto with = [&](std::vector<bool> visits, int64_t room) {
        std::vector<SimulatedUse> uses = usesOf(6, 1.0);
        for (const size_t use : {size_t{3}, size_t{4}}) {
            uses[use].returnedBytes = 80;
            const bool visiting = visits[use - 3];
            uses[use].updateSeconds = visiting ? 0.5 : 3.0;
            if (visiting) uses[use].visitFetchedBytes = 120;
            if (visiting) uses[use].visitReturnedBytes = 160;
        }
        uses[5].gradientRoomBytes = room; // would begin at 5
        return simulated(request, uses, {100.0, 0.0});
    };
    QVERIFY(std::abs(with({false, false}, 160).seconds - 10.8) < 1e-9); // home at 4.8, and six more
    QVERIFY(std::abs(with({true, true}, 160).seconds - 7.2) < 1e-9);    // 1.6 each from 4 on
    // The first from 4 to 5.6; the second comes home behind it at 6.4 and is updated until 9.4.
    QVERIFY(std::abs(with({true, false}, 160).seconds - 9.4) < 1e-9);
    QCOMPARE(with({true, false}, 160).returnedBytes, int64_t{80});
    // Both count until they have left.
    QCOMPARE(with({true, false}, 120).waitedSeconds, 0.0); // half of the first has left at 4.8
    QVERIFY(std::abs(with({true, false}, 80).waitedSeconds - 0.6) < 1e-9);
    QVERIFY(std::abs(with({true, false}, 40).waitedSeconds - 1.0) < 1e-9);
    QVERIFY(std::abs(with({true, false}, 0).waitedSeconds - 1.4) < 1e-9);
}

void PassSimulationTest::waitsForValues() {
    // All blocks fit and come before the first use, in no time; values take 2 s and 1.5 s.
    ResidencyRequest request = passOf(2, 4, 1000);
    for (int64_t& bytes : request.blockBytes) bytes = 1;
    std::vector<SimulatedUse> uses = usesOf(4, 1.0);
    uses[0].leftBytes = 150;    // from 1 to 2.5: the use behind ends at 2 and waits for that
    uses[1].fetchedBytes = 300; // asked for at 1, there at 4
    uses[3].leftBytes = 150;    // begins when all is computed
    const SimulatedPass pass = simulated(request, uses, {100.0, 0.0});
    QCOMPARE(pass.fetchedBytes, int64_t{2});
    QVERIFY(std::abs(pass.seconds - (4.0 + 1.0 + 1.0 + 1.5)) < 0.05);
    QVERIFY(std::abs(pass.waitedSeconds - (0.5 + 1.5)) < 0.05);
}

void PassSimulationTest::takesNoLessThanEachPartAlone() {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        ResidencyRequest request =
            passOf(static_cast<int>(2 + random() % 10), static_cast<int>(random() % 3), 0);
        for (int64_t& bytes : request.blockBytes) bytes = static_cast<int64_t>(1 + random() % 100);
        request.budgetBytes = leastArenaBytes(request, request.prefetchDistance) + random() % 300;
        std::vector<SimulatedUse> uses;
        double updates = 0.0;
        for (size_t use = 0; use < request.order.size(); ++use) {
            uses.push_back({0.01 * static_cast<double>(random() % 100), 0, 0,
                            static_cast<int64_t>(random() % 50), 0.01 * static_cast<double>(random() % 50)});
            updates += uses.back().updateSeconds;
        }
        const SimulatedPass pass = simulated(request, uses, {50.0, 0.0});
        const double fetching = static_cast<double>(pass.fetchedBytes) / 50.0;
        const double returning = static_cast<double>(pass.returnedBytes) / 50.0;
        const double least =
            std::max({pass.computeSeconds + pass.waitedSeconds, fetching, returning, updates});
        QVERIFY(pass.seconds >= least - 1e-9);
        QVERIFY(pass.seconds <= pass.computeSeconds + fetching + returning + updates + 1e-9);
    }
}

void PassSimulationTest::waitsLessWhereBlocksComeInThePassBefore() {
    // Two seconds to fetch a block, one to compute with it, and room for all four.
    ResidencyRequest request = passOf(4, 1, 400);
    request.asSoonAsPossible = true;
    const auto plan = planResidency(request);
    QVERIFY(plan.ok());
    const std::vector<SimulatedUse> uses = usesOf(8, 1.0);
    const SimulatedLink link{50.0, 0.0};
    const SimulatedPass first = simulatePass(*plan, uses, request.blockBytes, link, false);
    const SimulatedPass inARow = simulatePass(*plan, uses, request.blockBytes, link, true);
    QCOMPARE(first.fetchedBytes, inARow.fetchedBytes);
    QCOMPARE(first.seconds - inARow.seconds, first.waitedSeconds - inARow.waitedSeconds);
    QVERIFY2(inARow.waitedSeconds < first.waitedSeconds, qPrintable(QString::number(inARow.waitedSeconds)));

    // What is updated late comes late: nothing is gained by then.
    std::vector<SimulatedUse> late = uses;
    for (size_t use = 4; use < 8; ++use) late[use].updateSeconds = 10.0;
    const SimulatedPass waiting = simulatePass(*plan, late, request.blockBytes, link, true);
    QCOMPARE(waiting.waitedSeconds, first.waitedSeconds);
}

} // namespace

QTEST_APPLESS_MAIN(PassSimulationTest)
#include "tst_pass_simulation.moc"

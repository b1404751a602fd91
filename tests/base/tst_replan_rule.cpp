// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// When a step is planned anew: after the warm-up, after what lasts, and not after what passes.
#include "core/base/plan/training/replan_rule.h"
#include "core/base/plan/training/take_back_rule.h"

#include <QTest>

#include <vector>

using namespace homebooth::core;

namespace {

constexpr double kStep = 10.0;    // predicted seconds
constexpr int64_t kBudget = 1000; // bytes
constexpr int64_t kNeed = 800;    // bytes

/// A rule behind its warm-up and with a plan.
ReplanRule planned(bool couldUseMore = true) {
    ReplanRule rule;
    while (rule.stepEnded(kStep, kBudget) != ReplanReason::WarmUp) {
    }
    rule.planned(kStep, kNeed, kBudget, couldUseMore);
    return rule;
}

/// The reason that comes up within `steps` equal steps, and the number of the step behind which it did.
std::pair<ReplanReason, int> within(ReplanRule& rule, int steps, double seconds, int64_t budget) {
    for (int step = 1; step <= steps; ++step)
        if (const ReplanReason reason = rule.stepEnded(seconds, budget); reason != ReplanReason::None)
            return {reason, step};
    return {ReplanReason::None, steps};
}

class ReplanRuleTest : public QObject {
    Q_OBJECT
private slots:
    void measuresAllButTheFirstStepOfTheWarmUp();
    void measuresAfterAsManyStepsAsItTakesToFillCaches();
    void staysWithAPlanThatHolds();
    void plansAgainWhenStepsTakeLonger();
    void forgivesASlowStep();
    void plansAtOnceWhenMemoryIsGone();
    void plansAtOnceWhenRamIsGone();
    void ramThatIsUsedUpIsNotRamThatIsNone();
    void takesNoNoticeOfAMomentWithoutMemory();
    void usesMoreMemoryOnlyWhereItHelps();
    void restsAfterAPlan();
    void comesBackToMemoryThatIsGoneEverLater();
    void comesBackToMemoryThatIsGoneWhenThereIsClearlyMore();
    void whereOneMemoryIsGoneTheOtherIsStillLookedAt();
    void plansForMemoryThatComesBackThoughItWasGone();
    void takesBackAfterMinutesOfRoom();
    void takesBackEverLaterWhatComesAndGoes();
};

void ReplanRuleTest::measuresAllButTheFirstStepOfTheWarmUp() {
    ReplanRule rule;
    QVERIFY(!rule.measures());
    QCOMPARE(rule.stepEnded(99.0, kBudget), ReplanReason::None);
    QVERIFY(rule.measures());
    QCOMPARE(rule.stepEnded(kStep, kBudget), ReplanReason::None);
    QVERIFY(rule.measures());
    QCOMPARE(rule.stepEnded(kStep, kBudget), ReplanReason::WarmUp);
    QVERIFY(!rule.measures());
}

void ReplanRuleTest::measuresAfterAsManyStepsAsItTakesToFillCaches() {
    ReplanRule rule({.warmUpSteps = 4, .fillingSteps = 2});
    std::vector<bool> measured;
    ReplanReason reason = ReplanReason::None;
    while (reason == ReplanReason::None && measured.size() < 10) {
        measured.push_back(rule.measures());
        reason = rule.stepEnded(kStep, kBudget);
    }
    QCOMPARE(reason, ReplanReason::WarmUp);
    QCOMPARE(measured, std::vector<bool>({false, false, true, true}));
}

void ReplanRuleTest::staysWithAPlanThatHolds() {
    ReplanRule rule = planned();
    for (int step = 0; step < 500; ++step) {
        const double noise = step % 7 == 0 ? 1.24 : 0.8;
        QCOMPARE(rule.stepEnded(kStep * noise, kBudget + (step % 3) * 100), ReplanReason::None);
        QVERIFY(!rule.measures());
    }
}

void ReplanRuleTest::plansAgainWhenStepsTakeLonger() {
    ReplanRule rule = planned();
    within(rule, 20, kStep, kBudget);
    for (int step = 0; step < 5; ++step) QCOMPARE(rule.stepEnded(1.3 * kStep, kBudget), ReplanReason::None);
    QVERIFY(rule.measures()); // first the blocks are measured again
    QCOMPARE(rule.stepEnded(1.3 * kStep, kBudget), ReplanReason::None);
    QVERIFY(rule.measures());
    QCOMPARE(rule.stepEnded(1.3 * kStep, kBudget), ReplanReason::StepTime);
    QVERIFY(!rule.measures());
}

void ReplanRuleTest::forgivesASlowStep() {
    ReplanRule rule = planned();
    for (int round = 0; round < 20; ++round) {
        QCOMPARE(within(rule, 4, 3 * kStep, kBudget).first, ReplanReason::None);
        QCOMPARE(within(rule, 1, kStep, kBudget).first, ReplanReason::None);
        QVERIFY(!rule.measures());
    }
}

void ReplanRuleTest::plansAtOnceWhenMemoryIsGone() {
    ReplanRule rule = planned();
    const auto [reason, steps] = within(rule, 10, kStep, kNeed - 1);
    QCOMPARE(reason, ReplanReason::LessMemory);
    QCOMPARE(steps, 2);
}

void ReplanRuleTest::plansAtOnceWhenRamIsGone() {
    constexpr int64_t kRam = 300; // bytes
    ReplanRule rule = planned();
    rule.planned(kStep, kNeed, kBudget, true, kRam);
    for (int round = 0; round < 50; ++round) // enough, or too little for a moment
        QCOMPARE(rule.stepEnded(kStep, kBudget, round % 2 == 0 ? kRam - 1 : kRam), ReplanReason::None);
    QCOMPARE(rule.stepEnded(kStep, kBudget, kRam - 1), ReplanReason::None);
    QCOMPARE(rule.stepEnded(kStep, kBudget, kRam - 1), ReplanReason::LessRam);
    ReplanRule resident = planned(); // needs no RAM beside the device
    for (int step = 0; step < 10; ++step) QCOMPARE(resident.stepEnded(kStep, kBudget, 1), ReplanReason::None);
}

void ReplanRuleTest::ramThatIsUsedUpIsNotRamThatIsNone() {
    constexpr int64_t kRam = 300; // bytes
    for (const int64_t left : {int64_t{0}, -kRam}) {
        ReplanRule rule = planned();
        rule.planned(kStep, kNeed, kBudget, true, kRam);
        QCOMPARE(rule.stepEnded(kStep, kBudget, left), ReplanReason::None);
        QCOMPARE(rule.stepEnded(kStep, kBudget, left), ReplanReason::LessRam);
        rule.stays(ReplanReason::LessRam, kBudget, left);
        for (int step = 0; step < 10; ++step) // nothing is not clearly more than less than that
            QCOMPARE(rule.stepEnded(kStep, kBudget, left / 2), ReplanReason::None);
        ReplanRule resident = planned();
        for (int step = 0; step < 10; ++step)
            QCOMPARE(resident.stepEnded(kStep, kBudget, left), ReplanReason::None);
    }
    ReplanRule rule = planned();
    rule.planned(kStep, kNeed, kBudget, true, kRam);
    for (int step = 0; step < 10; ++step) QCOMPARE(rule.stepEnded(kStep, kBudget), ReplanReason::None);
}

void ReplanRuleTest::takesNoNoticeOfAMomentWithoutMemory() {
    ReplanRule rule = planned();
    for (int round = 0; round < 50; ++round)
        QCOMPARE(rule.stepEnded(kStep, round % 2 == 0 ? kNeed - 1 : kBudget), ReplanReason::None);
}

void ReplanRuleTest::usesMoreMemoryOnlyWhereItHelps() {
    ReplanRule content = planned(false);
    QCOMPARE(within(content, 200, kStep, 2 * kBudget).first, ReplanReason::None);
    ReplanRule wanting = planned(true);
    const auto [reason, steps] = within(wanting, 200, kStep, 2 * kBudget);
    QCOMPARE(reason, ReplanReason::MoreMemory);
    QVERIFY(steps >= 20);
}

void ReplanRuleTest::restsAfterAPlan() {
    ReplanRule rule = planned();
    const int first = within(rule, 100, 2 * kStep, kBudget).second;
    QVERIFY(first >= 20);
    rule.planned(kStep, kNeed, kBudget, true); // as wrong as before
    QVERIFY(within(rule, 100, 2 * kStep, kBudget).second >= 20);
}

void ReplanRuleTest::comesBackToMemoryThatIsGoneEverLater() {
    ReplanRule rule = planned();
    std::vector<int> rests;
    for (int round = 0; round < 9; ++round) {
        const auto [reason, steps] = within(rule, 5000, kStep, kNeed - 1);
        QCOMPARE(reason, ReplanReason::LessMemory);
        rests.push_back(steps);
        rule.stays(reason, kNeed - 1);
    }
    QCOMPARE(rests, std::vector<int>({2, 20, 40, 80, 160, 320, 640, 1280, 1280}));
    rule.planned(kStep, kNeed, kBudget, true); // at last there was one
    QCOMPARE(within(rule, 5000, kStep, kNeed - 1).second, 2);
}

void ReplanRuleTest::comesBackToMemoryThatIsGoneWhenThereIsClearlyMore() {
    constexpr int64_t kRam = 300; // bytes
    ReplanRule rule = planned();
    rule.planned(kStep, kNeed, kBudget, true, kRam);
    QCOMPARE(within(rule, 10, kStep, kNeed / 2).first, ReplanReason::LessMemory);
    rule.stays(ReplanReason::LessMemory, kNeed / 2);
    for (const int64_t budget : {kNeed / 2, kNeed / 4, kNeed * 6 / 10, kNeed / 2}) // a little more, or less
        QCOMPARE(within(rule, 4, kStep, budget).first, ReplanReason::None);
    QCOMPARE(within(rule, 1, kStep, kNeed * 7 / 10).first, ReplanReason::LessMemory);
    rule.stays(ReplanReason::LessMemory, kNeed * 7 / 10);
    QCOMPARE(within(rule, 19, kStep, kNeed * 7 / 10).first, ReplanReason::None);

    rule.planned(kStep, kNeed, kBudget, true, kRam);
    QCOMPARE(rule.stepEnded(kStep, kBudget, kRam / 2), ReplanReason::None);
    QCOMPARE(rule.stepEnded(kStep, kBudget, kRam / 2), ReplanReason::LessRam);
    rule.stays(ReplanReason::LessRam, kBudget, kRam / 2);
    for (int step = 0; step < 10; ++step)
        QCOMPARE(rule.stepEnded(kStep, kBudget, kRam / 2), ReplanReason::None);
    QCOMPARE(rule.stepEnded(kStep, kBudget, kRam * 2 / 3), ReplanReason::LessRam);
}

void ReplanRuleTest::whereOneMemoryIsGoneTheOtherIsStillLookedAt() {
    constexpr int64_t kRam = 300; // bytes
    ReplanRule rule = planned();
    rule.planned(kStep, kNeed, kBudget, true, kRam);
    const auto steps = [&rule](int64_t budget, int64_t ram) {
        for (int step = 1; step <= 100; ++step)
            if (const ReplanReason reason = rule.stepEnded(kStep, budget, ram); reason != ReplanReason::None)
                return std::pair(reason, step);
        return std::pair(ReplanReason::None, 0);
    };
    QCOMPARE(steps(kBudget, kRam - 1), std::pair(ReplanReason::LessRam, 2));
    rule.stays(ReplanReason::LessRam, kBudget, kRam - 1);
    for (int step = 0; step < 5; ++step)
        QCOMPARE(rule.stepEnded(kStep, kBudget, kRam - 1), ReplanReason::None);
    QCOMPARE(steps(kNeed - 1, kRam - 1), std::pair(ReplanReason::LessMemory, 2));
    rule.stays(ReplanReason::LessMemory, kNeed - 1, kRam - 1);
    // Both are gone: each has a rest of its own.
    QCOMPARE(steps(kNeed - 1, kRam - 1), std::pair(ReplanReason::LessRam, 13));
    rule.stays(ReplanReason::LessRam, kNeed - 1, kRam - 1);
    QCOMPARE(steps(kNeed - 1, kRam - 1), std::pair(ReplanReason::LessMemory, 7));
}

void ReplanRuleTest::plansForMemoryThatComesBackThoughItWasGone() {
    ReplanRule rule = planned();
    QCOMPARE(within(rule, 10, kStep, kNeed - 1).first, ReplanReason::LessMemory);
    rule.stays(ReplanReason::LessMemory, kNeed - 1);
    QCOMPARE(within(rule, 10, kStep, kBudget).first, ReplanReason::None);
    QCOMPARE(within(rule, 100, kStep, 2 * kBudget).first, ReplanReason::MoreMemory);
}

/// After how many steps of a minute with room something is taken back.
int minutesUntilTakenBack(TakeBackRule& rule) {
    for (int step = 1; step <= 200; ++step)
        if (rule.stepEnded(60.0, true)) return step;
    return 0;
}

void ReplanRuleTest::takesBackAfterMinutesOfRoom() {
    TakeBackRule rule;
    rule.gaveUp();
    for (int step = 0; step < 50; ++step) QVERIFY(!rule.stepEnded(60.0, step % 3 > 0)); // too short
    QVERIFY(!rule.stepEnded(600.0, false));
    QCOMPARE(minutesUntilTakenBack(rule), 3);
    QCOMPARE(minutesUntilTakenBack(rule), 3); // the next part
    TakeBackRule quick(0.0);
    QVERIFY(!quick.stepEnded(1.0, false));
    QVERIFY(quick.stepEnded(1.0, true));
}

void ReplanRuleTest::takesBackEverLaterWhatComesAndGoes() {
    TakeBackRule rule;
    std::vector<int> minutes;
    for (int round = 0; round < 8; ++round) {
        rule.gaveUp();
        minutes.push_back(minutesUntilTakenBack(rule));
    }
    QCOMPARE(minutes, std::vector<int>({3, 6, 12, 24, 48, 96, 96, 96}));
}

} // namespace

QTEST_APPLESS_MAIN(ReplanRuleTest)
#include "tst_replan_rule.moc"

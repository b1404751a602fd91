// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of residence over random orders and sizes: sound at every budget, and never worse with more memory.
#include "core/base/memory/residency_plan.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace homebooth::core;

namespace {

/// Forward through `count` blocks of random size, and back.
ResidencyRequest trainingPass(unsigned seed, int count) {
    std::mt19937 random(seed);
    ResidencyRequest request;
    for (int block = 0; block < count; ++block) {
        request.order.push_back(block);
        request.blockBytes.push_back(static_cast<int64_t>(1 + random() % 50) * 64);
        request.writable.push_back(random() % 2 == 0);
    }
    for (int block = count - 1; block >= 0; --block) request.order.push_back(block);
    request.prefetchDistance = static_cast<int>(random() % 4);
    return request;
}

/// In passes that follow one another, each `uses` long.
bool apartInTime(const Stay& a, const Stay& b, int uses) {
    const auto from = [uses](const Stay& stay, int pass) {
        const int begin =
            stay.fetchAt < -1 ? stay.fetchAt + 1 : std::max(stay.fetchAt, 0); // -1: between passes
        return pass * uses + begin;
    };
    const auto apart = [&](int passOfA, int passOfB) {
        return passOfA * uses + a.lastUse < from(b, passOfB) || passOfB * uses + b.lastUse < from(a, passOfA);
    };
    return apart(0, 0) && apart(0, 1) && apart(1, 0);
}

bool apartInAddresses(const Stay& a, const Stay& b, const std::vector<int64_t>& bytes) {
    return a.offsetBytes + bytes[a.block] <= b.offsetBytes || b.offsetBytes + bytes[b.block] <= a.offsetBytes;
}

void verifySound(const ResidencyPlan& plan, const ResidencyRequest& request) {
    QVERIFY(plan.arenaBytes <= request.budgetBytes);
    for (size_t use = 0; use < request.order.size(); ++use) {
        const Stay& stay = plan.stays.at(plan.stayOfUse.at(use));
        QCOMPARE(stay.block, request.order[use]);
        QVERIFY(stay.fetchAt <= stay.firstUse && stay.firstUse <= static_cast<int>(use));
        QVERIFY(static_cast<int>(use) <= stay.lastUse);
        QVERIFY(!stay.permanent || !request.writable[stay.block]);
    }
    const auto uses = static_cast<int>(request.order.size());
    for (const Stay& stay : plan.stays) // what is fetched for the next pass has left this one
        QVERIFY(stay.permanent || stay.fetchAt >= -1 || stay.lastUse < uses + 1 + stay.fetchAt);
    for (size_t a = 0; a < plan.stays.size(); ++a)
        for (size_t b = a + 1; b < plan.stays.size(); ++b) {
            const bool apart = apartInTime(plan.stays[a], plan.stays[b], uses);
            if (plan.stays[a].block == plan.stays[b].block) QVERIFY(apart);
            QVERIFY(apart || apartInAddresses(plan.stays[a], plan.stays[b], request.blockBytes));
        }
}

class ResidencyPlanTest : public QObject {
    Q_OBJECT
private slots:
    void isSoundAtEveryBudget();
    void fetchesSoonerWhereThatIsWanted();
    void fetchesNoMoreWithMoreMemory();
    void fetchesNothingTwiceWhereAllFits();
    void fetchesFrozenBlocksOnceForAll();
    void givesUpPrefetchingBeforeItRefuses();
    void refusesLessThanTheLargestBlockAndNamesIt();
};

void ResidencyPlanTest::isSoundAtEveryBudget() {
    for (unsigned seed = 0; seed < 40; ++seed) {
        ResidencyRequest request = trainingPass(seed, 3 + static_cast<int>(seed % 20));
        const int64_t least = leastArenaBytes(request);
        const int64_t all = std::accumulate(request.blockBytes.begin(), request.blockBytes.end(), int64_t{0});
        for (int step = 0; step <= 5; ++step) {
            request.budgetBytes = least + (all - least) * step / 5;
            const Result<ResidencyPlan> plan = planResidency(request);
            QVERIFY2(plan.ok(), "a budget of at least the least one was refused");
            verifySound(*plan, request);
        }
    }
}

void ResidencyPlanTest::fetchesSoonerWhereThatIsWanted() {
    int ahead = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        ResidencyRequest request = trainingPass(seed, 8 + static_cast<int>(seed % 20));
        request.writable.assign(request.writable.size(), true);
        request.asSoonAsPossible = true;
        const int64_t least = leastArenaBytes(request, 2);
        const int64_t all = std::accumulate(request.blockBytes.begin(), request.blockBytes.end(), int64_t{0});
        for (int step = 0; step <= 5; ++step) {
            request.budgetBytes = least + (all - least) * step / 5;
            const Result<ResidencyPlan> plan = planResidency(request);
            QVERIFY(plan.ok());
            verifySound(*plan, request);
            for (const Stay& stay : plan->stays) ahead += stay.fetchAt < -1 ? 1 : 0;
        }
    }
    QVERIFY2(ahead > 200, qPrintable(QString::number(ahead))); // of 40 * 6 plans
}

void ResidencyPlanTest::fetchesNoMoreWithMoreMemory() {
    ResidencyRequest request = trainingPass(7, 24);
    request.prefetchDistance = 0;
    request.writable.assign(request.writable.size(), true);
    const int64_t all = std::accumulate(request.blockBytes.begin(), request.blockBytes.end(), int64_t{0});
    int64_t before = 2 * all + 1;
    for (const double share : {0.2, 0.4, 0.6, 0.8, 1.0}) {
        request.budgetBytes = static_cast<int64_t>(share * static_cast<double>(all));
        const int64_t fetched = planResidency(request)->fetchedBytes;
        QVERIFY2(fetched < before, qPrintable(QString::number(share)));
        before = fetched;
    }
}

void ResidencyPlanTest::fetchesNothingTwiceWhereAllFits() {
    ResidencyRequest request = trainingPass(3, 12);
    request.writable.assign(request.writable.size(), true);
    const int64_t all = std::accumulate(request.blockBytes.begin(), request.blockBytes.end(), int64_t{0});
    request.budgetBytes = all;
    QCOMPARE(planResidency(request)->fetchedBytes, all);
}

void ResidencyPlanTest::fetchesFrozenBlocksOnceForAll() {
    ResidencyRequest request = trainingPass(3, 12);
    request.writable.assign(request.writable.size(), false);
    request.budgetBytes = std::accumulate(request.blockBytes.begin(), request.blockBytes.end(), int64_t{0});
    const Result<ResidencyPlan> plan = planResidency(request);
    QCOMPARE(plan->fetchedBytes, 0);
    QCOMPARE(plan->stays.size(), request.blockBytes.size());
}

void ResidencyPlanTest::givesUpPrefetchingBeforeItRefuses() {
    ResidencyRequest request = trainingPass(11, 10);
    request.prefetchDistance = 3;
    request.budgetBytes = leastArenaBytes(request);
    const Result<ResidencyPlan> plan = planResidency(request);
    QVERIFY(plan.ok());
    verifySound(*plan, request);
}

void ResidencyPlanTest::refusesLessThanTheLargestBlockAndNamesIt() {
    ResidencyRequest request;
    request.order = {0, 1, 1, 0};
    request.blockBytes = {int64_t{3} << 20, int64_t{5} << 20};
    request.writable = {true, true};
    request.budgetBytes = int64_t{4} << 20;
    const Result<ResidencyPlan> plan = planResidency(request);
    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().code, ErrorCode::OutOfResources);
    QVERIFY2(plan.error().text().find("at least 5.00 MiB") != std::string::npos, plan.error().text().c_str());
}

} // namespace

QTEST_APPLESS_MAIN(ResidencyPlanTest)
#include "tst_residency_plan.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of auto where cpu was asked for costs one plan, and not a search of its own.
#include "core/base/plan/training/faster_policy.h"

#include <QTest>

#include <vector>

using namespace homebooth::core;

namespace {

TrainConfig streamed() {
    TrainConfig config;
    config.memory.policy = PlacementPolicy::Cpu;
    return config;
}

/// Of steps that take so long. @param policies  gets those that were asked for
auto answering(double seconds, std::vector<PlacementPolicy>& policies) {
    return [seconds, &policies](const TrainConfig& config) -> Result<StepNeed> {
        policies.push_back(config.memory.policy);
        StepNeed need;
        need.device.parameterBytes = 1000;
        need.stepSeconds = seconds;
        return need;
    };
}

} // namespace

class FasterPolicyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneWayIsPlannedAndNoneIsSearched() {
        std::vector<PlacementPolicy> policies;
        const auto line = aboutAuto(streamed(), 10.0, answering(5.0, policies));
        QVERIFY(line.has_value());
        QCOMPARE(line->code, std::string("auto-is-faster"));
        QCOMPARE(line->facts.at("stepSeconds"), 5.0);
        QCOMPARE(line->facts.at("deviceBytes"), 1000.0);
        QCOMPARE(policies.size(), size_t{1});
        QVERIFY(policies.front() == PlacementPolicy::Gpu); // auto would search
    }

    void littleIsNotWorthALine() {
        std::vector<PlacementPolicy> policies;
        QVERIFY(!aboutAuto(streamed(), 10.0, answering(9.0, policies)));
    }

    void nothingIsSaidWhereNotAllHasRoom() {
        QVERIFY(!aboutAuto(streamed(), 10.0, [](const TrainConfig&) -> Result<StepNeed> {
            return Error{ErrorCode::OutOfResources, "too small", {}};
        }));
    }

    void nothingIsPlannedWhereNobodyAskedForCpu() {
        std::vector<PlacementPolicy> policies;
        QVERIFY(!aboutAuto(TrainConfig(), 10.0, answering(1.0, policies)));
        TrainConfig several = streamed();
        several.parallel.processes = 2;
        QVERIFY(!aboutAuto(several, 10.0, answering(1.0, policies)));
        QVERIFY(policies.empty());
    }
};

QTEST_APPLESS_MAIN(FasterPolicyTest)
#include "tst_faster_policy.moc"

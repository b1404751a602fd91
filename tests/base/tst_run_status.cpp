// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker's control socket says of where it stands.
#include "core/worker/run_status.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

class Nobody : public EventSink {
public:
    void emit(const Event& /*event*/) override {}
};

StepEvent step(int64_t number) {
    StepEvent event;
    event.step = number;
    return event;
}

} // namespace

class tst_run_status : public QObject {
    Q_OBJECT

private slots:
    void doneGrowsWithTheSteps() {
        Nobody nobody;
        RunStatus status(nobody);
        const auto told = [&status] {
            return QJsonDocument::fromJson(QByteArray::fromStdString(status.toJson(false))).object();
        };
        status.emit(StateEvent{"training", "", 2, 400});
        QCOMPARE(told()["done"].toInt(), 2);
        status.emit(step(22));
        QCOMPARE(told()["done"].toInt(), 22);
        QCOMPARE(told()["total"].toInt(), 400);
        QCOMPARE(told()["step"].toInt(), 22);
    }

    void anotherPhaseCountsItsOwn() {
        Nobody nobody;
        RunStatus status(nobody);
        status.emit(StateEvent{"saving", "", 1, 3});
        status.emit(step(22));
        const auto told = QJsonDocument::fromJson(QByteArray::fromStdString(status.toJson(true))).object();
        QCOMPARE(told["done"].toInt(), 1);
        QVERIFY(told["paused"].toBool());
    }
};

QTEST_APPLESS_MAIN(tst_run_status)
#include "tst_run_status.moc"

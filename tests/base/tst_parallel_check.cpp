// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What several processes cannot do, and what is proposed instead.
#include "core/base/config/parallel_check.h"

#include <QTest>

using namespace homebooth::core;

namespace {

class ParallelCheckTest : public QObject {
    Q_OBJECT
private slots:
    void namesNumbersThatShareABatchBeforeAnotherBatch_data();
    void namesNumbersThatShareABatchBeforeAnotherBatch();
    void letsEqualSharesPass();
};

TrainConfig configOf(int64_t batch, int64_t processes) {
    TrainConfig config;
    config.batchSize = batch;
    config.parallel.processes = processes;
    return config;
}

void ParallelCheckTest::namesNumbersThatShareABatchBeforeAnotherBatch_data() {
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("processes");
    QTest::addColumn<QString>("advice");
    QTest::newRow("between two") << 12 << 5
                                 << "take --processes 4 or 6, or --batch 15, which makes other steps";
    QTest::newRow("prime") << 7 << 2 << "take --processes 1 or 7, or --batch 8, which makes other steps";
    QTest::newRow("too many") << 4 << 6 << "take --processes 4, or --batch 6, which makes other steps";
    QTest::newRow("one picture") << 1 << 2 << "take --processes 1, or --batch 2, which makes other steps";
}

void ParallelCheckTest::namesNumbersThatShareABatchBeforeAnotherBatch() {
    QFETCH(int, batch);
    QFETCH(int, processes);
    QFETCH(QString, advice);
    const auto checked = checkParallel(configOf(batch, processes));
    QVERIFY(!checked.ok());
    QCOMPARE(checked.error().code, ErrorCode::Usage);
    const QString message = QString::fromStdString(checked.error().message);
    QVERIFY2(message.endsWith("; " + advice), qPrintable(message));
}

void ParallelCheckTest::letsEqualSharesPass() {
    for (const int64_t processes : {1, 2, 3, 4, 6, 12}) QVERIFY(checkParallel(configOf(12, processes)).ok());
}

} // namespace

QTEST_APPLESS_MAIN(ParallelCheckTest)
#include "tst_parallel_check.moc"

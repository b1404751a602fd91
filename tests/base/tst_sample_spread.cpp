// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How processes share the pictures of a generation, and what is said of those that have nothing to do.
#include "core/base/config/sample_spread.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

SampleConfig pictures(int64_t count, int64_t batch = 1, double guidance = 7.5) {
    SampleConfig config;
    config.count = count;
    config.batchSize = batch;
    config.guidanceScale = guidance;
    return config;
}

} // namespace

class tst_sample_spread : public QObject {
    Q_OBJECT

private slots:
    void givesWorkToAsManyAsCanHaveSome_data() {
        QTest::addColumn<qint64>("count");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<double>("guidance");
        QTest::addColumn<qint64>("asked");
        QTest::addColumn<qint64>("used");
        QTest::addColumn<bool>("halves");
        const auto row = [](const char* name, qint64 count, qint64 batch, double guidance, qint64 asked,
                            qint64 used, bool halves) {
            QTest::newRow(name) << count << batch << guidance << asked << used << halves;
        };
        row("one process", 8, 1, 7.5, 1, 1, false);
        row("more pictures than processes", 8, 1, 7.5, 3, 3, false);
        row("one picture each", 2, 1, 7.5, 2, 2, false);
        row("one picture, two processes", 1, 1, 7.5, 2, 2, true);
        row("one picture, many processes", 1, 1, 7.5, 5, 2, true);
        row("two pictures, three processes", 2, 1, 7.5, 3, 2, false);
        row("two pictures, four processes", 2, 1, 7.5, 4, 4, true);
        row("one batch of four", 4, 4, 7.5, 4, 2, true);
        row("a batch and a rest", 5, 4, 7.5, 2, 2, false);
        row("no guidance, nothing to halve", 1, 1, 1.0, 2, 1, false);
    }
    void givesWorkToAsManyAsCanHaveSome() {
        QFETCH(qint64, count);
        QFETCH(qint64, batch);
        QFETCH(double, guidance);
        QFETCH(qint64, asked);
        QFETCH(qint64, used);
        QFETCH(bool, halves);
        const SampleConfig config = pictures(count, batch, guidance);
        const SampleSpread spread = spreadSampling(config, asked);
        QVERIFY2(spread.processes == used, std::to_string(spread.processes).c_str());
        QCOMPARE(spread.halves, halves);
        QVERIFY(spreadSampling(config, used) == spread); // what each of them concludes
        QCOMPARE(idleProcesses(config, asked, 0).empty(), asked == used);
    }

    void twoOfATeamMakeTheSameBatches() {
        const SampleSpread halves = spreadSampling(pictures(2), 4);
        QCOMPARE(halves.teams(), int64_t{2});
        for (const int64_t rank : {0, 1, 2, 3}) QCOMPARE(halves.teamOf(rank), rank / 2);
        const SampleSpread each = spreadSampling(pictures(8), 4);
        QCOMPARE(each.teams(), int64_t{4});
        for (const int64_t rank : {0, 1, 2, 3}) QCOMPARE(each.teamOf(rank), rank);
    }

    void saysWhyProcessesAreLeftOut_data() {
        QTest::addColumn<qint64>("count");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<double>("guidance");
        QTest::addColumn<qint64>("asked");
        QTest::addColumn<qint64>("gpus");
        QTest::addColumn<QString>("words");
        QTest::newRow("one picture") << qint64{1} << qint64{1} << 7.5 << qint64{5} << qint64{0}
                                     << "of 5 processes 2 are used: 1 picture, two processes each";
        QTest::newRow("no guidance") << qint64{1} << qint64{1} << 1.0 << qint64{2} << qint64{0}
                                     << "of 2 processes 1 is used: 1 picture, one process each";
        QTest::newRow("batches") << qint64{8} << qint64{4} << 7.5 << qint64{3} << qint64{0}
                                 << "of 3 processes 2 are used: 8 pictures in 2 batches, one process each; a "
                                    "smaller --batch gives more of them work";
        QTest::newRow("GPUs") << qint64{8} << qint64{1} << 7.5 << qint64{4} << qint64{2}
                              << "of 4 processes 2 are used: one for each GPU, and there are 2";
        QTest::newRow("one GPU") << qint64{8} << qint64{1} << 7.5 << qint64{4} << qint64{1}
                                 << "of 4 processes 1 is used: one for each GPU, and there is 1";
    }
    void saysWhyProcessesAreLeftOut() {
        QFETCH(qint64, count);
        QFETCH(qint64, batch);
        QFETCH(double, guidance);
        QFETCH(qint64, asked);
        QFETCH(qint64, gpus);
        QFETCH(QString, words);
        QCOMPARE(QString::fromStdString(idleProcesses(pictures(count, batch, guidance), asked, gpus)), words);
    }
};

QTEST_GUILESS_MAIN(tst_sample_spread)
#include "tst_sample_spread.moc"

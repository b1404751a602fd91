// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run of 100,000 steps read at once, as a window that is opened late reads it: nothing may block, and the
// memory that it takes is printed.
#include "app/charts/chart.h"
#include "app/engine/run_session.h"
#include "app/pages/train/train_progress.h"
#include "app_fixture.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/memory_facts.h"
#include "loop_watch.h"

#include <QDir>

using namespace homebooth;
using namespace homebooth::app;

class ReplayTest : public QObject {
    Q_OBJECT
public:
    explicit ReplayTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void aHundredThousandStepsStayLight();

private:
    QString writeRun(int64_t steps) const;
    const TestPlace& m_place;
};

QString ReplayTest::writeRun(int64_t steps) const {
    const QString folder = m_place.path(QStringLiteral("long run"));
    core::TrainConfig config;
    config.model = "/models/sketch";
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of ohwx toy";
    config.steps = steps;
    config.output.runDir = folder.toStdString();
    const auto run = core::RunFolder::create(folder.toStdString(), config);
    Q_ASSERT(run);
    QFile journal(folder + QStringLiteral("/events.jsonl"));
    [&] { QVERIFY(journal.open(QIODevice::WriteOnly)); }();
    const QByteArray time = "\"time\":\"2026-11-21T10:00:00.000Z\"";
    int64_t number = 0;
    for (int64_t step = 1; step <= steps; ++step) {
        const QByteArray at = QByteArray::number(qlonglong(step));
        const double loss = 0.1 + 0.4 / (1.0 + double(step) / 2000) + 0.05 * double(step * 7919 % 101) / 101;
        journal.write("{\"v\":1,\"seq\":" + QByteArray::number(qlonglong(++number)) + "," + time +
                      ",\"type\":\"step\",\"step\":" + at + ",\"epoch\":1,\"loss\":" +
                      QByteArray::number(loss) + ",\"lr\":1e-4,\"seconds\":0.5,\"samplesPerSecond\":2}\n");
        if (step % 20 != 0) continue;
        journal.write("{\"v\":1,\"seq\":" + QByteArray::number(qlonglong(++number)) + "," + time +
                      ",\"type\":\"memory\",\"step\":" + at +
                      ",\"ram\":{\"parameters\":1000000000,\"states\":500000000,\"activations\":" +
                      QByteArray::number(qlonglong(step % 7 * 10'000'000)) + "}}\n");
    }
    return folder;
}

void ReplayTest::aHundredThousandStepsStayLight() {
    constexpr int64_t kSteps = 100'000;
    const QString folder = writeRun(kSteps);
    TestServices services(m_place);
    TrainProgress progress(services.all());
    progress.resize(1500, 900);
    progress.show();
    QVERIFY(QTest::qWaitForWindowExposed(&progress));
    QTest::qWait(300);
    const int64_t before = core::residentBytes();
    RunSession run(folder, QStringLiteral("long run"));
    LoopWatch watch;
    progress.follow(&run);
    QElapsedTimer timer;
    timer.start();
    QTRY_COMPARE_WITH_TIMEOUT(run.data().step(), kSteps, 60'000);
    const qint64 read = timer.elapsed();
    QTest::qWait(800); // the charts draw
    constexpr double kMebi = 1024.0 * 1024.0;
    const double taken = double(core::residentBytes() - before) / kMebi;
    qInfo("100,000 steps: read in %lld ms, longest pause of the event loop %lld ms, %.0f MiB more in memory",
          static_cast<long long>(read), static_cast<long long>(watch.worstMs()), taken);
    QVERIFY2(watch.worstComputedMs() <= 100, "a turn of the event loop took longer than a frame may");
    QCOMPARE(run.data().memory.size(), size_t(kSteps / 20));
    QCOMPARE(progress.findChildren<Chart*>().size(), 4);
    for (auto* chart : progress.findChildren<Chart*>()) {
        QVERIFY(chart->isVisible());
        for (int graph = 0; graph < chart->graphCount(); ++graph)
            QVERIFY2(chart->graph(graph)->data()->size() <= 2 * chart->width() + 16,
                     "more points are drawn than the screen can show");
    }
    QVERIFY2(taken < 200, "a step may take no more than 2 KiB");
}

HOMEBOOTH_APP_TEST_MAIN(ReplayTest)
#include "tst_replay.moc"

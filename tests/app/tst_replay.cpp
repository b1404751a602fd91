// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of 50,000 and 100,000 steps read at once, as a window that is opened late reads them, and charts of a
// million points: nothing may block, no more is drawn than the screen has, and no more is kept than the
// numbers.
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/train_progress.h"
#include "app_fixture.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/memory_facts.h"
#include "loop_watch.h"

#include <QDir>

#include <algorithm>
#include <limits>
#include <malloc.h>

using namespace homebooth;
using namespace homebooth::app;

class ReplayTest : public QObject {
    Q_OBJECT
public:
    explicit ReplayTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void initTestCase();
    void aStepTakesItsNumbersAlone();
    void whatARunTookIsGivenBack();
    void beyondAMillionStepsNothingGrows();
    void aMillionPointsAreDrawnAsFewAsTheScreenHas();

private:
    /// What a window came to that read a run.
    struct Taken {
        int64_t steps = 0;
        size_t memory = 0; ///< samples
        double heapMiB = 0.0;
        qint64 computedMs = 0; ///< the most in one turn of the event loop
        int mostPoints = 0;    ///< of a curve, beyond what the screen has
    };
    [[nodiscard]] Taken replay(int64_t steps) const;
    [[nodiscard]] QString writeRun(const QString& name, int64_t steps) const;
    const TestPlace& m_place;
};

namespace {

constexpr double kMebi = 1024.0 * 1024.0;
constexpr int64_t kMemoryEvery = 20; // steps

/// What is allocated at the moment, to the byte; 0 where a sanitizer has taken the allocator's place.
int64_t heapBytes() {
    const struct mallinfo2 now = mallinfo2();
    return static_cast<int64_t>(now.uordblks + now.hblkhd);
}

/// How many points a chart's longest curve has beyond two a pixel; 0 or less: none.
int pointsTooMany(const Chart& chart) {
    constexpr int kEnds = 16;
    int most = 0;
    for (int graph = 0; graph < chart.graphCount(); ++graph)
        most = std::max(most, chart.graph(graph)->data()->size());
    return most - 2 * chart.width() - kEnds;
}

/// The same for the worst of all charts below a widget. All of them are to be seen.
int mostPoints(const QWidget& root) {
    const QList<Chart*> charts = root.findChildren<Chart*>();
    int most = charts.size() == 4 ? -1 : std::numeric_limits<int>::max();
    for (const Chart* chart : charts)
        most = std::max(most, chart->isVisible() ? pointsTooMany(*chart) : std::numeric_limits<int>::max());
    return most;
}

} // namespace

QString ReplayTest::writeRun(const QString& name, int64_t steps) const {
    const QString folder = m_place.path(name);
    QDir(folder).removeRecursively();
    core::TrainConfig config;
    config.model = "/models/sketch";
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of ohwx toy";
    config.steps = steps;
    config.output.runDir = folder.toStdString();
    const auto run = core::RunFolder::create(folder.toStdString(), config);
    Q_ASSERT(run);
    QFile journal(folder + u"/events.jsonl"_s);
    [&] { QVERIFY(journal.open(QIODevice::WriteOnly)); }();
    const QByteArray time = "\"time\":\"2026-11-21T10:00:00.000Z\"";
    int64_t number = 0;
    for (int64_t step = 1; step <= steps; ++step) {
        const QByteArray at = QByteArray::number(qlonglong(step));
        const double loss = 0.1 + 0.4 / (1.0 + double(step) / 2000) + 0.05 * double(step * 7919 % 101) / 101;
        journal.write("{\"v\":1,\"seq\":" + QByteArray::number(qlonglong(++number)) + "," + time +
                      ",\"type\":\"step\",\"step\":" + at + ",\"epoch\":1,\"loss\":" +
                      QByteArray::number(loss) + ",\"lr\":1e-4,\"seconds\":0.5,\"samplesPerSecond\":2}\n");
        if (step % kMemoryEvery != 0) continue;
        journal.write("{\"v\":1,\"seq\":" + QByteArray::number(qlonglong(++number)) + "," + time +
                      ",\"type\":\"memory\",\"step\":" + at +
                      ",\"ram\":{\"parameters\":1000000000,\"states\":500000000,\"activations\":" +
                      QByteArray::number(qlonglong(step % 7 * 10'000'000)) + "}}\n");
    }
    return folder;
}

/// Pages and charts that were seen once keep fonts, pictures and the like, whatever the next run has.
void ReplayTest::initTestCase() {
    if (heapBytes() == 0) qInfo("nobody counts what is allocated here");
    (void)replay(1000);
}

ReplayTest::Taken ReplayTest::replay(int64_t steps) const {
    const QString name = u"run of %1"_s.arg(steps);
    const QString folder = writeRun(name, steps);
    TestServices services(m_place);
    TrainProgress progress(services.all());
    progress.resize(1500, 900);
    progress.show();
    Taken taken;
    if (!QTest::qWaitForWindowExposed(&progress)) return taken;
    QTest::qWait(300);
    const int64_t heap = heapBytes();
    const int64_t resident = core::residentBytes();
    RunSession run(folder, name);
    LoopWatch watch;
    progress.follow(&run);
    QElapsedTimer timer;
    timer.start();
    (void)QTest::qWaitFor([&] { return run.data().step() == steps; }, kLongestMs);
    const qint64 read = timer.elapsed();
    QTest::qWait(800); // the charts draw
    taken.steps = run.data().step();
    taken.memory = run.data().memory.size();
    taken.heapMiB = double(heapBytes() - heap) / kMebi;
    taken.computedMs = watch.worstComputedMs();
    taken.mostPoints = mostPoints(progress);
    qInfo("%lld steps: read in %lld ms, %.1f MiB more allocated, %.0f MiB more resident; %s",
          static_cast<long long>(steps), static_cast<long long>(read), taken.heapMiB,
          double(core::residentBytes() - resident) / kMebi, qPrintable(watch.report()));
    return taken;
}

/// A step is a few numbers and nothing else: lines, marks, items and texts that stayed would show here.
void ReplayTest::aStepTakesItsNumbersAlone() {
    constexpr double kMostBytes = 320.0; // in the run and in four charts; room to grow may double it
    const Taken half = replay(50'000);
    const Taken whole = replay(100'000);
    QCOMPARE(half.steps, int64_t{50'000});
    QCOMPARE(whole.steps, int64_t{100'000});
    for (const Taken& taken : {half, whole}) {
        QCOMPARE(taken.memory, size_t(taken.steps / kMemoryEvery));
        QVERIFY2(taken.computedMs <= LoopWatch::kLongMs,
                 "a turn of the event loop took longer than a frame may");
        QVERIFY2(taken.mostPoints <= 0, "more points are drawn than the screen can show");
    }
    const double each = (whole.heapMiB - half.heapMiB) * kMebi / double(half.steps);
    qInfo("each step more takes %.0f bytes", each);
    QVERIFY2(each <= kMostBytes, qPrintable(QString::number(each)));
}

void ReplayTest::whatARunTookIsGivenBack() {
    constexpr double kLittleMiB = 4.0;
    const int64_t before = heapBytes();
    QCOMPARE(replay(50'000).steps, int64_t{50'000});
    const double kept = double(heapBytes() - before) / kMebi;
    qInfo("%.2f MiB are still allocated when the run is closed", kept);
    QVERIFY2(kept < kLittleMiB, qPrintable(QString::number(kept)));
}

void ReplayTest::beyondAMillionStepsNothingGrows() {
    constexpr int64_t kPiece = 4000;
    RunData data;
    const auto take = [&data](int64_t steps) {
        while (data.step() < steps) {
            RunUpdate update;
            for (int64_t i = 1; i <= kPiece; ++i)
                update.steps.push_back({data.step() + i, 0.1, 1e-4, 0.5F, 2.0F, 0.0F});
            data.apply(update);
        }
        return data.steps.size();
    };
    QVERIFY(take(1'000'000) <= kMostSteps);
    QVERIFY(take(2'000'000) <= kMostSteps);
    QVERIFY(data.steps.capacity() <= 2 * kMostSteps + size_t(kPiece));
    QCOMPARE(data.steps.back().step, int64_t{2'000'000});
}

void ReplayTest::aMillionPointsAreDrawnAsFewAsTheScreenHas() {
    constexpr int kPoints = 1'000'000;
    const Theme theme;
    LossChart loss;
    MemoryChart memory;
    core::TierMemory used;
    for (int i = 1; i <= kPoints; ++i) {
        loss.append(i, 0.1 + 0.01 * double(int64_t{i} * 7919 % 101));
        used.parameterBytes = int64_t{1} << 30;
        used.activationBytes = int64_t(i % 13) << 26;
        memory.append(i, used);
    }
    for (Chart* chart : std::initializer_list<Chart*>{&loss, &memory}) {
        chart->setLastStep(kPoints);
        chart->resize(700, 260);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart));
        QTest::qWait(500); // it was drawn
        LoopWatch watch;
        QTest::qWait(20);
        for (const int key :
             {Qt::Key_Plus, Qt::Key_Plus, Qt::Key_Home, Qt::Key_End, Qt::Key_Down, Qt::Key_0}) {
            for (int times = 0; times < 4; ++times) {
                QTest::keyClick(chart, static_cast<Qt::Key>(key));
                QTest::qWait(5);
                QVERIFY2(pointsTooMany(*chart) <= 0, qPrintable(QString::number(pointsTooMany(*chart))));
            }
        }
        qInfo("%s: %s", qPrintable(chart->accessibleName()), qPrintable(watch.report()));
        QVERIFY2(watch.worstComputedMs() <= LoopWatch::kLongMs, qPrintable(watch.report()));
    }
}

HOMEBOOTH_APP_TEST_MAIN(ReplayTest)
#include "tst_replay.moc"

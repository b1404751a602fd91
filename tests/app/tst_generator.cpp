// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures that wait: held, in their order, over a restart, and an engine that begins or ends.
#include "app/engine/generation_keeper.h"
#include "app/pages/queue/queue_model.h"
#include "app/pages/queue/queue_page.h"
#include "core/base/run/job_queue.h"
#include "picture_fixture.h"

#include <QAbstractItemModelTester>

#include <limits>

using namespace homebooth;
using namespace homebooth::app;

class GeneratorTest : public PicturesTest {
    Q_OBJECT
public:
    using PicturesTest::PicturesTest;
private Q_SLOTS:
    void initTestCase() { beginEngine(); }
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void nothingNewBeginsWhileHeld();
    void theOrderOfWhatWaitsCanBeChanged();
    void whatWaitsSurvivesARestart();
    void trainingsAreHeldForTheSupervisor();
    void aStopReachesAnEngineThatIsStarting();
    void picturesAskedForWhileTheEngineEndsAreMade();
    void anEngineThatDoesNotObeyIsEnded();
    void anEngineThatNeverBeginsIsEndedAfterAStop();
    void theLargestSeedIsAskedForAsItIs();
};

namespace {

/// Says that it makes pictures and hears nothing from there on. Nothing is left of it when it is killed. It
/// is read whole before it begins: another script takes its file's place.
constexpr const char* kHangingEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
hang() {
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
    read -r line
    say '"type":"state","state":"sampling","detail":"","done":0,"total":1'
    exec sleep 600
}
hang
)sh";

/// Never says that it is ready.
constexpr const char* kMuteEngine = "#!/bin/bash\nexec sleep 600\n";

/// Writes down what it is asked for, beside itself.
constexpr const char* kWritingEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
say '"type":"state","state":"ready","detail":"","done":0,"total":0'
read -r line
printf '%s' "$line" >"$0.asked"
say '"type":"outcome","outcome":"done","measured":{},"result":[],"code":0,"message":"","kept":""'
while read -r line; do :; done
)sh";

constexpr std::chrono::milliseconds kLittlePatience(200);

} // namespace

void GeneratorTest::nothingNewBeginsWhileHeld() {
    Generator& generator = m_services->generator;
    QueueModel model(m_services->all());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QueuePage page(m_services->all());
    page.show();
    QPushButton* hold = buttonNamed(page, QStringLiteral("Pause after this one"));
    QVERIFY(hold != nullptr);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures("one", 1), 1);
    generator.make(pictures("two", 1), 2);
    QVERIFY(hold->isEnabled());
    hold->click();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
    QTest::qWait(300);
    QVERIFY(!generator.busy());
    QCOMPARE(generator.jobs().size(), size_t{1});
    QCOMPARE(hold->text(), QStringLiteral("Go on"));
    hold->click();
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 20'000);
    QVERIFY(generator.jobs().empty());
    QVERIFY(!m_services->runs.held());
}

void GeneratorTest::theOrderOfWhatWaitsCanBeChanged() {
    Generator& generator = m_services->generator;
    generator.restore({{1, pictures("one", 1)}, {2, pictures("two", 1)}, {3, pictures("three", 1)}});
    generator.setOrder({3, 1, 2});
    generator.drop(1);
    QueueModel model(m_services->all());
    QList<qlonglong> jobs;
    for (int row = 0; row < model.rowCount(); ++row)
        if (const qlonglong job = model.index(row).data(QueueModel::JobRole).toLongLong(); job != 0) {
            QCOMPARE(model.waitingPlace(row), int(jobs.size()));
            QCOMPARE(model.waitingCount(), 2);
            jobs.append(job);
        }
    QCOMPARE(jobs, (QList<qlonglong>{3, 2}));
    generator.dropAll();
    QVERIFY(generator.jobs().empty());
}

void GeneratorTest::whatWaitsSurvivesARestart() {
    {
        GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
        QTest::qWait(100); // what was kept is loaded
        m_services->generator.make(pictures("one", 50), 1);
        m_services->generator.make(pictures("two", 2), 2);
        QTRY_VERIFY_WITH_TIMEOUT(m_services->generator.picturesDone() >= 2, 20'000);
    }
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
    const Generator& generator = m_services->generator;
    QTRY_COMPARE(generator.jobs().size(), size_t{2});
    QVERIFY(generator.held());
    QVERIFY(!generator.busy());
    const core::SampleConfig& first = generator.jobs()[0].config;
    QVERIFY(first.count <= 48); // what was made is not made again
    QCOMPARE(first.seed - 7, uint64_t(50 - first.count));
    QCOMPARE(generator.jobs()[1].config.prompt, std::string("two"));
    m_services->generator.dropAll();
    QTest::qWait(100);
}

void GeneratorTest::trainingsAreHeldForTheSupervisor() {
    const core::JobQueue queue;
    QVERIFY(queue.add("/runs/waiting").ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_COMPARE(m_services->runs.queue(), QStringList{QStringLiteral("/runs/waiting")});
    m_services->runs.setHeld(true);
    QTRY_VERIFY(queue.held());
    QVERIFY(!queue.take()->has_value());
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.held());
    QCOMPARE(m_services->runs.queue(), QStringList{QStringLiteral("/runs/waiting")});
    m_services->runs.unqueue(QStringLiteral("/runs/waiting"));
    m_services->runs.setHeld(false);
    QTRY_VERIFY(!queue.held());
    QVERIFY(queue.jobs()->empty());
}

void GeneratorTest::aStopReachesAnEngineThatIsStarting() {
    qputenv("START_SECONDS", "1");
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy made(&generator, &Generator::made);
    generator.make(pictures("one", 2), 1);
    generator.stop();
    QVERIFY(!generator.busy());
    QCOMPARE(ended.size(), 1);
    QVERIFY(!ended[0][0].toBool());
    generator.make(pictures("two", 1), 2); // the same engine takes this one when it is ready
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 20'000);
    qunsetenv("START_SECONDS");
    QCOMPARE(made.size(), 1);
    QCOMPARE(made[0][2].value<core::SampleConfig>().prompt, std::string("two"));
}

void GeneratorTest::picturesAskedForWhileTheEngineEndsAreMade() {
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures("one", 1), 1);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
    bool free = false;
    generator.giveBack([&free] { free = true; });
    generator.make(pictures("two", 1), 2);
    QVERIFY(!free);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 20'000);
    QVERIFY(free);
    QVERIFY(ended[1][0].toBool());
}

void GeneratorTest::anEngineThatDoesNotObeyIsEnded() {
    QVERIFY(useEngine(m_place, kHangingEngine));
    Generator& generator = m_services->generator;
    generator.setStopPatience(kLittlePatience);
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy failed(&generator, &Generator::failed);
    generator.make(pictures("one", 1), 1);
    QTRY_VERIFY_WITH_TIMEOUT(generator.phaseText().startsWith(QStringLiteral("Making")), 20'000);
    generator.make(pictures("two", 1), 2);
    generator.stop();
    QVERIFY(generator.stopping());
    QCOMPARE(generator.phaseText(), QStringLiteral("Stopping"));
    QVERIFY(useEngine(m_place, kPictureEngine)); // the next one is sound
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 20'000);
    QVERIFY(!ended[0][0].toBool() && ended[1][0].toBool());
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().contains(QStringLiteral("did not stop in time")));
    QVERIFY(!generator.stopping() && !generator.held());
}

void GeneratorTest::anEngineThatNeverBeginsIsEndedAfterAStop() {
    QVERIFY(useEngine(m_place, kMuteEngine));
    Generator& generator = m_services->generator;
    generator.setStopPatience(kLittlePatience);
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy failed(&generator, &Generator::failed);
    QSignalSpy warned(&generator, &Generator::warned);
    QSignalSpy freed(&generator, &Generator::freed);
    generator.make(pictures("one", 1), 1);
    generator.stop();
    QCOMPARE(ended.size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(freed.size(), 1, 20'000);
    QCOMPARE(warned.size(), 1);
    QVERIFY(failed.isEmpty()); // of no job
    QVERIFY(useEngine(m_place, kPictureEngine));
    generator.make(pictures("two", 1), 2);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, 20'000);
    QVERIFY(ended[1][0].toBool());
}

void GeneratorTest::theLargestSeedIsAskedForAsItIs() {
    QVERIFY(useEngine(m_place, kWritingEngine));
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    core::SampleConfig config = pictures("one", 1);
    config.seed = std::numeric_limits<uint64_t>::max();
    generator.make(config, 1);
    QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, 20'000);
    const QByteArray asked = bytesOf(qEnvironmentVariable("HOMEBOOTH_ENGINE") + QStringLiteral(".asked"));
    QVERIFY2(asked.contains("\"seed\":18446744073709551615"), asked.constData());
    QVERIFY(asked.contains("\"command\":\"generate\"") && asked.contains("\"request\":{"));
    m_services.reset(); // before its engine's file becomes another one
    QVERIFY(useEngine(m_place, kPictureEngine));
}

HOMEBOOTH_APP_TEST_MAIN(GeneratorTest)
#include "tst_generator.moc"

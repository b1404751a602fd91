// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures that wait: held, in their order, over a restart, and an engine that begins or ends.
#include "app/engine/pictures/generation_keeper.h"
#include "app/pages/queue/queue_model.h"
#include "app/pages/queue/queue_page.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/shell/navigation.h"
#include "app/widgets/parts.h"
#include "core/base/run/queue/job_queue.h"
#include "item_rules.h"
#include "picture_fixture.h"

#include <QTimer>

#include <algorithm>
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
    void theBadgeCountsWhatWaits();
    void theJobBarSaysWhatEndedLast();
    void whatWaitsSurvivesARestart();
    void whatWaitsFollowsALibraryThatWasMoved();
    void trainingsAreHeldForTheSupervisor();
    void aStopReachesAnEngineThatIsStarting();
    void picturesAskedForWhileTheEngineEndsAreMade();
    void anEngineThatDoesNotObeyIsEnded();
    void anEngineThatNeverBeginsIsEndedAfterAStop();
    void theLargestSeedIsAskedForAsItIs();
    void whatASleepTookAnotherEngineMakes_data();
    void whatASleepTookAnotherEngineMakes();
    void afterASleepAStopAndATrainingAreObeyed_data();
    void afterASleepAStopAndATrainingAreObeyed();
};

namespace {

/// Says that it makes pictures and hears nothing from there on. Once there is room it saves one. Nothing
/// is left of it when it is killed. It is read whole before it begins: another script takes its place.
constexpr const char* kHangingEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
hang() {
    say '"type":"state","state":"ready","detail":"","done":0,"total":0'
    read -r line
    say '"type":"state","state":"sampling","detail":"","done":0,"total":1'
    say '"type":"state","state":"waiting","detail":"the disk is full","done":0,"total":0'
    until [ -e "$0.room" ]; do sleep 0.05; done
    say "\"type\":\"preview\",\"step\":20,\"index\":0,\"path\":\"$PICTURE\""
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

/// Writes down beside itself how many pictures it is asked for, and from which seed. The first one of
/// these engines makes a single picture, waits until it is told that the machine has slept, and fails.
constexpr const char* kLosingEngine = R"sh(#!/bin/bash
say() { printf '{"v":1,"seq":1,"time":"2026-11-21T10:00:00.000Z",%s}\n' "$1"; }
ready() { say '"type":"state","state":"ready","detail":"","done":0,"total":0'; }
outcome() {
    say "\"type\":\"outcome\",\"outcome\":\"$1\",\"measured\":{},\"result\":[],\"code\":$2,\"message\":\"$3\",\"kept\":\"\""
    ready
}
fail() {
    until [ -e "$0.slept" ]; do sleep 0.05; done
    touch "$0.lost"
    if [ "$HOW" = crashed ]; then
        echo "error: sample: the worker crashed (SIGSEGV): a fault of the driver" >&2
        exit 1
    fi
    outcome failed 6 "making pictures: the GPU stopped answering; try again"
}
make() {
    say '"type":"state","state":"sampling","detail":"","done":0,"total":1'
    for ((i = 0; i < count; i++)); do
        if [ "$i" = 1 ] && [ ! -e "$0.lost" ]; then fail; return; fi
        file="$out/$RANDOM$RANDOM-$((seed + i)).png"
        cp "$PICTURE" "$file"
        say "\"type\":\"preview\",\"step\":20,\"index\":$i,\"path\":\"$file\""
    done
    outcome done 0 ""
}
ready
while read -r line; do
    out="$(sed 's/.*"outputDir":"\([^"]*\)".*/\1/' <<<"$line")"
    count="$(sed 's/.*"count":\([0-9]*\).*/\1/' <<<"$line")"
    seed="$(sed 's/.*"seed":\([0-9]*\).*/\1/' <<<"$line")"
    echo "$count from $seed" >>"$0.asked"
    mkdir -p "$out"
    make
done
)sh";

constexpr std::chrono::milliseconds kLittlePatience(200);

} // namespace

void GeneratorTest::nothingNewBeginsWhileHeld() {
    Generator& generator = m_services->generator;
    QueueModel model(m_services->all());
    const ItemRules tester(model);
    QueuePage page(m_services->all());
    page.show();
    QPushButton* hold = buttonNamed(page, u"Pause after this one"_s);
    QVERIFY(hold != nullptr);
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures("one", 1), 1);
    generator.make(pictures("two", 1), 2);
    QVERIFY(hold->isEnabled());
    hold->click();
    QTRY_COMPARE(ended.size(), 1);
    QTest::qWait(300);
    QVERIFY(!generator.busy());
    QCOMPARE(generator.jobs().size(), size_t{1});
    QCOMPARE(hold->text(), u"Go on"_s);
    hold->click();
    QTRY_COMPARE(ended.size(), 2);
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
    generator.setTraining(true);
    generator.make(pictures("now", 1), 4); // before those of an earlier session are known
    generator.restore({{5, pictures("earlier", 1)}});
    QCOMPARE(generator.nextJob(), int64_t{4});
    QCOMPARE(generator.heldBack(), 1);
    generator.dropAll();
    QVERIFY(generator.jobs().empty());
}

void GeneratorTest::theBadgeCountsWhatWaits() {
    const MainWindow window(m_services->all());
    Generator& generator = m_services->generator;
    const auto* queue = window.findChild<Navigation*>()->button(PageId::Queue);
    QStringList wrong;
    const QObject whileHere;
    connect(&generator, &Generator::changed, &whileHere, [&] {
        const qsizetype waiting = qsizetype(generator.jobs().size()) - (generator.busy() ? 1 : 0);
        const QString right = u"Queue"_s + (waiting > 0 ? u", %1 waiting"_s.arg(waiting) : QString());
        if (queue->accessibleName() != right) wrong.append(queue->accessibleName());
    });
    for (const int64_t id : {1, 2, 3}) generator.make(pictures("a cube", 1), id);
    QTRY_VERIFY(generator.jobs().empty());
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('|')));
}

void GeneratorTest::theJobBarSaysWhatEndedLast() {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), u"toy"_s, 100);
    journalOf(folder)->emit(core::OutcomeEvent{"done", {}, {}, 0, "", ""});
    m_services->runs.show(folder);
    const JobBar bar(m_services->all());
    const auto says = [&bar](const char* words) {
        const auto labels = bar.findChildren<ElidedLabel*>();
        return std::any_of(labels.begin(), labels.end(), [words](const ElidedLabel* one) {
            return one->fullText() == QString::fromLatin1(words);
        });
    };
    QTRY_VERIFY(says("toy") && says("Finished"));
    m_services->generator.make(pictures("one", 2), 1);
    QTRY_VERIFY(says("2 picture(s)") && says("Finished"));
    m_services->runs.show(folder);
    QTRY_VERIFY(says("toy"));
    bool counted = false;
    connect(&m_services->generator, &Generator::changed, &bar,
            [&] { counted = counted || says("Making picture 3 of 4"); });
    for (const int64_t id : {2, 3}) m_services->generator.make(pictures("one", 2), id, 2); // by one click
    QTRY_VERIFY(says("4 picture(s)") && says("Finished"));
    QVERIFY(counted);
    bool free = false;
    m_services->generator.giveBack([&free] { free = true; });
    QTRY_VERIFY(free);
    m_services->generator.make(pictures("one", 2), 5);
    m_services->generator.stop(); // while its engine starts
    QVERIFY(says("toy") && says("Finished"));
    journalOf(folder)->emit(core::OutcomeEvent{"failed", {}, {}, 1, "", ""});
    QTRY_VERIFY(says("toy") && says("Needs you"));
    QSignalSpy ended(&m_services->generator, &Generator::ended);
    m_services->generator.make(pictures("one", 1), 4);
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(says("toy") && says("Needs you"));
}

void GeneratorTest::whatWaitsSurvivesARestart() {
    {
        GenerationKeeper keeper(m_services->library, m_services->generator, m_services->models);
        QTRY_VERIFY(m_services->generator.restored()); // what was kept is loaded
        m_services->generator.make(pictures("one", 50), 1);
        m_services->generator.make(pictures("two", 2), 2);
        QTRY_VERIFY(m_services->generator.picturesDone() >= 2);
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
    QCOMPARE(generator.jobs()[1].config.prompt, "two");
    m_services->generator.dropAll();
    bool written = false; // what the library is asked is done in order
    m_services->library.ask<int>(
        this, [](core::Library&) { return core::Result<int>(1); }, [&written](int) { written = true; });
    QTRY_VERIFY(written);
}

void GeneratorTest::whatWaitsFollowsALibraryThatWasMoved() {
    const QString today = m_place.path(u"today"_s);
    const auto open = [this, today] {
        return std::make_unique<GenerationKeeper>(m_services->library, m_services->generator,
                                                  m_services->models, nullptr, [today] { return today; });
    };
    auto keeper = open();
    Generator& before = m_services->generator;
    QTRY_VERIFY(before.restored());
    core::SampleConfig there = pictures("there", 1);
    QVERIFY(QDir().mkpath(QString::fromStdString(there.outputDir)));
    core::SampleConfig gone = pictures("gone", 1);
    gone.outputDir = m_place.path(u"library before/pictures/2026-01-01"_s).toStdString();
    before.setTraining(true); // both wait
    before.make(there, 1);
    before.make(gone, 2);
    keeper.reset();
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    keeper = open();
    const Generator& generator = m_services->generator;
    QTRY_COMPARE(generator.jobs().size(), size_t{2});
    QCOMPARE(generator.jobs()[0].config.outputDir, there.outputDir);
    QCOMPARE(QString::fromStdString(generator.jobs()[1].config.outputDir), today);
    m_services->generator.dropAll();
    bool written = false; // what the library is asked is done in order
    m_services->library.ask<int>(
        this, [](core::Library&) { return core::Result<int>(1); }, [&written](int) { written = true; });
    QTRY_VERIFY(written);
}

void GeneratorTest::trainingsAreHeldForTheSupervisor() {
    const core::JobQueue queue;
    QVERIFY(queue.add("/runs/waiting").ok());
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_COMPARE(m_services->runs.queue(), QStringList{u"/runs/waiting"_s});
    m_services->runs.setHeld(true);
    QTRY_VERIFY(queue.held());
    QVERIFY(!queue.take()->has_value());
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.held());
    QCOMPARE(m_services->runs.queue(), QStringList{u"/runs/waiting"_s});
    m_services->runs.unqueue(u"/runs/waiting"_s);
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
    QTRY_COMPARE(ended.size(), 2);
    qunsetenv("START_SECONDS");
    QCOMPARE(made.size(), 1);
    QCOMPARE(made[0][2].value<core::SampleConfig>().prompt, "two");
}

void GeneratorTest::picturesAskedForWhileTheEngineEndsAreMade() {
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    generator.make(pictures("one", 1), 1);
    QTRY_COMPARE(ended.size(), 1);
    bool free = false;
    generator.giveBack([&free] { free = true; });
    generator.make(pictures("two", 1), 2);
    QVERIFY(!free);
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(free);
    QVERIFY(ended[1][0].toBool());
}

void GeneratorTest::anEngineThatDoesNotObeyIsEnded() {
    QVERIFY(useEngine(m_place, kHangingEngine));
    Generator& generator = m_services->generator;
    generator.setStopPatience(kLittlePatience);
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy failed(&generator, &Generator::failed);
    QSignalSpy warned(&generator, &Generator::warned);
    generator.make(pictures("one", 2), 1);
    QTRY_VERIFY(generator.phaseText().startsWith(u"The disk is full"_s));
    writeBytes(qEnvironmentVariable("HOMEBOOTH_ENGINE") + u".room"_s, {});
    QTRY_COMPARE(generator.phaseText(), u"Making picture 2 of 2"_s);
    generator.make(pictures("two", 1), 2);
    warned.clear();
    generator.stop();
    QVERIFY(generator.stopping());
    QCOMPARE(generator.phaseText(), u"Stopping"_s);
    QVERIFY(useEngine(m_place, kPictureEngine)); // the next one is sound
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(!ended[0][0].toBool() && ended[1][0].toBool());
    QVERIFY(failed.isEmpty()); // to end was what was asked for
    QCOMPARE(warned.size(), 1);
    QVERIFY(warned[0][0].toString().contains(u"did not stop in time"_s));
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
    QTRY_COMPARE(freed.size(), 1);
    QCOMPARE(warned.size(), 1);
    QVERIFY(failed.isEmpty()); // of no job
    QVERIFY(useEngine(m_place, kPictureEngine));
    generator.make(pictures("two", 1), 2);
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended[1][0].toBool());
}

void GeneratorTest::theLargestSeedIsAskedForAsItIs() {
    QVERIFY(useEngine(m_place, kWritingEngine));
    Generator& generator = m_services->generator;
    QSignalSpy ended(&generator, &Generator::ended);
    core::SampleConfig config = pictures("one", 1);
    config.seed = std::numeric_limits<uint64_t>::max();
    generator.make(config, 1);
    QTRY_COMPARE(ended.size(), 1);
    const QByteArray asked = bytesOf(qEnvironmentVariable("HOMEBOOTH_ENGINE") + u".asked"_s);
    QVERIFY2(asked.contains("\"seed\":18446744073709551615"), asked.constData());
    QVERIFY(asked.contains("\"command\":\"generate\"") && asked.contains("\"request\":{"));
    m_services.reset(); // before its engine's file becomes another one
    QVERIFY(useEngine(m_place, kPictureEngine));
}

void GeneratorTest::whatASleepTookAnotherEngineMakes_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<bool>("slept");
    QTest::addColumn<bool>("processor");
    QTest::addColumn<QString>("words"); // none: it is not made once more
    QTest::newRow("the card answers no more")
        << QByteArray("told") << true << false << u"The graphics card was lost while"_s;
    QTest::newRow("its driver crashes")
        << QByteArray("crashed") << true << false << u"The engine crashed after"_s;
    QTest::newRow("without a sleep") << QByteArray("told") << false << false << QString();
    QTest::newRow("it crashes without a card") << QByteArray("crashed") << true << true << QString();
}

void GeneratorTest::whatASleepTookAnotherEngineMakes() {
    QFETCH(QByteArray, how);
    QFETCH(bool, slept);
    QFETCH(bool, processor);
    QFETCH(QString, words);
    const bool again = !words.isEmpty();
    QVERIFY(useEngine(m_place, kLosingEngine));
    const QString engine = qEnvironmentVariable("HOMEBOOTH_ENGINE");
    for (const char* end : {".asked", ".slept", ".lost"}) QFile::remove(engine + QLatin1String(end));
    qputenv("HOW", how);
    Generator& generator = m_services->generator;
    const auto sleptMs = std::make_shared<int64_t>(90'000); // before the engine began
    generator.setSleptClock([sleptMs] { return *sleptMs; });
    QSignalSpy begun(&generator, &Generator::begun);
    QSignalSpy made(&generator, &Generator::made);
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy failed(&generator, &Generator::failed);
    QSignalSpy warned(&generator, &Generator::warned);
    core::SampleConfig config = pictures("one", 3);
    if (processor) config.device = core::ComputeDevice::Cpu;
    generator.make(config, 1);
    QTRY_COMPARE(made.size(), 1);
    if (slept) *sleptMs += 60'000;
    QVERIFY(QFile(engine + u".slept"_s).open(QIODevice::WriteOnly));
    QTRY_COMPARE(ended.size(), 1);
    qunsetenv("HOW");
    QCOMPARE(ended[0][0].toBool(), again);
    QCOMPARE(failed.size(), again ? 0 : 1);
    QCOMPARE(warned.size(), again ? 1 : 0);
    QVERIFY(!again || warned[0][0].toString().startsWith(words));
    QCOMPARE(bytesOf(engine + u".asked"_s),
             again ? QByteArray("3 from 7\n2 from 8\n") : QByteArray("3 from 7\n"));
    QCOMPARE(begun.size(), 1); // for whoever shows them it is one job
    QCOMPARE(made.size(), again ? 3 : 1);
    for (int place = 0; place < made.size(); ++place) QCOMPARE(made[place][0].toInt(), place);
    QVERIFY(generator.jobs().empty());
    m_services.reset(); // before its engine's file becomes another one
    QVERIFY(useEngine(m_place, kPictureEngine));
}

void GeneratorTest::afterASleepAStopAndATrainingAreObeyed_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<bool>("stops");
    for (const char* how : {"told", "crashed"}) {
        QTest::addRow("%s, stopped", how) << QByteArray(how) << true;
        QTest::addRow("%s, a training waits", how) << QByteArray(how) << false;
    }
}

void GeneratorTest::afterASleepAStopAndATrainingAreObeyed() {
    QFETCH(QByteArray, how);
    QFETCH(bool, stops);
    QVERIFY(useEngine(m_place, kLosingEngine));
    const QString engine = qEnvironmentVariable("HOMEBOOTH_ENGINE");
    for (const char* end : {".asked", ".slept", ".lost"}) QFile::remove(engine + QLatin1String(end));
    qputenv("HOW", how);
    Generator& generator = m_services->generator;
    const auto sleptMs = std::make_shared<int64_t>(0);
    const auto given = std::make_shared<bool>(false);
    const auto early = std::make_shared<bool>(false);
    generator.setSleptClock([sleptMs] { return *sleptMs; });
    QSignalSpy made(&generator, &Generator::made);
    QSignalSpy ended(&generator, &Generator::ended);
    QSignalSpy failed(&generator, &Generator::failed);
    connect(&generator, &Generator::ended, this, [given, early] { *early = *early || *given; });
    connect(&generator, &Generator::warned, this, [&generator, stops] { // before the next engine is ready
        if (stops) QTimer::singleShot(0, &generator, &Generator::stop);
    });
    generator.make(pictures("one", 3), 1);
    QTRY_COMPARE(made.size(), 1);
    if (!stops) generator.giveBack([given] { *given = true; });
    *sleptMs += 60'000;
    QVERIFY(QFile(engine + u".slept"_s).open(QIODevice::WriteOnly));
    QTRY_COMPARE(ended.size(), 1);
    qunsetenv("HOW");
    QCOMPARE(ended[0][0].toBool(), !stops);
    QVERIFY(failed.isEmpty() && !*early);
    QCOMPARE(made.size(), stops ? 1 : 3);
    if (!stops) QTRY_VERIFY(*given);
    generator.make(pictures("two", 1), 2); // by an engine of its own
    QTRY_COMPARE(ended.size(), 2);
    QVERIFY(ended[1][0].toBool());
    m_services.reset(); // before its engine's file becomes another one
    QVERIFY(useEngine(m_place, kPictureEngine));
}

HOMEBOOTH_APP_TEST_MAIN(GeneratorTest)
#include "tst_generator.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/swap_wear.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/journal/left_out_line.h"
#include "core/base/system/slept_time.h"
#include "tests/base/support/journal_lines.h"
#include "tests/computed_time.h"

#include <QtTest>

#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
using homebooth::core::test::contentOf;
using homebooth::core::test::step;

namespace {

void append(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::app) << text;
}

/// The most memory that this process has held so far.
int64_t peakKiB() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

/// How far somebody has set the clock on, in seconds. This stands in front of the system's, for its
/// libraries, too.
static int64_t s_clockAheadS = 0;
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock,
                                                                    timespec* time) noexcept {
    const auto failed = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    if (clock == CLOCK_REALTIME) time->tv_sec += s_clockAheadS;
    return failed;
}

class tst_journal : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string m_path;

private slots:
    void init() {
        m_path = m_folder.filePath("events.jsonl").toStdString();
        std::filesystem::remove_all(m_path);
    }

    void aLongJournalIsReadInPieces() {
        constexpr int64_t kSteps = 20'000;
        constexpr size_t kPiece = 500;
        std::string text;
        for (int64_t number = 1; number <= kSteps; ++number)
            text += toJsonLine({number, "2026-11-21T10:00:00.123Z", step(number)}) + "\n";
        append(m_path, text);
        JournalReader reader(m_path);
        int64_t seen = 0;
        size_t largest = 0;
        while (true) {
            const auto entries = reader.poll(kPiece);
            QVERIFY(entries.ok());
            for (const JournalEntry& entry : *entries) QCOMPARE(entry.seq, ++seen);
            largest = std::max(largest, entries->size());
            if (entries->size() < kPiece) break;
        }
        QCOMPARE(seen, kSteps);
        QVERIFY2(largest < kSteps / 4, qPrintable(QString::number(largest)));
    }

    void linesHaveThePublishedShape() {
        StepEvent event = step(17);
        event.epoch = 3;
        event.loss = 0.1234;
        event.seconds = 1.9;
        event.samplesPerSecond = 0.53;
        const std::string line = toJsonLine({17, "2026-11-21T10:00:00.123Z", event});
        QCOMPARE(
            line,
            std::string(
                "{\"v\":1,\"seq\":17,\"time\":\"2026-11-21T10:00:00.123Z\",\"type\":\"step\",\"step\":17,"
                "\"epoch\":3,\"loss\":0.1234,\"lr\":1e-06,\"seconds\":1.9,\"samplesPerSecond\":0.53,"
                "\"dataSeconds\":0.0,\"encodeSeconds\":0.0}"));
        QCOMPARE(isoTime(std::chrono::system_clock::time_point(std::chrono::milliseconds(1763719200123))),
                 std::string("2025-11-21T10:00:00.123Z"));
    }

    void everyEventComesBack() {
        OutcomeEvent outcome;
        outcome.result = "failed";
        outcome.code = 4;
        outcome.message = "ä \"quoted\"\nline";
        outcome.kept = "step 400";
        outcome.resultPaths = {"/a", "/b c"};
        outcome.measured.residentBytes = 123;
        MemoryEvent memory;
        memory.step = 5;
        memory.ram.stateBytes = int64_t{1} << 40;
        MemoryEvent shared = memory;
        shared.ranks = {{0, int64_t{1} << 40}, {7, 8}};
        PlanEvent plan;
        plan.predicted.ramBytes = 7;
        plan.decisions = {{"one"}, {"two", "link", {{"fetchedBytes", 1536.0}, {"returnedBytes", 0.5}}}};
        StepEvent full = step(9);
        full.gradientNorm = 1.5;
        full.lossScale = 65536.0;
        const std::vector<Event> events{StateEvent{"caching", "x", 3, 9},
                                        plan,
                                        full,
                                        memory,
                                        shared,
                                        PreviewEvent{4, 1, "p.png"},
                                        CheckpointEvent{4, "c"},
                                        ResumedEvent{4},
                                        WarningEvent{"w", "m"},
                                        outcome,
                                        ValidationEvent{6, 0.25},
                                        TextEvent{1, "\u00e4", "stop", 3, 0.5}};
        for (const Event& event : events) {
            const std::string line = toJsonLine({1, "t", event});
            const auto parsed = parseJournalLine(line);
            QVERIFY2(parsed.has_value(), line.c_str());
            QCOMPARE(toJsonLine(*parsed), line);
            QCOMPARE(parsed->event.index(), event.index());
        }
    }

    void unfinishedPicturesAreTold() {
        const auto told = [](const char* path) {
            return toJsonLine({1, "t", PreviewEvent{1, 0, path}}).find("\"unfinished\":true") !=
                   std::string::npos;
        };
        QVERIFY(told("made/.preview-7-0.png"));
        QVERIFY(told(".preview-7-0.png"));
        QVERIFY(!told("made/00000-0.png"));
        QVERIFY(!told("/home/.hidden/00000-0.png"));
        QVERIFY(!told("00000-0.png"));
    }

    void aPlanSaysWhatAStepReadsFromTheDisk() {
        PlanEvent plan;
        QVERIFY(planJson(plan).find("\"swapBytesReadPerStep\": 0") != std::string::npos);
        plan.decisions = {{"swap", "swap-wear", {{kStepReadBytes, 4096.0}}}};
        QVERIFY(toJsonLine({1, "t", plan}).find("\"swapBytesReadPerStep\":4096}") != std::string::npos);
        plan.decisions[0].facts[kStepReadBytes] = 1e300;
        QVERIFY(planJson(plan).find("\"swapBytesReadPerStep\": 0") != std::string::npos);
    }

    void aClockThatIsSetMakesNoRunLonger() {
        const auto begun = switchedOn();
        const auto writer = JournalWriter::open(m_path);
        QVERIFY(writer.ok());
        (*writer)->emit(StateEvent{});
        s_clockAheadS = 7200;
        const bool isSet =
            std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()) > ::time(nullptr);
        (*writer)->emit(step(1));
        JournalWriter::open(m_path, begun).value()->emit(OutcomeEvent{}); // as where that one was killed
        s_clockAheadS = 0;
        const auto entries = JournalReader(m_path).poll();
        QVERIFY(entries.ok() && entries->size() == 3 && isSet);
        const auto timeOf = [&entries](size_t at) {
            return QDateTime::fromString(QString::fromStdString((*entries)[at].time), Qt::ISODateWithMs);
        };
        QVERIFY(timeOf(0).isValid() && timeOf(0).secsTo(timeOf(1)) < 3600);
        QVERIFY(timeOf(1).isValid() && timeOf(1).secsTo(timeOf(2)) < 3600);
    }

    void theSleepOfTheMachineIsInItsLine() {
        QVERIFY(toJsonLine({1, "t", StateEvent{}}).find("slept") == std::string::npos);
        const std::string line = toJsonLine({1, "t", StateEvent{}, 28'800'000});
        const auto parsed = parseJournalLine(line);
        QVERIFY2(parsed.has_value(), line.c_str());
        QCOMPARE(parsed->sleptMs, int64_t{28'800'000});
        QCOMPARE(parseJournalLine(toJsonLine({1, "t", StateEvent{}}))->sleptMs, int64_t{0});
        const auto slept = [&line](const std::string& written) {
            return parseJournalLine(std::string(line).replace(line.find("28800.0"), 7, written))->sleptMs;
        };
        QCOMPARE(slept("-9e18"), int64_t{0});
        QVERIFY(slept("9e18") < std::numeric_limits<int64_t>::max() / 1000);
        QCOMPARE(slept("null"), int64_t{0});
    }

    void figuresHaveTheFormOfPlans() {
        MemoryEvent memory;
        memory.ram.parameterBytes = 7;
        const std::string line = toJsonLine({1, "t", memory});
        QVERIFY2(line.find(R"("ram":{"parameterBytes":7,)") != std::string::npos, line.c_str());
        PlanEvent plan;
        plan.decisions = {{"one", "code", {{"blocks", 32.0}, {"heldBytes", 43515904.0}, {"share", 0.5}}}};
        const std::string told = toJsonLine({1, "t", plan});
        QVERIFY2(told.find(R"({"blocks":32,"heldBytes":43515904,"share":0.5})") != std::string::npos,
                 told.c_str());
    }

    void journalsOfEarlierVersionsAreRead() {
        const auto read = parseJournalLine(
            R"({"v":1,"seq":1,"time":"t","type":"memory","sleptMs":1500,"step":5,)"
            R"("ram":{"parameters":7,"states":8,"activations":9,"workspace":1,"cache":2,"free":3,"other":4}})");
        QVERIFY(read.has_value());
        QCOMPARE(read->sleptMs, int64_t{1500});
        const TierMemory& ram = std::get<MemoryEvent>(read->event).ram;
        QCOMPARE(ram.parameterBytes, int64_t{7});
        QCOMPARE(ram.stateBytes, int64_t{8});
        QCOMPARE(ram.activationBytes, int64_t{9});
        QCOMPARE(ram.otherBytes, int64_t{4});
    }

    void aWorkerMayNameThousandsOfPictures() {
        OutcomeEvent outcome;
        outcome.result = "done";
        for (int i = 0; i < 4000; ++i) // some 80 bytes each
            outcome.resultPaths.push_back("/home/somebody/Pictures/of a longer name/" + std::string(28, 'x') +
                                          "/" + std::to_string(10000 + i) + ".png");
        const std::string line = toJsonLine({1, "t", outcome});
        QVERIFY(line.size() > kLongestJournalLine);
        const auto parsed = parseJournalLine(line);
        QVERIFY(parsed.has_value());
        QCOMPARE(std::get<OutcomeEvent>(parsed->event).resultPaths.size(), size_t{4000});
        QVERIFY(!parseJournalLine(line, kLongestJournalLine)); // as of a journal from anywhere
        append(m_path, line + "\n" + toJsonLine({2, "t", StateEvent{}}) + "\n");
        JournalReader reader(m_path);
        QCOMPARE(reader.poll()->size(), size_t{1});
        QCOMPARE(reader.damagedLines(), int64_t{1});
    }

    void partsOfALossComeBack() {
        StepEvent event = step(3);
        QVERIFY(toJsonLine({1, "t", event}).find("lossParts") == std::string::npos);
        event.lossParts = {{"pixels", 0.25}, {"divergence", 1e-5}};
        const std::string line = toJsonLine({1, "t", event});
        QVERIFY2(line.find("\"lossParts\":{\"divergence\":1e-05,\"pixels\":0.25}") != std::string::npos,
                 line.c_str());
        const auto parsed = parseJournalLine(line);
        QVERIFY(parsed.has_value());
        QVERIFY(std::get<StepEvent>(parsed->event).lossParts == event.lossParts);
    }

    void aWarningSaysWhatIsLeftOut_data() {
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("line");
        QTest::newRow("counted") << "left out b.png: cut off (1 of 2)"
                                 << "b.png: cut off";
        QTest::newRow("in a folder") << "/a (1 of 2): left out b.pdf: no picture"
                                     << "/a (1 of 2)/b.pdf: no picture";
        QTest::newRow("brackets of its own") << "left out b (2).png: cut off (old)"
                                             << "b (2).png: cut off (old)";
        QTest::newRow("two lines") << "left out a\nb.png: cut off"
                                   << "a b.png: cut off";
        QTest::newRow("something else") << "a link was left out" << QString();
        const QString name(200'000, 'x'); // no name is so long, but a journal may come from anywhere
        QTest::newRow("endless") << "/a: left out " + name + " (1 of 1)"
                                 << "/a/" + name;
    }

    void aWarningSaysWhatIsLeftOut() {
        QFETCH(QString, message);
        QFETCH(QString, line);
        for (const char* code : {"broken-picture", "picture"})
            QCOMPARE(QString::fromStdString(leftOutLine({code, message.toStdString()}).value_or("")), line);
        QVERIFY(!leftOutLine({"swap", message.toStdString()}));
    }

    void memoryNamesEachOfSeveralProcesses() {
        MemoryEvent memory;
        memory.step = 5;
        QVERIFY(toJsonLine({1, "t", memory}).find("ranks") == std::string::npos); // there is one
        memory.ranks = {{0, 100}, {20, 300}};
        const std::string line = toJsonLine({1, "t", memory});
        QVERIFY2(line.find("\"ranks\":[{\"deviceBytes\":0,\"ramBytes\":100},"
                           "{\"deviceBytes\":20,\"ramBytes\":300}]") != std::string::npos,
                 line.c_str());
        const auto parsed = parseJournalLine(line);
        QVERIFY(parsed.has_value());
        const auto& ranks = std::get<MemoryEvent>(parsed->event).ranks;
        QCOMPARE(ranks.size(), size_t{2});
        QCOMPARE(ranks[1].deviceBytes, int64_t{20});
        QCOMPARE(ranks[1].ramBytes, int64_t{300});
        const auto odd = parseJournalLine(
            R"({"v":1,"seq":1,"time":"t","type":"memory","step":5,"ranks":[3,{"ramBytes":9}]})");
        QVERIFY(odd.has_value());
        const auto& places = std::get<MemoryEvent>(odd->event).ranks;
        QCOMPARE(places.size(), size_t{2});
        QCOMPARE(places[1].ramBytes, int64_t{9}); // it stays the second one
    }

    void numbersThatAreNotFiniteStayValidJson() {
        StepEvent event = step(1);
        event.loss = std::nan("");
        event.gradientNorm = std::numeric_limits<double>::infinity();
        const auto parsed = parseJournalLine(toJsonLine({1, "t", event}));
        QVERIFY(parsed.has_value());
        QVERIFY(std::isnan(std::get<StepEvent>(parsed->event).loss));
    }

    void numbersGoOnAfterATornLine_data() {
        QTest::addColumn<QString>("torn");
        QTest::addColumn<int>("nextSeq");
        QTest::newRow("nothing torn") << "" << 3;
        QTest::newRow("half a line") << "{\"v\":1,\"seq\":3,\"ty" << 3;
        QTest::newRow("zeros") << QString(100, QChar('0')) << 3;
        QTest::newRow("long") << QString(400000, QChar('x')) << 3;
        QTest::newRow("unknown whole line") << "{\"v\":9,\"seq\":50}\n" << 3;
    }
    void numbersGoOnAfterATornLine() {
        QFETCH(QString, torn);
        QFETCH(int, nextSeq);
        {
            auto writer = JournalWriter::open(m_path);
            QVERIFY(writer.ok());
            (*writer)->emit(step(1));
            (*writer)->emit(step(2));
        }
        const std::string whole = contentOf(m_path);
        append(m_path, torn.toStdString());
        auto writer = JournalWriter::open(m_path);
        QVERIFY(writer.ok());
        (*writer)->emit(ResumedEvent{1});
        const std::string after = contentOf(m_path);
        QVERIFY(after.starts_with(whole));
        QVERIFY(after.ends_with("\n"));
        JournalReader reader(m_path);
        const auto entries = reader.poll();
        QVERIFY(entries.ok());
        QCOMPARE(entries->size(), size_t{3});
        QCOMPARE(entries->back().seq, int64_t{nextSeq});
        QVERIFY(std::holds_alternative<ResumedEvent>(entries->back().event));
    }

    void everyCutOfAJournalCanBeGoneOnWith() {
        {
            auto writer = JournalWriter::open(m_path);
            for (int64_t number = 1; number <= 3; ++number) (*writer)->emit(step(number));
        }
        const std::string whole = contentOf(m_path);
        for (size_t length = 0; length <= whole.size(); ++length) {
            std::filesystem::remove(m_path);
            append(m_path, whole.substr(0, length));
            {
                auto writer = JournalWriter::open(m_path);
                QVERIFY(writer.ok());
                (*writer)->emit(step(99));
            }
            JournalReader reader(m_path);
            const auto entries = reader.poll();
            const auto lines = static_cast<size_t>(
                std::count(whole.begin(), whole.begin() + static_cast<long>(length), '\n'));
            QCOMPARE(entries->size(), lines + 1);
            QCOMPARE(entries->back().seq, static_cast<int64_t>(lines) + 1);
            QCOMPARE(reader.damagedLines(), int64_t{0});
        }
    }

    void aReaderSeesLinesOnceTheyAreWhole() {
        append(m_path, toJsonLine({1, "t", step(1)}) + "\n" + "{\"v\":1,\"seq\":2");
        JournalReader reader(m_path);
        QCOMPARE(reader.poll()->size(), size_t{1});
        QCOMPARE(reader.poll()->size(), size_t{0});
        std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) - 14);
        append(m_path, toJsonLine({2, "t", step(2)}) + "\n");
        const auto entries = reader.poll();
        QCOMPARE(entries->size(), size_t{1});
        QCOMPARE(entries->front().seq, int64_t{2});
    }

    void readersPassOverWhatTheyDoNotKnow() {
        append(m_path, "{\"v\":1,\"seq\":1,\"time\":\"t\",\"type\":\"hologram\",\"x\":1}\n"
                       "not json\n\n\"text\"\n{\"v\":2,\"seq\":2,\"type\":\"step\"}\n");
        append(m_path, "{\"v\":1,\"seq\":3,\"time\":\"t\",\"type\":\"step\",\"step\":5,\"loss\":\"high\","
                       "\"new\":{\"a\":[1]}}"
                       "\n");
        append(m_path, std::string(300000, '[') + "\n");
        JournalReader reader(m_path);
        const auto entries = reader.poll();
        QVERIFY(entries.ok());
        QCOMPARE(entries->size(), size_t{1});
        QCOMPARE(std::get<StepEvent>(entries->front().event).step, int64_t{5});
    }

    void linesOfALaterVersionAreNotDamaged_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("damaged");
        QTest::newRow("type") << QByteArray("{\"v\":1,\"seq\":9,\"time\":\"t\",\"type\":\"later\"}") << 0;
        QTest::newRow("version") << QByteArray("{\"v\":2,\"seq\":9,\"type\":\"step\",\"step\":[]}") << 0;
        QTest::newRow("garbage") << QByteArray("{\"v\":1,\"seq\":9,\"ty") << 1;
        QTest::newRow("no type") << QByteArray("{\"v\":2,\"seq\":9}") << 1;
        QTest::newRow("no object") << QByteArray("[\"v\",\"seq\",\"type\"]") << 1;
        QTest::newRow("empty") << QByteArray() << 1;
    }
    void linesOfALaterVersionAreNotDamaged() {
        QFETCH(QByteArray, line);
        QFETCH(int, damaged);
        append(m_path, toJsonLine({8, "t", step(1)}) + "\n" + line.toStdString() + "\n");
        JournalReader reader(m_path);
        QCOMPARE(reader.poll()->size(), size_t{1});
        QCOMPARE(reader.damagedLines(), int64_t{damaged});
    }

    void textsThatAreTooLongKeepTheirEnds() {
        constexpr size_t kFullDisksRoom = size_t{16} << 10; // what is left of one for the end
        // Of these lengths both cuts would fall into a character.
        std::string pictures = "cannot read a: ";
        for (int i = 0; i < 100'000; ++i) pictures += "\u00e4, ";
        const std::string advice = "; go on without them.";
        std::vector<std::string> lines;
        {
            auto writer = JournalWriter::open(m_path);
            (*writer)->setListener([&lines](const std::string& line) { lines.push_back(line); });
            (*writer)->emit(WarningEvent{"picture", pictures + advice});
            (*writer)->emit(StateEvent{"waiting", pictures + advice, 0, 0});
            OutcomeEvent outcome;
            outcome.result = "failed";
            outcome.code = 3;
            outcome.message = pictures + advice;
            (*writer)->emit(outcome);
        }
        const auto history = readHistory(m_path);
        QVERIFY(history->outcome.has_value() && history->state.has_value());
        QCOMPARE(history->warnings.size(), size_t{1});
        for (const std::string& text :
             {history->outcome->message, history->warnings[0].message, history->state->detail}) {
            QVERIFY2(text.starts_with("cannot read a: ") && text.ends_with(advice), text.c_str());
            QVERIFY(text.find("\ufffd") == std::string::npos);
        }
        QCOMPARE(lines.size(), size_t{3});
        for (const std::string& line : lines) QVERIFY(line.size() < kFullDisksRoom);
    }

    void aLineWithoutAnEndIsPassedOverAtOnce() {
        constexpr uintmax_t kBytes = uintmax_t{256} << 20;
        constexpr qint64 kMostMs = 2000;
        append(m_path, toJsonLine({1, "t", step(1)}) + "\n");
        std::filesystem::resize_file(m_path, kBytes); // sparse
        [[maybe_unused]] const int64_t peakBefore = peakKiB();
        const homebooth::testing::ComputedTime timer;
        JournalReader reader(m_path);
        QCOMPARE(reader.poll()->size(), size_t{1});
        append(m_path, "more of it");
        QCOMPARE(reader.poll()->size(), size_t{0});
        QCOMPARE(reader.damagedLines(), int64_t{0}); // it may end yet
        append(m_path, "\n" + toJsonLine({2, "t", step(2)}) + "\n");
        const auto entries = reader.poll();
        QCOMPARE(entries->size(), size_t{1});
        QCOMPARE(entries->front().seq, int64_t{2});
        QCOMPARE(reader.damagedLines(), int64_t{1});
        QVERIFY2(timer.isBelow(kMostMs), qPrintable(QString::number(timer.ms())));
#ifndef __SANITIZE_ADDRESS__ // which keeps for a while what was freed
        constexpr int64_t kMostKiB = int64_t{32} << 10;
        QVERIFY(peakKiB() - peakBefore < kMostKiB);
#endif
    }

    void aJournalWithALineTooLongIsGoneOnWith_data() {
        QTest::addColumn<QByteArray>("end");
        QTest::newRow("whole") << QByteArray("\n");
        QTest::newRow("torn") << QByteArray();
    }
    void aJournalWithALineTooLongIsGoneOnWith() {
        QFETCH(QByteArray, end);
        constexpr uintmax_t kBytes = uintmax_t{256} << 20;
        constexpr qint64 kMostMs = 2000;
        append(m_path, toJsonLine({7, "t", step(1)}) + "\n");
        std::filesystem::resize_file(m_path, kBytes); // sparse
        append(m_path, end.toStdString());
        const homebooth::testing::ComputedTime timer;
        JournalWriter::open(m_path).value()->emit(step(2));
        QCOMPARE(JournalReader(m_path).poll()->back().seq, int64_t{8});
        QVERIFY2(timer.isBelow(kMostMs), qPrintable(QString::number(timer.ms())));
    }

    void aLineTooLongThatIsCutTakesNoOtherAlong() {
        append(m_path, toJsonLine({1, "t", step(1)}) + "\n");
        const auto whole = std::filesystem::file_size(m_path);
        append(m_path, std::string(2 * kLongestJournalLine, 'x'));
        JournalReader reader(m_path);
        QCOMPARE(reader.poll()->size(), size_t{1});
        std::filesystem::resize_file(m_path, whole); // as a writer does that goes on with it
        QCOMPARE(reader.poll()->size(), size_t{0});
        append(m_path, toJsonLine({2, "t", step(2)}) + "\n");
        QCOMPARE(reader.poll()->size(), size_t{1});
    }

    void historyDropsStepsThatWereDoneAgain() {
        auto writer = JournalWriter::open(m_path);
        (*writer)->emit(StateEvent{"training", "", 0, 0});
        for (int64_t number = 1; number <= 5; ++number) (*writer)->emit(step(number));
        (*writer)->emit(CheckpointEvent{4, "c4"});
        OutcomeEvent failed;
        failed.result = "failed";
        (*writer)->emit(failed);
        QVERIFY(readHistory(m_path)->outcome.has_value());
        (*writer)->emit(ResumedEvent{2});
        (*writer)->emit(step(3));
        const auto history = readHistory(m_path);
        QCOMPARE(history->steps.size(), size_t{3});
        QCOMPARE(history->steps.back().step, int64_t{3});
        QVERIFY(history->checkpoints.empty());
        QVERIFY(!history->outcome.has_value());
    }

    void aMissingJournalIsEmptyAndADeviceIsAnError() {
        QVERIFY(readHistory(m_path)->steps.empty());
        QVERIFY(!JournalReader("/dev/zero").poll().ok());
        QVERIFY(!JournalWriter::open("/dev/null").ok());
        QVERIFY(!JournalWriter::open(m_folder.filePath("no/such/folder").toStdString()).ok());
        const std::string fifo = m_folder.filePath("fifo").toStdString();
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        QVERIFY(!JournalWriter::open(fifo).ok());
        QVERIFY(!JournalReader(fifo).poll().ok());
    }
};

QTEST_APPLESS_MAIN(tst_journal)
#include "tst_journal.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The two programs together where several workers make the pictures of one command: the same files as by one,
// one stream, and an end for all, whoever dies.
#include "core/base/run/journal/event_json.h"
#include "tests/cli/finished.h"
#include "tests/cli/worker_processes.h"

#include <QtTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <signal.h>
#include <sstream>

using namespace homebooth::core;
using namespace homebooth::test;
namespace fs = std::filesystem;

namespace {

std::vector<JournalEntry> entriesIn(const std::string& lines) {
    std::vector<JournalEntry> entries;
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);)
        if (auto entry = parseJournalLine(line)) entries.push_back(std::move(*entry));
    return entries;
}

template <class E>
std::vector<E> eventsOf(const std::vector<JournalEntry>& entries) {
    std::vector<E> found;
    for (const JournalEntry& entry : entries)
        if (const auto* one = std::get_if<E>(&entry.event)) found.push_back(*one);
    return found;
}

} // namespace

class tst_sample_ranks : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QProcess m_engine;
    std::string m_said;

    QString pictures() const { return m_folder.filePath("pictures"); }

    QStringList sample(const QStringList& more) const {
        return QStringList{"sample",   "--model",      HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                           "--prompt", "a photo of x", "--negative",
                           "blurry",   "--seed",       "11",
                           "--device", "cpu",          "--threads",
                           "1",        "--output",     pictures()} +
               more;
    }

    void start(const QStringList& more) {
        m_said.clear();
        m_engine.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", sample(more));
        QVERIFY(m_engine.waitForStarted());
    }

    Finished run(const QStringList& more) {
        m_engine.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", sample(more));
        return finish(m_engine);
    }

    bool heard(const char* words) {
        return QTest::qWaitFor(
            [this, words] {
                m_said += m_engine.readAllStandardOutput().toStdString();
                return contains(m_said, words);
            },
            kLongestMs);
    }

    /// Names and bytes of all files in the folder of pictures.
    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> found;
        for (const auto& entry : fs::directory_iterator(pictures().toStdString())) {
            std::ifstream file(entry.path(), std::ios::binary);
            found[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
        }
        return found;
    }

    void takeNames() const {
        fs::create_directories(pictures().toStdString());
        for (const char* name : {"00001-12.png", "00003-1.png"})
            std::ofstream(pictures().toStdString() + "/" + name) << "mine";
    }

    /// Two workers that make pictures without end.
    void startEndless(const QStringList& more) {
        start(QStringList{"--steps", "1000", "--processes", "2", "--json"} + more);
        QVERIFY(heard("\"sampling\""));
        QCOMPARE(workersOf(m_engine.processId()).size(), size_t{2});
    }

private slots:
    void initTestCase() { endWithTest(m_engine); }
    void init() { fs::remove_all(pictures().toStdString()); }
    void cleanup() {
        if (m_engine.state() != QProcess::NotRunning) m_engine.kill();
        m_engine.waitForFinished();
        m_engine.readAll();
    }

    void makeTheFilesOfOneProcess_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("one by one") << QStringList{"--count", "5"};
        QTest::newRow("in batches") << QStringList{"--count", "5", "--batch", "2"};
        QTest::newRow("without guidance") << QStringList{"--count", "3", "--guidance", "1"};
        QTest::newRow("with noise in every step") << QStringList{"--count", "3", "--sampler", "euler-a"};
    }
    void makeTheFilesOfOneProcess() {
        QFETCH(QStringList, options);
        options += QStringList{"--steps", "3"};
        takeNames();
        QCOMPARE(run(options).code, 0);
        const auto expected = files();
        for (const char* processes : {"2", "3"}) {
            fs::remove_all(pictures().toStdString());
            takeNames();
            const Finished ended = run(options + QStringList{"--processes", processes});
            QVERIFY2(ended.code == 0, ended.err.c_str());
            QVERIFY2(!contains(ended.out, "are used"), ended.out.c_str());
            const auto found = files();
            QCOMPARE(found.size(), expected.size());
            for (const auto& [name, bytes] : expected) {
                QVERIFY2(found.contains(name), name.c_str());
                QVERIFY2(found.at(name) == bytes, name.c_str());
            }
        }
    }

    void shareOnePictureByTheHalvesOfGuidance() {
        const Finished ended = run({"--steps", "3", "--processes", "2", "--preview-every", "1", "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QCOMPARE(files().size(), size_t{1});
        QVERIFY(files().contains("00000-11.png"));
        const auto entries = entriesIn(ended.out);
        QVERIFY(eventsOf<WarningEvent>(entries).empty());
        QCOMPARE(eventsOf<PreviewEvent>(entries).size(), size_t{3}); // after steps 1 and 2, and the picture
    }

    void areFewerWhereThereIsLessToDo() {
        const Finished ended = run({"--steps", "2", "--processes", "5"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.out, "of 5 processes 2 are used"), ended.out.c_str());
        QVERIFY2(contains(ended.out, "picture 1 of 1 (steps and decoding), "), ended.out.c_str());
        QCOMPARE(files().size(), size_t{1});
        const Finished alone = run({"--steps", "2", "--processes", "2", "--guidance", "1", "--json"});
        QVERIFY2(alone.code == 0, alone.err.c_str());
        const auto entries = entriesIn(alone.out);
        QCOMPARE(eventsOf<OutcomeEvent>(entries).size(), size_t{1});
        QCOMPARE(eventsOf<WarningEvent>(entries).size(), size_t{3});
        QVERIFY2(contains(alone.out, "add --spacing trailing"), alone.out.c_str());
        QVERIFY2(contains(alone.out, "of 2 processes 1 is used"), alone.out.c_str());
        QVERIFY2(contains(alone.out, "--negative has no effect"), alone.out.c_str());
        QCOMPARE(files().size(), size_t{2});
    }

    void speakWithOneVoice() {
        const Finished ended = run({"--steps", "3", "--count", "5", "--batch", "2", "--processes", "2",
                                    "--preview-every", "1", "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const auto entries = entriesIn(ended.out);
        for (size_t i = 0; i < entries.size(); ++i) QVERIFY(entries[i].seq == static_cast<int64_t>(i) + 1);
        int64_t done = -1;
        int64_t total = 0;
        for (const StateEvent& state : eventsOf<StateEvent>(entries)) {
            if (state.state != "sampling") {
                QVERIFY2(done < 0, state.state.c_str()); // loads before all
                continue;
            }
            QVERIFY(state.done >= done);
            done = state.done;
            total = state.total;
        }
        QVERIFY(done == total && total == int64_t{5 * 4});
        const auto outcomes = eventsOf<OutcomeEvent>(entries);
        QCOMPARE(outcomes.size(), size_t{1});
        QVERIFY(std::holds_alternative<OutcomeEvent>(entries.back().event));
        QCOMPARE(outcomes[0].resultPaths.size(), size_t{5});
        for (size_t i = 0; i < 5; ++i)
            QVERIFY2(contains(outcomes[0].resultPaths[i],
                              "0000" + std::to_string(i) + "-" + std::to_string(11 + i) + ".png"),
                     outcomes[0].resultPaths[i].c_str());
        QCOMPARE(files().size(), size_t{5}); // and no preview
    }

    void endTogetherWhenTheyAreStopped_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("taking turns") << QStringList{"--count", "50"};
        QTest::newRow("halves") << QStringList{"--count", "1"};
    }
    void endTogetherWhenTheyAreStopped() {
        QFETCH(QStringList, options);
        startEndless(options);
        const std::vector<pid_t> workers = workersOf(m_engine.processId());
        QVERIFY(::kill(static_cast<pid_t>(m_engine.processId()), SIGINT) == 0);
        QVERIFY(m_engine.waitForFinished(kEndsWithinMs));
        m_said += m_engine.readAllStandardOutput().toStdString();
        QCOMPARE(m_engine.exitCode(), 5);
        const auto outcomes = eventsOf<OutcomeEvent>(entriesIn(m_said));
        QCOMPARE(outcomes.size(), size_t{1});
        QVERIFY2(outcomes[0].result == "cancelled", outcomes[0].message.c_str());
        for (const pid_t worker : workers) QVERIFY(!lives(worker));
        QVERIFY(!fs::exists(pictures().toStdString()));
    }

    void endWithTheOneThatIsKilled_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("rank");
        for (const int rank : {0, 1}) {
            QTest::addRow("taking turns, %d", rank) << QStringList{"--count", "50"} << rank;
            QTest::addRow("halves, %d", rank) << QStringList{"--count", "1"} << rank;
        }
    }
    void endWithTheOneThatIsKilled() {
        QFETCH(QStringList, options);
        QFETCH(int, rank);
        startEndless(options);
        const std::vector<pid_t> workers = workersOf(m_engine.processId());
        QVERIFY(::kill(workers.at(static_cast<size_t>(rank)), SIGKILL) == 0);
        QVERIFY(m_engine.waitForFinished(kEndsWithinMs));
        const Finished ended = collect(m_engine);
        QCOMPARE(ended.code, 1);
        for (const std::string& words :
             {"rank " + std::to_string(rank) + " of 2 ended", std::string("SIGKILL")})
            QVERIFY2(contains(ended.err, words), ended.err.c_str());
        for (const pid_t worker : workers) QVERIFY(!lives(worker));
    }

    void allFindTheSameFault() {
        const Finished ended = run({"--count", "4", "--processes", "2", "--clip-skip", "60"});
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, "leaving out layers") && std::ranges::count(ended.err, '\n') == 1,
                 ended.err.c_str());
        QVERIFY(!fs::exists(pictures().toStdString()));
    }

    void goWithTheProgramThatStartedThem() {
        startEndless({"--count", "50"});
        const std::vector<pid_t> workers = workersOf(m_engine.processId());
        m_engine.kill();
        QVERIFY(m_engine.waitForFinished(kLongestMs));
        QVERIFY(QTest::qWaitFor([&] { return std::none_of(workers.begin(), workers.end(), lives); },
                                kEndsWithinMs));
    }

    void wrongNumbersAreRefused_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("words");
        QTest::newRow("none") << QStringList{"--processes", "0"} << "at least 1 and at most 256, found 0";
        QTest::newRow("too many") << QStringList{"--processes", "257"}
                                  << "at least 1 and at most 256, found 257";
        QTest::newRow("server") << QStringList{"--processes", "2", "--serve"} << "leave --processes out";
    }
    void wrongNumbersAreRefused() {
        QFETCH(QStringList, options);
        QFETCH(QString, words);
        const Finished ended = run(options);
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, words.toStdString()), ended.err.c_str());
        QVERIFY(!fs::exists(pictures().toStdString()));
    }
};

QTEST_GUILESS_MAIN(tst_sample_ranks)
#include "tst_sample_ranks.moc"

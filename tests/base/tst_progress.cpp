// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/journal/progress.h"
#include "core/base/run/journal/progress_interval.h"
#include "core/base/run/learned_texts.h"

#include <QtTest>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <unistd.h>

using namespace homebooth::core;

class tst_progress : public QObject {
    Q_OBJECT

    /// What goes to where there is no terminal, or to one.
    static QByteArray saidOf(const std::function<void(Progress&)>& show, int64_t steps = 0,
                             bool terminal = false) {
        QTemporaryFile said;
        if (!said.open()) return {};
        const int place = terminal ? STDERR_FILENO : STDOUT_FILENO;
        std::fflush(stdout);
        const int before = ::dup(place);
        ::dup2(said.handle(), place);
        {
            Progress progress(terminal, steps);
            show(progress);
        }
        std::fflush(stdout);
        ::dup2(before, place);
        ::close(before);
        said.seek(0);
        return said.readAll();
    }

private slots:
    void durationsAreReadable_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("seconds") << 8.2 << "8 s";
        QTest::newRow("minutes") << 130.0 << "2 min 10 s";
        QTest::newRow("hours") << 3900.0 << "1 h 05 min";
        QTest::newRow("negative") << -1.0 << "?";
        QTest::newRow("endless") << std::numeric_limits<double>::infinity() << "?";
    }
    void durationsAreReadable() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(durationText(seconds), text.toStdString());
    }

    void theEndOfAPhaseIsSaidOnce() {
        const QByteArray said = saidOf([](Progress& progress) {
            for (const int64_t done : {0, 19, 19, 19}) progress.show(StateEvent{"MiB written", "", done, 19});
            progress.show(StateEvent{"MiB read", "", 19, 19});
        });
        QCOMPARE(said, QByteArray("MiB written, 0 of 19\nMiB written, 19 of 19\nMiB read, 19 of 19\n"));
    }

    void aUnitThatLastsChangesNoPace() {
        const QByteArray said = saidOf(
            [](Progress& progress) {
                progress.show(StateEvent{"class-images", "a dog", 0, 2});
                QTest::qSleep(300);
                for (int sign = 0; sign < 3; ++sign) { // it still makes the second one
                    progress.show(StateEvent{"class-images", "a dog", 1, 2});
                    QTest::qSleep(200);
                }
            },
            0, /*terminal=*/true);
        const QRegularExpression pace("1 of 2, ([0-9.]+ (?:per s|s each)), ");
        QStringList paces;
        auto found = pace.globalMatch(QString::fromUtf8(said));
        while (found.hasNext()) paces.append(found.next().captured(1));
        QVERIFY2(paces.size() == 3, said.constData()); // each is a sign of life
        QCOMPARE(paces.back(), paces.front());
    }

    void aPhaseThatComesNoFurtherIsSaidRarely() {
        const QByteArray said = saidOf([](Progress& progress) {
            progress.show(StateEvent{"class-images", "a dog", 4, 50});
            QTest::qSleep(10'500); // longer than between two lines
            progress.show(StateEvent{"class-images", "a dog", 4, 50});
            progress.show(StateEvent{"class-images", "a dog", 8, 50});
        });
        QCOMPARE(said.count('\n'), qsizetype{2});
        QVERIFY2(said.contains("4 of 50\n") && said.contains(" s each, "), said.constData());
    }

    void aWaitForRoomIsSaidOnce() {
        const StateEvent waits{kWaitsForRoom, "saving: the disk is full", int64_t{1} << 20, int64_t{3} << 20};
        const QByteArray said = saidOf([&waits](Progress& progress) {
            progress.show(waits);
            progress.show(waits); // after a try that failed again
        });
        QCOMPARE(said,
                 QByteArray("saving: the disk is full; waiting: 3.00 MiB are needed, 1.00 MiB are free; "
                            "it goes on by itself when there is room\n"));
    }

    void aWaitForADriveSpeaksOfNoRoom() {
        const std::string lack = "expected checkpoints; connect the drive that they lie on, or put them back";
        const QByteArray said = saidOf([&lack](Progress& progress) {
            progress.show(StateEvent{kWaitsForRoom, lack, 0, 0});
        });
        QCOMPARE(said,
                 QByteArray::fromStdString(lack) + "; waiting: it goes on by itself when they are there\n");
    }

    void aWaitForAnotherDriveSpeaksOfNoRoom() {
        const std::string lack = systemError("write", "/run", EFBIG).message;
        const QByteArray said = saidOf([&lack](Progress& progress) {
            progress.show(StateEvent{kWaitsForRoom, lack, 0, 0});
        });
        QCOMPARE(said,
                 QByteArray::fromStdString(lack) + "; waiting: give it one in the window (Other folder)\n");
    }

    void theNextWaitForRoomIsSaidAgain() {
        const StateEvent waits{kWaitsForRoom, "saving", 0, 0};
        const QByteArray said = saidOf([&waits](Progress& progress) {
            progress.show(waits);
            progress.show(StepEvent());
            progress.show(waits);
        });
        QCOMPARE(said.count("waiting: 0 bytes are free"), qsizetype{2});
    }

    void stepsTellWhatTheyWaitedForPictures() {
        StepEvent first;
        first.step = 1;
        first.seconds = 1.0;
        StepEvent second = first;
        second.step = 2;
        second.dataSeconds = 0.03;
        const QByteArray said = saidOf(
            [&](Progress& progress) {
                progress.show(first);
                progress.show(second);
            },
            2);
        const QList<QByteArray> lines = said.trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype{2});
        QVERIFY(!lines.front().contains("waited")); // it did not
        QVERIFY2(lines.back().contains("15 ms a step (1.5 %) waited for data"), said.constData());
    }

    void heldOutLossesAreSaid() {
        StepEvent step;
        step.step = 1;
        const QByteArray said = saidOf([&step](Progress& progress) {
            progress.show(ValidationEvent{0, 5.25});
            progress.show(step);
            progress.show(ValidationEvent{1, 0.125});
        });
        const QList<QByteArray> lines = said.trimmed().split('\n');
        QCOMPARE(lines.size(), qsizetype{3});
        QCOMPARE(lines.front(), QByteArray("step 0: held-out loss 5.2500"));
        QCOMPARE(lines.back(), QByteArray("step 1: held-out loss 0.1250"));
    }

    void textsAreToldWithTheirEpochs_data() {
        QTest::addColumn<qint64>("windows");
        QTest::addColumn<qint64>("heldOut");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<qint64>("accumulated");
        QTest::addColumn<QString>("words");
        const auto add = [](const char* name, qint64 windows, qint64 heldOut, qint64 batch,
                            qint64 accumulated, const char* words) {
            QTest::newRow(name) << windows << heldOut << batch << accumulated << words;
        };
        add("a part", 4623, 271, 1, 1,
            "texts: 5,012,334 tokens, 4,623 windows of 1,024, 271 more held out; an epoch takes 4,623 "
            "steps, the run's 500 steps make 0.11 epochs");
        add("batches", 4894, 0, 2, 3,
            "texts: 5,012,334 tokens, 4,894 windows of 1,024; an epoch takes 816 steps, the run's 500 "
            "steps make 0.61 epochs");
        add("many times", 1, 0, 2, 1,
            "texts: 5,012,334 tokens, 1 window of 1,024; an epoch takes 1 step, the run's 500 steps make "
            "1000 epochs");
        add("hardly any", 1'000'000, 0, 1, 1,
            "texts: 5,012,334 tokens, 1,000,000 windows of 1,024; an epoch takes 1,000,000 steps, the "
            "run's 500 steps make less than 0.01 epochs");
    }
    void textsAreToldWithTheirEpochs() {
        QFETCH(qint64, windows);
        QFETCH(qint64, heldOut);
        QFETCH(qint64, batch);
        QFETCH(qint64, accumulated);
        QFETCH(QString, words);
        TrainConfig config;
        config.steps = 500;
        config.batchSize = batch;
        config.optimizer.accumulationSteps = accumulated;
        config.data.contextTokens = 1024;
        const PlanDecision told = aboutLearnedTexts(config, {5'012'334, windows, heldOut});
        QCOMPARE(QString::fromStdString(told.text), words);
        QCOMPARE(told.facts.at("windows"), double(windows));
        QCOMPARE(told.facts.at("epochs"), 500.0 * double(batch * accumulated) / double(windows));
    }

    void textsThatAreNotReadAreToldInRoughNumbers() {
        TrainConfig config;
        config.steps = 500;
        config.batchSize = 1;
        config.data.contextTokens = 1024;
        config.data.validationShare = 0.1;
        const PlanDecision told = aboutExpectedTexts(config, 5'012'334);
        QCOMPARE(told.text,
                 std::string("texts: roughly 5,010,000 tokens, by what a part of them has; an epoch takes "
                             "roughly 4,410 steps, the run's 500 steps make 0.11 epochs"));
        QCOMPARE(told.code, std::string(kTextsExpected));
        QCOMPARE(told.facts.at("epochSteps"), 4405.0);
        QVERIFY(aboutExpectedTexts(config, 3).text.find("roughly 3 tokens, ") != std::string::npos);
    }

    void textsAreToldOnce() {
        PlanEvent plan;
        plan.decisions = {{"planned for the memory that is free as the run begins", "run-begins"},
                          aboutLearnedTexts(TrainConfig(), {100, 10, 0})};
        const QByteArray said = saidOf([&plan](Progress& progress) {
            progress.show(PlanEvent());
            progress.show(plan);
            progress.show(plan); // made again
        });
        QCOMPARE(said, QByteArray::fromStdString(plan.decisions.back().text) + '\n');
    }

    void aPauseIsNoPartOfThePace_data() {
        QTest::addColumn<QString>("state");
        QTest::newRow("paused") << "paused";
        QTest::newRow("no room on the disk") << kWaitsForRoom;
    }
    void aPauseIsNoPartOfThePace() {
        QFETCH(QString, state);
        StepEvent step;
        step.step = 1;
        step.seconds = 0.01;
        const QByteArray said = saidOf(
            [&](Progress& progress) {
                progress.show(step);
                progress.show(StateEvent{state.toStdString(), "", 0, 0});
                QTest::qSleep(2400);
                progress.show(StateEvent{"training", "", 0, 0});
                step.step = 2;
                progress.show(step);
            },
            2);
        const QRegularExpression rate("step 2 of 2, loss 0.0000, ([0-9.]+) per s");
        const QRegularExpressionMatch found = rate.match(QString::fromUtf8(said));
        QVERIFY2(found.hasMatch(), said.constData());
        QVERIFY2(found.captured(1).toDouble() > 2.0, said.constData()); // with it less than 1
    }

    void longWorkSpeaksAtOnceAndThenEverySecond() {
        ProgressInterval interval;
        const ProgressInterval::Clock::time_point start{};
        QVERIFY(interval.due(start));
        QVERIFY(!interval.due(start + std::chrono::milliseconds(999)));
        QVERIFY(interval.due(start + std::chrono::milliseconds(1000)));
        QVERIFY(!interval.due(start + std::chrono::milliseconds(1999)));
        QVERIFY(interval.due(start + std::chrono::hours(1)));
    }

    void barsNeverLeaveTheirFrame() {
        QCOMPARE(barText(0, 10, 4), std::string("[....]"));
        QCOMPARE(barText(5, 10, 4), std::string("[##..]"));
        QCOMPARE(barText(10, 10, 4), std::string("[####]"));
        QCOMPARE(barText(99, 10, 4), std::string("[####]"));
        QCOMPARE(barText(-3, 10, 4), std::string("[....]"));
        QCOMPARE(barText(3, 0, 4), std::string("[....]"));
    }
};

QTEST_APPLESS_MAIN(tst_progress)
#include "tst_progress.moc"

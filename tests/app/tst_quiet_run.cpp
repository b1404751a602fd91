// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training from which no step comes: told after a while, with the choice to wait or to stop. One that the
// engine has started again behind the machine's sleep says so and is at no end.
#include "app/engine/engine_words.h"
#include "app/engine/run_session.h"
#include "app/pages/train/train_page.h"
#include "app/pages/train/warning_line.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "core/base/run/event_json.h"
#include "queue_fixture.h"

#include <QDateTime>

#include <algorithm>
#include <chrono>

using namespace homebooth;
using namespace homebooth::app;

class QuietRunTest : public QueueFixture {
    Q_OBJECT
public:
    explicit QuietRunTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void longSilenceIsToldUntilSomebodyWaits();
    void aStepTakesTheMessageBack();
    void aShortSilenceIsNone();
    void whatGoesOnBehindASleepSaysSo();
    void howLongTheComputerSleptIsTold();

private:
    /// A run that works and was heard of so many seconds ago.
    QString quietRun(qint64 seconds) {
        const QString folder = makeRun(QStringLiteral("quiet"), "running");
        QFile journal(folder + QStringLiteral("/events.jsonl"));
        const QDateTime then = QDateTime::currentDateTime().addSecs(-seconds);
        if (!journal.open(QIODevice::ReadWrite) ||
            !journal.setFileTime(then, QFileDevice::FileModificationTime))
            qFatal("%s cannot be made older", qPrintable(folder));
        return folder;
    }
};

void QuietRunTest::longSilenceIsToldUntilSomebodyWaits() {
    const QString folder = quietRun(240);
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.showRun();
    MessageBar& messages = page.messages();
    QTRY_VERIFY2(messages.currentText().contains(QStringLiteral("No step for 4 min")),
                 qPrintable(messages.currentText()));
    QVERIFY(messages.currentText().contains(QStringLiteral("Nothing is saved yet")));
    QVERIFY(buttonNamed(messages, QStringLiteral("Stop and keep")) != nullptr);
    buttonNamed(messages, QStringLiteral("Wait"))->click();
    QCOMPARE(messages.count(), 0);
    QTest::qWait(1500); // longer than a tick
    QCOMPARE(messages.count(), 0);
}

void QuietRunTest::aStepTakesTheMessageBack() {
    const QString folder = quietRun(240);
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.showRun();
    QTRY_COMPARE(page.messages().count(), 1);
    writeEvents(folder, {step(2)});
    QTRY_COMPARE(page.messages().count(), 0);
}

void QuietRunTest::aShortSilenceIsNone() {
    const QString folder = quietRun(30);
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.showRun();
    QTest::qWait(1500);
    QCOMPARE(page.messages().count(), 0);
}

void QuietRunTest::whatGoesOnBehindASleepSaysSo() {
    const QString folder = makeRun(QStringLiteral("slept"), "running");
    const auto lock = work(folder);
    QSignalSpy finished(&m_services->runs, &RunCentre::finished);
    TrainPage page(m_services->all());
    page.setVisible(true);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    page.showRun();
    core::OutcomeEvent lost;
    lost.result = "failed";
    lost.code = 6;
    lost.message = "the GPU stopped answering";
    writeEvents(folder, {lost});
    QTest::qWait(600); // longer than the time between two looks
    writeEvents(folder, {core::WarningEvent{"after-sleep", "it goes on from the last checkpoint"},
                         core::StateEvent{"loading", "", 0, 0}, core::ResumedEvent{1},
                         core::StateEvent{"training", "", 1, 100}});
    auto* line = page.findChild<WarningLine*>();
    QTRY_VERIFY(line->isVisible());
    QCOMPARE(line->findChild<ElidedLabel*>()->fullText(), warningHeadline("after-sleep"));
    QVERIFY(warningHeadline("after-sleep") != warningHeadline("of a later engine"));
    QTRY_COMPARE(m_services->runs.working()->phase(), RunPhase::Learning);
    QCOMPARE(finished.size(), 0);
    QCOMPARE(page.messages().count(), 0);
}

void QuietRunTest::howLongTheComputerSleptIsTold() {
    const QString folder = makeRun(QStringLiteral("lid"), "running");
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    TrainPage page(m_services->all());
    page.setVisible(true);
    page.showRun();
    const auto says = [&page](const QString& words) {
        const auto labels = page.findChildren<ElidedLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&words](const ElidedLabel* one) { return one->fullText().contains(words); });
    };
    QTRY_VERIFY(says(QStringLiteral("step 1 of 100")));
    QVERIFY(!says(QStringLiteral("slept")));
    const core::JournalEntry woken{100, core::isoTime(std::chrono::system_clock::now()), step(2), 3'300'000};
    QFile journal(folder + QStringLiteral("/events.jsonl"));
    QVERIFY(journal.open(QIODevice::Append));
    journal.write(QByteArray::fromStdString(core::toJsonLine(woken)) + '\n');
    journal.close();
    QTRY_VERIFY(says(QStringLiteral("step 2 of 100")));
    QVERIFY(says(QStringLiteral("the computer slept 55 min")));
}

HOMEBOOTH_APP_TEST_MAIN(QuietRunTest)
#include "tst_quiet_run.moc"

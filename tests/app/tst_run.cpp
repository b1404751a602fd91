// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run in the window: what is known of it comes from other threads, whatever its disk does, and what its
// engine warns of is in view.
#include "app/engine/engine_words.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_log.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/train/run/left_out_dialog.h"
#include "app/pages/train/run/log_dialog.h"
#include "app/pages/train/run/warning_line.h"
#include "app/pages/train/setup/plan_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "app_files.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/run/orphan.h"
#include "item_rules.h"
#include "run_page.h"

#include <QAction>
#include <QDialog>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QThread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace homebooth;
using namespace homebooth::app;

class RunTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void itsFolderIsReadByItsFollower();
    void whatIsStillReadHasNotFailed();
    void settingsThatChangeAreReadAgain();
    void itStartsWithoutWaitingForItsDisk();
    void aPipeInPlaceOfTheEnginesWordsHoldsNobody();
    void thatTheModelIsLoadedIsSaid();
    void warningsAreInViewWhileItWorksAndAfterwards();
    void warningsOpenTheLog();
    void whatIsLeftOutIsCountedAndListed();
    void whatIsChosenInTheLogStaysChosen();
    void aLogOrPlanWithoutWordsSaysSo();
    void aWindowThatIsOpenIsNotOpenedOnceMore();
    void thePlanIsShownInWords();
    void previewsFitIntoTheirStrip();
    void everyEndIsNamed_data();
    void everyEndIsNamed();
    void whatWasMadeIsToldWithItsSize_data();
    void whatWasMadeIsToldWithItsSize();
    void aRunCutShortByARestartSaysSo();
    void whatIsNotDoneIsResumedByTheColouredButton_data();
    void whatIsNotDoneIsResumedByTheColouredButton();

private:
    /// The strip beside the charts, while the run works.
    [[nodiscard]] static ThumbnailGrid* previewsOf(const TrainPage& page) {
        for (auto* grid : page.findChildren<ThumbnailGrid*>())
            if (grid->accessibleName() == u"Previews"_s) return grid;
        return nullptr;
    }
    [[nodiscard]] QString makeRun(const QString& name) {
        return makeRunFolder(m_services->settings.runsFolder(), name, 70);
    }
};

void RunTest::itsFolderIsReadByItsFollower() {
    const QString folder = makeRun("read");
    writeBytes(folder + u"/result/model/model_index.json"_s, "{}");
    journalOf(folder)->emit(core::StepEvent{70, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    RunSession run(folder, u"read"_s);
    // Whatever the disk does: nothing was read on this thread.
    QCOMPARE(run.config().steps, int64_t{0});
    QVERIFY(run.resultModel().isEmpty());
    QSignalSpy changed(&run, &RunSession::changed);
    QVERIFY(changed.wait(kLongestMs));
    QCOMPARE(run.config().steps, int64_t{70}); // with the first news
    QTRY_COMPARE(run.resultModel(), folder + u"/result/model"_s);
}

void RunTest::whatIsStillReadHasNotFailed() {
    constexpr int kSteps = 9000; // of which the follower hands over a part at a time
    const QString folder = makeRun("long");
    const auto journal = journalOf(folder);
    for (int step = 1; step <= kSteps; ++step)
        journal->emit(core::StepEvent{step, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    core::OutcomeEvent outcome;
    outcome.result = "done";
    journal->emit(outcome);
    RunPage page(*m_services, folder);
    const RunSession* run = m_services->runs.current();
    QCOMPARE(run->phase(), RunPhase::Reading);
    QVERIFY(!page.mainButton()->isVisible());
    QList<RunPhase> seen;
    connect(run, &RunSession::changed, &page, [&] { seen.append(run->phase()); });
    QTRY_COMPARE(run->phase(), RunPhase::Done);
    QVERIFY(seen.size() > 2);
    QCOMPARE(seen.count(RunPhase::Reading), seen.size() - 1);
    QCOMPARE(page.messages().count(), 0);
    QVERIFY(page.mainButton()->isVisible());
    // What is told of an end goes where it was none.
    const QString other = makeRun("other");
    const auto more = journalOf(other);
    more->emit(core::StepEvent{70, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    m_services->runs.show(other);
    QTRY_COMPARE(page.messages().count(), 1);
    more->emit(outcome);
    QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Done);
    QCOMPARE(page.messages().count(), 0);
}

void RunTest::settingsThatChangeAreReadAgain() {
    const QString folder = makeRun("further");
    RunSession run(folder, u"further"_s);
    QTRY_COMPARE(run.config().steps, int64_t{70});
    QTest::qWait(20); // file times are coarse
    const auto opened = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *opened->config();
    config.steps = 90;
    QVERIFY(opened->setConfig(config).ok());
    QTRY_COMPARE(run.config().steps, int64_t{90});
}

void RunTest::itStartsWithoutWaitingForItsDisk() {
    const QString folder = makeRun("started");
    const QString mark = m_place.path("was started");
    QVERIFY(useEngine(m_place, u"#!/bin/sh\ntouch '%1'\n"_s.arg(mark).toUtf8().constData()));
    RunSession run(folder, u"started"_s);
    {
        const Blocked pool(requestPool());
        run.launch();
        QCOMPARE(run.phase(), RunPhase::Starting);
        QTest::qWait(200);
        QVERIFY(!QFileInfo::exists(mark));
    }
    QTRY_VERIFY(QFileInfo::exists(mark));
    QCOMPARE(run.phase(), RunPhase::Starting);
    // An engine that is not there: said once that is known.
    qputenv("HOMEBOOTH_ENGINE", "/nowhere/homebooth-engine");
    QSignalSpy failed(&run, &RunSession::commandFailed);
    run.launch();
    QTRY_COMPARE(failed.size(), 1);
    QTRY_COMPARE(run.phase(), RunPhase::Waiting); // as before
    core::OutcomeEvent outcome;
    outcome.result = "cancelled";
    journalOf(folder)->emit(outcome);
    QTRY_COMPARE(run.phase(), RunPhase::Cancelled);
    run.launch();
    QTRY_COMPARE(failed.size(), 2);
    QCOMPARE(run.phase(), RunPhase::Cancelled);
}

void RunTest::aPipeInPlaceOfTheEnginesWordsHoldsNobody() {
    constexpr unsigned long kLongMs = 20000;
    const QString folder = makeRun("pipe");
    const QByteArray log = (folder + u"/supervisor.log"_s).toLocal8Bit();
    const QString mark = m_place.path("was started all the same");
    QVERIFY(useEngine(m_place, u"#!/bin/sh\ntouch '%1'\n"_s.arg(mark).toUtf8().constData()));
    QCOMPARE(::mkfifo(log.constData(), 0600), 0);
    bool begun = false;
    const std::unique_ptr<QThread> thread(QThread::create([&] {
        (void)lastLines(folder);
        begun = startSupervisor({}, folder);
    }));
    thread->start();
    const bool held = !thread->wait(kLongMs);
    while (!thread->wait(100)) ::close(::open(log.constData(), O_RDWR | O_NONBLOCK)); // lets it go
    QVERIFY(!held);
    QVERIFY(begun);
    QTRY_VERIFY(QFileInfo::exists(mark));
}

void RunTest::thatTheModelIsLoadedIsSaid() {
    const QString folder = makeRun("large");
    const auto works = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(works.ok());
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"loading", "", 0, 0});
    RunSession run(folder, u"large"_s);
    QTRY_COMPARE(run.phaseText(), u"Starting"_s);
    journal->emit(core::StateEvent{"caching", "texts", 3, 4});
    QTRY_COMPARE(run.phaseText(), u"Reading captions 3 of 4"_s);
    journal->emit(core::StateEvent{"loading", "model", 0, 0});
    QTRY_COMPARE(run.phaseText(), u"Loading the model"_s);
    QCOMPARE(run.phase(), RunPhase::Starting);
    journal->emit(core::StateEvent{"training", "", 0, 100});
    QTRY_COMPARE(run.phase(), RunPhase::Learning);
    journal->emit(core::StateEvent{"paused", core::kBatteryIsLow, 1, 100});
    QTRY_COMPARE(run.phaseText(), u"Battery low, paused until it is at 20 %"_s);
    QVERIFY(run.standsStill());
    RunLog log(folder);
    QVERIFY(log.read());
    QCOMPARE(log.lines().filter(u"Loading: model"_s).size(), 1);
    QCOMPARE(log.lines().filter(u"Battery low"_s).size(), 1);
}

void RunTest::warningsAreInViewWhileItWorksAndAfterwards() {
    const QString folder = makeRun("warned");
    auto works = std::make_unique<core::Result<core::RunLock>>(
        core::RunLock::acquire((folder + u"/lock"_s).toStdString()));
    QVERIFY(works->ok());
    const auto journal = journalOf(folder);
    journal->emit(core::StateEvent{"training", "", 0, 0});
    RunPage page(*m_services, folder);
    auto* line = page.findChild<WarningLine*>();
    QTRY_VERIFY(m_services->runs.current()->config().steps > 0);
    QVERIFY(!line->isVisible());
    const auto text = [line] { return line->findChild<ElidedLabel*>()->fullText(); };
    journal->emit(core::WarningEvent{"broken-picture", "left out a.png"});
    QTRY_VERIFY(line->isVisible());
    QCOMPARE(text(), warningHeadline("broken-picture"));
    journal->emit(core::WarningEvent{"memory-ran-out", "step 3: memory ran out"});
    QTRY_VERIFY(text().startsWith(warningHeadline("memory-ran-out")));
    QVERIFY(text().endsWith(u"(1 more before)"_s));
    QVERIFY(line->toolTip().contains(u"left out a.png"_s));
    QVERIFY2(line->accessibleDescription().endsWith(u"\nleft out a.png"_s),
             qPrintable(line->accessibleDescription()));
    core::OutcomeEvent outcome;
    outcome.result = "done";
    journal->emit(outcome);
    works.reset();
    QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Done);
    QVERIFY(line->isVisible());
    QCOMPARE(page.messages().count(), 0); // nothing to be closed
    m_services->runs.show(makeRun("silent"));
    QVERIFY(!line->isVisible());
}

void RunTest::warningsOpenTheLog() {
    const QString folder = makeRun("logged");
    journalOf(folder)->emit(core::WarningEvent{"broken-picture", "left out a.png"});
    RunPage page(*m_services, folder);
    auto* line = page.findChild<WarningLine*>();
    QTRY_VERIFY(line->isVisible());
    line->findChild<QPushButton*>()->click();
    auto* dialog = page.findChild<QDialog*>();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->findChild<QPlainTextEdit*>()->toPlainText().contains(u"left out a.png"_s));
    dialog->reject();
}

void RunTest::whatIsLeftOutIsCountedAndListed() {
    const QString folder = makeRun("left out");
    const auto journal = journalOf(folder);
    journal->emit(core::WarningEvent{"swap", "the disk is slow"});
    RunPage page(*m_services, folder);
    auto* line = page.findChild<WarningLine*>();
    QTRY_VERIFY(line->isVisible());
    const auto list = [line] { return buttonNamed(*line, u"2 left out"_s); };
    QVERIFY(list() == nullptr);
    for (const char* words : {"left out b.png: cut off (1 of 2)", "/birds: left out notes.pdf: no picture",
                              "left out b.png: cut off (2 of 2)"}) // looked at once more
        journal->emit(core::WarningEvent{"broken-picture", words});
    QTRY_VERIFY(list() != nullptr && list()->isVisible());
    QTRY_COMPARE(m_services->runs.current()->data().warnings.size(), size_t{4});
    writeBytes(folder + u"/left_out.txt"_s, "as the engine wrote it");
    list()->click();
    auto* dialog = page.findChild<QDialog*>();
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->findChild<QPlainTextEdit*>()->toPlainText(),
             u"/birds/notes.pdf: no picture\nb.png: cut off"_s);
    QCOMPARE(shownTexts(*dialog).filter(u"without 2 file"_s).size(), 1);
    QTRY_VERIFY(buttonNamed(*dialog, u"Open the list"_s)->isEnabled());
    dialog->reject();
    m_services->runs.show(makeRun("whole"));
    QVERIFY(list() == nullptr || !list()->isVisible());
}

void RunTest::whatIsChosenInTheLogStaysChosen() {
    const QString folder = makeRun("chosen");
    const auto journal = journalOf(folder);
    journal->emit(core::WarningEvent{"broken-picture", "left out a.png"});
    QWidget parent;
    showRunLog(&parent, folder, u"chosen"_s);
    auto* dialog = parent.findChild<QDialog*>();
    auto* field = dialog->findChild<QPlainTextEdit*>();
    QTRY_VERIFY(field->toPlainText().contains(u"a.png"_s));
    QTextCursor cursor = field->document()->find(u"left out"_s);
    field->setTextCursor(cursor);
    journal->emit(core::WarningEvent{"broken-picture", "left out b.png"});
    QTRY_VERIFY(field->toPlainText().contains(u"b.png"_s)); // the log is read now and then
    QCOMPARE(field->textCursor().selectedText(), u"left out"_s);
    dialog->reject();
}

void RunTest::aLogOrPlanWithoutWordsSaysSo() {
    const QString folder = makeRun("silent so far");
    QWidget parent;
    showRunLog(&parent, folder, u"silent"_s);
    const auto* log = parent.findChild<QPlainTextEdit*>();
    QTRY_COMPARE(log->placeholderText(), u"Nothing was written yet."_s);
    QVERIFY(log->toPlainText().isEmpty());
    QWidget other;
    showRunPlan(&other, folder, {}, u"silent"_s);
    const auto* plan = other.findChild<QPlainTextEdit*>();
    QVERIFY(plan->toPlainText().isEmpty());
    QVERIFY(!plan->placeholderText().isEmpty());
}

void RunTest::aWindowThatIsOpenIsNotOpenedOnceMore() {
    const QString folder = makeRun("asked twice");
    QWidget window;
    auto* page = new QWidget(&window);
    auto* part = new QWidget(page); // asks, too
    core::PlanEvent plan;
    const auto open = [&window] {
        QStringList titles;
        for (const auto* dialog : window.findChildren<QDialog*>())
            if (dialog->isVisible()) titles.append(dialog->windowTitle());
        titles.sort();
        return titles;
    };
    showRunLog(page, folder, u"robot"_s);
    showRunLog(part, folder, u"robot"_s);
    showRunPlan(page, folder, plan, u"robot"_s);
    plan.decisions = {{"link: nothing moves", "link-idle", {}}};
    showRunPlan(page, folder, plan, u"robot"_s); // planned again meanwhile
    showLeftOut(page, folder, u"robot"_s, {"a.png: cut off"});
    showLeftOut(page, folder, u"robot"_s, {"a.png: cut off", "b.png: empty"});
    const QStringList all{u"Left out of robot"_s, u"Log of robot"_s, u"Plan of robot"_s};
    QCOMPARE(open(), all);
    const auto text = [&window](const QString& title) {
        for (const auto* dialog : window.findChildren<QDialog*>())
            if (dialog->windowTitle() == title) return dialog->findChild<QPlainTextEdit*>()->toPlainText();
        return QString();
    };
    QCOMPARE(text(all[2]), u"\u2022 Nothing has to be fetched in a step."_s);
    QCOMPARE(text(all[0]), u"a.png: cut off\nb.png: empty"_s);
    for (auto* dialog : window.findChildren<QDialog*>()) dialog->reject();
    showRunLog(page, folder, u"robot"_s); // though the one before is not gone so far
    QCOMPARE(open(), QStringList{all[1]});
    showRunLog(page, makeRun("another"), u"robot"_s); // of the same title
    QCOMPARE(open(), (QStringList{all[1], all[1]}));
}

void RunTest::thePlanIsShownInWords() {
    const QString folder = makeRun("planned");
    core::PlanEvent plan;
    plan.decisions = {{"link: nothing moves", "link-idle", {}}};
    journalOf(folder)->emit(plan);
    RunPage page(*m_services, folder);
    QTRY_VERIFY(m_services->runs.current()->data().plan.has_value());
    QAction* shows = nullptr;
    for (auto* action : page.findChildren<QAction*>())
        if (action->text() == u"Plan"_s) shows = action;
    QVERIFY(shows != nullptr);
    shows->trigger();
    auto* dialog = page.findChild<QDialog*>();
    QVERIFY(dialog != nullptr);
    const QString text = dialog->findChild<QPlainTextEdit*>()->toPlainText();
    QVERIFY2(text.contains(u"Nothing has to be fetched in a step."_s), qPrintable(text));
    dialog->reject();
}

void RunTest::previewsFitIntoTheirStrip() {
    const QString folder = makeRun("previewed");
    const auto journal = journalOf(folder);
    const std::string picture = writeTestPicture(m_place.path("preview.png"), 1).toStdString();
    for (int64_t step = 10; step <= 80; step += 10) journal->emit(core::PreviewEvent{step, 0, picture});
    const auto works = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
    QVERIFY(works);
    TrainPage page(m_services->all());
    page.resize(900, 420);
    page.setVisible(true);
    m_services->runs.show(folder);
    auto* strip = previewsOf(page);
    const ItemRules tester(*strip->model());
    QTRY_COMPARE(strip->model()->rowCount(), 8);
    journal->emit(core::ResumedEvent{40}); // later ones go again
    QTRY_COMPARE(strip->model()->rowCount(), 4);
    for (int64_t step = 50; step <= 80; step += 10) journal->emit(core::PreviewEvent{step, 0, picture});
    QTRY_COMPARE(strip->model()->rowCount(), 8);
    for (const bool compact : {false, true}) {
        page.setCompact(compact);
        QTest::qWait(200); // lists lay themselves out later
        QTRY_VERIFY(strip->verticalScrollBar()->maximum() > 0);
        QTRY_COMPARE(strip->horizontalScrollBar()->maximum(), 0);
    }
}

namespace {

void addEndsOfTheMachine() {
    QTest::newRow("memory") << 4 << "training: there is not enough memory"
                            << "Memory ran out."
                            << "Whole log";
    QTest::newRow("disk") << 4 << "/a: the disk is full; free some space"
                          << "The disk is full."
                          << "Free room";
    QTest::newRow("disk of the cache")
        << 4 << "/home/a/.cache/homebooth/class-pictures/b: the disk is full; free some space"
        << "The disk is full."
        << "Free room";
    QTest::newRow("killed") << 1 << "the worker was killed from outside (SIGKILL)"
                            << "Another program or the system ended the training."
                            << "Whole log";
    QTest::newRow("crash") << 1 << "the worker crashed (SIGSEGV): a fault"
                           << "The engine crashed (SIGSEGV)."
                           << "Whole log";
    QTest::newRow("engine gone") << 1
                                 << QString::fromStdString(
                                        core::orphanedOutcome({"cancelled", {}, {}, 5, "", ""}).message)
                                 << "The engine ended unexpectedly."
                                 << "Whole log";
    QTest::newRow("device") << 6 << "the GPU stopped answering"
                            << "The graphics card does not answer."
                            << "Whole log";
}

void addEndsOfWhatIsLearned() {
    QTest::newRow("diverged") << 3 << "the loss or its gradient is no longer finite at step 7"
                              << "Learning went astray at step 7: the loss is not a number."
                              << "Resume at half the learning speed";
    QTest::newRow("broken pictures") << 3
                                     << "reading pictures: 1 cannot be used (a.jpg); replace them, or go on "
                                        "without them by --skip-broken-images"
                                     << "Some pictures or captions cannot be read."
                                     << "Skip broken pictures";
    QTest::newRow("changed pictures")
        << 3 << QString::fromLatin1(core::kPutPicturesBack) << "Some pictures or captions cannot be read."
        << "Whole log";
    QTest::newRow("drive") << 3 << "found none; connect the drive that they lie on, or put them back"
                           << "The drive with the saved moments is not there."
                           << "Whole log";
}

} // namespace

void RunTest::everyEndIsNamed_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("headline");
    QTest::addColumn<QString>("remedy");
    addEndsOfTheMachine();
    addEndsOfWhatIsLearned();
}

void RunTest::everyEndIsNamed() {
    QFETCH(int, code);
    QFETCH(QString, message);
    QFETCH(QString, headline);
    QFETCH(QString, remedy);
    const QString folder = makeRun(u"end %1"_s.arg(QLatin1String(QTest::currentDataTag())));
    journalOf(folder)->emit(core::StateEvent{"training", "", 0, 0});
    journalOf(folder)->emit(core::OutcomeEvent{"failed", {}, {}, code, message.toStdString(), ""});
    writeBytes(folder + u"/supervisor.log"_s,
               "long before\n" + QByteArray("a line\n").repeated(30) + "at the very end\n");
    RunPage page(*m_services, folder);
    QTRY_VERIFY2(page.messages().currentText().startsWith(u"<b>%1</b>"_s.arg(headline)),
                 qPrintable(page.messages().currentText()));
    const QString quoted = u"<br>"_s + QLocale().quoteString(message).toHtmlEscaped();
    const bool moves = message.startsWith(u"/a: the disk is full"_s);
    const bool saysNoMore = moves || message.contains(u"SIGKILL"_s); // than the words before it
    QCOMPARE(buttonNamed(page.messages(), u"Other folder"_s) != nullptr, moves);
    QCOMPARE(page.messages().currentText().endsWith(quoted), !saysNoMore);
    QVERIFY2(buttonNamed(page.messages(), remedy) != nullptr, qPrintable(remedy));
    QVERIFY(buttonNamed(page.messages(), u"Resume"_s) == nullptr); // it is the page's next step
    QCOMPARE(page.mainButton()->text(), u"Resume"_s);
    QCOMPARE(previewsOf(page)->accessibleDescription(), u"No preview was made."_s);
    QTRY_VERIFY(page.messages().findChild<QPlainTextEdit*>() != nullptr);
    auto* lines = page.messages().findChild<QPlainTextEdit*>();
    QTRY_VERIFY2(lines->toPlainText().endsWith(u"at the very end"_s), qPrintable(lines->toPlainText()));
    QVERIFY(!lines->isVisible());
    QVERIFY(!lines->toPlainText().contains(u"long before"_s));
    buttonNamed(page.messages(), u"Last lines"_s)->click();
    QVERIFY(lines->isVisible());
    QTRY_VERIFY(lines->verticalScrollBar()->maximum() > 0);
    QCOMPARE(readRunEnd(folder).headline, headline); // the queue says the same
    m_services->runs.dismiss();
}

void RunTest::whatWasMadeIsToldWithItsSize_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("model") << "model/unet/weights.bin"
                           << "A whole model, in Models as \"model\"."
                           << "A whole model, 3 MB, in Models as \"model\".";
    QTest::newRow("add-on") << "addon.safetensors"
                            << "An add-on, in Models as \"addon\"."
                            << "An add-on, 3 MB, in Models as \"addon\".";
}

void RunTest::whatWasMadeIsToldWithItsSize() {
    QFETCH(QString, file);
    QFETCH(QString, before);
    QFETCH(QString, after);
    const bool lora = file.endsWith(u".safetensors"_s);
    const QString folder = makeRun(lora ? u"addon"_s : u"model"_s);
    const QString result = folder + u"/result/"_s + file;
    writeBytes(result, QByteArray(3'000'000, 'w'));
    if (!lora) writeBytes(folder + u"/result/model/model_index.json"_s, "{}");
    const auto opened = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *opened->config();
    if (lora) config.method = core::TrainMethod::Lora;
    QVERIFY(opened->setConfig(config).ok());
    const auto journal = journalOf(folder);
    journal->emit(core::StepEvent{70, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    journal->emit(core::OutcomeEvent{"done", {}, {result.toStdString()}, 0, "", ""});
    TrainPage page(m_services->all());
    page.setVisible(true);
    const auto says = [&page](const QString& words) {
        for (const auto* label : page.findChildren<ElidedLabel*>())
            if (label->fullText().contains(words)) return true;
        return false;
    };
    {
        const Blocked pool(workPool()); // whatever the disk does
        m_services->runs.show(folder);
        QTRY_VERIFY(says(before));
    }
    QTRY_VERIFY(says(after));
}

void RunTest::aRunCutShortByARestartSaysSo() {
    const QString folder = makeRun("restarted");
    journalOf(folder)->emit(core::StateEvent{"training", "", 0, 0}); // its outcome was an earlier attempt's
    QVERIFY(!readRunEnd(folder).headline.contains(u"restarted"_s));
    const RunSession run(folder, u"restarted"_s);
    QTRY_COMPARE(run.phase(), RunPhase::Failed); // it had begun, if not to learn
    QFile journal(folder + u"/events.jsonl"_s);
    QVERIFY(journal.open(QIODevice::ReadWrite));
    QVERIFY(
        journal.setFileTime(QDateTime::fromMSecsSinceEpoch(1'000'000), QFileDevice::FileModificationTime));
    journal.close();
    QVERIFY(readRunEnd(folder).headline.contains(u"restarted"_s));
}

void RunTest::whatIsNotDoneIsResumedByTheColouredButton_data() {
    QTest::addColumn<QString>("result");
    QTest::newRow("failed") << "failed";
    QTest::newRow("stopped") << "cancelled";
}

void RunTest::whatIsNotDoneIsResumedByTheColouredButton() {
    QFETCH(QString, result);
    const QString mark = m_place.path(u"resumed "_s + result);
    QVERIFY(useEngine(
        m_place, u"#!/bin/sh\n[ \"$1\" != supervise ] || touch '%1'\n"_s.arg(mark).toUtf8().constData()));
    const QString folder = makeRun(u"not done, "_s + result);
    const auto journal = journalOf(folder);
    journal->emit(core::StepEvent{20, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    journal->emit(core::OutcomeEvent{result.toStdString(), {}, {}, 1, "", ""});
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.find(folder) != nullptr);
    RunPage page(*m_services, folder);
    QTRY_COMPARE(m_services->runs.current()->data().step(), int64_t{20});
    QTRY_COMPARE(page.mainButton()->text(), u"Resume"_s);
    QVERIFY(page.mainButton()->isVisible());
    QTRY_VERIFY(page.mainButton()->isEnabled());
    QStringList seen;
    for (const auto* button : page.findChildren<QPushButton*>())
        if (button->isVisible()) seen.append(button->text());
    QCOMPARE(seen.count(u"Resume"_s), 1);
    QVERIFY(!seen.contains(u"Make pictures"_s)); // there is nothing to make them with
    page.mainButton()->click();
    QTRY_VERIFY(QFileInfo::exists(mark));
    QCOMPARE(page.messages().count(), 0);
}

HOMEBOOTH_APP_TEST_MAIN(RunTest)
#include "tst_run.moc"

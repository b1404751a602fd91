// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training whose folder was moved or renamed, while it works or later: it is said, and it is found again.
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/queue/queue_model.h"
#include "app/pages/train/run/chart_board.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/queue/job_queue.h"
#include "run_page.h"

#include <QFileDialog>

using namespace homebooth;
using namespace homebooth::app;

class MovedRunTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void aFolderThatGoesWhileItWorksIsTold();
    void aFolderThatIsFoundElsewhereIsGoneOnWith();
    void anotherTrainingsFolderIsRefused();
    void aRenamedFolderIsTheSameTrainingAtTheNextStart();
    void whatWaitsKeepsItsPlaceUnderAnotherName();
    void whatMissedItsTurnIsFoundAgain();
    void whatIsNotFoundSaysWhatToDo();
    void whatCannotBeBroughtBackIsSaidOnce();

private:
    [[nodiscard]] QString makeRun(const QString& name);
    [[nodiscard]] QString elsewhere(const QString& name) const { return m_place.path(name); }
};

QString MovedRunTest::makeRun(const QString& name) {
    const QString folder = makeRunFolder(m_services->settings.runsFolder(), name, 80);
    const auto run = core::RunFolder::open(folder.toStdString());
    core::TrainConfig config = *run->config();
    config.data.instanceDir = folder.toStdString() + "/photos";
    [&] { QVERIFY(run->setConfig(config)); }();
    const auto journal = journalOf(folder);
    const QString picture = folder + u"/samples/20.png"_s;
    QDir().mkpath(folder + u"/samples"_s);
    journal->emit(core::StateEvent{"training", "", 0, 0});
    journal->emit(core::StepEvent{20, 1, 0.5, 1e-4, 0.5, 2.0, {}, {}, {}, {}});
    journal->emit(core::PreviewEvent{20, 0, writeTestPicture(picture, 1, {64, 64}).toStdString()});
    m_services->runs.open(m_services->settings.runsFolder());
    [&] { QTRY_VERIFY(m_services->runs.find(folder) != nullptr); }();
    m_services->runs.rename(folder, u"my own title"_s);
    return folder;
}

void MovedRunTest::aFolderThatGoesWhileItWorksIsTold() {
    const QString folder = makeRun("goes");
    TrainPage page(m_services->all());
    page.setVisible(true);
    {
        auto lock = core::RunLock::acquire((folder + u"/lock"_s).toStdString());
        QVERIFY(lock);
        m_services->runs.show(folder);
        QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Learning);
        QVERIFY(QDir().rename(folder, elsewhere(u"away"_s)));
        QVERIFY(QDir().mkpath(folder + u"/checkpoints"_s)); // by who goes on to save
        QTRY_VERIFY(m_services->runs.current()->gone());
        const QString text = page.messages().currentText();
        QVERIFY2(text.startsWith(u"<b>Folder \"goes\" is gone.</b>"_s), qPrintable(text));
        QVERIFY(buttonNamed(page.messages(), u"Find folder"_s) != nullptr);
        QVERIFY(!page.mainButton()->isEnabled());
        // Who began in the old place writes there: nothing is changed under its hands.
        QSignalSpy failed(&m_services->runs, &RunCentre::failed);
        m_services->runs.relocate(folder, elsewhere(u"away"_s));
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][1].toString().contains(u"still works"_s),
                 qPrintable(failed[0][0].toString() + failed[0][1].toString()));
        QCOMPARE(m_services->runs.find(folder)->state, "running"); // as far as is known
        QVERIFY(QDir(folder).removeRecursively());
        QVERIFY(QDir().rename(elsewhere(u"away"_s), folder)); // put back
        QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Learning);
        QTRY_COMPARE(page.messages().count(), 1); // that of the refusal
    }
    QTRY_COMPARE(m_services->runs.current()->phase(), RunPhase::Failed);
    QVERIFY(!m_services->runs.current()->gone());
    m_services->runs.dismiss();
}

void MovedRunTest::aFolderThatIsFoundElsewhereIsGoneOnWith() {
    const QString folder = makeRun("found");
    const QString now = elsewhere(u"found elsewhere"_s);
    const int64_t key = m_services->runs.find(folder)->id;
    RunPage page(*m_services, folder);
    QTRY_COMPARE(m_services->runs.current()->data().previews.size(), size_t{1});
    QVERIFY(QDir().rename(folder, now));
    QTRY_VERIFY(buttonNamed(page.messages(), u"Find folder"_s) != nullptr);
    buttonNamed(page.messages(), u"Find folder"_s)->click();
    QTRY_VERIFY(page.findChild<QFileDialog*>() != nullptr);
    auto* dialog = page.findChild<QFileDialog*>();
    Q_EMIT dialog->filesSelected({now});
    dialog->reject();
    QTRY_VERIFY(m_services->runs.current() != nullptr && m_services->runs.current()->folder() == now);
    QTRY_COMPARE(m_services->runs.current()->data().step(), int64_t{20});
    QVERIFY(
        QFileInfo::exists(QString::fromStdString(m_services->runs.current()->data().previews.front().path)));
    QTRY_VERIFY(!page.messages().currentText().contains(u"is gone"_s));
    QTRY_VERIFY(m_services->runs.find(now) != nullptr && m_services->runs.find(folder) == nullptr);
    QCOMPARE(m_services->runs.find(now)->id, key);
    QCOMPARE(m_services->runs.find(now)->title, "my own title");
    const auto config = core::RunFolder::open(now.toStdString())->config();
    QCOMPARE(QString::fromStdString(config->data.instanceDir), now + u"/photos"_s); // to resume
    m_services->runs.dismiss();
}

void MovedRunTest::anotherTrainingsFolderIsRefused() {
    const QString folder = makeRun("one");
    const QString other = makeRun("other");
    QVERIFY(QDir().rename(folder, elsewhere(u"one away"_s)));
    QSignalSpy failed(&m_services->runs, &RunCentre::failed);
    m_services->runs.relocate(folder, other);
    QTRY_COMPARE(failed.size(), 1);
    m_services->runs.relocate(folder, elsewhere(QString()));
    QTRY_COMPARE(failed.size(), 2);
    QVERIFY(m_services->runs.find(folder) != nullptr);
    // Nothing of it was seen in this session: no charts without a line, and no word of what is kept.
    RunPage page(*m_services, folder);
    QTRY_VERIFY(page.messages().currentText().contains(u"is gone"_s));
    QVERIFY(!page.messages().currentText().contains(u"was seen"_s));
    QVERIFY(page.findChild<ChartBoard*>()->isHidden());
    m_services->runs.show(other);
    QTRY_COMPARE(m_services->runs.current()->data().step(), int64_t{20});
    QVERIFY(!page.findChild<ChartBoard*>()->isHidden());
    m_services->runs.dismiss();
}

void MovedRunTest::aRenamedFolderIsTheSameTrainingAtTheNextStart() {
    const QString folder = makeRun("before");
    const QString now = m_services->settings.runsFolder() + u"/after"_s;
    const int64_t key = m_services->runs.find(folder)->id;
    m_services.reset();
    QVERIFY(QDir().rename(folder, now));
    m_services = std::make_unique<TestServices>(m_place);
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.find(now) != nullptr);
    QVERIFY(m_services->runs.find(folder) == nullptr);
    QCOMPARE(m_services->runs.find(now)->id, key);
    QCOMPARE(m_services->runs.find(now)->title, "my own title");
    QVERIFY(!core::movedFrom(now.toStdString())); // its own paths came along
}

void MovedRunTest::whatWaitsKeepsItsPlaceUnderAnotherName() {
    const core::JobQueue jobs;
    const QString first = makeRun("first");
    const QString second = makeRun("second");
    for (const QString& one : {first, second}) QVERIFY(jobs.add(one.toStdString()).ok());
    const QString now = m_services->settings.runsFolder() + u"/first, renamed"_s;
    QVERIFY(QDir().rename(first, now));
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->runs.find(now) != nullptr);
    QTRY_COMPARE(m_services->runs.queue(), (QStringList{now, second}));
    queueThread().waitForDone();
    QCOMPARE(QString::fromStdString(jobs.jobs()->front().runDir), now);
    const QString away = elsewhere(u"second, away"_s);
    QVERIFY(QDir().rename(second, away));
    m_services->runs.relocate(second, away); // as the user says
    QTRY_COMPARE(m_services->runs.queue(), (QStringList{now, away}));
    queueThread().waitForDone();
    QCOMPARE(QString::fromStdString(jobs.jobs()->back().runDir), away);
    for (const QString& one : {now, away}) m_services->runs.unqueue(one);
}

void MovedRunTest::whatMissedItsTurnIsFoundAgain() {
    const core::JobQueue jobs;
    RunCentre& runs = m_services->runs;
    const QString folder = makeRun("late");
    const QString other = makeRun("other, later");
    QVERIFY(jobs.setHeld(true).ok()); // nothing is to begin here
    const std::string id = *jobs.add(folder.toStdString());
    QVERIFY(jobs.add(other.toStdString()).ok());
    QTRY_COMPARE(runs.queue(), (QStringList{folder, other}));
    const QString now = m_services->settings.runsFolder() + u"/late, renamed"_s;
    QVERIFY(QDir().rename(folder, now));
    QVERIFY(*jobs.move(id, core::JobState::Waiting, core::JobState::Lost)); // as its supervisor found it
    QTRY_COMPARE(runs.queue(), (QStringList{now, other}));
    QTRY_VERIFY(runs.find(now) != nullptr && runs.find(folder) == nullptr);
    QCOMPARE(jobs.jobs()->front().id, id);
    // It was begun with just before the window learned of its name.
    const std::string old = R"({"run": ")" + folder.toStdString() + "\"}\n";
    QVERIFY(*jobs.remove(id, core::JobState::Waiting));
    writeBytes(QString::fromStdString(jobs.folder() + "/lost/" + id + ".json"),
               QByteArray::fromStdString(old));
    const std::string mark = jobs.folder() + "/a look";
    writeBytes(QString::fromStdString(mark), {}); // which the window notices
    QTRY_VERIFY(jobs.jobs(core::JobState::Lost)->empty());
    QTRY_COMPARE(runs.queue(), (QStringList{now, other}));
    QVERIFY(QFile::remove(QString::fromStdString(mark)));
    for (const QString& one : {now, other}) runs.unqueue(one);
    queueThread().waitForDone();
    QVERIFY(jobs.setHeld(false).ok());
}

void MovedRunTest::whatIsNotFoundSaysWhatToDo() {
    const core::JobQueue jobs;
    RunCentre& runs = m_services->runs;
    const QString folder = makeRun("away");
    const QString stranger = elsewhere(u"of a script"_s);
    QVERIFY(jobs.setHeld(true).ok());
    QueueModel model(m_services->all());
    const auto textOf = [&model](const QString& run, int role) {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row).data(QueueModel::FolderRole).toString() == run)
                return model.index(row).data(role).toString();
        return QString();
    };
    QVERIFY(QDir().rename(folder, elsewhere(u"on another disk"_s)));
    for (const QString& one : {folder, stranger}) {
        const std::string id = *jobs.add(one.toStdString());
        QTRY_VERIFY(runs.queue().contains(one));
        QVERIFY(*jobs.move(id, core::JobState::Waiting, core::JobState::Lost));
        QTRY_COMPARE(textOf(one, QueueModel::StateRole), u"folder gone"_s);
        const QString said = textOf(one, QueueModel::DetailRole);
        QVERIFY2(said.contains(u"no training in "_s + one) && said.contains(u"find its folder"_s),
                 qPrintable(said));
        QVERIFY(textOf(one, Qt::ToolTipRole).contains(u"find its folder"_s));
    }
    QVERIFY(QDir().rename(elsewhere(u"on another disk"_s), folder)); // put back
    runs.lookForLost();                                              // as the page does that is shown
    QTRY_COMPARE(runs.queue(), QStringList{folder});
    QCOMPARE(runs.lost(), QStringList{stranger});
    runs.remove({stranger});
    QTRY_VERIFY(runs.lost().isEmpty() && textOf(stranger, QueueModel::StateRole).isEmpty());
    runs.unqueue(folder);
    queueThread().waitForDone();
    QVERIFY(jobs.setHeld(false).ok());
}

/// Who looks after it once more for each refusal would never end.
void MovedRunTest::whatCannotBeBroughtBackIsSaidOnce() {
    constexpr int kWhileMs = 300; // in which it would be tried hundreds of times
    const core::JobQueue jobs;
    RunCentre& runs = m_services->runs;
    const QString folder = makeRun("stuck");
    const QString other = makeRun("stuck elsewhere");
    const QString now = m_services->settings.runsFolder() + u"/not stuck"_s;
    QVERIFY(jobs.setHeld(true).ok());
    const std::string id = *jobs.add(folder.toStdString());
    const std::string moved = *jobs.add(other.toStdString());
    QTRY_COMPARE(runs.queue(), (QStringList{folder, other}));
    const auto blockOf = [&jobs](const std::string& job) {
        return QString::fromStdString(jobs.folder() + "/." + job + ".next");
    };
    for (const std::string& one : {id, moved}) QVERIFY(QDir().mkpath(blockOf(one))); // none is written there
    QSignalSpy failed(&runs, &RunCentre::failed);
    QVERIFY(*jobs.move(id, core::JobState::Waiting, core::JobState::Lost)); // its folder is back
    QTRY_COMPARE(failed.size(), 1);
    QTest::qWait(kWhileMs);
    QCOMPARE(failed.size(), 1);
    QVERIFY(QDir().rename(other, now));
    QVERIFY(*jobs.move(moved, core::JobState::Waiting, core::JobState::Lost));
    QTRY_VERIFY(failed.size() > 1);
    QTest::qWait(kWhileMs);
    QVERIFY2(failed.size() < 10, qPrintable(QString::number(failed.size())));
    for (const std::string& one : {id, moved}) QVERIFY(QDir().rmdir(blockOf(one)));
    runs.lookForLost(); // as the page does that is shown
    QTRY_COMPARE(runs.queue().size(), 2);
    QVERIFY(runs.queue().contains(folder) && runs.queue().contains(now) && runs.lost().isEmpty());
    for (const QString& one : {folder, now}) runs.unqueue(one);
    queueThread().waitForDone();
    QVERIFY(jobs.setHeld(false).ok());
}

HOMEBOOTH_APP_TEST_MAIN(MovedRunTest)
#include "tst_moved_run.moc"

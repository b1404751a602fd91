// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training whose folder was moved or renamed, while it works or later: it is said, and it is found again.
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_session.h"
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

HOMEBOOTH_APP_TEST_MAIN(MovedRunTest)
#include "tst_moved_run.moc"

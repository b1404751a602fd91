// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A training that waits for room on its disk: told with what helps, until it goes on; and where its saved
// moments lie elsewhere since, they count and go with it.
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/run_end.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_log.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/warning_line.h"
#include "app/shell/job_bar.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/control/control.h"
#include "core/base/run/moved_run.h"
#include "core/base/run/run_identity.h"
#include "core/base/run/run_place.h"
#include "folder_answers.h"
#include "model_fixture.h"
#include "queue_fixture.h"
#include "run_page.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

using namespace homebooth;
using namespace homebooth::app;

namespace {

constexpr int64_t kGiga = 1'000'000'000;

core::Event waits(int64_t freeBytes, int64_t neededBytes) {
    return core::StateEvent{core::kWaitsForRoom, "/a: the disk is full", freeBytes, neededBytes};
}

core::Event learns() {
    return core::StateEvent{"training", "", 1, 100};
}

/// Stands for a worker: keeps what it is asked.
class Worker {
public:
    explicit Worker(const QString& folder) {
        auto server = core::ControlServer::start(
            *core::controlSocketPath(folder.toStdString()), (folder + u"/control"_s).toStdString(),
            [this](const core::ControlCommand& asked) {
                const std::lock_guard lock(m_mutex);
                m_asked.append(
                    QString::fromLatin1(core::controlVerbName(asked.verb)) +
                    (asked.folder.empty() ? QString() : ' ' + QString::fromStdString(asked.folder)));
                return core::ControlReply{};
            });
        if (server) m_server = std::move(*server);
    }
    [[nodiscard]] QStringList asked() const {
        const std::lock_guard lock(m_mutex);
        return m_asked;
    }

private:
    mutable std::mutex m_mutex;
    QStringList m_asked;
    std::unique_ptr<core::ControlServer> m_server;
};

} // namespace

class RoomWaitTest : public QueueFixture {
    Q_OBJECT
public:
    explicit RoomWaitTest(const TestPlace& place)
        : QueueFixture(place) {}
private Q_SLOTS:
    void initTestCase() { useFakeEngine(); }
    void init() { beginAgain(); }
    void cleanup() { m_services.reset(); }
    void itIsToldUntilItGoesOn();
    void continuingAsksForAnotherTry();
    void theMomentsGoToAnotherFolder();
    void aFolderThatRefusesIsNamedUntilTheNextTry();
    void whatEndedForWantOfRoomGoesOnInAnotherFolder();
    void roomIsFreedAmongTheModels();
    void whatIsNeededMayBeUnknown();
    void aMissingDriveIsToldAsThat();
    void aFolderThatWasMovedIsToldAsThat();
    void aFileTooLargeForTheDriveGoesElsewhere();
    void theJobBarAndTheLogSayIt();
    void aPauseIsSaidBeforeItComes();
    void momentsElsewhereCountAndGoWithTheRun();
    void momentsElsewhereStayWithARunThatCannotGo();
    void momentsStayWhereACopyOfTheRunGoes();
    void momentsStayThatACopyStandsOn_data();
    void momentsStayThatACopyStandsOn();
    void aDeletedCopyNeedsNothingOfItsOriginal();
    void theWindowSaysWhichMomentsADeletionLeaves();
    void momentsOfADriveThatWasAwayGoWithTheRun();

private:
    /// A run that waits, on a page that shows it.
    std::unique_ptr<RunPage> openPage() {
        openRuns();
        return std::make_unique<RunPage>(*m_services);
    }
    /// One that was stopped and can be deleted, with moments of these steps.
    QString stoppedRun(std::initializer_list<int64_t> steps = {40}) {
        QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
        const QString folder = makeRun("robot", "cancelled");
        for (const int64_t step : steps) writeCheckpoint(folder, step);
        return folder;
    }
    /// Moves a run's moments to another disk. @returns the folder that has them there
    static std::string momentsTo(const QString& folder, const QString& disk) {
        if (!QDir().mkpath(disk)) qFatal("cannot make the folder %s", qPrintable(disk));
        const auto run = core::RunFolder::open(folder.toStdString());
        const auto moved = core::moveCheckpoints(*run, disk.toStdString());
        if (!moved) qFatal("%s", moved.error().text().c_str());
        return *moved;
    }
    QString waitingRun(int64_t freeBytes = kGiga, int64_t neededBytes = 4 * kGiga) {
        return runWith(waits(freeBytes, neededBytes));
    }
    QString runWith(const core::Event& event) {
        const QString folder = makeRun("robot", "running");
        writeEvents(folder, {event});
        return folder;
    }
};

void RoomWaitTest::itIsToldUntilItGoesOn() {
    const QString folder = waitingRun();
    const auto lock = work(folder);
    const auto page = openPage();
    MessageBar& messages = page->messages();
    QTRY_COMPARE(messages.count(), 1);
    for (const char* words : {"is full.", "4.0 GB are needed, 1.0 GB are free.", "nothing is lost"})
        QVERIFY2(messages.currentText().contains(QLatin1String(words)), qPrintable(messages.currentText()));
    QCOMPARE(m_services->runs.current()->phase(), RunPhase::DiskFull);
    for (const char* button : {"Continue", "Free room", "Other folder"})
        QVERIFY2(buttonNamed(messages, QLatin1String(button)) != nullptr, button);
    QTest::qWait(1500); // longer than a tick
    QCOMPARE(messages.count(), 1);
    writeEvents(folder, {learns(), step(2)});
    QTRY_COMPARE(messages.count(), 0);
    QCOMPARE(m_services->runs.current()->phase(), RunPhase::Learning);
    const std::vector<RunMark> marks{{1, RunMark::Kind::DiskFull}};
    QCOMPARE(m_services->runs.current()->data().marks, marks);
}

void RoomWaitTest::continuingAsksForAnotherTry() {
    const QString folder = waitingRun();
    const auto lock = work(folder);
    const Worker worker(folder);
    const auto page = openPage();
    MessageBar& messages = page->messages();
    QTRY_COMPARE(messages.count(), 1);
    buttonNamed(messages, u"Continue"_s)->click();
    QTRY_COMPARE(worker.asked(), QStringList{u"resume"_s});
    QCOMPARE(messages.count(), 0);
    writeEvents(folder, {core::StateEvent{"saving", "checkpoint", 0, 0}, waits(2 * kGiga, 4 * kGiga)});
    QTRY_COMPARE(messages.count(), 1); // that failed, too, whether or not anybody has seen it saving
    QVERIFY(messages.currentText().contains(u"2.0 GB are free"_s));
    m_services->runs.current()->pauseOrContinue(); // as the buttons and the key do
    QTRY_COMPARE(worker.asked().size(), 2);
    QCOMPARE(worker.asked().last(), u"resume"_s);
}

void RoomWaitTest::theMomentsGoToAnotherFolder() {
    const QString folder = waitingRun();
    momentsTo(folder, m_place.path("full disk"));
    const auto lock = work(folder);
    const Worker worker(folder);
    const auto page = openPage();
    QTRY_COMPARE(page->messages().count(), 1);
    QVERIFY(page->messages().currentText().contains(u"robot checkpoints"_s)); // whose disk it is
    buttonNamed(page->messages(), u"Other folder"_s)->click();
    answerWith(*page, {u"/media/other disk"_s});
    QTRY_COMPARE(worker.asked(), QStringList{u"elsewhere /media/other disk"_s});
    QCOMPARE(page->messages().count(), 0);
}

void RoomWaitTest::aFolderThatRefusesIsNamedUntilTheNextTry() {
    const QString folder = waitingRun();
    const auto lock = work(folder);
    const auto page = openPage();
    const auto* line = page->findChild<WarningLine*>();
    writeEvents(folder, {core::WarningEvent{"elsewhere", "cannot save in \"/media/usb\": /media/usb/robot "
                                                         "checkpoints: write: the disk is full; free some"},
                         waits(kGiga, 4 * kGiga)});
    QTRY_COMPARE(line->findChild<ElidedLabel*>()->fullText(),
                 u"The training could not be brought into \"/media/usb\". The disk is full."_s);
    QTRY_VERIFY(line->isVisible());
    writeEvents(folder, {core::StateEvent{"saving", "checkpoints in another folder", 0, 0}});
    QTRY_VERIFY(!line->isVisible());
}

void RoomWaitTest::whatEndedForWantOfRoomGoesOnInAnotherFolder() {
    const QString folder = stoppedRun();
    writeEvents(folder, {core::OutcomeEvent{
                            "failed", {}, {}, 4, "/a: cannot reserve 2100664 bytes: the disk is full", ""}});
    const QString disk = m_place.path("roomy disk");
    QVERIFY(QDir().mkpath(disk));
    {
        const auto lock = work(folder); // somebody resumed it in a terminal
        QVERIFY(!changeConfig(folder, {.savesIn = disk.toStdString()}, {}).ok());
        QVERIFY(!core::checkpointsElsewhere(folder.toStdString()));
    }
    openRuns();
    RunPage page(*m_services, folder);
    QTRY_COMPARE(page.messages().count(), 1);
    const QString text = page.messages().currentText();
    QVERIFY2(text.contains(u"2 MB are needed."_s), qPrintable(text));
    QVERIFY2(!text.contains(u"reserve"_s), qPrintable(text));
    buttonNamed(page.messages(), u"Other folder"_s)->click();
    answerWith(page, {disk});
    QTRY_COMPARE(calls(), QStringList{u"supervise robot"_s});
    QVERIFY(core::ownCheckpointsElsewhere(folder.toStdString()));
    QCOMPARE(momentsOf(folder).size(), size_t{1});
    m_services->runs.dismiss();
}

void RoomWaitTest::roomIsFreedAmongTheModels() {
    const QString folder = waitingRun();
    const auto lock = work(folder);
    const auto page = openPage();
    QTRY_COMPARE(page->messages().count(), 1);
    QSignalSpy wanted(page.get(), &Page::roomWanted);
    buttonNamed(page->messages(), u"Free room"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toString(), folder); // whose disk is full
    QTRY_COMPARE(page->messages().count(), 1); // for who comes back: it still waits
}

void RoomWaitTest::whatIsNeededMayBeUnknown() {
    const QString folder = waitingRun(kGiga, 0);
    const auto lock = work(folder);
    const auto page = openPage();
    QTRY_COMPARE(page->messages().count(), 1);
    const QString text = page->messages().currentText();
    QVERIFY2(text.contains(u"1.0 GB are free."_s) && !text.contains(u"needed"_s), qPrintable(text));
}

void RoomWaitTest::aMissingDriveIsToldAsThat() {
    const QString folder = runWith(
        core::StateEvent{core::kWaitsForRoom, "connect the drive that they lie on, or put them back", 0, 0});
    const auto lock = work(folder);
    const auto page = openPage();
    MessageBar& messages = page->messages();
    QTRY_COMPARE(messages.count(), 1);
    const QString text = messages.currentText();
    for (const char* words : {"is not there", "when the drive is connected", "In another folder"})
        QVERIFY2(text.contains(QLatin1String(words)), qPrintable(text));
    QVERIFY2(!text.contains(u"full"_s) && !text.contains(u"free"_s), qPrintable(text));
    QVERIFY(buttonNamed(messages, u"Free room"_s) == nullptr);
    QVERIFY(buttonNamed(messages, u"Other folder"_s) != nullptr);
    QCOMPARE(m_services->runs.current()->phaseText(), u"Waiting for the drive"_s);
    QVERIFY(m_services->runs.current()->data().marks.empty()); // its disk was not full
}

void RoomWaitTest::aFolderThatWasMovedIsToldAsThat() {
    const std::string lack = std::string("moved or renamed; move it ") + core::kPutRunBack;
    const QString folder = runWith(core::StateEvent{core::kWaitsForRoom, lack, 0, 0});
    const auto lock = work(folder);
    const auto page = openPage();
    QTRY_COMPARE(page->messages().count(), 1);
    for (const char* words : {"is not where it was", "is not lost", "back where it was"})
        QVERIFY2(page->messages().currentText().contains(QLatin1String(words)), words);
    QCOMPARE(m_services->runs.current()->phaseText(), u"Waiting for its folder"_s);
    const core::OutcomeEvent ended{"failed", {}, {}, static_cast<int>(core::ErrorCode::BadInput), lack, ""};
    QCOMPARE(runEndOf(ended, 0).advice, u"Put it back, then resume."_s);
}

void RoomWaitTest::aFileTooLargeForTheDriveGoesElsewhere() {
    const core::Error lack = core::systemError("write", "/a", EFBIG);
    const QString folder = runWith(core::StateEvent{core::kWaitsForRoom, lack.text(), 0, 0});
    const auto lock = work(folder);
    const auto page = openPage();
    MessageBar& messages = page->messages();
    QTRY_COMPARE(messages.count(), 1);
    for (const char* words : {"too large for the drive", "nothing is lost", "on another drive"})
        QVERIFY2(messages.currentText().contains(QLatin1String(words)), qPrintable(messages.currentText()));
    QVERIFY(buttonNamed(messages, u"Other folder"_s) != nullptr);
    for (const char* button : {"Continue", "Free room"}) // in vain
        QVERIFY2(buttonNamed(messages, QLatin1String(button)) == nullptr, button);
    QCOMPARE(m_services->runs.current()->phaseText(), u"Waiting for another folder"_s);
    QVERIFY(m_services->runs.current()->data().marks.empty()); // the disk is not full
}

void RoomWaitTest::aPauseIsSaidBeforeItComes() {
    const QString folder = makeRun("robot", "running");
    const auto lock = work(folder);
    const Worker worker(folder);
    const auto page = openPage();
    RunSession& run = *m_services->runs.current();
    QTRY_COMPARE(run.phase(), RunPhase::Learning);
    QPushButton* pause = buttonNamed(*page, u"Pause"_s);
    QVERIFY(pause->isEnabled() || !pause->toolTip().isEmpty()); // why it cannot be pressed yet
    QTRY_VERIFY(pause->isEnabled());
    QVERIFY(pause->toolTip().isEmpty());
    pause->click();
    QCOMPARE(run.phaseText(), u"Pausing after this step"_s);
    QCOMPARE(pause->text(), u"Continue"_s); // it can be taken back
    QTRY_COMPARE(worker.asked(), QStringList{u"pause"_s});
    run.pauseOrContinue();
    QCOMPARE(run.phaseText(), u"Learning"_s);
    run.pauseOrContinue();
    writeEvents(folder, {core::StateEvent{"paused", "", 1, 100}});
    QTRY_COMPARE(run.phaseText(), u"Paused"_s);
    QTRY_COMPARE(worker.asked().size(), 3);
    QCOMPARE(worker.asked()[1], u"resume"_s);
}

void RoomWaitTest::theJobBarAndTheLogSayIt() {
    const QString folder = waitingRun();
    const auto lock = work(folder);
    openRuns();
    QTRY_VERIFY(m_services->runs.busy());
    const JobBar bar(m_services->all());
    const QString words = u"Waiting for room on the disk"_s;
    const auto said = [&bar, &words] {
        for (const auto* label : bar.findChildren<ElidedLabel*>())
            if (label->fullText().contains(words) && label->accessibleName().contains(words)) return true;
        return false;
    };
    QTRY_VERIFY(said());
    QVERIFY(buttonNamed(bar, u"Continue"_s) != nullptr);
    RunLog log(folder);
    QVERIFY(log.read());
    QVERIFY2(log.text().contains(words + u" [/a: the disk is full]"_s), qPrintable(log.text()));
}

/// As file managers do it.
static void copyRun(const QString& from, const QString& to) {
    namespace fs = std::filesystem;
    fs::copy(from.toStdString(), to.toStdString(),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

/// What a folder of saved moments takes to say whose it is.
static qint64 namingBytes(const std::string& moments) {
    return QFileInfo(QString::fromStdString(moments + "/" + core::kOwnerName)).size();
}

void RoomWaitTest::momentsElsewhereCountAndGoWithTheRun() {
    const QString folder = stoppedRun();
    const QString made = folder + u"/result/lora.safetensors"_s;
    QVERIFY(QDir(folder).mkdir(u"result"_s));
    writeBytes(made, "learned");
    const qint64 before = diskOf(folder).bytes;
    const QString disk = m_place.path("other disk");
    const std::string moved = momentsTo(folder, disk);
    QCOMPARE(diskOf(folder).moments, 1);
    QCOMPARE(diskOf(folder).bytes, before + namingBytes(moved));
    QCOMPARE(momentsOf(folder).size(), size_t{1});
    const TrashedRun trashed = trashRun(folder);
    QCOMPARE(trashed.failed, QString());
    QVERIFY(!QFileInfo::exists(folder));
    QVERIFY(!QFileInfo::exists(QString::fromStdString(moved)));
    QVERIFY(QFileInfo::exists(disk));
    QVERIFY(bringBackRun(trashed));
    QCOMPARE(bytesOf(made), QByteArray("learned"));
}

void RoomWaitTest::momentsElsewhereStayWithARunThatCannotGo() {
    const QString folder = stoppedRun();
    momentsTo(folder, m_place.path(u"other disk"_s));
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", folder.toUtf8()); // no folder can be moved into one of its own
    const TrashedRun trashed = trashRun(folder);
    qputenv("XDG_DATA_HOME", before);
    QCOMPARE(trashed.failed, folder);
    QCOMPARE(momentsOf(folder).size(), size_t{1});
}

void RoomWaitTest::momentsOfADriveThatWasAwayGoWithTheRun() {
    const QString folder = stoppedRun();
    const qint64 before = diskOf(folder).bytes;
    const QString drive = m_place.path("drive");
    const std::string first = momentsTo(folder, drive);
    QVERIFY(QDir().rename(drive, drive + u" away"_s));
    const std::string second = momentsTo(folder, m_place.path("other disk"));
    QVERIFY(diskOf(folder).bytes < before);
    QVERIFY(QDir().rename(drive + u" away"_s, drive));
    QCOMPARE(diskOf(folder).bytes, before + namingBytes(first) + namingBytes(second));
    const TrashedRun trashed = trashRun(folder);
    QCOMPARE(trashed.failed, QString());
    for (const std::string& gone : {folder.toStdString(), first, second})
        QVERIFY2(!QFileInfo::exists(QString::fromStdString(gone)), gone.c_str());
    const QString taken = QString::fromStdString(first);
    QVERIFY(QDir().mkdir(taken)); // another one's
    QVERIFY(!bringBackRun(trashed));
    for (const QString& one : {folder, QString::fromStdString(second)})
        QVERIFY2(!QFileInfo::exists(one), qPrintable(one));
    QVERIFY(QDir().rmdir(taken));
    QCOMPARE(bringBackRun(trashed).value_or(QString()), folder);
    QCOMPARE(diskOf(folder).bytes, before + namingBytes(first) + namingBytes(second));
    QVERIFY(!bringBackRun(trashed)); // it is there
}

void RoomWaitTest::momentsStayWhereACopyOfTheRunGoes() {
    const QString folder = stoppedRun({10, 20, 30, 40});
    const std::string moved = momentsTo(folder, m_place.path("other disk"));
    for (const int64_t step : {50, 60, 70}) writeCheckpoint(folder, step);
    const QString copied = folder + u" copy"_s;
    copyRun(folder, copied);
    QVERIFY(diskOf(folder).prunableBytes > 0);
    QCOMPARE(diskOf(copied).prunableBytes, qint64{0});
    QVERIFY(diskOf(copied).bytes < diskOf(folder).bytes);
    QVERIFY(!pruneRun(copied).ok());
    QCOMPARE(momentsOf(folder).size(), size_t{4});
    QCOMPARE(trashRun(copied).failed, QString());
    QVERIFY(!QFileInfo::exists(copied));
    QCOMPARE(momentsOf(folder).size(), size_t{4});
    QVERIFY(pruneRun(folder).ok());
    QCOMPARE(trashRun(folder).failed, QString());
    QVERIFY(!QFileInfo::exists(QString::fromStdString(moved)));
}

void RoomWaitTest::momentsStayThatACopyStandsOn_data() {
    QTest::addColumn<bool>("beside");
    QTest::newRow("beside it") << true;
    QTest::newRow("elsewhere") << false;
}

void RoomWaitTest::momentsStayThatACopyStandsOn() {
    QFETCH(bool, beside);
    const QString folder = stoppedRun();
    const QString backups = m_place.path("backups");
    QVERIFY(QDir().mkpath(backups));
    const std::string moved = momentsTo(folder, m_place.path("other disk"));
    const QString copied = beside ? folder + u" copy"_s : backups + u"/robot"_s;
    copyRun(folder, copied);
    std::vector<std::string> known{folder.toStdString()};
    if (!beside) known.push_back(copied.toStdString());
    const QStringList place{QString::fromStdString(moved)};
    const TrashedRun trashed = trashRun(folder, known);
    QCOMPARE(trashed.failed, QString());
    QCOMPARE(trashed.stays, place);
    QVERIFY(!QFileInfo::exists(folder));
    QCOMPARE(momentsOf(copied).size(), size_t{1});
    QVERIFY(core::ownerOf(moved) == folder.toStdString()); // for whoever takes it out of the trash again
    QCOMPARE(trashRun(copied).stays, place);               // nothing goes through another run
    QVERIFY(!QFileInfo::exists(copied));
    QVERIFY(QFileInfo::exists(place.front()));
}

void RoomWaitTest::aDeletedCopyNeedsNothingOfItsOriginal() {
    const QString folder = stoppedRun();
    const QString backups = m_place.path("backups");
    QVERIFY(QDir().mkpath(backups));
    const std::string moved = momentsTo(folder, m_place.path("other disk"));
    const QString copied = backups + u"/robot"_s;
    copyRun(folder, copied);
    core::noteStanding(copied.toStdString());
    QCOMPARE(core::othersThatNeed(moved, folder.toStdString()).size(), size_t{1});
    // Deleted together the copy goes first: then nobody needs the moments.
    const std::vector<std::string> known{folder.toStdString(), copied.toStdString()};
    const auto first = trashNext({folder, copied}, known);
    QCOMPARE(first.first, copied);
    const auto second = trashNext({folder}, known);
    for (const TrashedRun& one : {first.second, second.second})
        QVERIFY(one.failed.isEmpty() && one.stays.isEmpty());
    QVERIFY(!QFileInfo::exists(QString::fromStdString(moved)));
    QVERIFY(bringBackRun(second.second) && bringBackRun(first.second));
    QCOMPARE(momentsOf(copied).size(), size_t{1});
}

void RoomWaitTest::theWindowSaysWhichMomentsADeletionLeaves() {
    const QString folder = stoppedRun();
    const std::string moved = momentsTo(folder, m_place.path("other disk"));
    copyRun(folder, folder + u" copy"_s);
    QVERIFY(core::correctPaths(*core::RunFolder::open(folder.toStdString() + " copy")).ok());
    const QString names = QString::fromStdString(moved + "/" + core::kOwnerName);
    writeBytes(names, (folder.toStdString() + "\n" + core::identityOf(folder.toStdString()) + "\n").c_str());
    openRuns();
    QTRY_VERIFY(bytesOf(names).contains("needed by ")); // though nothing of the copy is new
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    m_services->runs.remove({folder});
    const auto said = [&window, place = QString::fromStdString(moved)] {
        const QList<MessageBar*> all = window.findChildren<MessageBar*>();
        return std::any_of(all.begin(), all.end(), [&place](const MessageBar* one) {
            return one->currentText().contains(u"Saved moments stay in "_s + place);
        });
    };
    QTRY_VERIFY(said());
    QVERIFY(!QFileInfo::exists(folder));
}

HOMEBOOTH_APP_TEST_MAIN(RoomWaitTest)
#include "tst_room_wait.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures and journals are read by threads of their drive: one that does not answer holds its own, and no
// others.
#include "app/engine/run_end.h"
#include "app/library/drive_pools.h"
#include "app/library/thumbnails.h"
#include "app/pages/subjects/photo_check.h"
#include "app_files.h"

#include <QSemaphore>

#include <atomic>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// Of a file on a drive that is there on every machine, and none of the test's.
const QString kAway = QStringLiteral("/proc/away/1.png");

constexpr const char* kMounts = "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
                                "27 1 254:1 / / rw,relatime - ext4 /dev/root rw\n"
                                "40 27 0:50 /a /mnt/my\\040disk rw shared:1 - nfs4 nas:/a rw\n"
                                "41 40 0:51 / /mnt/my\\040disk/deeper rw - nfs4 nas:/b rw\n"
                                "42 27 0:52 / /mnt/caf\303\251\\134 rw - vfat /dev/sda1 rw\n";

} // namespace

class DrivePoolsTest : public QObject {
    Q_OBJECT
public:
    explicit DrivePoolsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void theInnermostMountIsTheDrive();
    void eachDriveHasThreadsOfItsOwn();
    void aLinkLeadsToAnotherDrive();
    void whatALinkLeadsToHoldsItsOwnDriveAlone();
    void picturesOfOtherDrivesAreShown();
    void photosOfOtherDrivesAreJudged();
    void trainingsOfOtherDrivesSayWhyTheyEnded();
    void whatWaitsIsLeftInTheEnd();

private:
    const TestPlace& m_place;
};

void DrivePoolsTest::theInnermostMountIsTheDrive() {
    const QStringList points = mountPoints(kMounts);
    QCOMPARE(points,
             (QStringList{QStringLiteral("/proc"), QStringLiteral("/"), QStringLiteral("/mnt/my disk"),
                          QStringLiteral("/mnt/my disk/deeper"), QStringLiteral("/mnt/café\\")}));
    QCOMPARE(mountOf(QStringLiteral("/home/a.png"), points), QStringLiteral("/"));
    QCOMPARE(mountOf(QStringLiteral("/mnt/my disk/a.png"), points), QStringLiteral("/mnt/my disk"));
    QCOMPARE(mountOf(QStringLiteral("/mnt/my disk"), points), QStringLiteral("/mnt/my disk"));
    QCOMPARE(mountOf(QStringLiteral("/mnt/my disk 2/a.png"), points), QStringLiteral("/"));
    QCOMPARE(mountOf(QStringLiteral("/mnt/my disk/deeper/b/a.png"), points),
             QStringLiteral("/mnt/my disk/deeper"));
    QCOMPARE(mountOf(QStringLiteral("/a.png"), {}), QString());
    QVERIFY(mountPoints({}).isEmpty());
    QVERIFY(mountPoints("torn line\n").isEmpty());
}

void DrivePoolsTest::eachDriveHasThreadsOfItsOwn() {
    DrivePools pools(2);
    QThreadPool& here = pools.of(m_place.path(QStringLiteral("a/1.png")));
    QCOMPARE(here.maxThreadCount(), 2);
    QCOMPARE(&pools.of(m_place.path(QStringLiteral("b/2.png"))), &here);
    QVERIFY(&pools.of(kAway) != &here);
}

void DrivePoolsTest::aLinkLeadsToAnotherDrive() {
    const QStringList points{QStringLiteral("/"), QStringLiteral("/proc")};
    const QString folder = m_place.path(QStringLiteral("links"));
    QVERIFY(QDir().mkpath(folder + QStringLiteral("/real")));
    const auto link = [&folder](const QString& to, const char* name) {
        return QFile::link(to, folder + '/' + QString::fromLatin1(name));
    };
    QVERIFY(link(QStringLiteral("/proc/away"), "away"));
    QVERIFY(link(QStringLiteral("../away"), "real/by another"));
    QVERIFY(link(QStringLiteral("real"), "here"));
    QVERIFY(link(QStringLiteral("itself"), "itself"));
    const auto leadsTo = [&](const char* name) {
        return onOtherDrive(folder + '/' + QString::fromLatin1(name), points);
    };
    QCOMPARE(leadsTo("away"), QStringLiteral("/proc/away"));
    QCOMPARE(leadsTo("away/models/a b"), QStringLiteral("/proc/away/models/a b"));
    QCOMPARE(leadsTo("here/by another/model"), QStringLiteral("/proc/away/model"));
    for (const char* name : {"real", "here", "here/model", "itself/model", "gone/model"})
        QCOMPARE(leadsTo(name), QString());
}

void DrivePoolsTest::whatALinkLeadsToHoldsItsOwnDriveAlone() {
    const QString link = m_place.path(QStringLiteral("a link"));
    QVERIFY(QFile::link(QStringLiteral("/proc/away"), link));
    std::atomic<bool> there = false;
    std::atomic<bool> here = false;
    DrivePools pools(1);
    {
        const Blocked drive(pools.of(kAway));
        pools.start(link + QStringLiteral("/model"), [&there] { there = true; });
        pools.start(m_place.path(QStringLiteral("model")), [&here] { here = true; });
        QTRY_VERIFY(here);
        QVERIFY(!there);
        QVERIFY(!pools.finish(QDeadlineTimer(1)));
    }
    QVERIFY(pools.finish());
    QVERIFY(there);
}

void DrivePoolsTest::picturesOfOtherDrivesAreShown() {
    Thumbnails thumbnails(m_place.path(QStringLiteral("small")));
    const ThumbnailKey key{writeTestPicture(m_place.path(QStringLiteral("shown.png")), 1), {}, 160};
    const Blocked drive(thumbnails.drives().of(kAway));
    QTRY_VERIFY(!thumbnails.find(key).isNull());
}

void DrivePoolsTest::photosOfOtherDrivesAreJudged() {
    PhotoInspector inspector;
    const QString photo = writeTestPicture(m_place.path(QStringLiteral("judged.png")), 2);
    const Blocked drive(inspector.drives().of(kAway));
    QTRY_VERIFY(inspector.facts(photo).state == PhotoFacts::State::Ready);
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    writeTestPicture(photo, 3, {300, 200});
    inspector.recheck();
    QTRY_COMPARE(changed.size(), 1);
}

void DrivePoolsTest::trainingsOfOtherDrivesSayWhyTheyEnded() {
    const QString folder = makeRunFolder(m_place.path(QStringLiteral("runs")), QStringLiteral("full"), 10);
    core::OutcomeEvent full;
    full.result = "failed";
    full.code = 4;
    full.message = "/runs/full: the disk is full; free some space and try again";
    journalOf(folder)->emit(full);
    const QString away = QStringLiteral("/proc/away");
    RunEnds ends;
    QSignalSpy changed(&ends, &RunEnds::changed);
    QVERIFY(!ends.isGone(folder)); // the usual answer, of which nobody has to be told
    const Blocked drive(journalDrives().of(kAway));
    QCOMPARE(ends.headlineOf(away, 1), QString());
    QTRY_COMPARE(ends.headlineOf(folder, 1), QStringLiteral("The disk is full."));
    QCOMPARE(ends.headlineOf(away, 1), QString()); // it would say that it ended without a word
    QCOMPARE(changed.size(), 1);
}

void DrivePoolsTest::whatWaitsIsLeftInTheEnd() {
    DrivePools pools(1);
    QSemaphore begun;
    QSemaphore hangs;
    std::atomic<bool> waited = false;
    pools.of(kAway).start([&] {
        begun.release();
        hangs.acquire();
    });
    pools.of(kAway).start([&waited] { waited = true; });
    begun.acquire();
    QVERIFY(!pools.leave(QDeadlineTimer(1))); // a drive that does not answer holds nobody
    hangs.release();
    QVERIFY(pools.leave(QDeadlineTimer(QDeadlineTimer::Forever)));
    QVERIFY(!waited);
}

HOMEBOOTH_APP_TEST_MAIN(DrivePoolsTest)
#include "tst_drive_pools.moc"

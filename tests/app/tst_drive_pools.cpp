// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures and journals are read by threads of their drive: one that does not answer holds its own, and no
// others.
#include "app/engine/runs/run_end.h"
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
const QString kAway = u"/proc/away/1.png"_s;

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
    QCOMPARE(points, (QStringList{u"/proc"_s, u"/"_s, u"/mnt/my disk"_s, u"/mnt/my disk/deeper"_s,
                                  u"/mnt/café\\"_s}));
    QCOMPARE(mountOf(u"/home/a.png"_s, points), u"/"_s);
    QCOMPARE(mountOf(u"/mnt/my disk/a.png"_s, points), u"/mnt/my disk"_s);
    QCOMPARE(mountOf(u"/mnt/my disk"_s, points), u"/mnt/my disk"_s);
    QCOMPARE(mountOf(u"/mnt/my disk 2/a.png"_s, points), u"/"_s);
    QCOMPARE(mountOf(u"/mnt/my disk/deeper/b/a.png"_s, points), u"/mnt/my disk/deeper"_s);
    QCOMPARE(mountOf(u"/a.png"_s, {}), QString());
    QVERIFY(mountPoints({}).isEmpty());
    QVERIFY(mountPoints("torn line\n").isEmpty());
}

void DrivePoolsTest::eachDriveHasThreadsOfItsOwn() {
    DrivePools pools(2);
    QThreadPool& here = pools.of(m_place.path(u"a/1.png"_s));
    QCOMPARE(here.maxThreadCount(), 2);
    QCOMPARE(&pools.of(m_place.path(u"b/2.png"_s)), &here);
    QVERIFY(&pools.of(kAway) != &here);
}

void DrivePoolsTest::aLinkLeadsToAnotherDrive() {
    const QStringList points{u"/"_s, u"/proc"_s};
    const QString folder = m_place.path(u"links"_s);
    QVERIFY(QDir().mkpath(folder + u"/real"_s));
    const auto link = [&folder](const QString& to, const char* name) {
        return QFile::link(to, folder + '/' + QString::fromLatin1(name));
    };
    QVERIFY(link(u"/proc/away"_s, "away"));
    QVERIFY(link(u"../away"_s, "real/by another"));
    QVERIFY(link(u"real"_s, "here"));
    QVERIFY(link(u"itself"_s, "itself"));
    const auto leadsTo = [&](const char* name) {
        return onOtherDrive(folder + '/' + QString::fromLatin1(name), points);
    };
    QCOMPARE(leadsTo("away"), u"/proc/away"_s);
    QCOMPARE(leadsTo("away/models/a b"), u"/proc/away/models/a b"_s);
    QCOMPARE(leadsTo("here/by another/model"), u"/proc/away/model"_s);
    for (const char* name : {"real", "here", "here/model", "itself/model", "gone/model"})
        QCOMPARE(leadsTo(name), QString());
}

void DrivePoolsTest::whatALinkLeadsToHoldsItsOwnDriveAlone() {
    const QString link = m_place.path(u"a link"_s);
    QVERIFY(QFile::link(u"/proc/away"_s, link));
    std::atomic<bool> there = false;
    std::atomic<bool> here = false;
    DrivePools pools(1);
    {
        const Blocked drive(pools.of(kAway));
        pools.start(link + u"/model"_s, [&there] { there = true; });
        pools.start(m_place.path(u"model"_s), [&here] { here = true; });
        QTRY_VERIFY(here);
        QVERIFY(!there);
        QVERIFY(!pools.finish(QDeadlineTimer(1)));
    }
    QVERIFY(pools.finish());
    QVERIFY(there);
}

void DrivePoolsTest::picturesOfOtherDrivesAreShown() {
    Thumbnails thumbnails(m_place.path(u"small"_s));
    const ThumbnailKey key{writeTestPicture(m_place.path(u"shown.png"_s), 1), {}, 160};
    const Blocked drive(thumbnails.drives().of(kAway));
    QTRY_VERIFY(!thumbnails.find(key).isNull());
}

void DrivePoolsTest::photosOfOtherDrivesAreJudged() {
    PhotoInspector inspector;
    const QString photo = writeTestPicture(m_place.path(u"judged.png"_s), 2);
    const Blocked drive(inspector.drives().of(kAway));
    QTRY_VERIFY(inspector.facts(photo).state == PhotoFacts::State::Ready);
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    writeTestPicture(photo, 3, {300, 200});
    inspector.recheck();
    QTRY_COMPARE(changed.size(), 1);
}

void DrivePoolsTest::trainingsOfOtherDrivesSayWhyTheyEnded() {
    const QString folder = makeRunFolder(m_place.path(u"runs"_s), u"full"_s, 10);
    core::OutcomeEvent full;
    full.result = "failed";
    full.code = 4;
    full.message = "/runs/full: the disk is full; free some space and try again";
    journalOf(folder)->emit(full);
    const QString away = u"/proc/away"_s;
    RunEnds ends;
    QSignalSpy changed(&ends, &RunEnds::changed);
    QVERIFY(!ends.isGone(folder)); // the usual answer, of which nobody has to be told
    const Blocked drive(journalDrives().of(kAway));
    QCOMPARE(ends.headlineOf(away, 1), QString());
    QTRY_COMPARE(ends.headlineOf(folder, 1), u"The disk is full."_s);
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

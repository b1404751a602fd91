// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures are read by threads of their drive: one that does not answer holds its own pictures, and no
// others.
#include "app/library/drive_pools.h"
#include "app/library/thumbnails.h"
#include "app/pages/subjects/photo_check.h"
#include "app_files.h"

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
    void picturesOfOtherDrivesAreShown();
    void photosOfOtherDrivesAreJudged();

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

HOMEBOOTH_APP_TEST_MAIN(DrivePoolsTest)
#include "tst_drive_pools.moc"

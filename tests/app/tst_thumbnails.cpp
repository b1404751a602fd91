// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small pictures on the disk: they keep within their limit, and what was seen last stays.
#include "app/library/disk_cache.h"
#include "app/library/thumbnails.h"
#include "app/pages/generate/result_model.h"
#include "app_files.h"
#include "core/base/files/sha256.h"

#include <QDateTime>
#include <QDirIterator>
#include <QSignalSpy>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

using namespace homebooth;
using namespace homebooth::app;

class ThumbnailsTest : public QObject {
    Q_OBJECT
public:
    explicit ThumbnailsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init();
    void whatWasSeenLastStaysWithinTheLimit();
    void whatComesInKeepsWithinTheLimit();
    void onlyOldUseIsNotedAnew();
    void nothingGoesWithinTheLimit();
    void roughViewsOfPicturesInTheMakingAreNotKept();
    void picturesOfAnyNameAreKeptApart();
    void aPictureThatWasJustMadeIsSeenInThePlaceOfAnother();
    void aPictureWhoseDriveWasAwayIsSeenWhenItIsBack();
    void aPictureThatChangesWhileItIsReadIsSeenAsItIsNow();
    void whatIsForgottenWhileItIsReadIsAskedForAgain();
    void aPictureThatIsBeingWrittenIsNotKept();

private:
    /// The file that a picture's small one is kept in.
    [[nodiscard]] QString stored(int number) const;
    [[nodiscard]] QString picture(int number) const { return m_place.path(u"pictures/%1.png"_s.arg(number)); }
    [[nodiscard]] qint64 taken() const;
    void see(Thumbnails& thumbnails, int number) const;
    static void setUsed(const QString& file, qint64 daysAgo);

    const TestPlace& m_place;
    QString m_folder;
};

constexpr int kMany = 8;

void ThumbnailsTest::init() {
    failOnAnyWarning();
    m_folder = m_place.path(QString::fromLatin1(QTest::currentTestFunction()));
    QDir().mkpath(m_place.path(u"pictures"_s));
    for (int i = 0; i < kMany; ++i) writeTestPicture(picture(i), i, {200, 160});
}

QString ThumbnailsTest::stored(int number) const {
    const auto hash = core::sha256File(picture(number).toStdString());
    if (!hash || !*hash) return {};
    const QString name = QString::fromStdString(**hash);
    return u"%1/%2/%3.png"_s.arg(m_folder, name.left(2), name);
}

qint64 ThumbnailsTest::taken() const {
    qint64 bytes = 0;
    for (QDirIterator files(m_folder, QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
        files.next();
        bytes += files.fileInfo().size();
    }
    return bytes;
}

void ThumbnailsTest::see(Thumbnails& thumbnails, int number) const {
    const ThumbnailKey key{picture(number), {}, 160};
    QTRY_VERIFY(!thumbnails.find(key).isNull());
}

void ThumbnailsTest::setUsed(const QString& path, qint64 daysAgo) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite | QIODevice::ExistingOnly));
    QVERIFY(
        file.setFileTime(QDateTime::currentDateTime().addDays(-daysAgo), QFileDevice::FileModificationTime));
}

void ThumbnailsTest::whatWasSeenLastStaysWithinTheLimit() {
    {
        Thumbnails first(m_folder);
        for (int i = 0; i < kMany; ++i) see(first, i);
    }
    for (int i = 0; i < kMany; ++i) setUsed(stored(i), 100 - i);
    const qint64 all = taken();
    Thumbnails thumbnails(m_folder);
    see(thumbnails, 0); // made first, seen last
    thumbnails.setDiskLimit(all / 2);
    QTRY_VERIFY(taken() <= all / 2);
    QTRY_VERIFY(!QFile::exists(stored(1)));
    QVERIFY(QFile::exists(stored(0)));
    QVERIFY(QFile::exists(stored(kMany - 1)));
    see(thumbnails, 1); // can be made again
}

void ThumbnailsTest::whatComesInKeepsWithinTheLimit() {
    qint64 one = 0;
    {
        Thumbnails first(m_folder);
        see(first, 0);
        one = taken();
    }
    Thumbnails thumbnails(m_folder);
    thumbnails.setDiskLimit(3 * one);
    for (int i = 1; i < kMany; ++i) see(thumbnails, i);
    QTRY_VERIFY(taken() <= 3 * one);
    QVERIFY(taken() > 0);
}

void ThumbnailsTest::onlyOldUseIsNotedAnew() {
    Thumbnails thumbnails(m_folder);
    see(thumbnails, 0);
    const QDateTime made = QFileInfo(stored(0)).lastModified();
    markUsed(stored(0));
    QCOMPARE(QFileInfo(stored(0)).lastModified(), made);
    setUsed(stored(0), 2);
    markUsed(stored(0));
    QVERIFY(QFileInfo(stored(0)).lastModified().secsTo(QDateTime::currentDateTime()) < 60);
    markUsed(m_folder + u"/none.png"_s);
    QVERIFY(!QFile::exists(m_folder + u"/none.png"_s));
}

void ThumbnailsTest::nothingGoesWithinTheLimit() {
    QDir().mkpath(m_folder);
    writeBytes(m_folder + u"/a/1"_s, QByteArray(100, 'x'));
    writeBytes(m_folder + u"/b/2"_s, QByteArray(50, 'x'));
    setUsed(m_folder + u"/b/2"_s, 1);
    QCOMPARE(keepUsedLast(m_folder, 150), qint64{150});
    QCOMPARE(keepUsedLast(m_folder, 149), qint64{100});
    QVERIFY(QFile::exists(m_folder + u"/a/1"_s));
    QCOMPARE(keepUsedLast(m_folder + u"/nowhere"_s, 0), qint64{0});
}

void ThumbnailsTest::roughViewsOfPicturesInTheMakingAreNotKept() {
    const QString rough = writeTestPicture(m_place.path(u"pictures/.7.png"_s), 7, {64, 64});
    Thumbnails thumbnails(m_folder);
    QTRY_VERIFY(!thumbnails.find({rough, {}, 160}).isNull());
    QCOMPARE(taken(), qint64{0});
    see(thumbnails, 0);
    QVERIFY(taken() > 0);
}

void ThumbnailsTest::picturesOfAnyNameAreKeptApart() {
    const ThumbnailKey comma{u"/cat%2C.png"_s, {}, 160}; // as from the web
    const ThumbnailKey other{u"/cat0C.png"_s, {}, 160};
    QVERIFY(comma.text() != other.text());
    QVERIFY(comma.text().startsWith(comma.path));
}

void ThumbnailsTest::aPictureThatWasJustMadeIsSeenInThePlaceOfAnother() {
    Thumbnails thumbnails(m_folder);
    see(thumbnails, 0);
    const ThumbnailKey key{picture(0), {}, 160};
    const QImage before = thumbnails.find(key);
    QVERIFY(QFile::remove(picture(0)));
    writeTestPicture(picture(0), kMany, {200, 160});
    ResultModel results(thumbnails);
    results.begin(pictureOrder(m_place, 1));
    results.finish(0, picture(0));
    see(thumbnails, 0);
    QVERIFY(thumbnails.find(key) != before);
}

void ThumbnailsTest::aPictureWhoseDriveWasAwayIsSeenWhenItIsBack() {
    Thumbnails thumbnails(m_folder);
    const ThumbnailKey key{picture(0), {}, 160};
    const QString here = m_place.path(u"pictures"_s);
    const QString away = m_place.path(u"pictures away"_s);
    QVERIFY(QDir().rename(here, away));
    QVERIFY(thumbnails.find(key).isNull());
    QTRY_VERIFY(thumbnails.unreadable(key));
    QVERIFY(QDir().rename(away, here));
    QTRY_VERIFY_WITH_TIMEOUT(!thumbnails.find(key).isNull(), 20'000);
    QVERIFY(!thumbnails.unreadable(key));
}

void ThumbnailsTest::aPictureThatChangesWhileItIsReadIsSeenAsItIsNow() {
    const QString path = m_place.path(u"pictures/changes.png"_s);
    const auto write = [&path](Qt::GlobalColor colour) {
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(colour);
        QVERIFY(image.save(path));
    };
    Thumbnails thumbnails(m_folder);
    const ThumbnailKey key{path, {}, 160};
    write(Qt::red);
    QVERIFY(thumbnails.find(key).isNull());
    thumbnails.drives().of(path).waitForDone(); // it is read, and nobody was told yet
    write(Qt::blue);
    thumbnails.forget(path);
    QVERIFY(thumbnails.find(key).isNull());
    const auto isBlue = [&] {
        const QImage seen = thumbnails.find(key);
        return !seen.isNull() && seen.pixelColor(32, 32) == QColor(Qt::blue);
    };
    QTRY_VERIFY(isBlue());
    QCoreApplication::processEvents();
    QVERIFY(isBlue());
}

void ThumbnailsTest::whatIsForgottenWhileItIsReadIsAskedForAgain() {
    Thumbnails thumbnails(m_folder);
    const ThumbnailKey key{picture(0), {}, 160};
    QSignalSpy ready(&thumbnails, &Thumbnails::ready);
    QVERIFY(thumbnails.find(key).isNull());
    thumbnails.drives().of(key.path).waitForDone();
    thumbnails.forget(key.path);
    QTRY_COMPARE(ready.size(), 1);
    QVERIFY(thumbnails.find(key).isNull()); // what was read before counts no more
    QTRY_COMPARE(ready.size(), 2);
    QVERIFY(!thumbnails.find(key).isNull());
}

void ThumbnailsTest::aPictureThatIsBeingWrittenIsNotKept() {
    writeTestPicture(picture(0), 0, {2000, 1600}); // takes a while to be read
    std::atomic<int> changes = 0;
    std::atomic<bool> goesOn = true;
    std::thread other([&changes, &goesOn, path = picture(0).toStdString()] {
        std::error_code error;
        auto time = std::filesystem::last_write_time(path, error);
        for (; goesOn; ++changes)
            std::filesystem::last_write_time(path, time += std::chrono::seconds(1), error);
    });
    while (changes == 0) std::this_thread::yield();
    {
        Thumbnails thumbnails(m_folder);
        see(thumbnails, 0);
    }
    goesOn = false;
    other.join();
    QCOMPARE(taken(), qint64{0}); // it need not be what its name says
    Thumbnails thumbnails(m_folder);
    see(thumbnails, 0);
    QVERIFY(taken() > 0);
}

HOMEBOOTH_APP_TEST_MAIN(ThumbnailsTest)
#include "tst_thumbnails.moc"

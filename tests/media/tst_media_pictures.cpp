// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures as a training reads them: what stands behind their transparent parts is learned.
#include "core/media/png_check.h"
#include "core/worker/media_pictures.h"
#include "picture_files.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace homebooth;
using namespace homebooth::core;

class MediaPicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void transparentPartsGetTheColour_data();
    void transparentPartsGetTheColour();
    void whatCannotBeDecodedIsFoundByItsHeader();
    void aSizeIsReadFromTheHead_data();
    void aSizeIsReadFromTheHead();
    void damageIsFoundByCheckSums();
};

void MediaPicturesTest::transparentPartsGetTheColour_data() {
    QTest::addColumn<QByteArray>("background");
    QTest::newRow("white") << QByteArray("\xFF\xFF\xFF", 3);
    QTest::newRow("black") << QByteArray("\0\0\0", 3);
    QTest::newRow("another") << QByteArray("\xC8\x1E\x28", 3);
}

void MediaPicturesTest::transparentPartsGetTheColour() {
    QFETCH(QByteArray, background);
    constexpr uint32_t kSide = 32;
    std::string samples; // green that nobody sees
    for (uint32_t i = 0; i < kSide * kSide; ++i) samples += std::string("\0\xFF\0\0", 4);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("clear.png").toStdString();
    test::write(path, test::pngOfSamples(kSide, kSide, 8, 6, samples));
    const auto part = [&background](int k) { return static_cast<uint8_t>(background[k]); };
    MediaPictureSource source({part(0), part(1), part(2)});
    const auto picture = source.load(path, {kSide, kSide});
    QVERIFY2(picture, picture ? "" : picture.error().text().c_str());
    for (size_t i = 0; i < picture->rgb.size(); ++i) QCOMPARE(picture->rgb[i], part(static_cast<int>(i % 3)));
}

/// Else it would be found when it is encoded, perhaps hours later.
void MediaPicturesTest::whatCannotBeDecodedIsFoundByItsHeader() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("odd.png").toStdString();
    MediaPictureSource source;
    const std::vector<std::pair<std::string, std::string>> files{
        {std::string("GIF89a\x10\0\x10\0", 10).append(20, '\0'), "found a GIF"},
        {test::pngOfSamples(30'000, 30'000, 8, 2, ""), "found 30000 x 30000"}};
    for (const auto& [content, reason] : files) {
        test::write(path, content);
        const auto size = source.size(path);
        QVERIFY2(!size, reason.c_str());
        QVERIFY2(size.error().message.find(reason) != std::string::npos, size.error().message.c_str());
    }
    test::write(path, test::encoded(test::quadrants(32, 16), ".png"));
    QVERIFY(source.size(path));
}

void MediaPicturesTest::aSizeIsReadFromTheHead_data() {
    QTest::addColumn<QByteArray>("ending");
    QTest::newRow("JPEG") << QByteArray(".jpg");
    QTest::newRow("PNG") << QByteArray(".png");
}

/// Of a folder of photos a plan looks at each: it must not read all of them whole.
void MediaPicturesTest::aSizeIsReadFromTheHead() {
    QFETCH(QByteArray, ending);
    constexpr qint64 kMany = qint64{16} << 20;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("large") + QString::fromLatin1(ending));
    const std::string whole = test::encoded(test::quadrants(320, 160), ending.toStdString());
    test::write(path.toStdString(), whole);
    QVERIFY(QFile::resize(path, kMany)); // as some programs leave something behind the picture
    const auto bytesRead = [] {
        QFile file(QStringLiteral("/proc/self/io"));
        if (!file.open(QIODevice::ReadOnly)) return qint64{-1};
        const QByteArray text = file.readAll(); // "rchar: 1234\n..."
        const qsizetype begin = text.indexOf("rchar: ") + 7;
        return text.mid(begin, text.indexOf('\n', begin) - begin).toLongLong();
    };
    const qint64 before = bytesRead();
    if (before < 0) QSKIP("the system does not count what is read");
    MediaPictureSource source;
    const auto size = source.size(path.toStdString());
    QVERIFY2(size, size ? "" : size.error().text().c_str());
    QCOMPARE(size->widthPixels, int64_t{320});
    QCOMPARE(size->heightPixels, int64_t{160});
    const qint64 read = bytesRead() - before;
    QVERIFY2(read < kMany / 4, qPrintable(QString::number(read)));
}

/// Of a thousand class pictures to decode each would take ten seconds of every start.
void MediaPicturesTest::damageIsFoundByCheckSums() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("made.png").toStdString();
    MediaPictureSource source;
    const auto isWhole = [&](const std::string& file) {
        test::write(path, file);
        return source.expectWhole(path).ok();
    };
    const std::string whole = test::encoded(test::quadrants(64, 32), ".png");
    QVERIFY(isWholePng(whole) && isWhole(whole));
    for (const size_t place : {size_t{1}, size_t{18}, whole.size() / 2, whole.size() - 2}) {
        std::string changed = whole;
        changed[place] = static_cast<char>(changed[place] ^ 4);
        QVERIFY2(!isWholePng(changed), std::to_string(place).c_str());
    }
    for (const size_t length : {size_t{0}, size_t{8}, size_t{33}, whole.size() / 2, whole.size() - 1})
        QVERIFY2(!isWholePng(whole.substr(0, length)), std::to_string(length).c_str());
    QVERIFY(!isWhole(whole.substr(0, whole.size() / 2)));
    QVERIFY(!isWhole({}));
    QVERIFY(isWhole(test::encoded(test::quadrants(64, 32), ".jpg"))); // without check sums it is decoded
}

QTEST_APPLESS_MAIN(MediaPicturesTest)
#include "tst_media_pictures.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures as a training reads them: what stands behind their transparent parts is learned.
#include "core/worker/media_pictures.h"
#include "picture_files.h"

#include <QTemporaryDir>
#include <QTest>

using namespace homebooth;
using namespace homebooth::core;

class MediaPicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void transparentPartsGetTheColour_data();
    void transparentPartsGetTheColour();
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

QTEST_APPLESS_MAIN(MediaPicturesTest)
#include "tst_media_pictures.moc"

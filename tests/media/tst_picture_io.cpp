// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Every kind of picture that people have comes out upright, in sRGB and opaque.
#include "core/media/picture_io.h"

#include "picture_files.h"

#include <QTemporaryDir>
#include <QTest>

using namespace homebooth::core;
using namespace homebooth::test;

namespace {

/// The colours of `quadrants` at the middle of each quadrant, within `tolerance`.
bool looksLikeQuadrants(const Picture& picture, int tolerance) {
    const int64_t w = picture.widthPixels, h = picture.heightPixels;
    return distance(colourAt(picture, w / 4, h / 4), {255, 0, 0}) <= tolerance &&
           distance(colourAt(picture, w * 3 / 4, h / 4), {0, 255, 0}) <= tolerance &&
           distance(colourAt(picture, w / 4, h * 3 / 4), {0, 0, 255}) <= tolerance &&
           distance(colourAt(picture, w * 3 / 4, h * 3 / 4), {255, 255, 255}) <= tolerance;
}

QByteArray described(const Colour& colour) {
    return QByteArray::number(colour[0]) + " " + QByteArray::number(colour[1]) + " " +
           QByteArray::number(colour[2]);
}

} // namespace

class TestPictureIo : public QObject {
    Q_OBJECT

private slots:
    void readsEveryFormat_data();
    void readsEveryFormat();
    void appliesOrientation_data();
    void appliesOrientation();
    void heicTurnsItself();
    void appliesColourProfile_data();
    void appliesColourProfile();
    void linearProfileIsAppliedWhateverItsName();
    void damagedProfileLeavesWarning();
    void readsCmyk_data();
    void readsCmyk();
    void readsSamplesOfAllDepths_data();
    void readsSamplesOfAllDepths();
    void blendsAlphaWithBackground();
    void bmpHasNoAlphaWithoutAMask();
    void blendsAlphaOfTiff_data();
    void blendsAlphaOfTiff();
    void decodesJpegScaled();
    void infoNeedsNoPixels();
    void firstFrameOfAnimatedPngWithWarning();

private:
    [[nodiscard]] std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    /// Writes and reads; the test fails with the message where that is refused.
    [[nodiscard]] Picture readBack(const std::string& content, const ReadPictureOptions& options = {}) {
        m_warnings.clear();
        auto read = readPicture(write(path("picture"), content), options, &m_warnings);
        if (!read) {
            QTest::qFail(read.error().text().c_str(), __FILE__, __LINE__);
            return {};
        }
        return std::move(read).value();
    }

    QTemporaryDir m_folder;
    std::vector<std::string> m_warnings;
};

void TestPictureIo::readsEveryFormat_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("tolerance");
    const Picture picture = quadrants(32, 16);
    for (const char* ending : {".png", ".bmp", ".tiff"}) {
        QTest::newRow(ending) << QByteArray::fromStdString(encoded(picture, ending)) << 0;
    }
    for (const char* ending : {".jpg", ".webp"}) {
        QTest::newRow(ending) << QByteArray::fromStdString(encoded(picture, ending)) << 24;
    }
    QTest::newRow("own tiff") << QByteArray::fromStdString(tiffFile({picture, 1, {}})) << 0;
    QTest::newRow("heic") << QByteArray::fromStdString(heicFile(quadrants(64, 64))) << 24;
}

void TestPictureIo::readsEveryFormat() {
    QFETCH(QByteArray, content);
    QFETCH(int, tolerance);
    QVERIFY(!content.isEmpty());
    const Picture picture = readBack(content.toStdString());
    QVERIFY(!picture.empty());
    QVERIFY(looksLikeQuadrants(picture, tolerance));
    QVERIFY(m_warnings.empty());
}

void TestPictureIo::appliesOrientation_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<int>("orientation");
    for (int orientation = 1; orientation <= 8; ++orientation) {
        for (const char* format :
             {"jpeg", "jpeg big endian", "png", "png behind its pixels", "tiff", "tiff of 16 bits"}) {
            QTest::newRow(qPrintable(QString("%1 %2").arg(format).arg(orientation))) << format << orientation;
        }
    }
}

void TestPictureIo::appliesOrientation() {
    QFETCH(QString, format);
    QFETCH(int, orientation);
    const Picture seen = quadrants(48, 32);
    const Picture stored = storedAs(seen, orientation);
    std::string content;
    if (format.startsWith("tiff")) content = tiffFile({stored, orientation, {}, format == "tiff" ? 8 : 16});
    if (format == "png")
        content = withPngChunk(encoded(stored, ".png"), pngChunk("eXIf", exifBlock(orientation, true)));
    if (format.endsWith("pixels")) { // as ImageMagick does
        const std::string png = encoded(stored, ".png");
        constexpr size_t kEndBytes = 12;
        content = png.substr(0, png.size() - kEndBytes) + pngChunk("eXIf", exifBlock(orientation, true)) +
                  png.substr(png.size() - kEndBytes);
    }
    if (format.startsWith("jpeg")) {
        content = withExif(encoded(stored, ".jpg"), exifBlock(orientation, format.endsWith("endian")));
    }
    const Picture read = readBack(content);
    QCOMPARE(read.widthPixels, seen.widthPixels);
    QCOMPARE(read.heightPixels, seen.heightPixels);
    QVERIFY(looksLikeQuadrants(read, format.startsWith("jpeg") ? 24 : 0));
    auto info = pictureInfo(path("picture"));
    QVERIFY(info.ok());
    QCOMPARE(info->orientation, orientation);
    QCOMPARE(info->widthPixels, seen.widthPixels);
}

void TestPictureIo::heicTurnsItself() {
    const Picture seen = quadrants(64, 96);
    const Picture read = readBack(heicFile(storedAs(seen, 6), {}, 1));
    QCOMPARE(read.widthPixels, seen.widthPixels);
    QVERIFY(looksLikeQuadrants(read, 24));
    QCOMPARE(pictureInfo(path("picture"))->orientation, 1);
}

void TestPictureIo::appliesColourProfile_data() {
    QTest::addColumn<QByteArray>("content");
    const Picture picture = plain(64, 64, {200, 40, 90});
    const std::string profile = redAndGreenSwappedProfile();
    const auto row = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QByteArray::fromStdString(content);
    };
    const std::string packed = std::string("Test\0\0", 6) + zlibPacked(profile);
    row("png", withPngChunk(encoded(picture, ".png"), pngChunk("iCCP", packed)));
    row("jpeg in one piece", withJpegProfile(encoded(picture, ".jpg"), profile, 60'000));
    row("jpeg in many pieces", withJpegProfile(encoded(picture, ".jpg"), profile, 100));
    row("tiff", tiffFile({picture, 1, profile}));
    row("webp", webpWithProfile(picture, profile));
    row("heic", heicFile(picture, profile));
}

void TestPictureIo::appliesColourProfile() {
    QFETCH(QByteArray, content);
    const Picture read = readBack(content.toStdString());
    const Colour colour = colourAt(read, 32, 32);
    QVERIFY2(distance(colour, {40, 200, 90}) <= 6, described(colour));
    QVERIFY(pictureInfo(path("picture"))->colourProfile);
    QVERIFY(m_warnings.empty());
}

void TestPictureIo::linearProfileIsAppliedWhateverItsName() {
    // As Krita's of linear light, which is called sRGB as well. Half of the light is no half of the number.
    const Picture read = readBack(tiffFile({plain(16, 16, {55, 55, 55}), 1, linearProfileCalledSrgb()}));
    QVERIFY2(distance(colourAt(read, 8, 8), {128, 128, 128}) <= 4, described(colourAt(read, 8, 8)));
    QVERIFY(m_warnings.empty());
    const std::string packed = std::string("Test\0\0", 6) + zlibPacked(greyProfileOfGammaOne());
    const Picture grey = readBack(pngOfSamples(2, 1, 8, 0, "\x37\xFF", pngChunk("iCCP", packed)));
    QVERIFY2(distance(colourAt(grey, 0, 0), {128, 128, 128}) <= 4, described(colourAt(grey, 0, 0)));
    QVERIFY(m_warnings.empty());
}

void TestPictureIo::damagedProfileLeavesWarning() {
    const Picture picture = plain(16, 16, {200, 40, 90});
    for (const std::string& profile :
         {std::string(300, 'x'), cmykProfileWhereCyanIsBlack(), greyProfileOfGammaOne()}) {
        const Picture read = readBack(tiffFile({picture, 1, profile}));
        QCOMPARE(colourAt(read, 8, 8), (Colour{200, 40, 90}));
        QCOMPARE(m_warnings.size(), size_t{1});
    }
}

void TestPictureIo::readsCmyk_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("red");
    const auto row = [](const char* name, const std::string& content, int red) {
        QTest::newRow(name) << QByteArray::fromStdString(content) << red;
    };
    // Full cyan ink: no red light. Adobe stores ink as 255 - ink.
    const std::array<uint8_t, 4> cyan{255, 0, 0, 0}, cyanInverted{0, 255, 255, 255};
    row("plain", cmykJpeg(16, 16, cyan, false), 0);
    row("Adobe", cmykJpeg(16, 16, cyanInverted, true), 0);
    row("Adobe, no ink", cmykJpeg(16, 16, {255, 255, 255, 255}, true), 255);
    row("Adobe with profile",
        withJpegProfile(cmykJpeg(16, 16, cyanInverted, true), cmykProfileWhereCyanIsBlack(), 60'000), 0);
    row("Adobe with profile, no ink",
        withJpegProfile(cmykJpeg(16, 16, {255, 255, 255, 255}, true), cmykProfileWhereCyanIsBlack(), 60'000),
        255);
}

void TestPictureIo::readsCmyk() {
    QFETCH(QByteArray, content);
    QFETCH(int, red);
    const Colour colour = colourAt(readBack(content.toStdString()), 8, 8);
    QVERIFY2(std::abs(colour[0] - red) <= 4, described(colour));
    // Cyan stays bright in green and blue, unless the profile says that cyan ink is black.
    const bool black = red == 0 && QByteArray(QTest::currentDataTag()).contains("profile");
    QVERIFY2(std::abs(colour[1] - (black ? 0 : 255)) <= 4, described(colour));
    QVERIFY(m_warnings.empty());
}

void TestPictureIo::readsSamplesOfAllDepths_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("tolerance");
    const auto row = [](const char* name, const std::string& content, int tolerance = 0) {
        QTest::newRow(name) << QByteArray::fromStdString(content) << tolerance;
    };
    // Each shows 2 x 1 pixels: a grey of 51, which is 0x3333 in 16 bits and 3 of 15 in 4 bits, and white.
    row("grey, 8 bits", pngOfSamples(2, 1, 8, 0, "\x33\xFF"));
    row("grey, 16 bits", pngOfSamples(2, 1, 16, 0, "\x33\x33\xFF\xFF"));
    row("grey, 4 bits", pngOfSamples(2, 1, 4, 0, "\x3F"));
    row("grey and alpha, 8 bits", pngOfSamples(2, 1, 8, 4, std::string("\x33\xFF\xFF\xFF", 4)));
    row("grey and alpha, 16 bits", pngOfSamples(2, 1, 16, 4, "\x33\x33\xFF\xFF\xFF\xFF\xFF\xFF"));
    row("colour, 16 bits", pngOfSamples(2, 1, 16, 2, "\x33\x33\x33\x33\x33\x33\xFF\xFF\xFF\xFF\xFF\xFF"));
    row("colour and alpha, 16 bits",
        pngOfSamples(2, 1, 16, 6, "\x33\x33\x33\x33\x33\x33\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
    const std::string palette = pngChunk("PLTE", "\x33\x33\x33\xFF\xFF\xFF");
    row("palette", pngOfSamples(2, 1, 8, 3, std::string("\0\1", 2), palette));
    row("palette, 1 bit", pngOfSamples(2, 1, 1, 3, "\x40", palette));
    row("palette, second entry transparent",
        pngOfSamples(2, 1, 8, 3, std::string("\0\1", 2),
                     pngChunk("PLTE", std::string("\x33\x33\x33\0\0\0", 6)) +
                         pngChunk("tRNS", std::string("\xFF\0", 2))));
    const std::string black = pngChunk("tRNS", std::string(6, '\0'));
    row("colour, black transparent", pngOfSamples(2, 1, 8, 2, std::string("\x33\x33\x33\0\0\0", 6), black));
    row("colour of 16 bits, black transparent",
        pngOfSamples(2, 1, 16, 2, std::string("\x33\x33\x33\x33\x33\x33\0\0\0\0\0\0", 12), black));
    row("grey of 16 bits, black transparent",
        pngOfSamples(2, 1, 16, 0, std::string("\x33\x33\0\0", 4), pngChunk("tRNS", std::string(2, '\0'))));
    row("grey of 4 bits, black transparent",
        pngOfSamples(2, 1, 4, 0, "\x30", pngChunk("tRNS", std::string(2, '\0'))));
    row("grey, black transparent",
        pngOfSamples(2, 1, 8, 0, std::string("\x33\0", 2), pngChunk("tRNS", std::string("\0\0", 2))));
}

void TestPictureIo::readsSamplesOfAllDepths() {
    QFETCH(QByteArray, content);
    QFETCH(int, tolerance);
    const Picture read = readBack(content.toStdString());
    QCOMPARE(read.widthPixels, int64_t{2});
    QVERIFY2(distance(colourAt(read, 0, 0), {51, 51, 51}) <= tolerance, described(colourAt(read, 0, 0)));
    QVERIFY2(distance(colourAt(read, 1, 0), {255, 255, 255}) <= tolerance, described(colourAt(read, 1, 0)));
}

void TestPictureIo::blendsAlphaWithBackground() {
    // Opaque red, half red, and nothing.
    const std::string png = pngOfSamples(3, 1, 8, 6, std::string("\xFF\0\0\xFF\xFF\0\0\x80\0\xFF\0\0", 12));
    const Picture onWhite = readBack(png);
    QCOMPARE(colourAt(onWhite, 0, 0), (Colour{255, 0, 0}));
    QCOMPARE(colourAt(onWhite, 1, 0), (Colour{255, 127, 127}));
    QCOMPARE(colourAt(onWhite, 2, 0), (Colour{255, 255, 255}));
    ReadPictureOptions options;
    options.background = {0, 0, 200};
    QCOMPARE(colourAt(readBack(png, options), 2, 0), (Colour{0, 0, 200}));
    QVERIFY(pictureInfo(path("picture"))->alpha);
}

void TestPictureIo::bmpHasNoAlphaWithoutAMask() {
    const std::string colour("\x1E\x14\x0A\0", 4); // blue, green, red, and nothing
    for (const uint32_t headerBytes : {40U, 56U, 124U}) {
        const Picture read = readBack(bmpOfBitFields(headerBytes, colour, 0));
        QVERIFY2(colourAt(read, 1, 1) == (Colour{10, 20, 30}), described(colourAt(read, 1, 1)));
        QVERIFY(!pictureInfo(path("picture"))->alpha);
    }
    QCOMPARE(colourAt(readBack(bmpOfBitFields(124, colour, 0xFF000000)), 1, 1), (Colour{255, 255, 255}));
    QVERIFY(pictureInfo(path("picture"))->alpha);
}

void TestPictureIo::blendsAlphaOfTiff_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<bool>("premultiplied");
    for (int bits : {8, 16}) {
        for (bool premultiplied : {false, true}) {
            QTest::newRow(qPrintable(QString("%1 bits, %2").arg(bits).arg(premultiplied)))
                << bits << premultiplied;
        }
    }
}

void TestPictureIo::blendsAlphaOfTiff() {
    QFETCH(int, bits);
    QFETCH(bool, premultiplied);
    // A red of 200 at half: 200 / 2 + 255 / 2.
    const Colour stored = premultiplied ? Colour{100, 0, 0} : Colour{200, 0, 0};
    const Picture read = readBack(tiffFile({plain(8, 8, stored), 1, {}, bits, 128, premultiplied}));
    QVERIFY2(distance(colourAt(read, 4, 4), {227, 127, 127}) <= 2, described(colourAt(read, 4, 4)));
}

void TestPictureIo::decodesJpegScaled() {
    const std::string content =
        withExif(encoded(storedAs(quadrants(800, 480), 6), ".jpg"), exifBlock(6, true));
    ReadPictureOptions options;
    options.minSidePixels = 120;
    const Picture read = readBack(content, options);
    QCOMPARE(read.widthPixels, int64_t{200});
    QCOMPARE(read.heightPixels, int64_t{120});
    QVERIFY(looksLikeQuadrants(read, 24));
    options.minSidePixels = 121;
    QCOMPARE(readBack(content, options).heightPixels, int64_t{240});
}

void TestPictureIo::infoNeedsNoPixels() {
    const std::string whole = encoded(quadrants(320, 200), ".jpg");
    write(path("cut"), whole.substr(0, whole.size() / 2));
    auto info = pictureInfo(path("cut"));
    QVERIFY(info.ok());
    QCOMPARE(info->format, PictureFormat::Jpeg);
    QCOMPARE(info->widthPixels, int64_t{320});
    QCOMPARE(info->heightPixels, int64_t{200});
    QVERIFY(!info->alpha && !info->animated && !info->colourProfile);
}

void TestPictureIo::firstFrameOfAnimatedPngWithWarning() {
    const std::string control = pngChunk("acTL", std::string("\0\0\0\2\0\0\0\0", 8));
    const Picture read = readBack(withPngChunk(encoded(quadrants(16, 16), ".png"), control));
    QVERIFY(looksLikeQuadrants(read, 0));
    QCOMPARE(m_warnings.size(), size_t{1});
    QVERIFY(pictureInfo(path("picture"))->animated);
}

QTEST_GUILESS_MAIN(TestPictureIo)
#include "tst_picture_io.moc"

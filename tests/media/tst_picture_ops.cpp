// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Resizing and cropping, PNG files with text, natural order.
#include "core/base/util/regular_file.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"
#include "core/media/picture_ops.h"

#include "picture_files.h"
#include "tests/full_disk.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace homebooth::core;
using namespace homebooth::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

class TestPictureOps : public QObject {
    Q_OBJECT

private slots:
    void cropKeepsTheCentre();
    void shrinkingAverages();
    void growingStaysSmooth();
    void sameSizeChangesNothing();
    void regionIsClampedToPicture();
    void mirroringSwapsSides();
    void pngTextSurvives();
    void pngPixelsSurvive();
    void foreignTextChunksAreRead();
    void forbiddenKeywordIsRefused();
    void failedWriteLeavesNothing();
    void naturalOrderComparesNumbers();

private:
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    QTemporaryDir m_folder;
};

void TestPictureOps::cropKeepsTheCentre() {
    const PictureRegion wide = centreRegion(plain(300, 100, {}), 64, 64);
    QCOMPARE(wide.leftPixels, int64_t{100});
    QCOMPARE(wide.topPixels, int64_t{0});
    QCOMPARE(wide.widthPixels, int64_t{100});
    QCOMPARE(wide.heightPixels, int64_t{100});
    const PictureRegion high = centreRegion(plain(100, 300, {}), 200, 100);
    QCOMPARE(high.topPixels, int64_t{125});
    QCOMPARE(high.heightPixels, int64_t{50});
    const Picture cropped = resizeAndCrop(quadrants(400, 100), 50, 50);
    QCOMPARE(cropped.widthPixels, int64_t{50});
    QCOMPARE(colourAt(cropped, 10, 10), (Colour{255, 0, 0}));
    QCOMPARE(colourAt(cropped, 40, 40), (Colour{255, 255, 255}));
}

void TestPictureOps::shrinkingAverages() {
    Picture stripes{64, 64, {}};
    for (int i = 0; i < 64 * 64; ++i) stripes.rgb.insert(stripes.rgb.end(), 3, i % 2 ? 200 : 100);
    const Picture small = resizeAndCrop(stripes, 16, 16);
    for (uint8_t value : small.rgb) QCOMPARE(int{value}, 150);
}

void TestPictureOps::growingStaysSmooth() {
    const Picture grown = resizeAndCrop(quadrants(8, 8), 64, 64);
    QCOMPARE(grown.rgb.size(), size_t{64 * 64 * 3});
    QVERIFY(distance(colourAt(grown, 8, 8), {255, 0, 0}) <= 8);
    const int middle = colourAt(grown, 31, 8)[0]; // between red and green
    QVERIFY2(middle > 60 && middle < 220, std::to_string(middle).c_str());
}

void TestPictureOps::sameSizeChangesNothing() {
    const Picture picture = quadrants(33, 17);
    QCOMPARE(resizeAndCrop(picture, 33, 17).rgb, picture.rgb);
}

void TestPictureOps::regionIsClampedToPicture() {
    const Picture picture = quadrants(20, 20);
    const Picture corner = resizeRegion(picture, {15, 15, 100, 100}, 5, 5);
    QCOMPARE(colourAt(corner, 4, 4), (Colour{255, 255, 255}));
    const Picture outside = resizeRegion(picture, {-50, 90, 10, 10}, 3, 3);
    QCOMPARE(colourAt(outside, 1, 1), (Colour{0, 0, 255}));
}

void TestPictureOps::mirroringSwapsSides() {
    const Picture turned = mirrored(quadrants(10, 10));
    QCOMPARE(colourAt(turned, 1, 1), (Colour{0, 255, 0}));
    QCOMPARE(mirrored(turned).rgb, quadrants(10, 10).rgb);
}

void TestPictureOps::pngTextSurvives() {
    const PngText text{{"parameters", "a photo of sks dog\nNegative prompt: blurry\nSteps: 20, CFG scale: 7"},
                       {"Title", "café \U0001F680 日本"},
                       {"empty", ""},
                       {"long", std::string(100'000, 'x')}};
    const fs::path file = path("text.png");
    const auto written = writePng(file, quadrants(8, 8), text);
    QVERIFY2(written.ok(), written ? "" : written.error().text().c_str());
    auto read = readPngText(file);
    QVERIFY(read.ok());
    QCOMPARE(*read, text);
    const auto bytes = readRegularFile(file, 1'000'000);
    QVERIFY(bytes.ok());
    QCOMPARE(decodePngText(*bytes), text);
    QVERIFY(decodePngText("GIF89a" + bytes->substr(8)).empty() && decodePngText("").empty());
    QVERIFY(readPicture(file).ok());
}

void TestPictureOps::pngPixelsSurvive() {
    Picture picture{37, 23, {}};
    for (int i = 0; i < 37 * 23 * 3; ++i) picture.rgb.push_back(static_cast<uint8_t>(i * 7919 >> 3));
    QVERIFY(writePng(path("pixels.png"), picture).ok());
    auto read = readPicture(path("pixels.png"));
    QVERIFY(read.ok());
    QCOMPARE(read->rgb, picture.rgb);
    QVERIFY(readPngText(path("pixels.png"))->empty());
}

void TestPictureOps::foreignTextChunksAreRead() {
    const std::string chunks =
        pngChunk("tEXt", "a\0caf\xe9"s) + pngChunk("zTXt", "b\0\0"s + zlibPacked("packed")) +
        pngChunk("iTXt", "c\0\1\0en\0d\0"s + zlibPacked("gepackt")) + pngChunk("zTXt", "d\0\0broken"s) +
        pngChunk("tEXt", "") + pngChunk("iTXt", "e");
    auto read =
        readPngText(write(path("foreign.png"), withPngChunk(encoded(quadrants(4, 4), ".png"), chunks)));
    QVERIFY(read.ok());
    QCOMPARE(read->at("a"), "café"s);
    QCOMPARE(read->at("b"), "packed"s);
    QCOMPARE(read->at("c"), "gepackt"s);
    QCOMPARE(read->at("d"), ""s);
}

void TestPictureOps::forbiddenKeywordIsRefused() {
    for (const std::string& keyword :
         {""s, std::string(80, 'k'), "two  spaces"s, " front"s, "line\n"s, "zero\0"s}) {
        const auto written = writePng(path("keyword.png"), quadrants(4, 4), {{keyword, "x"}});
        QVERIFY(!written.ok());
        QCOMPARE(written.error().code, ErrorCode::BadInput);
        QVERIFY(!fs::exists(path("keyword.png")));
    }
    QVERIFY(!writePng(path("empty.png"), Picture()).ok());
}

void TestPictureOps::failedWriteLeavesNothing() {
    QVERIFY(!writePng(path("no folder") / "x.png", quadrants(4, 4)).ok());
    const fs::path folder = path("full");
    fs::create_directory(folder);
    write(folder / "x.png", "what was there");
    const auto written = [&folder] {
        const FullDisk disk(64);
        return writePng(folder / "x.png", quadrants(64, 64));
    }();
    QVERIFY(!written.ok());
    QCOMPARE(written.error().code, ErrorCode::OutOfResources);
    int files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++files;
    QCOMPARE(files, 1);
    std::ifstream kept(folder / "x.png");
    QCOMPARE(std::string(std::istreambuf_iterator<char>(kept), {}), "what was there"s);
}

void TestPictureOps::naturalOrderComparesNumbers() {
    std::vector<std::string> names{"b1",
                                   "a10",
                                   "a2",
                                   "A1",
                                   "a02",
                                   "a",
                                   "10",
                                   "9",
                                   "a2b",
                                   "99999999999999999999999",
                                   "100000000000000000000000"};
    std::sort(names.begin(), names.end(), naturallyLess);
    const std::vector<std::string> expected{
        "9",   "10", "99999999999999999999999", "100000000000000000000000", "a", "A1", "a02", "a2", "a2b",
        "a10", "b1"};
    QCOMPARE(names, expected);
    for (const std::string& a : names) {
        for (const std::string& b : names) QVERIFY(!(naturallyLess(a, b) && naturallyLess(b, a)));
    }
}

QTEST_GUILESS_MAIN(TestPictureOps)
#include "tst_picture_ops.moc"

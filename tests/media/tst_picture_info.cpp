// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of a picture file without reading all of it is what all of it says, and its pixels stay
// unread.
#include "core/media/picture_io.h"
#include "core/media/picture_text.h"

#include "picture_files.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace homebooth::core;
using namespace homebooth::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

constexpr uint32_t kPixelBytes = 512 << 20;
constexpr uint32_t kPngHeaderBytes = 33;
constexpr uint32_t kHugeBytes = kPngHeaderBytes + 12 + kPixelBytes;

/// The greatest resident size that the process has had, in MiB.
int64_t peakMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) / 1024;
    }
    return 0;
}

/// Does not pack: a PNG of it has many chunks of pixels.
Picture noise(int64_t side) {
    Picture picture = plain(side, side, {0, 0, 0});
    uint32_t state = 1;
    for (uint8_t& value : picture.rgb) {
        state = state * 1664525 + 1013904223;
        value = static_cast<uint8_t>(state >> 24);
    }
    return picture;
}

std::string behindPixels(const std::string& png, const std::string& chunks) {
    constexpr size_t kEndBytes = 12;
    return png.substr(0, png.size() - kEndBytes) + chunks + png.substr(png.size() - kEndBytes);
}

std::string packedProfile() {
    return pngChunk("iCCP", "Test\0\0"s + zlibPacked(redAndGreenSwappedProfile()));
}

std::string turnedPng(const Picture& picture) {
    const std::string png = withPngChunk(encoded(picture, ".png"), packedProfile());
    return behindPixels(png, pngChunk("eXIf", exifBlock(6, true)));
}

std::vector<std::pair<const char*, std::string>> smallFiles() {
    const Picture picture = quadrants(40, 24);
    const std::string jpeg = withExif(encoded(picture, ".jpg"), exifBlock(6, true));
    return {
        {"png", turnedPng(picture)},
        {"png with two headers",
         withPngChunk(encoded(picture, ".png"), pngChunk("IHDR", "\0\0\0\2\0\0\0\2\x08\x02\0\0\0"s))},
        {"png of two frames", withPngChunk(encoded(picture, ".png"), pngChunk("acTL", "\0\0\0\2\0\0\0\0"s))},
        {"png whose black is transparent", pngOfSamples(2, 1, 8, 0, "\x33\0"s, pngChunk("tRNS", "\0\0"s))},
        {"jpeg", withJpegProfile(jpeg, redAndGreenSwappedProfile(), 100)},
        {"webp", encoded(picture, ".webp")},
        {"webp with a profile", webpWithProfile(picture, redAndGreenSwappedProfile())},
        {"webp of two frames", animatedWebp()},
        {"webp whose canvas is its frame", webpClaiming(50, 50, 50, true)},
        {"webp whose canvas comes first", webpClaiming(10, 10, 50, true)},
        {"webp whose canvas comes last", webpClaiming(10, 10, 50, false)},
        {"tiff", tiffFile({picture, 6, redAndGreenSwappedProfile(), 8, -1, false})},
        {"bmp", bmpOfBitFields(124, "\x1E\x14\x0A\0"s, 0xFF000000)},
        {"gif", "GIF89a\x10\0\x10\0\0\0\0\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0"s},
        {"heic", heicFile(quadrants(64, 64), redAndGreenSwappedProfile())},
        {"text", "a photo of a dog\n"},
        {"nothing", ""}};
}

std::string littleEndian(uint32_t value) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xFF);
    return bytes;
}

/// An EXIF block as A1111 leaves it: nothing but a comment, in a directory of its own.
std::string exifComment(const std::string& comment) {
    const auto size = static_cast<uint32_t>(comment.size());
    const std::string bigEndian{static_cast<char>(size >> 24), static_cast<char>(size >> 16),
                                static_cast<char>(size >> 8), static_cast<char>(size)};
    return "MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x1A\0\0\0\0"s + "\0\x01\x92\x86\0\x07"s +
           bigEndian + "\0\0\0\x2C\0\0\0\0"s + comment;
}

std::string utf16(const std::string& ascii, bool bigEndian) {
    std::string bytes;
    for (const char letter : ascii)
        for (const char part : {bigEndian ? '\0' : letter, bigEndian ? letter : '\0'}) bytes += part;
    return bytes;
}

} // namespace

class TestPictureInfo : public QObject {
    Q_OBJECT

private slots:
    void saysWhatTheWholeFileSays_data();
    void saysWhatTheWholeFileSays();
    void saysWhatADamagedFileSays_data() { saysWhatTheWholeFileSays_data(); }
    void saysWhatADamagedFileSays();
    void saysWhatComesLate_data();
    void saysWhatComesLate();
    void leavesPixelsUnread_data();
    void leavesPixelsUnread();
    void commentsSayHowPicturesWereMade();
    void graphsThatAreNotReadAreTold();

private:
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    /// Asks for the same of a file and of its bytes.
    void compare(const std::string& content) const;

    QTemporaryDir m_folder;
};

void TestPictureInfo::compare(const std::string& content) const {
    const fs::path file = write(path("picture"), content);
    const auto said = pictureInfo(file);
    const auto wanted = decodePictureInfo(content, file);
    QCOMPARE(said.ok(), wanted.ok());
    if (!said) {
        QCOMPARE(said.error().text(), wanted.error().text());
        return;
    }
    QVERIFY(said->format == wanted->format);
    QCOMPARE(said->widthPixels, wanted->widthPixels);
    QCOMPARE(said->heightPixels, wanted->heightPixels);
    QCOMPARE(said->orientation, wanted->orientation);
    QCOMPARE(said->alpha, wanted->alpha);
    QCOMPARE(said->animated, wanted->animated);
    QCOMPARE(said->colourProfile, wanted->colourProfile);
}

void TestPictureInfo::saysWhatTheWholeFileSays_data() {
    QTest::addColumn<QByteArray>("content");
    for (const auto& [name, content] : smallFiles())
        QTest::newRow(name) << QByteArray::fromStdString(content);
}

void TestPictureInfo::saysWhatTheWholeFileSays() {
    QFETCH(QByteArray, content);
    const std::string whole = content.toStdString();
    compare(whole);
    compare(whole + "and more"); // as some programs leave it
    for (size_t part = 0; part < 64; ++part) {
        compare(whole.substr(0, whole.size() * part / 64));
        if (QTest::currentTestFailed()) return;
    }
}

void TestPictureInfo::saysWhatADamagedFileSays() {
    QFETCH(QByteArray, content);
    const std::string whole = content.toStdString();
    for (size_t bit = 0; bit < 8 * std::min<size_t>(whole.size(), 96); ++bit) {
        std::string flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
        compare(flipped);
        if (QTest::currentTestFailed()) return;
    }
}

void TestPictureInfo::saysWhatComesLate_data() {
    QTest::addColumn<QByteArray>("content");
    const std::string png = turnedPng(noise(300));
    const std::string text = pngChunk("tEXt", "note\0"s.append(100'000, 'x'));
    const std::string jpeg = withExif(encoded(quadrants(40, 24), ".jpg"), exifBlock(6, true));
    const std::string padding(300'000, 'x'); // no profile, but in its place
    QTest::newRow("png of many chunks") << QByteArray::fromStdString(png);
    QTest::newRow("png with a long text at its end") << QByteArray::fromStdString(behindPixels(png, text));
    QTest::newRow("png with more behind its end") << QByteArray::fromStdString(png + "and more");
    QTest::newRow("jpeg with a long header")
        << QByteArray::fromStdString(withJpegProfile(jpeg, padding, 60'000));
}

void TestPictureInfo::saysWhatComesLate() {
    QFETCH(QByteArray, content);
    const std::string whole = content.toStdString();
    QVERIFY(whole.size() > 200'000);
    for (size_t part = 1; part <= 16; ++part) {
        compare(whole.substr(0, whole.size() * part / 16));
        if (QTest::currentTestFailed()) return;
    }
    QCOMPARE(pictureInfo(path("picture"))->orientation, 6);
    QVERIFY(pictureInfo(path("picture"))->colourProfile);
}

void TestPictureInfo::leavesPixelsUnread_data() {
    QTest::addColumn<QByteArray>("start");
    QTest::addColumn<int>("width");
    const Picture picture = quadrants(40, 24);
    const std::string png = encoded(picture, ".png");
    std::string pixels = pngChunk("IDAT", "");
    pixels.replace(0, 4, "\x20\0\0\0"s); // kPixelBytes
    QTest::newRow("png") << QByteArray::fromStdString(png.substr(0, kPngHeaderBytes) + pixels) << 40;
    QTest::newRow("jpeg") << QByteArray::fromStdString(encoded(picture, ".jpg")) << 40;
    QTest::newRow("bmp") << QByteArray::fromStdString(encoded(picture, ".bmp")) << 40;
    constexpr uint32_t kHeads = 20;
    QTest::newRow("webp") << QByteArray::fromStdString("RIFF" + littleEndian(kHugeBytes - 8) + "WEBPVP8L" +
                                                       littleEndian(kHugeBytes - kHeads) + '\x2F' +
                                                       littleEndian(39 | 23 << 14))
                          << 40;
}

void TestPictureInfo::leavesPixelsUnread() {
    QFETCH(QByteArray, start);
    QFETCH(int, width);
    const fs::path file = write(path("huge"), start.toStdString());
    fs::resize_file(file, kHugeBytes);
    const int64_t before = peakMegabytes();
    const auto info = pictureInfo(file);
    fs::remove(file);
    QVERIFY2(info.ok(), info ? "" : info.error().text().c_str());
    QCOMPARE(info->widthPixels, int64_t{width});
    QVERIFY(peakMegabytes() - before < 64);
}

void TestPictureInfo::commentsSayHowPicturesWereMade() {
    const std::string made = "a hat\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Size: 512x512";
    const std::string big = exifComment("UNICODE\0"s + utf16(made, true));
    const std::string little = exifComment("UNICODE\0\xFF\xFE"s + utf16(made, false));
    const std::string plainOne = exifComment("ASCII\0\0\0"s + made);
    const std::string jpeg = encoded(quadrants(40, 24), ".jpg");
    for (const std::string& exif : {big, little, plainOne}) {
        QCOMPARE(decodePictureText(withExif(jpeg, exif)).parameters, made);
        std::string webp = encoded(quadrants(40, 24), ".webp") + "EXIF" +
                           littleEndian(static_cast<uint32_t>(exif.size())) + exif;
        webp.append(exif.size() & 1, '\0');
        webp.replace(4, 4, littleEndian(static_cast<uint32_t>(webp.size() - 8)));
        const auto read = readPictureText(write(path("made"), webp));
        QVERIFY(read.ok());
        QCOMPARE(read->parameters, made);
        for (size_t end = 0; end < exif.size(); ++end)
            (void)decodePictureText(withExif(jpeg, exif.substr(0, end)));
    }
    const std::string note = exifComment("ASCII\0\0\0My dog, steps: 3"s);
    QVERIFY(decodePictureText(withExif(jpeg, note)).parameters.empty()); // of a camera
    const std::string trapped = "MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08"s;
    QVERIFY(decodePictureText(withExif(jpeg, trapped)).parameters.empty());
}

void TestPictureInfo::graphsThatAreNotReadAreTold() {
    const std::string png = encoded(quadrants(8, 8), ".png");
    const auto saying = [&png](const std::string& text) {
        return decodePictureText(withPngChunk(png, pngChunk("tEXt", text)));
    };
    QVERIFY(saying("prompt\0{\"1\": {\"class_type\": \"Other\", \"inputs\": {}}}"s).unread);
    QVERIFY(saying("workflow\0{\"nodes\": []}"s).unread);
    QVERIFY(!saying("prompt\0a hat"s).unread);
    const std::string graph =
        R"({"1": {"class_type": "KSampler", "inputs": {"seed": 3, "steps": 9, "sampler_name": "euler", "cfg": 7,
        "model": ["2", 0], "positive": ["3", 0], "latent_image": ["4", 0]}}, "2": {"class_type": "L",
        "inputs": {"ckpt_name": "a.ckpt"}}, "3": {"class_type": "T", "inputs": {"text": "a hat"}},
        "4": {"class_type": "E", "inputs": {"width": 64, "height": 64}}})";
    std::string chunk = "prompt\0"s;
    chunk.append(graph);
    const PictureText read = saying(chunk);
    QVERIFY(!read.unread);
    QVERIFY2(read.parameters.starts_with(
                 "a hat\nSteps: 9, Sampler: Euler, CFG scale: 7, Seed: 3, Size: 64x64, Model: a"),
             read.parameters.c_str());
}

QTEST_GUILESS_MAIN(TestPictureInfo)
#include "tst_picture_info.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Damaged and hostile files are refused with a message that names them; nothing crashes, hangs or fills
// memory.
#include "core/base/util/regular_file.h"
#include "core/media/picture_fault.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"
#include "core/media/quiet_errors.h"

#include "picture_files.h"
#include "tests/computed_time.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace homebooth::core;
using namespace homebooth::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

/// The greatest resident size that the process has had, in MiB.
int64_t peakMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6)) / 1024;
    }
    return 0;
}

/// While one lives, what goes to standard error lies in a file.
class ErrorsInFile {
public:
    explicit ErrorsInFile(const std::string& path)
        : m_before(::dup(STDERR_FILENO)) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ::dup2(file, STDERR_FILENO);
        ::close(file);
    }
    ~ErrorsInFile() {
        ::dup2(m_before, STDERR_FILENO);
        ::close(m_before);
    }
    ErrorsInFile(const ErrorsInFile&) = delete;
    ErrorsInFile& operator=(const ErrorsInFile&) = delete;

private:
    int m_before;
};

std::vector<std::pair<const char*, std::string>> goodFiles() {
    const Picture picture = quadrants(40, 24);
    return {{"png", encoded(picture, ".png")},
            {"jpeg", withExif(encoded(picture, ".jpg"), exifBlock(6, true))},
            {"webp", encoded(picture, ".webp")},
            {"tiff", tiffFile({picture, 3, redAndGreenSwappedProfile(), 8, -1, false})},
            {"bmp", encoded(picture, ".bmp")},
            {"heic", heicFile(quadrants(64, 64))}};
}

std::string withBytes(std::string content, size_t at, const std::string& bytes) {
    return content.replace(at, bytes.size(), bytes);
}

/// A PNG of 16 x 16 pixels with texts called "0", "1" ..., each of which unpacks to `bytes`.
std::string pngOfPackedTexts(int count, size_t bytes) {
    const std::string text = "\0\0"s + zlibPacked(std::string(bytes, 'x'));
    std::string chunks;
    for (int i = 0; i < count; ++i) chunks += pngChunk("zTXt", std::to_string(i) + text);
    return withPngChunk(encoded(quadrants(16, 16), ".png"), chunks);
}

/// A JPEG whose frame header claims another size.
std::string jpegClaiming(const std::string& heightAndWidth) {
    const std::string jpeg = encoded(quadrants(16, 16), ".jpg");
    return withBytes(jpeg, jpeg.find("\xFF\xC0"s) + 5, heightAndWidth);
}

} // namespace

class TestPictureHostile : public QObject {
    Q_OBJECT

private slots:
    void refusesWhatIsNoPicture_data();
    void refusesWhatIsNoPicture();
    void whatIsWrongHasACode();
    void hugePicturesCostNeitherTimeNorMemory();
    void packedTextsDoNotFillMemory();
    void decodingLeavesPackedTextsAlone();
    void onlyTheFirstProfileIsUnpacked();
    void onePixelAndOneRowAreRead();
    void sizeCapIsExact();
    void truncationNeverCrashes_data();
    void truncationNeverCrashes();
    void flippedHeaderBitsNeverCrash_data();
    void flippedHeaderBitsNeverCrash();
    void specialFilesDoNotBlock();
    void nonUtf8NamesAreReadAndShown();
    void wrongEndingDoesNotMatter();
    void endlessScansAreRefused();
    void listsFolderWithEverythingInIt();
    void masksBesideTheirPicturesAreLeftOut();
    void listOfMissingFolderIsAnError();

private:
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    QTemporaryDir m_folder;
};

void TestPictureHostile::whatIsWrongHasACode() {
    const auto faultOf = [this](const std::string& content) {
        std::ofstream(path("judged.png"), std::ios::binary) << content;
        return pictureFault(path("judged.png"));
    };
    const std::string good = encoded(quadrants(16, 16), ".png");
    QVERIFY(faultOf(good) == PictureFault::None);
    QVERIFY(faultOf("") == PictureFault::Empty);
    QVERIFY(faultOf("a photo of a dog\n") == PictureFault::OtherKind);
    QVERIFY(faultOf(floatingPointTiff()) == PictureFault::OtherKind);
    QVERIFY(faultOf("II+\0\x08\0\0\0"s + std::string(8, '\0')) ==
            PictureFault::OtherKind); // whole, as far as is known
    QVERIFY(faultOf("MM\0+\0\x08\0\0"s + std::string(8, '\0')) == PictureFault::OtherKind);
    QVERIFY(faultOf(smallTiffAlone()) == PictureFault::None); // there is no other one to be learned
    QVERIFY(faultOf(good.substr(0, 12)) == PictureFault::Damaged);
    QVERIFY(faultOf("GIF89a\x10\0\x10\0"s + std::string(20, '\0')) == PictureFault::Animated);
    QVERIFY(faultOf(jpegClaiming("\x75\x30\x75\x30")) == PictureFault::TooLarge);
    QVERIFY(pictureFault(path("nowhere.png")) == PictureFault::Gone);
    QVERIFY(pictureFault(path(".")) == PictureFault::NotAFile);
    fs::create_symlink("nothing", path("link.png"));
    QVERIFY(pictureFault(path("link.png")) == PictureFault::Gone);
    fs::remove(path("link.png"));
    fs::remove(path("judged.png"));
}

void TestPictureHostile::refusesWhatIsNoPicture_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char* name, const std::string& content, const char* reason) {
        QTest::newRow(name) << QByteArray::fromStdString(content) << QByteArray(reason);
    };
    row("empty", "", "an empty file");
    row("one byte", "x", "another kind of file");
    row("text", "a photo of a dog\n", "another kind of file");
    row("Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        "another kind");
    row("JPEG signature alone", "\xFF\xD8\xFF", "a damaged JPEG header");
    row("PNG signature alone", "\x89PNG\r\n\x1a\n", "a damaged PNG header");
    row("PNG without width", pngOfSamples(0, 5, 8, 2, ""), "a damaged PNG header");
    row("PNG of no pixels", pngOfSamples(5, 5, 8, 2, ""), "a damaged one");
    row("GIF", "GIF89a\x10\0\x10\0"s + std::string(20, '\0'), "a GIF");
    row("animated GIF", "GIF89a\x10\0\x10\0\0\0\0\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0"s, "an animated GIF");
    row("animated WebP", animatedWebp(), "an animated WebP");
    row("WebP whose frame is not its canvas", webpClaiming(10, 10, 16'000, true), "a damaged WebP header");
    const std::string second = pngChunk("IHDR", "\0\0\0\2\0\0\0\2\x08\x02\0\0\0"s);
    row("PNG with two headers", withPngChunk(encoded(quadrants(4, 4), ".png"), second), "a damaged one");
    row("HEIC signature alone", "\0\0\0\x18"s + "ftypheic\0\0\0\0mif1heic"s, "a damaged HEIC header");
    row("TIFF whose directory lies outside", "II*\0\xFF\xFF\xFF\xFF"s, "a damaged TIFF header");
    constexpr int kLong = 4, kSignedLong = 9; // the latter is read by libtiff alone
    row("TIFF of two sizes", tiffOfTwoSizes(kLong), "a damaged TIFF header");
    row("TIFF of a signed size and another", tiffOfTwoSizes(kSignedLong), "a damaged TIFF header");
    row("BigTIFF", "II+\0\x08\0\0\0"s + std::string(8, '\0'), "found a BigTIFF; save it as PNG or JPEG");
    row("TIFF of two orientations", tiffOfTwoOrientations(), "a damaged or unknown one");
    row("TIFF of floating point", floatingPointTiff(), "a TIFF of floating-point numbers");
    const std::vector<std::string> raws = rawPhotos();
    for (size_t i = 0; i < raws.size(); ++i)
        row(("raw photo " + std::to_string(i)).c_str(), raws[i], "a raw photo of a camera");
}

void TestPictureHostile::refusesWhatIsNoPicture() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, reason);
    const fs::path file = write(path("file.jpg"), content.toStdString());
    auto read = readPicture(file);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().code, ErrorCode::BadInput);
    QCOMPARE(read.error().context, file.string());
    QVERIFY2(read.error().message.find(reason.toStdString()) != std::string::npos,
             read.error().text().c_str());
    QVERIFY2(read.error().message.find("; ") != std::string::npos, "the message has to say what to do");
}

void TestPictureHostile::hugePicturesCostNeitherTimeNorMemory() {
    const std::string tiff = tiffFile({quadrants(4, 4), 1, {}, 8, -1, false});
    const std::vector<std::pair<const char*, std::string>> files{
        {"png", pngOfSamples(30'000, 30'000, 8, 2, "")},
        {"png beyond OpenCV's limit", pngOfSamples(60'000, 60'000, 8, 2, "")},
        {"png of 2^31", pngOfSamples(0x7FFFFFFF, 0x7FFFFFFF, 8, 2, "")},
        {"jpeg", jpegClaiming("\x75\x30\x75\x30")},
        {"tiff", withBytes(withBytes(tiff, 18, "\x30\x75\0\0"s), 30, "\x30\x75\0\0"s)},
        {"bmp", withBytes(withBytes(encoded(quadrants(4, 4), ".bmp"), 18, "\x30\x75\0\0"s), 22,
                          "\xD0\x8A\xFF\xFF"s)},
        {"webp", webpClaiming(16'000, 16'000, 16'000, true)},
        {"webp with a small canvas behind it", webpClaiming(10, 10, 16'000, false)},
    };
    const int64_t before = peakMegabytes();
    for (const auto& [name, content] : files) {
        const homebooth::testing::ComputedTime timer;
        auto read = readPicture(write(path("huge"), content));
        QVERIFY2(!read.ok(), name);
        QVERIFY2(read.error().message.find("at most 200 million pixels") != std::string::npos,
                 read.error().text().c_str());
        QVERIFY2(timer.isBelow(2000), name);
    }
    QVERIFY(peakMegabytes() - before < 256);
}

void TestPictureHostile::packedTextsDoNotFillMemory() {
    const fs::path file = write(path("texts.png"), pngOfPackedTexts(64, 16'000'000));
    const int64_t before = peakMegabytes();
    const auto texts = readPngText(file);
    QVERIFY(texts.ok());
    QVERIFY(peakMegabytes() - before < 100);
    QCOMPARE(texts->at("0").size(), size_t{16'000'000});
    QVERIFY(!texts->contains("63"));
}

void TestPictureHostile::decodingLeavesPackedTextsAlone() {
    // Just less than what libpng unpacks of a text by itself.
    const fs::path file = write(path("texts.png"), pngOfPackedTexts(100, 7'900'000));
    const int64_t before = peakMegabytes();
    const auto read = readPicture(file);
    QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
    QCOMPARE(colourAt(*read, 1, 1), (Colour{255, 0, 0}));
    QVERIFY(peakMegabytes() - before < 50);
}

void TestPictureHostile::onlyTheFirstProfileIsUnpacked() {
    const std::string good = pngChunk("iCCP", "good\0\0"s + zlibPacked(redAndGreenSwappedProfile()));
    const std::string broken = pngChunk("iCCP", "broken\0\0nothing"s);
    const auto hasProfile = [this](const std::string& chunks) {
        const std::string png = encoded(quadrants(16, 16), ".png");
        return pictureInfo(write(path("profiles.png"), withPngChunk(png, chunks)))->colourProfile;
    };
    QVERIFY(hasProfile(good + broken));
    QVERIFY(!hasProfile(broken + good));
}

void TestPictureHostile::onePixelAndOneRowAreRead() {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 30'000}, {30'000, 1}}) {
        auto read = readPicture(write(path("thin.png"), encoded(plain(width, height, {9, 8, 7}), ".png")));
        QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
        QCOMPARE(read->widthPixels, int64_t{width});
        QCOMPARE(colourAt(*read, width - 1, height - 1), (Colour{9, 8, 7}));
    }
}

void TestPictureHostile::sizeCapIsExact() {
    const fs::path file = write(path("cap.png"), encoded(plain(100, 50, {1, 2, 3}), ".png"));
    ReadPictureOptions options;
    options.maxPixels = 5000;
    QVERIFY(readPicture(file, options).ok());
    options.maxPixels = 4999;
    QVERIFY(!readPicture(file, options).ok());
    QVERIFY(pictureInfo(file).ok());
}

void TestPictureHostile::truncationNeverCrashes_data() {
    QTest::addColumn<QByteArray>("content");
    for (const auto& [name, content] : goodFiles()) QTest::newRow(name) << QByteArray::fromStdString(content);
}

void TestPictureHostile::truncationNeverCrashes() {
    QFETCH(QByteArray, content);
    const std::string whole = content.toStdString();
    QVERIFY(readPicture(write(path("whole"), whole)).ok());
    const std::string said = path("said");
    const ErrorsInFile errors(said);
    for (size_t part = 0; part < 64; ++part) {
        auto read = readPicture(write(path("cut"), whole.substr(0, whole.size() * part / 64)));
        // TIFF keeps its profile at the end and BMP needs no mark there: only these may still be whole.
        const std::string_view name(QTest::currentDataTag());
        if (name != "tiff" && name != "bmp") QVERIFY2(!read.ok(), std::to_string(part).c_str());
        if (!read) QCOMPARE(read.error().code, ErrorCode::BadInput);
    }
    QCOMPARE(fs::file_size(said), 0U); // the error says it all
    {
        const QuietErrors quiet;
        std::cerr << "dropped" << 1 << std::endl;
        std::thread([] { std::cerr << "of another" << std::endl; }).join();
    }
    std::cerr << "of this" << std::endl;
    QCOMPARE(fs::file_size(said), 19U);
}

void TestPictureHostile::flippedHeaderBitsNeverCrash_data() {
    truncationNeverCrashes_data();
}

void TestPictureHostile::flippedHeaderBitsNeverCrash() {
    QFETCH(QByteArray, content);
    const std::string whole = content.toStdString();
    ReadPictureOptions options;
    options.maxPixels = 40'000;
    const homebooth::testing::ComputedTime timer;
    for (size_t bit = 0; bit < 8 * std::min<size_t>(whole.size(), 96); ++bit) {
        std::string flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
        auto read = readPicture(write(path("flipped"), flipped), options);
        if (read) QCOMPARE(read->rgb.size(), static_cast<size_t>(3 * read->widthPixels * read->heightPixels));
        if (!read) QCOMPARE(read.error().code, ErrorCode::BadInput);
    }
    QVERIFY(timer.isBelow(20'000));
}

void TestPictureHostile::specialFilesDoNotBlock() {
    QCOMPARE(::mkfifo(path("fifo.jpg").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", path("zero.jpg"));
    fs::create_symlink("loop.jpg", path("loop.jpg"));
    fs::create_directory(path("folder.jpg"));
    const std::vector<std::pair<const char*, const char*>> expected{{"fifo.jpg", "a named pipe"},
                                                                    {"zero.jpg", "a device"},
                                                                    {"loop.jpg", "leads to itself"},
                                                                    {"folder.jpg", "a folder"},
                                                                    {"missing.jpg", "check the path"}};
    for (const auto& [name, reason] : expected) {
        auto read = readPicture(path(name));
        QVERIFY(!read.ok());
        QVERIFY2(read.error().message.find(reason) != std::string::npos, read.error().text().c_str());
        QVERIFY(!pictureInfo(path(name)).ok());
        QVERIFY(!readPngText(path(name)).ok());
    }
}

void TestPictureHostile::nonUtf8NamesAreReadAndShown() {
    const fs::path good = write(path("caf\xe9\n.png"), encoded(quadrants(8, 8), ".png"));
    QVERIFY(readPicture(good).ok());
    auto read = readPicture(write(path("bad\xff.png"), "nothing"));
    QVERIFY(!read.ok());
    QVERIFY2(read.error().context.ends_with("bad\\xff.png"), read.error().context.c_str());
    QCOMPARE(displayName("a\u202eb\tc\u00e9"), "a\\xe2\\x80\\xaeb\\x09c\u00e9"s);
}

void TestPictureHostile::wrongEndingDoesNotMatter() {
    auto read = readPicture(write(path("really a png.jpg"), encoded(quadrants(8, 8), ".png")));
    QVERIFY(read.ok());
    QCOMPARE(colourAt(*read, 1, 1), (Colour{255, 0, 0}));
}

void TestPictureHostile::endlessScansAreRefused() {
    // The first scan of a progressive picture, again and again.
    const fs::path file = write(path("scans.jpg"), progressiveJpegOfScans(3000));
    const homebooth::testing::ComputedTime timer;
    QVERIFY(!readPicture(file).ok());
    QVERIFY(timer.isBelow(5000));
}

void TestPictureHostile::listsFolderWithEverythingInIt() {
    const fs::path folder = path("list");
    fs::create_directory(folder);
    const std::string png = encoded(quadrants(4, 4), ".png");
    for (const char* name : {"photo 10.png", "photo 2.png", "Photo 1.PNG", "no ending", "\xff.png"})
        write(folder / name, png);
    write(folder / ".hidden.png", png);
    write(folder / "photo 2.txt", "a caption");
    write(folder / "letter.doc", "text");
    write(folder / "empty.png", "");
    fs::create_directory(folder / "inside");
    fs::create_directory_symlink(folder, folder / "circle");
    fs::create_symlink("nowhere", folder / "broken.png");
    fs::create_symlink("photo 2.png", folder / "photo 3.png");
    fs::create_symlink("self.png", folder / "self.png");
    QCOMPARE(::mkfifo((folder / "pipe.png").c_str(), 0600), 0);
    fs::create_directory(folder / kLeftOutFolder);
    auto list = listPictures(folder);
    QVERIFY(list.ok());
    std::vector<std::string> names;
    for (const fs::path& found : list->pictures) names.push_back(found.filename().string());
    QCOMPARE(names, (std::vector<std::string>{"no ending", "Photo 1.PNG", "photo 2.png", "photo 3.png",
                                              "photo 10.png", "\xff.png"}));
    std::map<std::string, SkippedFile> skipped;
    for (const SkippedFile& file : list->skipped) skipped[file.path.filename().string()] = file;
    QCOMPARE(skipped.size(), size_t{10});
    QCOMPARE(skipped["inside"].reason, "a folder"s);
    QCOMPARE(skipped["circle"].reason, "a folder"s);
    QCOMPARE(skipped["broken.png"].reason, "a link that leads nowhere"s);
    QCOMPARE(skipped["pipe.png"].reason, "not a regular file"s);
    QCOMPARE(skipped["letter.doc"].reason, "its content is no picture that can be read"s);
    QCOMPARE(skipped["empty.png"].reason, "an empty file"s);
    QVERIFY(skipped["photo 2.txt"].companion && skipped[".hidden.png"].companion);
    QVERIFY(!skipped["letter.doc"].companion && !skipped["inside"].companion);
    QVERIFY(skipped[kLeftOutFolder].companion); // is known
    QVERIFY(skipped.contains("self.png"));
}

void TestPictureHostile::masksBesideTheirPicturesAreLeftOut() {
    const fs::path folder = path("masks");
    fs::create_directory(folder);
    const std::string png = encoded(quadrants(4, 4), ".png");
    for (const char* name : {"a.png", "a-masklabel.png", "a-condlabel.png", "lone-masklabel.png",
                             "-masklabel.png", "broken-masklabel.png", "b.masklabel.png", "a.mask.png",
                             "a_mask.png", "a-mask.png", "gas_mask.png"})
        write(folder / name, png);
    for (const char* name : {"a.TXT", "a.XMP", "a.MOV", "lone.MOV"}) write(folder / name, "beside");
    write(folder / "broken.jpg", "no picture");
    const auto list = listPictures(folder);
    QVERIFY(list.ok());
    std::vector<std::string> names;
    for (const fs::path& found : list->pictures) names.push_back(found.filename().string());
    QCOMPARE(names, (std::vector<std::string>{"-masklabel.png", "a.png", "b.masklabel.png", "gas_mask.png",
                                              "lone-masklabel.png"}));
    std::map<std::string, SkippedFile> skipped;
    for (const SkippedFile& file : list->skipped) skipped[file.path.filename().string()] = file;
    QCOMPARE(skipped.size(), size_t{11});
    for (const char* name : {"a.mask.png", "a_mask.png", "a-mask.png"})
        QCOMPARE(skipped[name].reason, skipped["a-masklabel.png"].reason);
    for (const char* name : {"a.TXT", "a.XMP", "a.MOV"}) QVERIFY(skipped[name].companion);
    QVERIFY(!skipped["lone.MOV"].companion);
    QCOMPARE(skipped["a-masklabel.png"].reason, "a mask of another program, which is not used here"s);
    for (const char* name : {"a-masklabel.png", "a-condlabel.png", "broken-masklabel.png"})
        QVERIFY(!skipped[name].companion && !skipped[name].meantAsPicture && !skipped[name].reason.empty());
    QCOMPARE(pictureOfMask("x/a-masklabel.png"), "a"s);
    QVERIFY(pictureOfMask("x/a.png").empty());
}

void TestPictureHostile::listOfMissingFolderIsAnError() {
    for (const char* name : {"missing folder", "a file"}) {
        if (name == "a file"s) write(path(name), "x");
        auto list = listPictures(path(name));
        QVERIFY(!list.ok());
        QCOMPARE(list.error().code, ErrorCode::BadInput);
        QCOMPARE(list.error().context, path(name).string());
    }
}

QTEST_GUILESS_MAIN(TestPictureHostile)
#include "tst_picture_hostile.moc"

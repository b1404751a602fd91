// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets whose files share names, or whose names are spelled otherwise than they are written: which caption
// belongs to which picture, what is moved where, and what is said.
#include "app/pages/datasets/dataset_files.h"
#include "dataset_fixture.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

using namespace homebooth;
using namespace homebooth::app;
namespace fs = std::filesystem;

class DatasetNamesTest : public DatasetFoldersTest {
    Q_OBJECT
public:
    using DatasetFoldersTest::DatasetFoldersTest;
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void theCaptionOfAGoodPictureStays();
    void severalOfOneNameAreLeftOut();
    void aFolderThatIsNamedAsAPictureStays();
    void namesThatAMacTookApartLeadToTheirFiles();
    void linesOfNamesThatAMacTookApartAreLeftOut();
    void aMissingPictureIsFoundUnderEitherSpelling();
    void namesInAnotherCodingAreToldAndLeftOut();
    void captionsLieBesideNamesInAnotherCoding();
    void noCaptionIsWrittenForAnyOfSeveral();
    void noLineIsWrittenForANameInAnotherCoding();
    void captionsThatAreComposedOtherwiseBelongToTheirPictures();
    void captionsThatAreComposedOtherwiseAreLeftOut();
    void captionsOfTheirExactNamesComeFirst();

private:
    /// A folder with a picture of that name, whose bytes may be no UTF-8.
    [[nodiscard]] fs::path makeNamed(const QString& folder, const std::string& name) const {
        const fs::path place(m_place.path(folder).toStdString());
        fs::create_directories(place);
        writeTestPicture(m_place.path(folder) + u"/a.png"_s, 1, {64, 64});
        fs::rename(place / "a.png", place / name);
        return place;
    }
};

namespace {

std::string textIn(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

core::Result<void> write(const QString& folder, const QString& picture, const char* caption) {
    CaptionOriginals none;
    return writeCaptions(folder, {{picture, QString::fromUtf8(caption)}}, none);
}

} // namespace

void DatasetNamesTest::theCaptionOfAGoodPictureStays() {
    const QString folder = m_place.path(u"one caption"_s);
    writeBytes(folder + u"/cat.jpg"_s, "no picture");
    writeTestPicture(folder + u"/cat.png"_s, 1, {64, 64});
    writeBytes(folder + u"/cat.txt"_s, "a cat");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(QDir(folder + u"/left out"_s).entryList(QDir::Files), QStringList{u"cat.jpg"_s});
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{1});
    QCOMPARE(items->front().caption, u"a cat"_s);
}

void DatasetNamesTest::severalOfOneNameAreLeftOut() {
    const QString folder = makeListed(u"one name"_s, "{\"file_name\":\"a/1.png\",\"text\":\"a\"}\n"
                                                     "{\"file_name\":\"b/1.png\",\"text\":\"b\"}\n"
                                                     "{\"file_name\":\"a.png\",\"text\":\"c\"}\n");
    writeBytes(folder + u"/a/1.png"_s, "one");
    writeBytes(folder + u"/b/1.png"_s, "two");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(bytesOf(folder + u"/left out/1.png"_s), QByteArray("one"));
    QCOMPARE(bytesOf(folder + u"/left out/1 2.png"_s), QByteArray("two"));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s),
             QByteArray("{\"file_name\":\"a.png\",\"text\":\"c\"}\n"));
}

void DatasetNamesTest::aFolderThatIsNamedAsAPictureStays() {
    const QString folder = makeListed(u"a folder named"_s, "{\"file_name\":\"deep\",\"text\":\"a\"}\n");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QVERIFY(QFile::exists(folder + u"/deep/b.png"_s));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), QByteArray());
}

void DatasetNamesTest::namesThatAMacTookApartLeadToTheirFiles() {
    const QString folder = m_place.path(u"from a Mac"_s);
    const QString hut = folder + u"/Hu\u0308tte.png"_s;
    const QString puppy = folder + u"/Bu\u0308cher/Hu\u0308ndchen.png"_s;
    QDir().mkpath(QFileInfo(puppy).path());
    writeTestPicture(hut, 1, {64, 64});
    writeTestPicture(puppy, 2, {64, 48});
    const QString lines = u"{\"file_name\":\"H\u00FCtte.png\",\"text\":\"a hut\"}\n"
                          "{\"file_name\":\"B\u00FCcher/H\u00FCndchen.png\",\"text\":\"a puppy\"}\n"_s;
    writeBytes(folder + u"/metadata.jsonl"_s, lines.toUtf8());
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    for (const DatasetItem& item : *items) QCOMPARE(item.problem, QString());
    QCOMPARE(items->front().path, hut);
    QCOMPARE(items->front().caption, u"a hut"_s);
    QCOMPARE(items->back().path, puppy);
    QCOMPARE(items->back().caption, u"a puppy"_s);
    CaptionOriginals none;
    QVERIFY(writeCaptions(folder, {{puppy, u"a dog"_s}}, none));
    QCOMPARE(QString::fromUtf8(bytesOf(folder + u"/metadata.jsonl"_s)),
             QString(lines).replace(u"a puppy"_s, u"a dog"_s));
}

void DatasetNamesTest::linesOfNamesThatAMacTookApartAreLeftOut() {
    const QString folder = m_place.path(u"broken on a Mac"_s);
    writeBytes(folder + u"/Hu\u0308tte.png"_s, "no picture");
    writeBytes(folder + u"/metadata.jsonl"_s,
               u"{\"file_name\":\"H\u00FCtte.png\",\"text\":\"a hut\"}\n"_s.toUtf8());
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QVERIFY(QFile::exists(folder + u"/left out/Hu\u0308tte.png"_s));
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), QByteArray());
}

void DatasetNamesTest::aMissingPictureIsFoundUnderEitherSpelling() {
    const QString folder = m_place.path(u"lacks a kitten"_s);
    const QString copies = m_place.path(u"has a kitten"_s);
    writeBytes(folder + u"/metadata.jsonl"_s,
               u"{\"file_name\":\"K\u00E4tzchen.png\",\"text\":\"a kitten\"}\n"_s.toUtf8());
    QDir().mkpath(copies);
    writeTestPicture(copies + u"/Ka\u0308tzchen.png"_s, 1, {64, 48});
    QCOMPARE(findMissing(folder, *readDataset(folder), copies), 1);
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{1});
    QCOMPARE(items->front().problem, QString());
    QCOMPARE(items->front().heightPixels, 48);
}

void DatasetNamesTest::namesInAnotherCodingAreToldAndLeftOut() {
    const QString folder = m_place.path(u"old names"_s);
    const fs::path place(folder.toStdString());
    fs::create_directories(place);
    writeTestPicture(folder + u"/a.png"_s, 1, {64, 64});
    fs::rename(place / "a.png", place / "sch\xF6n.png"); // Latin-1
    std::ofstream(place / "sch\xF6n.txt") << "a cat";
    std::ofstream(place / "gr\xFCn.jpg") << "no picture";
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    for (const DatasetItem& item : *items)
        QCOMPARE(item.problem, u"Its name is in another encoding. Rename it."_s);
    QVERIFY(!items->front().wantsCopy());
    QVERIFY(leaveOutProblems(folder, *items));
    // Qt does not see such names and would leave them behind.
    for (const char* name : {"sch\xF6n.png", "sch\xF6n.txt", "gr\xFCn.jpg"})
        QVERIFY2(fs::remove(place / "left out" / name), name);
    QVERIFY(readDataset(folder)->empty());
}

void DatasetNamesTest::captionsLieBesideNamesInAnotherCoding() {
    const fs::path place = makeNamed(u"old captions"_s, "sch\xF6n.png"); // Latin-1
    const QString folder = QString::fromStdString(place.string());
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{1});
    QVERIFY(write(folder, items->front().path, "a cat"));
    QCOMPARE(textIn(place / "sch\xF6n.txt"), std::string("a cat"));
    QVERIFY(!fs::exists(place / "sch\uFFFDn.txt"));
    const auto again = readDataset(folder);
    QVERIFY(again);
    QCOMPARE(again->size(), size_t{1});
    QCOMPARE(again->front().caption, u"a cat"_s);
    fs::remove_all(place); // Qt would leave it behind
}

void DatasetNamesTest::noCaptionIsWrittenForAnyOfSeveral() {
    const fs::path place = makeNamed(u"alike"_s, "sch\xF6n.png");
    fs::copy_file(place / "sch\xF6n.png", place / "sch\xFCn.png");
    const QString folder = QString::fromStdString(place.string());
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    QCOMPARE(items->front().path, items->back().path);
    const auto written = write(folder, items->front().path, "a cat");
    QVERIFY(!written);
    QVERIFY(written.error().text().find("rename them") != std::string::npos);
    QCOMPARE(std::distance(fs::directory_iterator(place), fs::directory_iterator()), std::ptrdiff_t{2});
    fs::remove_all(place);
}

void DatasetNamesTest::noLineIsWrittenForANameInAnotherCoding() {
    const fs::path place = makeNamed(u"old and listed"_s, "sch\xF6n.png");
    const QString folder = QString::fromStdString(place.string());
    writeBytes(folder + u"/metadata.jsonl"_s, "");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{1});
    const auto written = write(folder, items->front().path, "a cat");
    QVERIFY(!written);
    QVERIFY(written.error().text().find("rename the picture") != std::string::npos);
    QCOMPARE(bytesOf(folder + u"/metadata.jsonl"_s), QByteArray());
    fs::remove_all(place);
}

void DatasetNamesTest::captionsThatAreComposedOtherwiseBelongToTheirPictures() {
    const fs::path place = makeNamed(u"captioned elsewhere"_s, "Hu\u0308tte.png");
    const QString folder = QString::fromStdString(place.string());
    for (const char* caption : {"H\u00FCtte.txt", "H\u00FCtte.TXT"}) {
        std::ofstream(place / caption) << "a hut";
        const auto items = readDataset(folder);
        QVERIFY(items);
        QCOMPARE(items->size(), size_t{1}); // and no picture that lacks
        QCOMPARE(items->front().caption, u"a hut"_s);
        QVERIFY(write(folder, items->front().path, "a house"));
        QCOMPARE(textIn(place / caption), std::string("a house"));
        QVERIFY(!fs::exists(place / "Hu\u0308tte.txt"));
        fs::remove(place / caption);
    }
}

void DatasetNamesTest::captionsThatAreComposedOtherwiseAreLeftOut() {
    const QString folder = m_place.path(u"broken and captioned"_s);
    const fs::path place(folder.toStdString());
    fs::create_directories(place);
    std::ofstream(place / "Hu\u0308tte.png") << "no picture";
    std::ofstream(place / "H\u00FCtte.txt") << "a hut";
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QVERIFY(fs::exists(place / "left out" / "Hu\u0308tte.png"));
    QVERIFY(fs::exists(place / "left out" / "H\u00FCtte.txt"));
}

void DatasetNamesTest::captionsOfTheirExactNamesComeFirst() {
    const fs::path place = makeNamed(u"captioned twice"_s, "Hu\u0308tte.png");
    std::ofstream(place / "H\u00FCtte.txt") << "a house";
    std::ofstream(place / "Hu\u0308tte.TXT") << "a hut";
    const auto items = readDataset(QString::fromStdString(place.string()));
    QVERIFY(items);
    QCOMPARE(items->front().caption, u"a hut"_s);
}

HOMEBOOTH_APP_TEST_MAIN(DatasetNamesTest)
#include "tst_dataset_names.moc"

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
        writeTestPicture(m_place.path(folder) + QStringLiteral("/a.png"), 1, {64, 64});
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
    const QString folder = m_place.path(QStringLiteral("one caption"));
    writeBytes(folder + QStringLiteral("/cat.jpg"), "no picture");
    writeTestPicture(folder + QStringLiteral("/cat.png"), 1, {64, 64});
    writeBytes(folder + QStringLiteral("/cat.txt"), "a cat");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(QDir(folder + QStringLiteral("/left out")).entryList(QDir::Files),
             QStringList{QStringLiteral("cat.jpg")});
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{1});
    QCOMPARE(items->front().caption, QStringLiteral("a cat"));
}

void DatasetNamesTest::severalOfOneNameAreLeftOut() {
    const QString folder =
        makeListed(QStringLiteral("one name"), "{\"file_name\":\"a/1.png\",\"text\":\"a\"}\n"
                                               "{\"file_name\":\"b/1.png\",\"text\":\"b\"}\n"
                                               "{\"file_name\":\"a.png\",\"text\":\"c\"}\n");
    writeBytes(folder + QStringLiteral("/a/1.png"), "one");
    writeBytes(folder + QStringLiteral("/b/1.png"), "two");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QCOMPARE(bytesOf(folder + QStringLiteral("/left out/1.png")), QByteArray("one"));
    QCOMPARE(bytesOf(folder + QStringLiteral("/left out/1 2.png")), QByteArray("two"));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")),
             QByteArray("{\"file_name\":\"a.png\",\"text\":\"c\"}\n"));
}

void DatasetNamesTest::aFolderThatIsNamedAsAPictureStays() {
    const QString folder =
        makeListed(QStringLiteral("a folder named"), "{\"file_name\":\"deep\",\"text\":\"a\"}\n");
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QVERIFY(QFile::exists(folder + QStringLiteral("/deep/b.png")));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), QByteArray());
}

void DatasetNamesTest::namesThatAMacTookApartLeadToTheirFiles() {
    const QString folder = m_place.path(QStringLiteral("from a Mac"));
    const QString hut = folder + QStringLiteral("/Hu\u0308tte.png");
    const QString puppy = folder + QStringLiteral("/Bu\u0308cher/Hu\u0308ndchen.png");
    QDir().mkpath(QFileInfo(puppy).path());
    writeTestPicture(hut, 1, {64, 64});
    writeTestPicture(puppy, 2, {64, 48});
    const QString lines =
        QStringLiteral("{\"file_name\":\"H\u00FCtte.png\",\"text\":\"a hut\"}\n"
                       "{\"file_name\":\"B\u00FCcher/H\u00FCndchen.png\",\"text\":\"a puppy\"}\n");
    writeBytes(folder + QStringLiteral("/metadata.jsonl"), lines.toUtf8());
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    for (const DatasetItem& item : *items) QCOMPARE(item.problem, QString());
    QCOMPARE(items->front().path, hut);
    QCOMPARE(items->front().caption, QStringLiteral("a hut"));
    QCOMPARE(items->back().path, puppy);
    QCOMPARE(items->back().caption, QStringLiteral("a puppy"));
    CaptionOriginals none;
    QVERIFY(writeCaptions(folder, {{puppy, QStringLiteral("a dog")}}, none));
    QCOMPARE(QString::fromUtf8(bytesOf(folder + QStringLiteral("/metadata.jsonl"))),
             QString(lines).replace(QStringLiteral("a puppy"), QStringLiteral("a dog")));
}

void DatasetNamesTest::linesOfNamesThatAMacTookApartAreLeftOut() {
    const QString folder = m_place.path(QStringLiteral("broken on a Mac"));
    writeBytes(folder + QStringLiteral("/Hu\u0308tte.png"), "no picture");
    writeBytes(folder + QStringLiteral("/metadata.jsonl"),
               QStringLiteral("{\"file_name\":\"H\u00FCtte.png\",\"text\":\"a hut\"}\n").toUtf8());
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QVERIFY(QFile::exists(folder + QStringLiteral("/left out/Hu\u0308tte.png")));
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), QByteArray());
}

void DatasetNamesTest::aMissingPictureIsFoundUnderEitherSpelling() {
    const QString folder = m_place.path(QStringLiteral("lacks a kitten"));
    const QString copies = m_place.path(QStringLiteral("has a kitten"));
    writeBytes(folder + QStringLiteral("/metadata.jsonl"),
               QStringLiteral("{\"file_name\":\"K\u00E4tzchen.png\",\"text\":\"a kitten\"}\n").toUtf8());
    QDir().mkpath(copies);
    writeTestPicture(copies + QStringLiteral("/Ka\u0308tzchen.png"), 1, {64, 48});
    QCOMPARE(findMissing(folder, *readDataset(folder), copies), 1);
    const auto items = readDataset(folder);
    QCOMPARE(items->size(), size_t{1});
    QCOMPARE(items->front().problem, QString());
    QCOMPARE(items->front().heightPixels, 48);
}

void DatasetNamesTest::namesInAnotherCodingAreToldAndLeftOut() {
    const QString folder = m_place.path(QStringLiteral("old names"));
    const fs::path place(folder.toStdString());
    fs::create_directories(place);
    writeTestPicture(folder + QStringLiteral("/a.png"), 1, {64, 64});
    fs::rename(place / "a.png", place / "sch\xF6n.png"); // Latin-1
    std::ofstream(place / "sch\xF6n.txt") << "a cat";
    std::ofstream(place / "gr\xFCn.jpg") << "no picture";
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{2});
    for (const DatasetItem& item : *items)
        QCOMPARE(item.problem, QStringLiteral("Its name is in another encoding. Rename it."));
    QVERIFY(!items->front().wantsCopy());
    QVERIFY(leaveOutProblems(folder, *items));
    // Qt does not see such names and would leave them behind.
    for (const char* name : {"sch\xF6n.png", "sch\xF6n.txt", "gr\xFCn.jpg"})
        QVERIFY2(fs::remove(place / "left out" / name), name);
    QVERIFY(readDataset(folder)->empty());
}

void DatasetNamesTest::captionsLieBesideNamesInAnotherCoding() {
    const fs::path place = makeNamed(QStringLiteral("old captions"), "sch\xF6n.png"); // Latin-1
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
    QCOMPARE(again->front().caption, QStringLiteral("a cat"));
    fs::remove_all(place); // Qt would leave it behind
}

void DatasetNamesTest::noCaptionIsWrittenForAnyOfSeveral() {
    const fs::path place = makeNamed(QStringLiteral("alike"), "sch\xF6n.png");
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
    const fs::path place = makeNamed(QStringLiteral("old and listed"), "sch\xF6n.png");
    const QString folder = QString::fromStdString(place.string());
    writeBytes(folder + QStringLiteral("/metadata.jsonl"), "");
    const auto items = readDataset(folder);
    QVERIFY(items);
    QCOMPARE(items->size(), size_t{1});
    const auto written = write(folder, items->front().path, "a cat");
    QVERIFY(!written);
    QVERIFY(written.error().text().find("rename the picture") != std::string::npos);
    QCOMPARE(bytesOf(folder + QStringLiteral("/metadata.jsonl")), QByteArray());
    fs::remove_all(place);
}

void DatasetNamesTest::captionsThatAreComposedOtherwiseBelongToTheirPictures() {
    const fs::path place = makeNamed(QStringLiteral("captioned elsewhere"), "Hu\u0308tte.png");
    const QString folder = QString::fromStdString(place.string());
    for (const char* caption : {"H\u00FCtte.txt", "H\u00FCtte.TXT"}) {
        std::ofstream(place / caption) << "a hut";
        const auto items = readDataset(folder);
        QVERIFY(items);
        QCOMPARE(items->size(), size_t{1}); // and no picture that lacks
        QCOMPARE(items->front().caption, QStringLiteral("a hut"));
        QVERIFY(write(folder, items->front().path, "a house"));
        QCOMPARE(textIn(place / caption), std::string("a house"));
        QVERIFY(!fs::exists(place / "Hu\u0308tte.txt"));
        fs::remove(place / caption);
    }
}

void DatasetNamesTest::captionsThatAreComposedOtherwiseAreLeftOut() {
    const QString folder = m_place.path(QStringLiteral("broken and captioned"));
    const fs::path place(folder.toStdString());
    fs::create_directories(place);
    std::ofstream(place / "Hu\u0308tte.png") << "no picture";
    std::ofstream(place / "H\u00FCtte.txt") << "a hut";
    QVERIFY(leaveOutProblems(folder, *readDataset(folder)));
    QVERIFY(fs::exists(place / "left out" / "Hu\u0308tte.png"));
    QVERIFY(fs::exists(place / "left out" / "H\u00FCtte.txt"));
}

void DatasetNamesTest::captionsOfTheirExactNamesComeFirst() {
    const fs::path place = makeNamed(QStringLiteral("captioned twice"), "Hu\u0308tte.png");
    std::ofstream(place / "H\u00FCtte.txt") << "a house";
    std::ofstream(place / "Hu\u0308tte.TXT") << "a hut";
    const auto items = readDataset(QString::fromStdString(place.string()));
    QVERIFY(items);
    QCOMPARE(items->front().caption, QStringLiteral("a hut"));
}

HOMEBOOTH_APP_TEST_MAIN(DatasetNamesTest)
#include "tst_dataset_names.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Datasets whose files share names, or whose names are spelled otherwise than they are written: which caption
// belongs to which picture, what is moved where, and what is said.
#include "app/pages/datasets/dataset_files.h"
#include "dataset_fixture.h"

#include <filesystem>
#include <fstream>
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
};

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
        QCOMPARE(item.problem, QStringLiteral("Its name is in another coding. Rename it."));
    QVERIFY(!items->front().wantsCopy());
    QVERIFY(leaveOutProblems(folder, *items));
    // Qt does not see such names and would leave them behind.
    for (const char* name : {"sch\xF6n.png", "sch\xF6n.txt", "gr\xFCn.jpg"})
        QVERIFY2(fs::remove(place / "left out" / name), name);
    QVERIFY(readDataset(folder)->empty());
}

HOMEBOOTH_APP_TEST_MAIN(DatasetNamesTest)
#include "tst_dataset_names.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Libraries of older versions: what lies in them is brought along.
#include "core/library/dataset_store.h"
#include "core/library/schema.h"
#include "core/library/subject_store.h"

#include <SQLiteCpp/Database.h>

#include <QTemporaryDir>
#include <QTest>

using namespace homebooth::core;

class SchemaStepsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void editsOfBeforeHaveWhiteBehindThem();
    void datasetsOfBeforeHaveWhiteBehindThem();
};

void SchemaStepsTest::editsOfBeforeHaveWhiteBehindThem() {
    constexpr int kBeforeColours = 3;
    QVERIFY(librarySchemaVersion() > kBeforeColours);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("library.db").toStdString();
    {
        LibraryOptions options;
        options.lastMigration = kBeforeColours;
        auto before = Library::open(path, options);
        QVERIFY2(before, before ? "" : before.error().text().c_str());
        const auto written = (*before)->write([](SQLite::Database& database) {
            database.exec("INSERT INTO subjects VALUES(1, 'robot', 'toy', 0, 'ohwx', 0, 0)");
            database.exec("INSERT INTO photos VALUES(2, 1, '/a.png', 0, '', 0)");
            database.exec("INSERT INTO edits VALUES(2, 1, 0.0, 0.25, 0.5, 0.75)");
        });
        QVERIFY2(written, written ? "" : written.error().text().c_str());
    }
    auto library = Library::open(path);
    QVERIFY2(library, library ? "" : library.error().text().c_str());
    auto subjects = loadSubjects(**library);
    QVERIFY(subjects);
    QCOMPARE(subjects->size(), size_t{1});
    Subject& subject = subjects->front();
    QCOMPARE(subject.photos.size(), size_t{1});
    QVERIFY((subject.photos.front().edit == PhotoEdit{1, 0.0, 0.25, 0.5, 0.75}));
    subject.photos.front().edit.backgroundRgb = 0x204060;
    QVERIFY(saveSubject(**library, subject, 0));
    const auto again = loadSubjects(**library);
    QVERIFY(again && *again == *subjects);
}

void SchemaStepsTest::datasetsOfBeforeHaveWhiteBehindThem() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("library.db").toStdString();
    {
        LibraryOptions options;
        options.lastMigration = 4;
        auto before = Library::open(path, options);
        QVERIFY2(before, before ? "" : before.error().text().c_str());
        const auto written = (*before)->write([](SQLite::Database& database) {
            database.exec("INSERT INTO datasets VALUES(1, 'birds', '/birds', 7)");
        });
        QVERIFY2(written, written ? "" : written.error().text().c_str());
    }
    auto library = Library::open(path);
    QVERIFY2(library, library ? "" : library.error().text().c_str());
    DatasetRecord birds{1, "birds", "/birds", 7, kWhite};
    QVERIFY(*loadDatasets(**library) == std::vector{birds});
    birds.backgroundRgb = 0x204060;
    QVERIFY(setDatasetBackground(**library, birds.id, birds.backgroundRgb));
    QVERIFY(*loadDatasets(**library) == std::vector{birds});
    QVERIFY(saveDataset(**library, {2, "birds", "/birds", 8, kWhite})); // taken up again
    QVERIFY(*loadDatasets(**library) == std::vector{birds});
    QVERIFY(removeDataset(**library, birds.id));
    QVERIFY(saveDataset(**library, birds)); // put back on the list
    QVERIFY(*loadDatasets(**library) == std::vector{birds});
}

QTEST_APPLESS_MAIN(SchemaStepsTest)
#include "tst_schema_steps.moc"

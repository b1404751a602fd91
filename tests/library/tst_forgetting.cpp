// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Prompts that are forgotten: their bytes are in no file of the library any more.
#include "core/library/forgetting.h"
#include "core/library/picture_store.h"
#include "core/library/queue_store.h"

#include <SQLiteCpp/Database.h>

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace homebooth::core;
using namespace Qt::StringLiterals;

class ForgettingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_library.reset(); }
    void oneLeavesLibraryAndBackups();
    void allLeaveLibraryAndBackups();
    void whatWasRemovedBeforeLeavesNothing();
    void whatCannotBeRewrittenIsNamed();
    void aBackupOfANewerVersionIsNotChanged();
    void whatWaitsNoMoreLeavesBackups_data();
    void whatWaitsNoMoreLeavesBackups();
    void aReaderIsToldAndTheOthersAreCleaned();

private:
    /// Files of the library that hold these bytes.
    [[nodiscard]] QStringList holding(const char* bytes) const;
    [[nodiscard]] Prompt promptOf(const char* text);

    std::unique_ptr<QTemporaryDir> m_place;
    std::unique_ptr<Library> m_library;
};

void ForgettingTest::init() {
    m_place = std::make_unique<QTemporaryDir>();
    auto library = Library::open(m_place->filePath(u"library.db"_s).toStdString());
    QVERIFY(library);
    m_library = std::move(*library);
    QVERIFY(notePromptUse(*m_library, "a secret wish", ""));
    QVERIFY(notePromptUse(*m_library, "a harmless apple", ""));
    PictureRecord picture;
    picture.id = newRecordId();
    picture.path = "/pictures/1.png";
    picture.prompt = "a secret wish";
    QVERIFY(addPictures(*m_library, {picture}));
    QVERIFY(m_library->backUp());
    QVERIFY(forgetPictures(*m_library, {picture.id}));
    QVERIFY(holding("a secret wish").size() >= 2);
}

QStringList ForgettingTest::holding(const char* bytes) const {
    QStringList found;
    QDirIterator files(m_place->path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(bytes)) found.append(file.fileName());
    }
    return found;
}

Prompt ForgettingTest::promptOf(const char* text) {
    const auto found = findPrompt(*m_library, text, "");
    return found && *found ? **found : Prompt();
}

void ForgettingTest::oneLeavesLibraryAndBackups() {
    const Prompt secret = promptOf("a secret wish");
    const auto left = forgetPrompts(*m_library, &secret);
    QVERIFY(left);
    QVERIFY(left->empty());
    QCOMPARE(holding("a secret wish"), QStringList());
    QVERIFY(holding("a harmless apple").size() >= 2); // the library and its backup
    QCOMPARE(promptOf("a harmless apple").uses, 1);
    m_library.reset(); // backs up
    QCOMPARE(holding("a secret wish"), QStringList());
    const auto again = Library::open(m_place->filePath(u"library.db"_s).toStdString());
    QVERIFY(again);
    QVERIFY(!(*again)->recovery().recovered);
}

void ForgettingTest::allLeaveLibraryAndBackups() {
    const auto left = forgetPrompts(*m_library, nullptr);
    QVERIFY(left);
    QVERIFY(left->empty());
    QCOMPARE(holding("a secret wish"), QStringList());
    QCOMPARE(holding("a harmless apple"), QStringList());
}

void ForgettingTest::whatWasRemovedBeforeLeavesNothing() {
    QVERIFY(removePrompt(*m_library, promptOf("a secret wish").id));
    QVERIFY(forgetPrompts(*m_library, nullptr));
    QCOMPARE(holding("a secret wish"), QStringList());
}

void ForgettingTest::whatCannotBeRewrittenIsNamed() {
    const QString aside = m_place->filePath(u"library.db.damaged-5"_s);
    const QString broken = m_place->filePath(u"backups/library-5.db"_s);
    for (const QString& path : {aside, broken}) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("a secret wish") > 0);
    }
    const auto left = forgetPrompts(*m_library, nullptr);
    QVERIFY(left);
    QCOMPARE(left->size(), size_t{2});
    QCOMPARE(holding("a secret wish").size(), 2);
}

void ForgettingTest::aBackupOfANewerVersionIsNotChanged() {
    const auto backup = m_library->backUp();
    QVERIFY(backup);
    const QString path = QString::fromStdString(*backup);
    SQLite::Database(*backup, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 1000");
    const auto bytes = [&path] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = bytes();
    const auto left = forgetPrompts(*m_library, nullptr);
    QVERIFY(left);
    QCOMPARE(*left, LeftFiles{*backup});
    QVERIFY(bytes() == before);
    QCOMPARE(holding("a secret wish"), QStringList{path});
}

void ForgettingTest::whatWaitsNoMoreLeavesBackups_data() {
    QTest::addColumn<bool>("all");
    QTest::newRow("one") << false;
    QTest::newRow("all") << true;
}

void ForgettingTest::whatWaitsNoMoreLeavesBackups() {
    QFETCH(bool, all);
    QVERIFY(saveQueue(*m_library, {{1, "pictures", "made", "{\"prompt\":\"a secret wish\"}", 1},
                                   {2, "pictures", "waits", "{\"prompt\":\"a blue boat\"}", 1}}));
    QVERIFY(m_library->backUp());
    QVERIFY(saveQueue(*m_library, {{2, "pictures", "waits", "{\"prompt\":\"a blue boat\"}", 1}}));
    const Prompt secret = promptOf("a secret wish");
    QVERIFY(forgetPrompts(*m_library, all ? nullptr : &secret));
    QCOMPARE(holding("a secret wish"), QStringList());
    QVERIFY(holding("a blue boat").size() >= 2);
}

void ForgettingTest::aReaderIsToldAndTheOthersAreCleaned() {
    const std::string path = m_library->path();
    m_library.reset();
    auto library = Library::open(path, {.busyTimeoutMs = 1});
    QVERIFY(library);
    m_library = std::move(*library);
    const auto read = [&path] { // as another program does
        auto reader = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READONLY);
        reader->exec("BEGIN");
        (void)reader->execAndGet("SELECT count(*) FROM prompts");
        return reader;
    };
    auto reader = read();
    QVERIFY(!forgetPrompts(*m_library, nullptr));
    for (const QString& file : holding("a secret wish"))
        QVERIFY2(QFileInfo(file).fileName().startsWith(u"library.db"_s), qPrintable(file));
    reader.reset();
    QVERIFY(forgetPrompts(*m_library, nullptr)); // tried again
    QCOMPARE(holding("a secret wish"), QStringList());
}

QTEST_GUILESS_MAIN(ForgettingTest)
#include "tst_forgetting.moc"

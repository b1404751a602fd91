// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What becomes of a library whose file is damaged: its backups, and what is done where there is none.
#include "core/library/prompt_store.h"
#include "library_file.h"

#include <QDir>
#include <QFileInfo>

using namespace homebooth::core;

class LibraryRecoveryTest : public LibraryFileTest {
    Q_OBJECT
private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { m_library.reset(); }
    void restoresTheLastBackupOfADamagedFile_data();
    void restoresTheLastBackupOfADamagedFile();
    void aFirstStartRestoresNothing();
    void aFolderThatWasMovedIsTheSameLibrary();
    void beginsAnewWhenThereIsNoBackup();
    void whatLiesBesideADamagedFileGoesWithIt();
    void passesOverADamagedBackup_data();
    void passesOverADamagedBackup();
    void passesOverABackupThatCannotBeRead();
    void triesAgainWhereNoBackupCouldBeRead();
};

void LibraryRecoveryTest::restoresTheLastBackupOfADamagedFile_data() {
    QTest::addColumn<int>("damage");
    QTest::newRow("overwritten pages") << 0;
    QTest::newRow("no database any more") << 1;
    QTest::newRow("cut short") << 2;
    QTest::newRow("emptied") << 3;
    QTest::newRow("gone") << 4; // as a kill between putting aside and restoring leaves it, too
}

void LibraryRecoveryTest::restoresTheLastBackupOfADamagedFile() {
    QFETCH(int, damage);
    open();
    for (int64_t i = 1; i <= 500; ++i)
        QVERIFY(savePrompt(*m_library, {i, std::string(200, 'x') + std::to_string(i), "", false, i, 0}));
    const auto backup = m_library->backUp();
    QVERIFY(backup);
    m_library.reset();
    const qint64 size = QFileInfo(m_file).size();
    if (damage == 0) overwrite(m_file, 4096, QByteArray(int(size) - 8192, '\x5a'));
    if (damage == 1) overwrite(m_file, 0, QByteArray(4096, 'z'));
    if (damage == 2) QVERIFY(QFile::resize(m_file, size / 2));
    if (damage == 3) QVERIFY(QFile::resize(m_file, 0));
    if (damage == 4) QVERIFY(QFile::remove(m_file));
    open();
    QVERIFY(m_library->recovery().recovered);
    QCOMPARE(m_library->recovery().missing, damage >= 3);
    QCOMPARE(m_library->recovery().backupFile, *backup);
    const QString aside = QString::fromStdString(m_library->recovery().damagedFile);
    QCOMPARE(QFile::exists(aside), damage != 4);
    QCOMPARE(aside.isEmpty(), damage == 4);
    QCOMPARE(findPrompts(*m_library, "", 1000)->size(), size_t{500});
    open(); // and that was all
    QVERIFY(!m_library->recovery().recovered);
}

void LibraryRecoveryTest::aFirstStartRestoresNothing() {
    QFile file(m_file); // as a start that was killed at once leaves it
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    for (int start = 0; start < 2; ++start) {
        open();
        QVERIFY(!m_library->recovery().recovered);
    }
}

void LibraryRecoveryTest::aFolderThatWasMovedIsTheSameLibrary() {
    const QString home = m_folder->filePath("home");
    m_path = (home + "/library.db").toStdString();
    open();
    QVERIFY(notePromptUse(*m_library, "kept", ""));
    m_library.reset();
    QVERIFY(QDir().rename(home, m_folder->filePath("moved")));
    open(); // where it was nothing is left
    QVERIFY(!m_library->recovery().recovered);
    QVERIFY(findPrompts(*m_library, "", 10)->empty());
    m_path = m_folder->filePath("moved/library.db").toStdString();
    open();
    QVERIFY(!m_library->recovery().recovered);
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

void LibraryRecoveryTest::beginsAnewWhenThereIsNoBackup() {
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(5000, 'q'));
    file.close();
    open();
    QVERIFY(m_library->recovery().recovered);
    QVERIFY(m_library->recovery().backupFile.empty());
    QVERIFY(notePromptUse(*m_library, "works", ""));
}

void LibraryRecoveryTest::whatLiesBesideADamagedFileGoesWithIt() {
    open();
    QVERIFY(notePromptUse(*m_library, "kept", ""));
    QVERIFY(m_library->backUp());
    m_library.reset();
    overwrite(m_file, 0, QByteArray(4096, 'z'));
    // SQLite plays what a kill left of it back into whatever file has the name.
    QFile journal(m_file + "-journal");
    QVERIFY(journal.open(QIODevice::WriteOnly) && journal.write("of the damaged one") > 0);
    journal.close();
    open();
    QVERIFY(m_library->recovery().recovered);
    QVERIFY(QFile::exists(QString::fromStdString(m_library->recovery().damagedFile) + "-journal"));
    QVERIFY(!QFile::exists(m_file + "-journal"));
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

void LibraryRecoveryTest::passesOverADamagedBackup_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("no database any more") << QByteArray(4096, 'z');
    QTest::newRow("empty") << QByteArray(); // which SQLite takes for a whole one
}

void LibraryRecoveryTest::passesOverADamagedBackup() {
    QFETCH(QByteArray, content);
    open();
    QVERIFY(notePromptUse(*m_library, "kept", ""));
    const auto good = m_library->backUp();
    QTest::qSleep(2);
    const auto bad = m_library->backUp();
    m_library.reset();
    const auto spoil = [&content](const QString& backup) {
        QFile file(backup);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    };
    QVERIFY(spoil(QString::fromStdString(*bad)));
    overwrite(m_file, 0, QByteArray(4096, 'z'));
    open();
    QCOMPARE(m_library->recovery().backupFile, *good);
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
    m_library.reset();
    for (const BackupFile& one : listBackups(m_path)) QVERIFY(spoil(QString::fromStdString(one.path)));
    overwrite(m_file, 0, QByteArray(4096, 'z'));
    open(); // a new one, whose backups drive out none of those
    QVERIFY(m_library->recovery().recovered && m_library->recovery().backupFile.empty());
    QCOMPARE(contentOf(QString::fromStdString(*good) + ".damaged"), content);
}

void LibraryRecoveryTest::passesOverABackupThatCannotBeRead() {
    open();
    QVERIFY(notePromptUse(*m_library, "kept", ""));
    const auto good = m_library->backUp();
    m_library.reset();
    const int64_t newest = listBackups(m_path).front().madeMs + 1;
    QTest::qSleep(2); // one from the future would be none of the newest
    QVERIFY(QDir().mkpath(m_folder->filePath(QString("backups/library-%1.db").arg(newest)))); // no file
    overwrite(m_file, 0, QByteArray(4096, 'z'));
    open();
    QCOMPARE(m_library->recovery().backupFile, *good);
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

void LibraryRecoveryTest::triesAgainWhereNoBackupCouldBeRead() {
    open();
    QVERIFY(notePromptUse(*m_library, "kept", ""));
    m_library.reset();
    const QDir backups(m_folder->filePath("backups"));
    const QString kept = m_folder->filePath("kept.db");
    QString taken;
    for (const QString& name : backups.entryList(QDir::Files)) {
        taken = backups.filePath(name); // the one that closing made
        QFile::remove(kept);
        QVERIFY(QFile::rename(taken, kept));
    }
    QVERIFY(!taken.isEmpty() && backups.mkdir(taken));
    overwrite(m_file, 0, QByteArray(4096, 'z'));
    const QByteArray damaged = contentOf(m_file);
    QVERIFY(!Library::open(m_path));
    QCOMPARE(contentOf(m_file), damaged); // it is where it was, or the next start would begin anew
    QVERIFY(backups.rmdir(taken) && QFile::rename(kept, taken));
    open();
    QVERIFY(m_library->recovery().recovered);
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

QTEST_APPLESS_MAIN(LibraryRecoveryTest)
#include "tst_library_recovery.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts to learn from: folders, kinds of files, encodings, and what is refused.
#include "core/base/text/documents.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace homebooth::core;

namespace {

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
}

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString in(const char* name) const { return m_folder.filePath(name); }

    /// All texts, with | between; or the error.
    QString read(const QString& path, const std::string& column = {}) const {
        auto documents = Documents::open(path.toStdString(), column);
        if (!documents) return QString::fromStdString(documents.error().text());
        QStringList texts;
        while (true) {
            const auto next = documents->next();
            if (!next) return QString::fromStdString(next.error().text());
            if (!*next) break;
            texts << QString::fromStdString((*next)->text);
        }
        if (documents->bytesRead() != documents->totalBytes()) return "not all was read";
        return texts.join('|');
    }

private Q_SLOTS:
    void init() {
        QDir(m_folder.path()).removeRecursively();
        QVERIFY(QDir().mkpath(m_folder.path()));
    }

    void readsAFolderByName() {
        QVERIFY(QDir(m_folder.path()).mkpath("b/.hidden"));
        write(in("c.TXT"), "third");
        write(in("a.md"), "first\r\nline");
        write(in("b/two.jsonl"),
              "{\"text\": \"second\"}\n\n{\"content\": \"and\\r\\nmore\"}\n{\"text\": null}");
        write(in("b/.hidden/x.txt"), "no");
        write(in("b/picture.png"), "no");
        write(in("empty.txt"), " \n");
        QCOMPARE(read(m_folder.path()), QString("first\nline|second|and\nmore|third"));
        QVERIFY(checkTexts(m_folder.path().toStdString(), ""));
    }

    void readsOtherEncodings() {
        write(in("mark.txt"), QByteArray("\xEF\xBB\xBF", 3) + "with a mark");
        QCOMPARE(read(in("mark.txt")), QString("with a mark"));
        const QString moon = QStringLiteral("ein Hund 🌙 läuft");
        QByteArray little("\xFF\xFE", 2);
        QByteArray big("\xFE\xFF", 2);
        for (const QChar c : moon) {
            little.append(char(c.unicode() & 0xFF)).append(char(c.unicode() >> 8));
            big.append(char(c.unicode() >> 8)).append(char(c.unicode() & 0xFF));
        }
        write(in("little.txt"), little);
        write(in("big.txt"), big);
        QCOMPARE(read(in("little.txt")), moon);
        QCOMPARE(read(in("big.txt")), moon);
    }

    void cutsLongTextsBehindWords() {
        QByteArray text = QByteArray("line, abcd\r\n").repeated(100'000);
        constexpr int kPiece = 512 << 10;
        text.replace(kPiece - 1, 2, "\r\n"); // a line's end, and further on a letter, where reading pauses
        text.replace(2 * kPiece - 7, 5, "ü,, ä");
        write(in("long.txt"), text + "\n");
        auto documents = Documents::open(in("long.txt").toStdString(), "");
        QVERIFY(documents);
        QString all;
        int pieces = 0;
        bool continues = true;
        for (auto next = documents->next(); next && *next; next = documents->next(), ++pieces) {
            QVERIFY(continues);
            continues = (*next)->continues;
            const QString piece = QString::fromStdString((*next)->text);
            if (continues) QVERIFY(piece.back().isLetter());
            if (pieces > 0) QVERIFY(piece.front().isSpace());
            all += piece;
        }
        QVERIFY(pieces > 2);
        QVERIFY(!continues);
        QVERIFY(all == QString::fromUtf8(text.replace("\r\n", "\n") + "\n"));
    }

    /// Its end is a piece of blanks alone, and is told all the same.
    void endsALongTextBeforeTheNext() {
        write(in("a.txt"), QByteArray((512 << 10) - 1, 'a') + "\n \n");
        write(in("b.txt"), "next");
        auto documents = Documents::open(m_folder.path().toStdString(), "");
        QVERIFY(documents);
        QList<bool> continues;
        for (auto next = documents->next(); next && *next; next = documents->next())
            continues << (*next)->continues;
        QCOMPARE(continues, (QList<bool>{true, false, false}));
    }

    void takesTheNamedColumn() {
        write(in("a.jsonl"), R"({"text": "no", "story": "yes"})");
        QCOMPARE(read(in("a.jsonl"), "story"), QString("yes"));
        QVERIFY(read(in("a.jsonl"), "tale").contains("expected a text as \"tale\", found none"));
    }

    void refusesWhatIsNoText_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("encoding") << "a.txt" << QByteArray("good\nb\xE4se\n")
                                  << "other bytes in line 2 (byte 7 of";
        QTest::newRow("later") << "a.txt" << QByteArray("good\n").repeated(200'000) + "b\xE4se\n"
                               << "other bytes in line 200001 (byte 1000002 of";
        QTest::newRow("UTF-32") << "a.txt" << QByteArray("\xFF\xFE\0\0g\0\0\0", 8)
                                << "other bytes in line 1 (byte 1 of";
        QTest::newRow("zeros") << "a.txt" << QByteArray("a\0b\0", 4)
                               << "found zero bytes in line 1 (byte 2 of";
        QTest::newRow("json") << "a.jsonl" << QByteArray("{\"text\": \"x\"}\nnot json\n")
                              << "expected a JSON object on each line";
        QTest::newRow("line") << "a.jsonl" << QByteArray("{\"text\": \"x\"}\nnot json\n")
                              << "a.jsonl, line 2";
        QTest::newRow("nothing") << "a.txt" << QByteArray() << "found empty files alone";
    }
    void refusesWhatIsNoText() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        write(in(qPrintable(name)), bytes);
        const auto checked = checkTexts(m_folder.path().toStdString(), "");
        const QString found =
            checked ? read(m_folder.path()) : QString::fromStdString(checked.error().text());
        QVERIFY2(found.contains(says), qPrintable(found));
    }

    /// What is known of texts before they are read.
    void boundsWhatTheyHaveInUtf8() {
        write(in("a.txt"), "1234567");
        write(in("b.jsonl"), R"({"text": "\u00e9\ud83c\udf19"})");
        const QString euros = QString(100, QChar(0x20AC)); // three bytes each in UTF-8
        QByteArray utf16("\xFF\xFE", 2);
        utf16.append(reinterpret_cast<const char*>(euros.utf16()), 200);
        write(in("c.txt"), utf16);
        auto documents = Documents::open(m_folder.path().toStdString(), "");
        QVERIFY(documents);
        QCOMPARE(documents->fileCount(), 3);
        int64_t bytes = 0;
        for (auto next = documents->next(); next && *next; next = documents->next())
            bytes += std::ssize((*next)->text);
        QCOMPARE(bytes, 7 + 6 + 300);
        QVERIFY(documents->mostTextBytes() >= bytes);
        QVERIFY(documents->mostTextBytes() <= bytes + 40);
    }

    void aColumnNeedsAFileOfLines() {
        const std::string folder = m_folder.path().toStdString();
        write(in("a.txt"), "a text");
        QVERIFY(checkTextColumn(folder, ""));
        const auto refused = checkTextColumn(folder, "story");
        QVERIFY(!refused && refused.error().code == ErrorCode::Usage);
        QVERIFY(refused.error().text().find("leave --text-column out") != std::string::npos);
        QVERIFY(!checkTextColumn(in("a.txt").toStdString(), "story"));
        write(in("b.JSONL"), R"({"story": "one"})");
        QVERIFY(checkTextColumn(folder, "story"));
    }

    void saysThatThereAreNone() {
        QVERIFY(read(m_folder.path())
                    .contains("expected texts to learn from (.txt, .md or .jsonl), found none: "));
        write(in("a.pdf"), "no");
        QVERIFY(read(m_folder.path()).contains("found none among 1 files of other kinds"));
        QVERIFY(!checkTexts(in("gone").toStdString(), ""));
    }
};

QTEST_APPLESS_MAIN(TestDocuments)
#include "tst_documents.moc"

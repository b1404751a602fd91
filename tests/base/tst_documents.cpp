// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Texts to learn from: kinds of files, encodings, columns, and what is refused.
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

    QString notice(const QString& path) const {
        const auto documents = Documents::open(path.toStdString(), "");
        return QString::fromStdString(documents ? documents->notice() : documents.error().text());
    }

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

    void readsJson_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("texts");
        const auto add = [](const char* name, const char* bytes, const char* texts) {
            QTest::newRow(name) << QByteArray(bytes) << QString::fromUtf8(texts);
        };
        add("lines", "{\"text\": \"a\"}\n\n{\"content\": \"b\"}\n", "a|b");
        add("list", "[\n  {\"text\": \"a [1]\"},\r\n  {\"text\": \"b \\\"}\\\\\"}\n]\n", "a [1]|b \"}\\");
        add("strings", "[\"a\", \"b]\", \" \", \"\\u00e4\\r\\nc\"]", "a|b]|ä\nc");
        add("an object", "{\n  \"title\": \"no\",\n  \"text\": \"a\"\n}\n", "a");
        add("objects", "{\n\"text\": \"a\"\n} {\n\"text\": \"b\"\n}", "a|b");
        add("mark", "\xEF\xBB\xBF[\"a\"]", "a");
        add("null", "[{\"text\": null}, {\"text\": \"a\"}]", "a");
        add("nested", "[{\"more\": {\"text\": \"no\", \"tags\": [\"]\", {}]}, \"text\": \"a\"}]", "a");
    }
    void readsJson() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, texts);
        for (const char* name : {"a.json", "b.JSON", "c.ndjson"}) {
            write(in(name), bytes);
            QCOMPARE(read(in(name)), texts);
            QCOMPARE(read(m_folder.path()), texts);
            QVERIFY(notice(m_folder.path()).isEmpty());
            QVERIFY(checkTextColumn(m_folder.path().toStdString(), "text"));
            QVERIFY(QFile::remove(in(name)));
        }
    }

    /// However long a list is, of its file no more is read than is told.
    void readsLongListsInPieces() {
        constexpr int kCount = 60'000;
        QByteArray list;
        for (int i = 0; i < kCount; ++i)
            list += (i == 0 ? "[" : ",\n") + QByteArray("{\"id\": 1, \"text\": \"line \\\"") +
                    QByteArray::number(i) + "\\\" ü\"}";
        write(in("a.json"), list + "]");
        auto documents = Documents::open(in("a.json").toStdString(), "");
        QVERIFY(documents);
        QVERIFY(documents->totalBytes() > int64_t{2} << 20);
        int count = 0;
        for (auto next = documents->next(); next && *next; next = documents->next(), ++count) {
            if (count == 0) QVERIFY(documents->bytesRead() <= int64_t{512} << 10);
            QCOMPARE(QString::fromStdString((*next)->text), QString("line \"%1\" ü").arg(count));
        }
        QCOMPARE(count, kCount);
        QCOMPARE(documents->bytesRead(), documents->totalBytes());
        QCOMPARE(documents->bytesTaken(), documents->totalBytes());
    }

    void refusesJsonThatIsNoTexts_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto add = [](const char* name, const QByteArray& bytes, const char* says) {
            QTest::newRow(name) << bytes << QString(says);
        };
        add("no end", "[{\"text\": \"a\"},\n", "found no end of it");
        add("cut", "[{\"text\": \"a\"}, {\"te", "a.json, entry 2: expected JSON, found the file's end");
        add("behind", "[\"a\"] \"b\"", "entry 2: expected a list of objects or strings");
        add("numbers", "[1, 2]", "expected a list of objects or strings");
        add("lists", "[[\"a\"]]", "expected a list of objects or strings");
        add("column", "{\"data\": [{\"text\": \"a\"}]}", "expected a text as \"text\", found none");
        add("number", "[{\"text\": 5}]", "found another kind of value (number); name what");
        add("no JSON", "[{\"text\": a}]", "entry 1: expected JSON, found an entry that is none");
        add("long", "[\"" + QByteArray(65 << 20, 'a') + "\"]", "of at most 64 MiB each");
        add("nothing", "[ ]", "found empty files alone");
    }
    void refusesJsonThatIsNoTexts() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        write(in("a.json"), bytes);
        const auto checked = checkTexts(in("a.json").toStdString(), "");
        const QString found = checked ? read(in("a.json")) : QString::fromStdString(checked.error().text());
        QVERIFY2(found.contains(says), qPrintable(found));
    }

    /// What would be learned together with its marks, or is no text at all.
    void refusesOtherKindsByName_data() {
        QTest::addColumn<QString>("says");
        QTest::newRow("a.csv") << "found .csv; make it .jsonl, an object with \"text\" on each line, or, to";
        QTest::newRow("a.HTML") << "found .html; save its text as .txt, or, to learn it sign by sign";
        QTest::newRow("a.jsonl.gz") << "found .gz; unpack it";
        QTest::newRow("a.parquet") << "found .parquet; make it .jsonl";
        QTest::newRow("a.pdf") << "found .pdf; save its text as .txt";
        QTest::newRow("a.docx") << "found .docx; save its text as .txt";
        for (const char* name : {"a.log", "a.py", "a.tex", "README"}) QTest::newRow(name) << QString();
    }
    void refusesOtherKindsByName() {
        QFETCH(QString, says);
        const char* name = QTest::currentDataTag();
        write(in(name), "a text");
        const QString found = read(in(name));
        if (says.isEmpty())
            QCOMPARE(found, QString("a text"));
        else
            QVERIFY2(found.contains(says), qPrintable(found));
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
};

QTEST_APPLESS_MAIN(TestDocuments)
#include "tst_documents.moc"

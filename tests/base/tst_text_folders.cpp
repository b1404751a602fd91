// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Folders of texts to learn from: which files are learned, what is left out and told.
#include "core/base/text/documents.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <functional>
#include <unistd.h>

using namespace homebooth::core;

namespace {

constexpr QFile::Permissions kOpen = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                                     QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther;

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
}

} // namespace

class TestTextFolders : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString in(const char* name) const { return m_folder.filePath(name); }

    /// Files of some words each.
    void fill(const char* folder, std::initializer_list<const char*> names) const {
        QVERIFY(QDir(m_folder.path()).mkpath(folder));
        for (const char* name : names) write(in(folder) + "/" + name, "no");
    }

    QString notice(const QString& path) const {
        const auto documents = Documents::open(path.toStdString(), "");
        return QString::fromStdString(documents ? documents->notice() : documents.error().text());
    }

    /// All texts, with | between; or the error.
    QString read(const QString& path) const {
        auto documents = Documents::open(path.toStdString(), "");
        if (!documents) return QString::fromStdString(documents.error().text());
        QStringList texts;
        while (true) {
            const auto next = documents->next();
            if (!next) return QString::fromStdString(next.error().text());
            if (!*next) break;
            texts << QString::fromStdString((*next)->text);
        }
        return texts.join('|');
    }

    /// Root may read everything: where that runs this, somebody else reads. @returns  false where nobody can
    bool asNobody(const std::function<void()>& act) const {
        constexpr uid_t kNobody = 65534;
        const bool isRoot = ::geteuid() == 0;
        if (isRoot && ::seteuid(kNobody) != 0) return false;
        const bool reached = ::faccessat(AT_FDCWD, qPrintable(in("a.txt")), R_OK, AT_EACCESS) == 0;
        if (reached) act();
        if (isRoot && ::seteuid(0) != 0) qFatal("cannot be root again");
        return reached;
    }

private Q_SLOTS:
    void init() {
        QDir(m_folder.path()).removeRecursively();
        QVERIFY(QDir().mkpath(m_folder.path()));
        QVERIFY(QFile::setPermissions(m_folder.path(), kOpen));
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

    /// Their journals, tables and licences are no texts.
    void entersNoRunsAndModels() {
        write(in("a.txt"), "a poem");
        QVERIFY(notice(m_folder.path()).isEmpty());
        fill("run", {"run.json", "events.jsonl"});
        fill("model", {"config.json", "model.safetensors", "merges.txt", "README.md"});
        fill("pictures", {"model_index.json", "README.md"});
        fill("tables", {"vocab.json", "merges.txt"});
        fill("lora", {"adapter_config.json", "adapter_model.safetensors", "README.md"});
        fill("deep/er/tokenizer", {"tokenizer.json", "LICENSE.md"});
        fill("settings", {"config.json"});
        write(in("settings/more.txt"), "and more");
        QCOMPARE(read(m_folder.path()), QString("a poem|and more"));
        const QString told = notice(m_folder.path());
        QVERIFY2(
            told.contains("left out of the texts: 1 .json file without texts (settings/config.json) and 6 "
                          "folders of runs or models (such as deep/er/tokenizer)"),
            qPrintable(told));
        QVERIFY(QDir(in("settings")).removeRecursively() && QFile::remove(in("a.txt")));
        QVERIFY(read(m_folder.path()).contains("found none among 6 folders of runs or models (such as deep"));
    }

    void leavesJournalsAndTablesOutOfFoldersThatWereNamed() {
        fill("run", {"run.json", "events.jsonl"});
        fill("tables", {"vocab.json", "merges.txt"});
        write(in("run/story.txt"), "a story");
        write(in("tables/poem.txt"), "a poem");
        QCOMPARE(read(in("run")), QString("a story"));
        QCOMPARE(read(in("tables")), QString("a poem"));
    }

    void followsLinksToFoldersOnce() {
        QTemporaryDir elsewhere;
        QVERIFY(QDir(m_folder.path()).mkdir("real"));
        write(in("a.md"), "first");
        write(in("real/b.txt"), "third");
        write(elsewhere.filePath("c.txt"), "second");
        QVERIFY(QFile::link(elsewhere.path(), in("away")));
        QVERIFY(QFile::link(in("real"), in("again")));
        QVERIFY(QFile::link(m_folder.path(), in("real/up")));
        QVERIFY(QFile::link(in("gone"), in("nowhere")));
        QCOMPARE(read(m_folder.path()), QString("first|second|third"));
        const QString told = notice(m_folder.path());
        QVERIFY2(told.contains("left out of the texts: 1 file of another kind (nowhere); "),
                 qPrintable(told));
        QVERIFY2(told.endsWith("learned with the texts: 1 folder behind a link (away)"), qPrintable(told));
    }

    void tellsWhatIsOfOtherKinds() {
        write(in("a.txt"), "a text");
        for (const char* name : {"b.html", "c.gz", "d.rst"}) write(in(name), "no");
        write(in("settings.json"), "{\"size\": 3}");
        const QString told = notice(m_folder.path());
        QCOMPARE(told,
                 QString("left out of the texts: 3 files of other kinds (such as b.html) and 1 .json file "
                         "without texts (settings.json); what is read is .txt, .md, .jsonl, and .json "
                         "that holds texts"));
        QCOMPARE(read(m_folder.path()), QString("a text"));
    }

    /// As programs write what was said: one text in several files.
    void learnsATextOfSeveralFilesOnce() {
        QVERIFY(QDir(m_folder.path()).mkdir("more"));
        write(in("a.json"), R"({"text": "alone", "segments": []})");
        QCOMPARE(read(m_folder.path()), QString("alone"));
        QVERIFY(notice(m_folder.path()).isEmpty());
        write(in("a.txt"), "");
        QCOMPARE(read(m_folder.path()), QString("alone")); // an empty file is no text
        write(in("a.txt"), "first\nline");
        write(in("more/a.json"), R"({"text": "in another folder"})");
        write(in("a.b.json"), R"({"text": "of another name"})");
        write(in("c.json"), R"({"text": "no"})");
        write(in("c.md"), "about c");
        write(in("d.json"), R"(["a list", "is not what d says"])");
        write(in("d.md"), "about d");
        write(in("c.jsonl"), R"({"text": "a line"})");
        write(in("a.srt"), "no");
        QCOMPARE(read(m_folder.path()),
                 QString("of another name|first\nline|a line|about c|a list|is not what d says|about d|"
                         "in another folder"));
        const QString told = notice(m_folder.path());
        QVERIFY2(told.contains("1 file of another kind (a.srt) and 2 files beside others of the same name "
                               "(such as a.json); "),
                 qPrintable(told));
        QVERIFY(QFile::remove(in("c.json")));
        QVERIFY(notice(m_folder.path()).contains(" and 1 file beside one of the same name (a.json); "));
    }

    /// Behind a link, also to what nobody can read.
    void leavesLinksOutThatLeadToNoText() {
        write(in("a.txt"), "a text");
        QVERIFY(QFile::link("/proc/self/mem", in("memory.txt")));
        QCOMPARE(read(m_folder.path()), QString("a text"));
        const QString told = notice(m_folder.path());
        QCOMPARE(told, QString("left out of the texts: 1 file or folder that cannot be read (memory.txt)"));
        QVERIFY(QFile::remove(in("a.txt")));
        const QString none = read(m_folder.path());
        QVERIFY2(none.contains("found none among 1 file or folder that cannot be read (memory.txt); "),
                 qPrintable(none));
    }

    /// As lost+found on a drive. What was named itself is not left out.
    void leavesOutWhatMayNotBeRead() {
        fill("closed", {"b.txt"});
        fill("real/lost+found", {"c.txt"});
        write(in("a.txt"), "a text");
        write(in("real/d.txt"), "no");
        const QStringList closed{in("closed"), in("real/lost+found"), in("real/d.txt")};
        for (const QString& path : closed) QVERIFY(QFile::setPermissions(path, {}));
        QString texts, told, named, file;
        const bool done = asNobody([&] {
            texts = read(m_folder.path());
            told = notice(m_folder.path());
            named = read(in("closed"));
            file = read(in("real/d.txt"));
        });
        for (const QString& path : closed) QVERIFY(QFile::setPermissions(path, kOpen)); // for init()
        if (!done) QSKIP("root may read everything");
        QCOMPARE(texts, QString("a text"));
        QCOMPARE(told,
                 QString("left out of the texts: 3 files or folders that cannot be read (such as closed)"));
        QVERIFY2(named.contains("cannot list the texts: no permission"), qPrintable(named));
        QVERIFY2(file.contains("d.txt: cannot read the file: no permission"), qPrintable(file));
    }

    /// By what its first entry has, up to which it is read, and no further.
    void knowsJsonWithTexts_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("holds");
        const QByteArray large(3 << 20, 'a');
        const auto add = [](const char* name, const QByteArray& bytes, bool holds) {
            QTest::newRow(name) << bytes << holds;
        };
        add("large", "{\"title\": \"no\", \"text\": \"" + large + "\"}", true);
        add("behind what is large", "[{\"data\": \"" + large + "\", \"text\" : \"a\"}]", true);
        add("escapes", "{\"more\": \"\\\\\", \"t\\u0065xt\": \"a\"}", true);
        add("below", R"({"text": {"text": "no"}, "more": [{"text": "no"}]})", false);
        add("longer", "{\"text\\\"\": \"no\", \"texts\": \"no\"}", false);
        add("as a value", "{\"more\": \"text\", \"and\": \"\\\"text\\\": \"}", false);
        add("numbers", R"({"text": 3, "content": [1, "text"]})", false);
        add("another", R"({"text": 3, "content": "a"})", true);
        add("blanks", QByteArray(10'000, ' ') + "[\n\"a\"]", true);
        add("no list", "[[\"a\"]]", false);
        add("nothing", "", false);
    }
    void knowsJsonWithTexts() {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, holds);
        write(in("a.json"), bytes);
        write(in("b.txt"), "beside it");
        const auto found = Documents::open(m_folder.path().toStdString(), "");
        QVERIFY(found);
        QCOMPARE(found->fileCount(), holds ? 2 : 1);
        const QString told = QString::fromStdString(found->notice());
        QCOMPARE(told.contains("1 .json file without texts (a.json)"), !holds);
        const QString texts = read(m_folder.path());
        QVERIFY2(texts.endsWith(holds ? "a|beside it" : "beside it"), qPrintable(texts.right(200)));
    }

    /// What is wrong further on is told as it is learned.
    void looksNoFurtherThanToTheFirstText() {
        write(in("a.json"), "[{\"text\": \"a\"},\n\"" + QByteArray(1 << 20, 'a') + "\xE4\"]");
        const auto found = Documents::open(m_folder.path().toStdString(), "");
        QVERIFY(found && found->notice().empty());
        const QString texts = read(m_folder.path());
        QVERIFY2(texts.contains("other bytes in line 2"), qPrintable(texts));
    }

    /// Where a folder has nothing else, it may be what was meant.
    void saysWhatTheOnlyJsonLacks_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::addColumn<bool>("leftOut"); // beside texts
        const auto add = [](const char* row, const char* name, const char* bytes, const char* says,
                            bool leftOut) {
            QTest::newRow(row) << QString(name) << QByteArray(bytes) << QString(says) << leftOut;
        };
        add("column", "a.json", "[{\"body\": \"x\"}]", "name what holds it with --text-column", true);
        add("cut", "a.json", "[{\"text\": \"x", "the file's end within an entry", false);
        add("cut before", "a.json", "[{\"te", "the file's end within an entry", true);
        add("encoding", "a.json", "[{\"t\": \"\xE4\"}]", "found other bytes in line 1 (byte 9 of", true);
        add("list", "a.json", "[]", " and 1 .json file without texts (a.json); name another", true);
        add("lines", "a.ndjson", "{\"body\": \"x\"}", "name what holds it with --text-column", false);
    }
    void saysWhatTheOnlyJsonLacks() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        QFETCH(bool, leftOut);
        write(in(qPrintable(name)), bytes);
        write(in("LICENSE"), "no");
        const QString found = read(m_folder.path());
        QVERIFY2(found.contains(says) && found.contains(name), qPrintable(found));
        write(in("b.txt"), "beside it");
        const QString both = read(m_folder.path());
        QVERIFY2((both == "beside it") == leftOut, qPrintable(both));
    }

    void saysThatThereAreNone() {
        QVERIFY(read(m_folder.path())
                    .contains("expected texts to learn from (.txt, .md, .jsonl or .json), found none: "));
        write(in("a.pdf"), "no");
        QVERIFY(read(m_folder.path()).contains("found none among 1 file of another kind (a.pdf); "));
        QVERIFY(!checkTexts(in("gone").toStdString(), ""));
    }
};

QTEST_APPLESS_MAIN(TestTextFolders)
#include "tst_text_folders.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where members lie in archives that Debian's tar packed in each of its formats, in those that old programs
// wrote, and in broken ones.
#include "core/base/formats/tar_index.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sys/stat.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

using Contents = std::map<std::string, std::string>;

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

/// A header and its contents, padded. @param size  the field as it stands; empty: in octal digits
std::string packed(const std::string& name, char type, const std::string& contents,
                   const std::string& size = {}) {
    std::string block(512, '\0');
    block.replace(0, name.size(), name);
    block.replace(100, 7, "0000644");
    char digits[13];
    std::snprintf(digits, sizeof digits, "%011zo", contents.size());
    block.replace(124, size.empty() ? 11 : size.size(), size.empty() ? digits : size);
    block[156] = type;
    block.replace(257, 6, std::string("ustar\0", 6));
    block.replace(263, 2, "00");
    block.replace(148, 8, "        ");
    const int sum = std::accumulate(block.begin(), block.end(), 0, [](int before, char byte) {
        return before + static_cast<uint8_t>(byte);
    });
    std::snprintf(digits, sizeof digits, "%06o", static_cast<unsigned>(sum));
    block.replace(148, 7, digits, 7);
    return block + contents + std::string((512 - contents.size() % 512) % 512, '\0');
}

/// A record of a pax header, of less than 1,000 bytes.
std::string record(const std::string& keyword, const std::string& value) {
    const std::string rest = " " + keyword + "=" + value + "\n";
    size_t length = rest.size() + 1;
    while (std::to_string(length).size() + rest.size() != length) ++length;
    return std::to_string(length) + rest;
}

const std::string kEnd(1024, '\0');

struct Read {
    Contents files;
    std::string error;
};

Read readTar(const fs::path& path) {
    const auto file = FileReader::open(path);
    if (!file) return {{}, file.error().text()};
    std::vector<TarMember> members;
    const auto done = readTarIndex(*file, members);
    Read read;
    read.error = done ? "" : done.error().text();
    for (const TarMember& member : members)
        read.files[member.name] = *file->read(member.offset, member.bytes);
    return read;
}

} // namespace

class TestTarIndex : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    fs::path at(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }
    /// What an archive of these bytes holds.
    Read readBytes(const std::string& bytes) const {
        write(at("made.tar"), bytes);
        return readTar(at("made.tar"));
    }

private slots:
    void looksForNoMoreThanAreWanted() {
        const std::string members = packed("a.jpg", '0', "a") + packed("b.jpg", '0', "b");
        write(at("made.tar"), members + std::string(512, 'x')); // of which nothing is heard
        const auto file = FileReader::open(at("made.tar"));
        QVERIFY(file);
        std::vector<TarMember> found;
        QVERIFY(readTarIndex(*file, found, 1));
        QCOMPARE(found.size(), size_t{2});
        QVERIFY(!readTarIndex(*file, found));
    }

    void findsWhatTarPacked_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"v7", "oldgnu", "gnu", "ustar", "pax"}) QTest::newRow(format) << format;
    }

    void findsWhatTarPacked() {
        QFETCH(QString, format);
        const fs::path folder = at("packed-" + format.toStdString());
        Contents files{{"000.jpg", std::string(700, 'a')},
                       {"000.txt", "a cat"},
                       {"empty.txt", ""},
                       {"whole.bin", std::string(1024, 'b')},
                       {"sub/deep/1.jpg", "one"},
                       {"\xC3\xBC ber.txt", "two words"}};
        if (format != "v7") files["long/" + std::string(90, 'd') + "/" + std::string(60, 'n')] = "prefix";
        if (format != "v7" && format != "ustar") files[std::string(140, 'x') + ".jpg"] = "long";
        for (const auto& [name, text] : files) write(folder / name, text);
        fs::create_symlink("000.jpg", folder / "link.jpg");
        QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
        const QString tar = QString::fromStdString((folder.string() + ".tar"));
        const bool pipes = format != "v7"; // which has no type for them
        QStringList arguments{"--format=" + format, "-cf", tar, "-C",
                              QString::fromStdString(folder.string())};
        if (!pipes) arguments << "--exclude=./pipe";
        QCOMPARE(QProcess::execute("tar", arguments << "."), 0);
        const Read read = readTar(tar.toStdString());
        QCOMPARE(read.error, std::string());
        QVERIFY(read.files == files);
    }

    void findsHardLinksLikeFiles() {
        write(at("hard/a.txt"), "first");
        fs::create_hard_link(at("hard/a.txt"), at("hard/b.txt"));
        write(at("hard/c.txt"), "last");
        const std::string longName(140, 'n');
        fs::create_hard_link(at("hard/a.txt"), at("hard/" + longName));
        fs::create_hard_link(at("hard/" + longName), at("hard/z.txt"));
        const QString folder = QString::fromStdString(at("hard").string());
        for (const char* format : {"gnu", "pax"}) {
            const QString tar = QString::fromStdString(at("hard.tar").string());
            QCOMPARE(QProcess::execute("tar", {"--sort=name", QString("--format=") + format, "-cf", tar, "-C",
                                               folder, "."}),
                     0);
            const Contents all{{"a.txt", "first"},
                               {"b.txt", "first"},
                               {"c.txt", "last"},
                               {longName, "first"},
                               {"z.txt", "first"}};
            QVERIFY(readTar(tar.toStdString()).files == all);
        }
        const Contents alone{{"c.txt", "last"}};
        QVERIFY(readBytes(packed("b.txt", '1', "") + packed("c.txt", '0', "last") + kEnd).files == alone);
    }

    void takesSizesInAllTheirForms() {
        const std::string text(300, 't');
        std::string base256(12, '\0');
        base256[0] = '\x80';
        base256[10] = 1;
        base256[11] = 44;
        const Contents expected{{"a", text}, {"b", "end"}};
        for (const std::string& size : {std::string("        454 "), base256, std::string("000000000454")})
            QVERIFY(readBytes(packed("a", '0', text, size) + packed("b", '0', "end") + kEnd).files ==
                    expected);
        const std::string pax = packed("pax", 'x', record("size", "300"));
        QVERIFY(readBytes(pax + packed("a", '0', text, "77777777777") + packed("b", '0', "end")).files ==
                expected);
    }

    void keepsGlobalRecordsUntilAnotherComes() {
        const std::string global = packed("g", 'g', record("comment", "x") + record("path", "all"));
        const std::string local = packed("x", 'x', record("path", "one"));
        const std::string none = packed("x", 'x', record("path", ""));
        QVERIFY((readBytes(global + packed("a", '0', "A")).files == Contents{{"all", "A"}}));
        QVERIFY((readBytes(global + local + packed("a", '0', "A") + packed("b", '0', "B")).files ==
                 Contents{{"one", "A"}, {"all", "B"}}));
        QVERIFY((readBytes(global + none + packed("a", '0', "A")).files == Contents{{"a", "A"}}));
    }

    void endsAtTwoBlocksOfZerosOrWithTheFile() {
        const std::string one = packed("a", '0', "A");
        for (const std::string& end : {kEnd, std::string(), std::string(512, '\0'), kEnd + "anything"}) {
            const Read read = readBytes(one + end);
            QCOMPARE(read.error, std::string());
            QVERIFY((read.files == Contents{{"a", "A"}}));
        }
        QVERIFY((readBytes(one.substr(0, 513)).files == Contents{{"a", "A"}})); // whole, but not padded
        QVERIFY(readBytes(one + std::string(512, '\0') + one).error.find("second block of zeros") !=
                std::string::npos);
    }

    void saysWhereAnArchiveIsBroken_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("byte");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* name, const std::string& bytes, const char* byte, const char* what) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << byte << what;
        };
        const std::string good = packed("good", '0', "whole");
        std::string flipped = packed("b", '0', "x");
        flipped[3] = 'q';
        std::string negative(12, '\xFF');
        std::string huge(12, '\xFF');
        huge[0] = '\x80';
        row("empty", "", "byte 0,", "an empty file");
        row("header cut", good + good.substr(0, 100), "byte 1024,", "100 bytes: the file was cut off");
        row("contents cut", good + packed("b", '0', std::string(900, 'x')).substr(0, 800), "byte 1536,",
            "288 bytes: the file was cut off");
        row("header damaged", good + flipped + kEnd, "byte 1024,", "other or damaged data");
        row("no digits", good + packed("b", '0', "x", "12345678901z"), "byte 1024,", "one without");
        row("negative size", good + packed("b", '0', "x", negative), "byte 1024,", "one without");
        row("size beyond all", good + packed("b", '0', "x", huge), "byte 1024,", "one without");
        row("size beyond the file", good + packed("b", '0', "x", "77777777777"), "byte 1536,", "cut off");
        row("pax no records", good + packed("p", 'x', "5 a\n"), "byte 1024,", "other data");
        row("pax endless record", good + packed("p", 'x', "99999999999999999999 a=b\n"), "byte 1024,",
            "other data");
        row("pax negative size", good + packed("p", 'x', record("size", "-1")) + good, "byte 2048,",
            "one without");
        row("pax too large", good + packed("p", 'x', "", "00070000000"), "byte 1024,", "a larger one");
        row("name too long", good + packed("p", 'L', std::string(5000, 'n')) + good, "byte 6656,",
            "one of 5000");
        row("long name of nothing", good + packed("p", 'L', "name") + kEnd, "byte 3072,", "the end");
        row("sparse", good + packed("s", 'S', "x"), "byte 1024,", "--sparse");
        row("sparse pax", good + packed("p", 'x', record("GNU.sparse.major", "1")) + good, "byte 2048,",
            "--sparse");
    }

    void saysWhereAnArchiveIsBroken() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, byte);
        QFETCH(QString, what);
        const Read read = readBytes(bytes.toStdString());
        const QString error = QString::fromStdString(read.error);
        QVERIFY2(error.contains("made.tar: ") && error.contains(byte) && error.contains(what),
                 qPrintable(error));
        QCOMPARE(read.files.count("good"), bytes.isEmpty() ? 0U : 1U); // what lay ahead of it was found
    }

    void readsNoMoreThanHeaders() {
        const std::string path = at("huge.tar").string();
        constexpr int64_t kHuge = int64_t{64} << 30; // a hole: contents that were read would take minutes
        std::string size(12, '\0');
        size[0] = '\x80';
        size[7] = 16;
        write(path, packed("big", '0', "", size));
        fs::resize_file(path, static_cast<uint64_t>(kHuge) + 512);
        std::ofstream(path, std::ios::app | std::ios::binary) << packed("after", '0', "A") << kEnd;
        std::vector<TarMember> members;
        QVERIFY(readTarIndex(*FileReader::open(path), members));
        QCOMPARE(members.size(), 2U);
        QCOMPARE(members[0].bytes, kHuge);
        QCOMPARE(members[1].offset, kHuge + 1024);
        fs::remove(path);
    }

    void namesCompressedArchives() {
        write(at("gz/a.txt"), std::string(100, 'a'));
        const QString tar = QString::fromStdString(at("gz.tar").string());
        QByteArray noise(100'000, '\0');
        for (int i = 0; i < noise.size(); ++i) noise[i] = static_cast<char>(i % 1021 * i % 251);
        write(at("gz/noise"), noise.toStdString());
        QCOMPARE(QProcess::execute(
                     "tar", {"-czf", tar, "-C", QString::fromStdString(at("gz").string()), "noise", "a.txt"}),
                 0);
        QVERIFY(readTar(tar.toStdString()).error.find("gzip") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTarIndex)
#include "tst_tar_index.moc"

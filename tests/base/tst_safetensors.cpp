// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Nothing that a .safetensors file can say gets past the reader unless it is right, and what the writer says
// is right.
#include "core/base/files/atomic_file.h"
#include "core/base/files/sha256.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/formats/safetensors_writer.h"
#include "tests/computed_time.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

std::string withLength(const std::string& header, uint64_t length) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += static_cast<char>((length >> (8 * i)) & 0xffU);
    return text + header;
}

std::string file(const std::string& header, size_t dataBytes) {
    return withLength(header, header.size()) + std::string(dataBytes, '\x11');
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& range) {
    return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + range +
           "}";
}

/// Without waiting for the disk: these files are many and short-lived.
bool writePlainly(const std::string& path, const std::string& content) {
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    return static_cast<bool>(
        stream.write(content.data(), static_cast<std::streamsize>(content.size())).flush());
}

QByteArray bytes(const std::string& text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

/// A row of a table of hostile files.
void row(const char* name, const std::string& content, const char* reason) {
    QTest::newRow(name) << bytes(content) << QString(reason);
}

/// A file of these entries.
std::string one(const std::string& entry, size_t dataBytes) {
    return file("{" + entry + "}", dataBytes);
}

void addBrokenHeaders() {
    row("empty", "", "empty file");
    row("one byte", "x", "unknown format");
    row("header length 0", withLength("{}", 0), "begin with '{'");
    row("header length 2^63", withLength("{}", uint64_t{1} << 63U), "9223372036854775808 bytes");
    row("header length 2^64-1", withLength("{}", ~uint64_t{0}), "18446744073709551615 bytes");
    row("header longer than the file", withLength("{}", 3), "cut off");
    row("header over 100 MB", withLength("{}", 100'000'001), "100000001 bytes");
    row("no JSON", file("{nonsense}", 0), "no valid JSON");
    row("cut JSON", file("{\"a\":{", 0), "no valid JSON");
    row("broken UTF-8", file("{\"a\xff\":{}}", 0), "no valid JSON");
    row("list at the top", file("[ \"dtype\" ]", 0), "begin with '{'");
    row("deep nesting", file("{\"a\":" + std::string(100'000, '{'), 0), "bad header");
    row("deep lists", file("{\"a\":{\"shape\":" + std::string(100'000, '['), 0),
        "shape of tensor \"a\": expected whole numbers from 0, found a list");
}

void addDoubleAndMissingFields() {
    const std::string good = tensor("a", "F32", "[2]", "[0,8]");
    row("duplicate tensor", one(good + "," + tensor("a", "U8", "[8]", "[0,8]"), 8), "occurs twice");
    row("duplicate field",
        one("\"a\":{\"dtype\":\"F32\",\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,8]}", 8),
        "occurs twice");
    row("duplicate metadata key", one("\"__metadata__\":{\"x\":\"1\",\"x\":\"2\"}," + good, 8),
        "occurs twice");
    row("metadata number", one("\"__metadata__\":{\"x\":1}," + good, 8),
        "\"x\" of __metadata__: expected text, found a number");
    row("metadata object", one("\"__metadata__\":{\"x\":{}}," + good, 8),
        "\"x\" of __metadata__: expected text, found an object");
    row("metadata list", one("\"__metadata__\":[]," + good, 8),
        "__metadata__: expected an object, found a list");
    row("null in the place of a tensor", one("\"a\":null", 0),
        "tensor \"a\": expected an object, found null");
    row("number in the place of a type", one("\"a\":{\"dtype\":5}", 0),
        "dtype of tensor \"a\": expected text, found a number");
    row("text in the place of a shape", one("\"a\":{\"shape\":\"2\"}", 0),
        "shape of tensor \"a\": expected a list of numbers, found text");
    row("half a number in a shape", one("\"a\":{\"shape\":[0.5]}", 0),
        "shape of tensor \"a\": expected whole numbers from 0, found a number that is not whole");
    row("unknown type", one(tensor("a", "F8_E4M3", "[8]", "[0,8]"), 8), "F8_E4M3");
    row("unknown field", one("\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8],\"x\":\"y\"}", 8),
        "unknown field");
    row("missing shape", one("\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,8]}", 8), "lacks");
    row("missing shape after a good one", one(good + ",\"b\":{\"dtype\":\"U8\",\"data_offsets\":[8,8]}", 8),
        "lacks");
    row("missing offsets", one("\"a\":{\"dtype\":\"U8\",\"shape\":[8]}", 8), "lacks");
    row("empty object", one("\"a\":{}", 8), "lacks");
}

void addImpossibleNumbers() {
    row("three offsets", one(tensor("a", "U8", "[8]", "[0,8,8]"), 8), "two numbers");
    row("negative offset", one(tensor("a", "U8", "[8]", "[-8,0]"), 8), "negative");
    row("negative extent", one(tensor("a", "U8", "[-8]", "[0,8]"), 8), "negative");
    row("fraction", one(tensor("a", "U8", "[8]", "[0,8.0]"), 8), "not whole");
    row("offset above 2^63", one(tensor("a", "U8", "[8]", "[0,9223372036854775808]"), 8), "out of range");
    row("end before begin", one(tensor("a", "U8", "[8]", "[8,0]"), 8), "ends before");
    row("shape wraps to 4 elements", one(tensor("a", "F32", "[4611686018427387905,4]", "[0,16]"), 16),
        "impossibly large");
    row("shape against size", one(tensor("a", "F32", "[3]", "[0,8]"), 8), "needs 12 bytes");
    row("overlap", one(tensor("a", "U8", "[8]", "[0,8]") + "," + tensor("b", "U8", "[8]", "[4,12]"), 12),
        "inside another");
    row("hole", one(tensor("a", "U8", "[4]", "[0,4]") + "," + tensor("b", "U8", "[4]", "[8,12]"), 12),
        "after a hole");
    row("hole at the start", one(tensor("a", "U8", "[4]", "[4,8]"), 8), "after a hole");
}

void addWrongLengthsAndNames() {
    const std::string good = tensor("a", "F32", "[2]", "[0,8]");
    row("data cut off", one(good, 7), "cut off");
    row("data appended", one(good, 9), "appended");
    row("no tensors but data", file("{}", 4), "appended");
    row("NUL in a name", one(tensor("a\\u0000b", "F32", "[2]", "[0,8]"), 8), "control characters");
    row("line break in a name", one(tensor("a\\nb", "F32", "[2]", "[0,8]"), 8), "control characters");
    row("no name", one(tensor("", "F32", "[2]", "[0,8]"), 8), "no name");
    row("1 MB name", one(tensor(std::string(1 << 20, 'n'), "F32", "[2]", "[0,8]"), 8), "longer than");
    std::string axes = "1";
    for (int i = 0; i < 99; ++i) axes += ",1";
    row("100 axes", one(tensor("a", "U8", "[" + axes + "]", "[0,1]"), 1), "too many axes");
}

void addOtherKindsOfFiles() {
    const std::string good = tensor("a", "F32", "[2]", "[0,8]");
    row("text after the JSON", file("{" + good + "} x", 8), "no valid JSON");
    row("pickle", std::string("\x80\x02}q\0.", 6), "pickle");
    row("ZIP pickle", std::string("PK\x03\x04") + std::string(26, '\0') + "archive/data.pkl", "pickle");
    row("Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
        "download the real file");
    row("web page", "\n<!DOCTYPE html><html><body>Log in</body></html>", "web page");
    row("picture", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16), "picture");
    row("GGUF", std::string("GGUF\3\0\0\0\0\0\0\0", 12), "GGUF");
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string at(const char* name) const { return m_dir->path().toStdString() + "/" + name; }

    std::string errorOf(const std::string& content) const {
        if (!writePlainly(at("hostile.safetensors"), content)) return "(not written)";
        const auto reader = SafetensorsReader::open(at("hostile.safetensors"));
        return reader.ok() ? "(opened)" : reader.error().text();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void readsWhatItWrote() {
        const std::vector<TensorInfo> infos{makeTensorInfo("b.weight", DataType::BF16, {2, 3}),
                                            makeTensorInfo("a \"quoted\" ü", DataType::I64, {}),
                                            makeTensorInfo("empty", DataType::F32, {0, 4}),
                                            makeTensorInfo("flag", DataType::Bool, {3})};
        auto writer = SafetensorsWriter::create(at("t.safetensors"), infos, {{"note", "line\nbreak"}});
        QVERIFY(writer.ok());
        std::vector<std::byte> weight(12, std::byte{7});
        QVERIFY(writer->writePart("b.weight", std::span(weight).first(5)).ok());
        QVERIFY(writer->writePart("b.weight", std::span(weight).subspan(5)).ok());
        QVERIFY(writer->write("a \"quoted\" ü", std::vector<std::byte>(8, std::byte{1})).ok());
        QVERIFY(writer->write("empty", {}).ok());
        QVERIFY(writer->write("flag", std::vector<std::byte>(3)).ok());
        QVERIFY(!fs::exists(at("t.safetensors"))); // not before commit
        QVERIFY(writer->commit().ok());
        auto reader = SafetensorsReader::open(at("t.safetensors"));
        QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().text().c_str());
        QCOMPARE((*reader)->tensors().size(), infos.size());
        for (size_t i = 0; i < infos.size(); ++i) {
            QCOMPARE((*reader)->tensors()[i].name, infos[i].name);
            QCOMPARE((*reader)->tensors()[i].shape, infos[i].shape);
        }
        QCOMPARE((*reader)->metadata().at("note"), "line\nbreak");
        QCOMPARE((*reader)->metadata().at("format"), "pt");
        std::vector<std::byte> back(12);
        QVERIFY((*reader)->read("b.weight", back).ok());
        QCOMPARE(back, weight);
        QVERIFY((*reader)->readPart("b.weight", 10, std::span(back).first(2)).ok());
    }

    void startsTensorsAtAMultipleOfEight() {
        for (const char* name : {"a", "ab", "abc", "abcd", "abcde"}) {
            auto writer =
                SafetensorsWriter::create(at("t.safetensors"), {makeTensorInfo(name, DataType::U8, {1})});
            QVERIFY(writer.ok() && writer->write(name, std::vector<std::byte>(1)).ok() &&
                    writer->commit().ok());
            QCOMPARE((fs::file_size(at("t.safetensors")) - 1) % 8, uintmax_t{0});
        }
    }

    void refusesReadsThatDoNotFit() {
        QVERIFY(
            writeFileAtomically(at("t.safetensors"), file("{" + tensor("a", "F32", "[2]", "[0,8]") + "}", 8))
                .ok());
        auto reader = SafetensorsReader::open(at("t.safetensors"));
        QVERIFY(reader.ok());
        std::vector<std::byte> buffer(16);
        QVERIFY(!(*reader)->read("a", buffer).ok());
        QVERIFY(!(*reader)->read("b", std::span(buffer).first(8)).ok());
        QVERIFY(!(*reader)->readPart("a", 4, std::span(buffer).first(5)).ok());
        QVERIFY(!(*reader)->readPart("a", -1, std::span(buffer).first(1)).ok());
        fs::resize_file(at("t.safetensors"),
                        fs::file_size(at("t.safetensors")) - 1); // behind the reader's back
        const auto cut = (*reader)->read("a", std::span(buffer).first(8));
        QVERIFY(!cut.ok() && cut.error().text().find("shorter") != std::string::npos);
    }

    void refusesHostileFiles_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        addBrokenHeaders();
        addDoubleAndMissingFields();
        addImpossibleNumbers();
        addWrongLengthsAndNames();
        addOtherKindsOfFiles();
    }

    void refusesHostileFiles() {
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        const std::string error = errorOf(content.toStdString());
        QVERIFY2(error.find(reason.toStdString()) != std::string::npos, error.c_str());
        QVERIFY2(error.size() < 600, error.c_str());
        QVERIFY2(std::all_of(error.begin(), error.end(),
                             [](char c) { return static_cast<unsigned char>(c) >= 0x20; }),
                 "one line");
    }

    void refusesEveryTruncation() {
        const std::string whole = file(
            "{" + tensor("a", "F32", "[2]", "[0,8]") + "," + tensor("b", "U8", "[5]", "[8,13]") + "}", 13);
        for (size_t length = 0; length < whole.size(); ++length) {
            const std::string error = errorOf(whole.substr(0, length));
            QVERIFY2(error != "(opened)" && error != "(not written)", std::to_string(length).c_str());
        }
        QCOMPARE(errorOf(whole), "(opened)");
    }

    void survivesEveryBitFlipOfTheHeader() {
        const std::string whole = file("{" + tensor("a", "F32", "[2]", "[0,8]") + "}", 8);
        for (size_t i = 0; i < (whole.size() - 8) * 8; ++i) {
            std::string flipped = whole;
            flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
            QVERIFY(writePlainly(at("t.safetensors"), flipped));
            auto reader = SafetensorsReader::open(at("t.safetensors"));
            if (!reader.ok()) continue; // else only the name or an equally wide type may have changed
            QCOMPARE((*reader)->tensors().size(), size_t{1});
            QCOMPARE((*reader)->tensors()[0].byteCount, int64_t{8});
        }
    }

    void refusesTooManyTensorsQuickly() {
        std::string header = "{";
        for (int i = 0; i < 250'000; ++i)
            header += (i ? "," : "") + tensor("t" + std::to_string(i), "U8", "[0]", "[0,0]");
        const homebooth::testing::ComputedTime timer;
        QVERIFY(errorOf(file(header + "}", 0)).find("more than 200000") != std::string::npos);
        QVERIFY2(timer.isBelow(20'000), "a hostile header must not stop the program");
    }

    void refusesThingsThatAreNoFiles() {
        QVERIFY(!SafetensorsReader::open(m_dir->path().toStdString()).ok());
        QVERIFY(!SafetensorsReader::open("/dev/zero").ok());
        QVERIFY(!SafetensorsReader::open(at("missing")).ok());
        fs::create_symlink(at("loop"), at("loop"));
        QVERIFY(!SafetensorsReader::open(at("loop")).ok());
        QCOMPARE(::mkfifo(at("fifo").c_str(), 0600), 0);
        QVERIFY(!SafetensorsReader::open(at("fifo")).ok()); // and does not wait for a writer
    }

    void theWriterHashesWhatItWrites() {
        Sha256 hash;
        auto writer = SafetensorsWriter::create(
            at("t"), {makeTensorInfo("a", DataType::U8, {3}), makeTensorInfo("b", DataType::U8, {2})}, {},
            &hash);
        QVERIFY(writer.ok());
        QVERIFY(writer->write("a", std::vector<std::byte>(3)).ok());
        QVERIFY(writer->writePart("b", std::vector<std::byte>(1)).ok());
        QVERIFY(writer->writePart("b", std::vector<std::byte>(1, std::byte{7})).ok());
        QVERIFY(writer->commit().ok());
        QCOMPARE(hash.finish(), sha256File(at("t")).value().value());
    }

    void writerRefusesWhatNoReaderTakes() {
        const TensorInfo info = makeTensorInfo("a", DataType::U8, {1});
        QVERIFY(!SafetensorsWriter::create(at("t"), {info, info}).ok());
        QVERIFY(!SafetensorsWriter::create(at("t"), {makeTensorInfo("a\n", DataType::U8, {1})}).ok());
        QVERIFY(
            !SafetensorsWriter::create(at("t"), {makeTensorInfo("__metadata__", DataType::U8, {1})}).ok());
        auto writer = SafetensorsWriter::create(at("t"), {info});
        QVERIFY(!writer->commit().ok()); // not everything is there
        QVERIFY(!writer->write("b", std::vector<std::byte>(1)).ok());
        QVERIFY(!writer->write("a", std::vector<std::byte>(2)).ok());
        QVERIFY(!fs::exists(at("t")));
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What files say is printed as words: nothing of it commands the terminal or passes for another line.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/terminal_text.h"
#include "tests/cli/plain_engine.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace homebooth::core;
using homebooth::test::contains;
using homebooth::test::engine;
using homebooth::test::Finished;
namespace fs = std::filesystem;

namespace {

QByteArray bigEndian(uint32_t value) {
    QByteArray bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes.append(static_cast<char>(value >> shift & 0xFF));
    return bytes;
}

/// As PNG has it: of a chunk's name and data.
uint32_t crcOf(const QByteArray& bytes) {
    uint32_t crc = ~uint32_t{0};
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
    }
    return ~crc;
}

/// A picture of one pixel that was made with these words.
QByteArray pngSaying(const QByteArray& words, const char* keyword = "parameters") {
    constexpr qsizetype kHeaderEnd = 33;
    QByteArray png = QByteArray::fromBase64(homebooth::test::kOnePixelPng);
    const QByteArray chunk = QByteArray("tEXt") + keyword + '\0' + words;
    png.insert(kHeaderEnd,
               bigEndian(static_cast<uint32_t>(chunk.size() - 4)) + chunk + bigEndian(crcOf(chunk)));
    return png;
}

std::string readAll(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether a terminal would take any of it for a command: an escape, or its like in one character.
bool commands(const Finished& ended) {
    for (const std::string& text : {ended.out, ended.err})
        if (contains(text, "\x1b") || contains(text, "\x07") || contains(text, "\xc2\x9b")) return true;
    return false;
}

} // namespace

class tst_printed_words : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void whatCommandsIsShownAsBytes() {
        const std::string text = "a\x1b[2J\tb\nc\x7f\xc2\x9b\xe2\x80\xae\xff\xc3\xa4";
        QCOMPARE(terminalLine(text), "a\\x1b[2J b c\\x7f\\xc2\\x9b\\xe2\\x80\\xae\\xff\xc3\xa4");
        QCOMPARE(terminalText("a\tb\nc\rd"), "a\tb\nc\\x0dd");
        QCOMPARE(terminalText("a\xef\xbf\xbd"),
                 "a\xef\xbf\xbd"); // well-formed, what it may stand for
        QCOMPARE(terminalName("a\tb\nc"), "a\\x09b\\x0ac");
    }

    void aPicturesParameters() {
        QFile picture(m_folder.filePath("picture.png"));
        QVERIFY(picture.open(QIODevice::WriteOnly));
        picture.write(pngSaying("a dog\nformat         none\x1b]0;title\x07 \x9b"
                                "2J"));
        picture.close();
        const Finished ended = engine({"inspect", picture.fileName()});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(!commands(ended), ended.out.c_str());
        for (const char* words : {"a dog\n  ", "none\\x1b]0;title\\x07 "})
            QVERIFY2(contains(ended.out, words), ended.out.c_str());
        QVERIFY2(!contains(ended.out, "\nformat         none"), ended.out.c_str());
    }

    void whatComfyUiMadeIsTold() {
        const auto saysOf = [this](const QByteArray& graph) {
            QFile picture(m_folder.filePath("comfy.png"));
            if (!picture.open(QIODevice::WriteOnly)) return std::string();
            picture.write(pngSaying(graph, "prompt"));
            picture.close();
            return engine({"inspect", picture.fileName()}).out;
        };
        const std::string read = saysOf(
            R"({"1": {"class_type": "S", "inputs": {"seed": 3, "steps": 9, "sampler_name": "euler", "cfg": 7,
            "model": ["2", 0], "positive": ["2", 0], "latent_image": ["2", 0]}}, "2": {"class_type": "L",
            "inputs": {"ckpt_name": "a.ckpt", "text": "a hat", "width": 64, "height": 64}}})");
        QVERIFY2(contains(read, "Steps: 9, Sampler: Euler, CFG scale: 7, Seed: 3, Size: 64x64, Model: a"),
                 read.c_str());
        const std::string unread = saysOf(R"({"1": {"class_type": "S", "inputs": {}}})");
        QVERIFY2(contains(unread, "ComfyUI, its settings cannot be read"), unread.c_str());
    }

    void aModelsParts() {
        const std::string model = m_folder.filePath("model").toStdString();
        fs::copy(HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", model, fs::copy_options::recursive);
        const std::string file = model + "/model_index.json";
        fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
        std::string text = readAll(file);
        QVERIFY(!text.empty());
        text.insert(text.find('{') + 1, "\"\\u001b[2J\\nlayout\": [\"library\", \"Class\"],");
        std::ofstream(file) << text;
        const Finished ended = engine({"inspect", QString::fromStdString(model)});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(!commands(ended), ended.out.c_str());
        QVERIFY2(!contains(ended.out, "layout"), ended.out.c_str()); // no part of a model has such a name
    }

    void aCheckpointsFiles() {
        TrainConfig config;
        config.model = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        config.data.instanceDir = m_folder.path().toStdString();
        const auto run = RunFolder::create(m_folder.filePath("run").toStdString(), config);
        QVERIFY(run.ok());
        auto folder = AtomicFolder::create(run->checkpointDir(10));
        QVERIFY(folder.ok());
        std::ofstream(folder->partialPath() + "/unet.safetensors") << "weights";
        ManifestOptions options;
        options.step = 10;
        QVERIFY(writeManifest(folder->partialPath(), options).ok() && folder->commit().ok());
        const std::string file = folder->path() + "/" + kManifestName;
        std::string text = readAll(file);
        const size_t name = text.find("unet.safetensors");
        QVERIFY(name != std::string::npos);
        text.insert(name, "\\u001b[2J");
        text.replace(text.find("manifestSha256"), 8, "earlier"); // versions did not have it
        std::ofstream(file) << text;
        const Finished ended = engine({"verify", QString::fromStdString(run->path())});
        QCOMPARE(ended.code, 3);
        QVERIFY2(!commands(ended), ended.out.c_str());
        QVERIFY2(contains(ended.out, "\\x1b[2Junet.safetensors is missing"), ended.out.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_printed_words)
#include "tst_printed_words.moc"

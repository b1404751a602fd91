// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/run_folder.h"
#include "tests/cli/plain_engine.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace homebooth::core;
using homebooth::test::engine;
using homebooth::test::Finished;
using homebooth::test::kLongestMs;
using homebooth::test::kOnePixelPng;
using homebooth::test::writeOnePixel;
namespace fs = std::filesystem;

namespace {

constexpr int kMoreThanAMebibyte = 3 << 19;

void append(QByteArray& file, uint32_t value, int bytes) {
    for (int index = 0; index < bytes; ++index) file.append(static_cast<char>(value >> 8 * index & 0xFF));
}

/// A TIFF file whose directory follows its pixels, as many programs write it.
QByteArray largeTiff(uint32_t width, uint32_t height) {
    QByteArray file("II*\0", 4);
    append(file, 8 + kMoreThanAMebibyte, 4);
    file.append(kMoreThanAMebibyte, 'p');
    append(file, 2, 2);
    constexpr uint32_t kWidth = 256, kHeight = 257, kLong = 4;
    for (const auto& [tag, value] : {std::pair(kWidth, width), std::pair(kHeight, height)}) {
        append(file, tag, 2);
        append(file, kLong, 2);
        append(file, 1, 4);
        append(file, value, 4);
    }
    append(file, 0, 4);
    return file;
}

/// A WebP file that says its length and has it.
QByteArray largeWebp(uint32_t width, uint32_t height) {
    QByteArray chunks("WEBPVP8X");
    append(chunks, 10, 4);
    append(chunks, 0, 4);
    append(chunks, width - 1, 3);
    append(chunks, height - 1, 3);
    chunks.append("VP8 ");
    append(chunks, kMoreThanAMebibyte, 4);
    constexpr int kFrameHeaderBytes = 10;
    append(chunks, 0x10, 3);     // a key frame that is shown
    append(chunks, 0x2a019d, 3); // where one begins
    append(chunks, width, 2);
    append(chunks, height, 2);
    chunks.append(kMoreThanAMebibyte - kFrameHeaderBytes, 'p');
    QByteArray file("RIFF");
    append(file, static_cast<uint32_t>(chunks.size()), 4);
    return file + chunks;
}

bool contains(const std::string& text, const QString& part) {
    return text.find(part.toStdString()) != std::string::npos;
}

/// Columns as in the slot that calls it.
void addThreadRows(const QStringList& train) {
    for (const char* threads : {"-1", "1025", "1e3", "99999999999999999999", "many", "1.5", ""})
        for (const QStringList& verb :
             {train, QStringList{"plan"} + train.mid(1),
              QStringList{"sample", "--model", "m", "--prompt", "p", "--output", "o"},
              QStringList{"generate", "--model", "m", "--prompt", "p"}})
            QTest::addRow("%s threads %s", qPrintable(verb[0]), threads)
                << verb + QStringList{"--threads", threads} << "at least 0 and at most 1024";
}

/// Of `bench` and its verbs; columns as in the slot that calls it.
void addBenchRows() {
    QTest::newRow("swap nowhere") << QStringList{"bench", "swap"} << "--swap";
    const QStringList swap{"bench", "swap", "--swap", "."};
    QTest::newRow("swap ragged") << swap + QStringList{"--block-size", "5000"} << "--block-size";
    QTest::newRow("swap too small") << swap + QStringList{"--size", "1MiB"} << "--size";
    QTest::newRow("swap too deep") << swap + QStringList{"--depth", "257"} << "--depth";
    QTest::newRow("swap to two folders")
        << QStringList{"bench", "swap", "a", "--swap", "b"} << "expected one folder, found a and --swap b";
    const QStringList bench{"bench", "train", "--model-config", "m"};
    const QString numbers = "--precision: expected one of fp32, fp16, bf16, found ";
    for (const char* word : {"abc", "0"})
        QTest::addRow("bench word %s", word) << bench + QStringList{"--precision", word} << numbers;
    QTest::newRow("bench keep") << bench + QStringList{"--keep", "foo"} << "everything, searched, found";
    QTest::newRow("bench norm") << bench + QStringList{"--max-grad-norm=-1"} << "at most 1000000";
    QTest::newRow("bench size") << bench + QStringList{"--gpu-memory=-1"} << "a size such as 6GiB";
    QTest::newRow("bench speed") << bench + QStringList{"--link-speed=-1"} << "--link-speed must be at l";
    QTest::newRow("bench twice") << bench + QStringList{"--steps", "1", "--steps", "2"}
                                 << "--steps was given more than once; leave one out";
    QTest::newRow("bench switch") << bench + QStringList{"--swap-parameters=maybe"}
                                  << "--swap-parameters: expected no value, true or false, found";
    QTest::newRow("bench of what") << QStringList{"bench", "foo"} << "all, optimizer or swap, found \"foo\"";
    QTest::newRow("bench swap, late") << QStringList{"bench", "--json", "swap"} << "put swap first";
}

/// Of every verb that takes --prediction-type.
/// @param train  with what it needs
void addPredictionRows(const QStringList& train) {
    const QString predicts = "--prediction-type: expected one of epsilon, v_prediction, found \"sample\"";
    const QStringList sample{"sample", "--model", "m", "--prompt", "x", "--output", "o"};
    for (const QStringList& verb :
         {train, sample, QStringList{"plan"} + sample, QStringList{"convert", "a", "b", "--to", "diffusers"}})
        QTest::addRow("prediction of %s", qPrintable(verb.mid(0, 2).join(' ')))
            << verb + QStringList{"--prediction-type", "sample"} << predicts;
}

} // namespace

class tst_command_line : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// A run with two whole checkpoints.
    std::string makeRun(const char* name) const {
        TrainConfig config;
        config.model = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        config.data.instanceDir = m_folder.path().toStdString();
        config.data.instancePrompt = "a photo of x";
        const RunFolder run = *RunFolder::create(m_folder.filePath(name).toStdString(), config);
        for (const int64_t step : {200, 400}) {
            auto folder = AtomicFolder::create(run.checkpointDir(step));
            std::ofstream(folder->partialPath() + "/unet.safetensors") << std::string(1000, 'w');
            ManifestOptions options;
            options.step = step;
            if (!writeManifest(folder->partialPath(), options) || !folder->commit()) return {};
        }
        return run.path();
    }

    QString photos() const { return m_folder.filePath("photos"); }

private slots:
    void initTestCase() {
        QVERIFY(QDir().mkpath(photos()));
        writeOnePixel(photos() + "/one.png");
    }

    void everyVerbHasHelp_data() {
        QTest::addColumn<QString>("verb");
        for (const char* verb :
             {"train", "resume", "sample", "plan", "inspect", "convert", "verify", "doctor", "supervise"})
            QTest::newRow(verb) << verb;
    }
    void everyVerbHasHelp() {
        QFETCH(QString, verb);
        const Finished ended = engine({verb, "--help"});
        QCOMPARE(ended.code, 0);
        QVERIFY(contains(ended.out, "homebooth-engine " + verb));
        QVERIFY(contains(engine({"--help"}).out, verb));
    }

    void withoutProcItSaysWhatToMount() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the address sanitizer looks for leaks in /proc");
#endif
        const auto bare = [](const QStringList& arguments) {
            QProcess process;
            process.start(QStringLiteral("unshare"),
                          QStringList{"--user", "--map-root-user", "--mount", "sh", "-c",
                                      "mount -t tmpfs none /proc || exit 77; exec \"$@\"", "sh"} +
                              arguments);
            return homebooth::test::finish(process);
        };
        if (bare({"true"}).code != 0) QSKIP("mounts of one's own are not permitted");
        const QString program = HOMEBOOTH_BIN_DIR "/homebooth-engine";
        for (const char* verb : {"train", "sample", "doctor"}) {
            const Finished told = bare({program, verb});
            QCOMPARE(told.code, 3);
            QVERIFY2(contains(told.err, "mount -t proc proc /proc"), told.err.c_str());
        }
        QCOMPARE(bare({program, "sample", "--help"}).code, 0);
    }

    void wrongUsageIsOneLineAndCode2_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const QStringList train{"train", "--model", "m", "--instance", "i", "--prompt", "p", "--output", "o"};
        QTest::newRow("unknown verb") << QStringList{"trian"} << "did you mean train";
        QTest::newRow("unknown option") << train + QStringList{"--stepz", "3"} << "did you mean --steps";
        const QString range = "at least 1 and at most 100000000";
        for (const char* steps : {"0", "-1", "1e12", "1000000000000", "99999999999999999999", "many", ""})
            QTest::addRow("steps %s", steps) << train + QStringList{"--steps", steps} << range;
        QTest::newRow("blanks behind an ending")
            << QStringList{"convert", "a", "b.safetensors  ", "--to", "checkpoint"}
            << "name it b.safetensors\n";
        QTest::newRow("rate nan") << train + QStringList{"--lr", "nan"} << "--lr";
        QTest::newRow("rate word") << train + QStringList{"--lr", "fast"} << "--lr";
        QTest::newRow("resolution") << train + QStringList{"--resolution", "500"} << "divisible by 8";
        QTest::newRow("size") << train + QStringList{"--ram", "lots"} << "6GiB";
        QTest::newRow("choice") << train + QStringList{"--precision", "fp8"} << "fp32, fp16, bf16";
        QTest::newRow("several") << train + QStringList{"--steps", "0", "--batch", "0"} << "--batch";
        QTest::newRow("both kinds of data") << train + QStringList{"--dataset", "d"} << "do not go with";
        QTest::newRow("given twice") << train + QStringList{"--text", "a", "--text", "b"}
                                     << "--text was given twice, \"a\" and \"b\"; leave one out, or put both";
        QTest::newRow("the same twice") << train + QStringList{"--model", "m", "--steps", "0"} << range;
        QTest::newRow("two stops") << QStringList{"generate", "--model", "m", "--stop=r", "--stop", "mil"}
                                   << "--stop was given twice, \"r\" and \"mil\"; leave one out";
        QTest::newRow("nothing said") << QStringList{"train"} << "--model";
        QTest::newRow("lora weight") << QStringList{"sample", "--model", "m",    "--output",
                                                    "o",      "--lora",  "a:inf"}
                                     << "finite";
        QTest::newRow("sample of nothing")
            << QStringList{"sample", "--model", "m", "--output", "o"} << "--prompt is missing";
        QTest::newRow("convert target") << QStringList{"convert", "a", "b", "--to", "onnx"} << "kohya-lora";
        QTest::newRow("no argument") << QStringList{"inspect"} << "FILE";
        QTest::newRow("switch") << train + QStringList{"--from-scratch=maybe"} << "no value, true or false";
        QTest::newRow("processes") << QStringList{"sample", "--processes=abc"} << "expected a whole number";
        addBenchRows();
        addThreadRows(train);
        addPredictionRows(train);
    }
    void wrongUsageIsOneLineAndCode2() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const Finished ended = engine(arguments);
        QVERIFY2(contains(ended.err, words), ended.err.c_str());
        QCOMPARE(ended.code, 2);
        QCOMPARE(std::count(ended.err.begin(), ended.err.end(), '\n'), std::ptrdiff_t{1});
        QVERIFY(contains(ended.err, "--steps") || words != "at least 1 and at most 100000000");
        QVERIFY(!QFile::exists("o"));
    }

    void namesThatJsonCannotHoldAreRefused_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString model = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        QTest::newRow("train") << QStringList{"train",    "--model", model,      "--instance", photos(),
                                              "--prompt", "p",       "--device", "cpu"};
        QTest::newRow("sample") << QStringList{"sample", "--model", model, "--device", "cpu"};
    }
    void namesThatJsonCannotHoldAreRefused() {
        QFETCH(QStringList, arguments);
        QProcess shell; // which can pass a byte that no QString holds
        shell.setWorkingDirectory(m_folder.path());
        const QString line = "exec \"$0\" \"$@\" --output \"$(printf 'out\\377')\"";
        shell.start("/bin/sh", QStringList{"-c", line, HOMEBOOTH_BIN_DIR "/homebooth-engine"} + arguments);
        QVERIFY(shell.waitForFinished(kLongestMs));
        const std::string said = shell.readAllStandardError().toStdString();
        QCOMPARE(shell.exitCode(), 2);
        QVERIFY2(contains(said, "UTF-8") && contains(said, "out\\xff"), said.c_str());
        for (const auto& entry : fs::directory_iterator(m_folder.path().toStdString()))
            QVERIFY2(!entry.path().filename().string().starts_with("out"), entry.path().c_str());
    }

    void aNameThatNothingCanHaveIsSaidToBeTooLong_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString model = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        const QString out = m_folder.filePath(QString(300, 'n'));
        QTest::newRow("folder") << QStringList{"convert", model, out, "--to", "diffusers"};
        QTest::newRow("file") << QStringList{"convert", model, out + ".safetensors", "--to", "checkpoint"};
        QTest::newRow("pictures") << QStringList{"sample",   "--model", model,      "--prompt", "p",
                                                 "--device", "cpu",     "--output", out};
        QTest::newRow("inspect") << QStringList{"inspect", out};
    }
    void aNameThatNothingCanHaveIsSaidToBeTooLong() {
        QFETCH(QStringList, arguments);
        const Finished ended = engine(arguments);
        QCOMPARE(ended.code, 3);
        QVERIFY2(contains(ended.err, "too long; choose a shorter one"), ended.err.c_str());
        QVERIFY2(!contains(ended.err, "written"), ended.err.c_str()); // nor is anything made ahead of that
    }

    void aLanguageModelMakesNoPictures() {
        const QString model = HOMEBOOTH_FIXTURES_DIR "/language/opt";
        const QString out = m_folder.filePath("made of texts");
        for (const QStringList& arguments :
             {QStringList{"sample", "--model", model, "--prompt", "x", "--device", "cpu", "--output", out},
              QStringList{"plan", "sample", "--model", model, "--prompt", "x", "--device", "cpu"},
              QStringList{"convert", model, out + ".safetensors", "--to", "checkpoint"}}) {
            const Finished ended = engine(arguments);
            QCOMPARE(ended.code, 3);
            QVERIFY2(contains(ended.err, "found a language model (OPT)"), ended.err.c_str());
            QVERIFY2(contains(ended.err, "`generate`"), ended.err.c_str());
        }
        QVERIFY(!QFile::exists(out));
    }

    void badInputIsOneLineAndCode3_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString folder = m_folder.path();
        std::ofstream(folder.toStdString() + "/empty.safetensors");
        std::ofstream(folder.toStdString() + "/lfs.safetensors")
            << "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
        std::ofstream(folder.toStdString() + "/pickle.safetensors") << "\x80\x02}q";
        std::ofstream(folder.toStdString() + "/bad.json") << "{\"stpes\": 3}";
        std::ofstream(folder.toStdString() + "/wrapped.json") << "{\"v\":1,\"stpes\": 3,\"config\":{}}";
        ::mkfifo((folder.toStdString() + "/fifo").c_str(), 0600);
        const auto train = [&folder](const QString& model, const QString& photos) {
            return QStringList{"train", "--model",  model, "--instance", photos,         "--prompt",
                               "p",     "--device", "cpu", "--output",   folder + "/out"};
        };
        const QString good = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        for (const char* option : {"--lora", "--embedding"})
            QTest::addRow("plan with no such %s", option)
                << QStringList{"plan", "sample", "--model", good, "--prompt", "x", option, "/no/such/add-on"};
        QTest::newRow("no such model") << train("/no/such/model", photos());
        QTest::newRow("empty model") << train(folder + "/empty.safetensors", photos());
        QTest::newRow("LFS pointer") << train(folder + "/lfs.safetensors", photos());
        QTest::newRow("pickle") << train(folder + "/pickle.safetensors", photos());
        QTest::newRow("FIFO") << train(folder + "/fifo", photos());
        QTest::newRow("folder of something else") << train(folder, photos());
        QTest::newRow("no such photos") << train(good, "/no/such/photos");
        QTest::newRow("photos are a file") << train(good, folder + "/empty.safetensors");
        QTest::newRow("output cannot be made")
            << QStringList{"train", "--model",  good,  "--instance", photos(),      "--prompt",
                           "p",     "--device", "cpu", "--output",   "/proc/no/run"};
        QTest::newRow("unknown key") << QStringList{"train", "--config", folder + "/bad.json"};
        QTest::newRow("unknown key beside config")
            << QStringList{"train", "--config", folder + "/wrapped.json"};
        QTest::newRow("no such run") << QStringList{"resume", "/no/such/run"};
        QTest::newRow("verify nothing") << QStringList{"verify", folder};
        QTest::newRow("inspect nothing") << QStringList{"inspect", "/no/such/file"};
        QTest::newRow("sample without a model")
            << QStringList{"sample", "--model", "/no", "--prompt", "x", "--output", "o"};
    }
    void badInputIsOneLineAndCode3() {
        QFETCH(QStringList, arguments);
        const Finished ended = engine(arguments);
        QVERIFY2(ended.err.starts_with("error: "), ended.err.c_str());
        QCOMPARE(ended.code, 3);
        QCOMPARE(std::count(ended.err.begin(), ended.err.end(), '\n'), std::ptrdiff_t{1});
        QVERIFY(!QFile::exists(m_folder.filePath("out")));
    }

    void switchesCanBeSwitchedOff_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<bool>("expected");
        QTest::newRow("default") << "" << true;
        QTest::newRow("by name") << "--no-keep-optimizer-state" << false;
        QTest::newRow("by value") << "--keep-optimizer-state=false" << false;
        QTest::newRow("on by value") << "--keep-optimizer-state=true" << true;
        QTest::newRow("the last one counts") << "--no-keep-optimizer-state --keep-optimizer-state" << true;
    }
    void switchesCanBeSwitchedOff() {
        QFETCH(QString, option);
        QFETCH(bool, expected);
        const QString run = m_folder.filePath("switched");
        const Finished ended =
            engine(QStringList{"train", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance",
                               HOMEBOOTH_SOURCE_DIR "/resources/drawings/blue_dog", "--prompt", "p",
                               "--resolution", "64", "--steps", "1", "--device", "cpu", "--output", run} +
                   option.split(' ', Qt::SkipEmptyParts));
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QCOMPARE(RunFolder::open(run.toStdString())->config()->output.keepOptimizerState, expected);
        fs::remove_all(run.toStdString());
    }

    void anAnswerThatCannotBeWrittenIsAFailure_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("version") << QStringList{"--version"};
        QTest::newRow("help") << QStringList{"inspect", "--help"};
        QTest::newRow("help of what writes files") << QStringList{"train", "--help"};
        QTest::newRow("answer") << QStringList{"inspect", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1"};
    }
    void anAnswerThatCannotBeWrittenIsAFailure() {
        QFETCH(QStringList, arguments);
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.exitCode(), 4);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("standard output") && said.contains("the disk is full"), said.constData());
    }

    void aReaderThatHasSeenEnoughIsNone() {
        QProcess process;
        process.start("bash", {"-c", "{ sleep 0.5; \"$0\" inspect \"$1\"; echo $? >&2; } | :",
                               HOMEBOOTH_BIN_DIR "/homebooth-engine", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1"});
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.readAllStandardError(), QByteArray("0\n"));
    }

    void switchesTakeNothingElse() {
        const Finished ended = engine({"train", "--flip=perhaps"});
        QCOMPARE(ended.code, 2);
        QVERIFY2(contains(ended.err, "--flip"), ended.err.c_str());
        QVERIFY(contains(engine({"train", "--help"}).out, "--no-keep-optimizer-state"));
        QVERIFY(contains(engine({"sample", "--help"}).out, "--no-NAME"));
    }

    void aTrainingThatCannotFitIsRefusedWithItsFigure() {
        const Finished ended = engine({"train", "--model", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--instance",
                                       photos(), "--prompt", "p", "--device", "cpu", "--ram", "1MiB",
                                       "--output", m_folder.filePath("out")});
        QCOMPARE(ended.code, 4);
        QVERIFY2(contains(ended.err, "1 MiB may be used"), ended.err.c_str());
        QVERIFY(!QFile::exists(m_folder.filePath("out")));
    }

    void benchRefusesALimitThatAStepDoesNotKeep() {
        const Finished refused =
            engine({"bench", "train", "--model-config", HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", "--device", "cpu",
                    "--policy", "gpu", "--gpu-memory", "1MiB", "--resolution", "64"});
        QCOMPARE(refused.code, 4);
        QVERIFY2(contains(refused.err, "this step needs at least "), refused.err.c_str());
    }

    void verifyFindsEveryDamage() {
        const std::string run = makeRun("verified");
        QCOMPARE(engine({"verify", QString::fromStdString(run)}).code, 0);
        const std::string file = run + "/checkpoints/step-000200/unet.safetensors";
        std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(500).put('x');
        const Finished ended = engine({"verify", QString::fromStdString(run), "--json"});
        QCOMPARE(ended.code, 3);
        const QJsonArray found = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).array();
        QCOMPARE(found.size(), qsizetype{2});
        QVERIFY(found[0].toObject()["ok"].toBool());
        QVERIFY(!found[1].toObject()["ok"].toBool());
        QCOMPARE(found[0].toObject()["step"].toInt(), 400);
        QCOMPARE(found[1].toObject()["step"].toInt(), 200);
        QProcess process;
        process.setWorkingDirectory(QString::fromStdString(run));
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine",
                      {"verify", "checkpoints/step-000200/", "--json"});
        const Finished one = homebooth::test::finish(process);
        const QJsonObject named =
            QJsonDocument::fromJson(QByteArray::fromStdString(one.out)).array().at(0).toObject();
        QCOMPARE(named["step"].toInt(), 200);
        const QString path = named["path"].toString();
        QVERIFY2(QDir::isAbsolutePath(path) && path.endsWith("/step-000200"), qPrintable(path));
        QCOMPARE(engine({"verify", QString::fromStdString(run + "/checkpoints/step-000400")}).code, 0);
        QCOMPARE(engine({"verify", QString::fromStdString(run + "/checkpoints/step-000200")}).code, 3);
    }

    void inspectDescribesRunsAndPictures() {
        const QString run = QString::fromStdString(makeRun("inspected"));
        const Finished ofRun = engine({"inspect", run, "--json"});
        QCOMPARE(ofRun.code, 0);
        const QJsonObject facts = QJsonDocument::fromJson(QByteArray::fromStdString(ofRun.out)).object();
        QCOMPARE(facts["kind"].toString(), QString("run"));
        QCOMPARE(facts["checkpoints"].toArray().size(), qsizetype{2});

        const QByteArray pixel = QByteArray::fromBase64(kOnePixelPng);
        QFile picture(m_folder.filePath("one.model"));
        QVERIFY(picture.open(QIODevice::WriteOnly));
        picture.write(pixel);
        picture.close();
        const Finished ofPicture = engine({"inspect", picture.fileName(), "--json"});
        QCOMPARE(ofPicture.code, 0);
        const QJsonObject info = QJsonDocument::fromJson(QByteArray::fromStdString(ofPicture.out)).object();
        QCOMPARE(info["format"].toString(), QString("PNG"));
        QCOMPARE(info["widthPixels"].toInt(), 1);
    }

    void inspectReadsPicturesBeyondTheirFirstMebibyte_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("format");
        QTest::newRow("tiff") << largeTiff(640, 480) << "TIFF";
        QTest::newRow("webp") << largeWebp(640, 480) << "WebP";
    }
    void inspectReadsPicturesBeyondTheirFirstMebibyte() {
        QFETCH(QByteArray, file);
        QFETCH(QString, format);
        QFile picture(m_folder.filePath("large.picture"));
        QVERIFY(picture.open(QIODevice::WriteOnly));
        picture.write(file);
        picture.close();
        const Finished ended = engine({"inspect", picture.fileName(), "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonObject info = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        QCOMPARE(info["format"].toString(), format);
        QCOMPARE(info["widthPixels"].toInt(), 640);
        QCOMPARE(info["heightPixels"].toInt(), 480);
    }

    void doctorPrintsFactsAsJson() {
        const Finished ended = engine({"doctor", "--json"});
        QCOMPARE(ended.code, 0);
        const QJsonObject facts = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        QVERIFY(facts["memory"].toObject()["totalBytes"].toDouble() > 0);
        QVERIFY(facts["cpu"].toObject()["threads"].toInt() > 0);
        QVERIFY(!facts["gpu"].toObject()["message"].toString().isEmpty());
        const QJsonObject disk = facts["disks"].toArray().at(0).toObject();
        if (disk["freeBytes"].toDouble() < 1e9) QSKIP("the disk is nearly full: doctor does not try it");
        const QJsonObject swap = disk["swap"].toObject();
        QVERIFY(swap["ioUring"].toBool() ||
                !swap["notes"].toArray().isEmpty()); // what does not work has a reason
        QVERIFY(swap["direct"].toBool() || !swap["notes"].toArray().isEmpty());
    }

    void doctorNamesAFolderThatIsNotThere() {
        const QString folder = m_folder.filePath("none/below");
        const Finished ended = engine({"doctor", folder});
        QVERIFY2(contains(ended.out, folder + " does not exist"), ended.out.c_str());
        QVERIFY(contains(engine({"doctor", folder, "--json"}).out, "\"missing\": \"" + folder + "\""));
    }

    void doctorLooksAtTheGpusAloneWhereThatIsAskedFor() {
        const Finished ended = engine({"doctor", "--json", "--gpus-only"});
        QCOMPARE(ended.code, 0);
        const QJsonObject facts = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        QCOMPARE(facts.keys(), QStringList{"gpu"});
        const QJsonObject gpu = facts["gpu"].toObject();
        QVERIFY(!gpu["message"].toString().isEmpty() && gpu["devices"].isArray());
        const QJsonArray devices = gpu["devices"].toArray();
        for (const QJsonValue& one : devices) {
            const QJsonObject device = one.toObject();
            QVERIFY(device["uuid"].isString());
            if (device.contains("freeBytes"))
                QVERIFY(device["freeBytes"].toDouble() <= device["totalBytes"].toDouble());
        }
    }

    void benchSwapPrintsSpeedsAndLeavesNothing() {
        QTemporaryDir folder(QDir::currentPath() + "/swap-XXXXXX");
        const Finished ended = engine({"bench", "swap", "--swap", folder.path(), "--size", "8MiB",
                                       "--block-size", "256KiB", "--depth", "4", "--json"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const QJsonObject facts = QJsonDocument::fromJson(QByteArray::fromStdString(ended.out)).object();
        QCOMPARE(facts["bytes"].toDouble(), 8.0 * 1024 * 1024);
        QCOMPARE(facts["blockBytes"].toInt(), 256 * 1024);
        for (const char* speed : {"firstWriteBytesPerSecond", "writeBytesPerSecond", "readBytesPerSecond"})
            QVERIFY2(facts[speed].toDouble() > 0, speed);
        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
        const Finished missing = engine({"bench", "swap", folder.path() + "/missing"}); // as people type it
        QCOMPARE(missing.code, 3);
        QVERIFY2(contains(missing.err, "does not exist"), missing.err.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_command_line)
#include "tst_command_line.moc"

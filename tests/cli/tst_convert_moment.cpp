// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saved moments of trainings from the command line: `convert` makes models and LoRAs of them, and whoever
// names one of their files is sent there.
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/run_folder.h"
#include "tests/cli/finished.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>

using namespace homebooth::core;
using namespace homebooth::test;
namespace fs = std::filesystem;

namespace {

const QString kModel = QStringLiteral(HOMEBOOTH_FIXTURES_DIR "/tiny-sd1");

/// A file of fp32 tensors with any numbers.
void writeTensors(const std::string& path, const std::vector<TensorInfo>& tensors) {
    auto writer = SafetensorsWriter::create(path, tensors);
    QVERIFY(writer.ok());
    for (const TensorInfo& info : tensors) {
        const std::vector<float> values(static_cast<size_t>(info.elementCount()), 0.5F);
        QVERIFY(writer->write(info.name, std::as_bytes(std::span(values))).ok());
    }
    QVERIFY(writer->commit().ok());
}

} // namespace

class tst_convert_moment : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] Finished engine(const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(HOMEBOOTH_BIN_DIR "/homebooth-engine", arguments);
        return finish(process);
    }

    /// A run of that name that has saved step 400, without files. @returns the checkpoint
    [[nodiscard]] std::string checkpointOf(const QString& name, TrainMethod method) const {
        TrainConfig config;
        config.model = kModel.toStdString();
        config.method = method;
        config.data.instanceDir = m_folder.path().toStdString();
        config.data.instancePrompt = "a photo of sks dog";
        config.lora.rank = 2;
        config.lora.alpha = 0.5;
        const auto run = RunFolder::create(m_folder.filePath(name).toStdString(), config);
        if (!run) return {};
        fs::create_directories(run->checkpointDir(400));
        return run->checkpointDir(400);
    }

    static void seal(const std::string& checkpoint) {
        ManifestOptions options;
        options.step = 400;
        QVERIFY(writeManifest(checkpoint, options).ok());
    }

private slots:
    void initTestCase() {
        const std::string query = "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";
        const std::string lora = checkpointOf("lora", TrainMethod::Lora);
        writeTensors(lora + "/unet.safetensors",
                     {makeTensorInfo(query + ".lora_down.weight", DataType::F32, {2, 4}),
                      makeTensorInfo(query + ".lora_up.weight", DataType::F32, {4, 2})});
        seal(lora);
        const std::string whole = checkpointOf("whole", TrainMethod::Full);
        fs::copy_file(kModel.toStdString() + "/unet/diffusion_pytorch_model.safetensors",
                      whole + "/unet.safetensors");
        seal(whole);
    }

    void ofALoraRunALora() {
        const Finished ended =
            engine({"convert", "lora/checkpoints/step-000400", "lora.safetensors", "--to", "kohya-lora"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const auto lora = openLora(m_folder.filePath("lora.safetensors").toStdString());
        QVERIFY2(lora.ok(), lora ? "" : lora.error().text().c_str());
        QCOMPARE(lora->modules.size(), size_t{1});
        QCOMPARE(lora->modules.front().alpha, 0.5); // the run's, not the rank
    }

    void ofAWholeModelsRunAModel_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("out");
        QTest::newRow("file") << "checkpoint"
                              << "whole.safetensors";
        QTest::newRow("folder") << "diffusers"
                                << "whole model";
    }
    void ofAWholeModelsRunAModel() {
        QFETCH(QString, form);
        QFETCH(QString, out);
        const Finished ended = engine({"convert", "whole/checkpoints/step-000400/", out, "--to", form});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        const auto model = openModel(m_folder.filePath(out).toStdString());
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
    }

    void anotherPredictionIsTold() {
        const Finished ended = engine({"convert", kModel, "other.safetensors", "--to", "checkpoint",
                                       "--prediction-type", "v_prediction"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY2(contains(ended.err, "predicts epsilon; v_prediction was taken"), ended.err.c_str());
        QVERIFY(QFile::remove(m_folder.filePath("other.safetensors")));
    }

    void onlyNamesOfWhatIsWrittenAreTaken() {
        for (const char* name : {"other.ckpt", "other"}) {
            const Finished ended = engine({"convert", kModel, name, "--to", "checkpoint"});
            QCOMPARE(ended.code, 2);
            QVERIFY2(contains(ended.err, "name it other.safetensors"), ended.err.c_str());
            QVERIFY(!QFile::exists(m_folder.filePath(name)));
        }
        const Finished folder = engine({"convert", kModel, "other.safetensors", "--to", "diffusers"});
        QCOMPARE(folder.code, 2);
        QVERIFY2(contains(folder.err, "name it other, or take --to checkpoint"), folder.err.c_str());
        QVERIFY(!QFile::exists(m_folder.filePath("other.safetensors")));
        const Finished ended = engine({"convert", kModel, "LOUD.SAFETENSORS", "--to", "checkpoint"});
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QVERIFY(QFile::remove(m_folder.filePath("LOUD.SAFETENSORS")));
    }

    void inspectSaysWhatTheyAre() {
        const Finished ended = engine({"inspect", "whole/checkpoints/step-000400"});
        QVERIFY2(ended.code == 0 && contains(ended.out, "step           400"), ended.err.c_str());
        QVERIFY(QDir(m_folder.path()).mkpath("damaged"));
        QFile manifest(m_folder.filePath("damaged/manifest.json"));
        QVERIFY(manifest.open(QIODevice::WriteOnly) && manifest.write("{}") == 2);
        manifest.close();
        const Finished damaged = engine({"inspect", "damaged"});
        QCOMPARE(damaged.code, 3);
        QVERIFY2(contains(damaged.err, "the manifest is damaged"), damaged.err.c_str());
    }

    void theOtherFormIsRefusedInOneLine() {
        const Finished ended =
            engine({"convert", "lora/checkpoints/step-000400", "other.safetensors", "--to", "checkpoint"});
        QCOMPARE(ended.code, 3);
        QVERIFY2(contains(ended.err, "found one of a LoRA; take --to kohya-lora"), ended.err.c_str());
        QCOMPARE(std::count(ended.err.begin(), ended.err.end(), '\n'), std::ptrdiff_t{1});
        QVERIFY(!QFile::exists(m_folder.filePath("other.safetensors")));
    }

    void picturesWithOneFileOfItAreSentToConvert() {
        const Finished ended =
            engine({"sample", "--model", kModel, "--lora", "lora/checkpoints/step-000400/unet.safetensors",
                    "--prompt", "x", "--steps", "1", "--device", "cpu", "--output", "pictures"});
        QCOMPARE(ended.code, 3);
        QVERIFY2(contains(ended.err, "convert \""), ended.err.c_str());
        QVERIFY2(contains(ended.err, "--to kohya-lora"), ended.err.c_str());
    }

    void helpNamesThem() {
        QVERIFY(contains(engine({"convert", "--help"}).out, "RUN/checkpoints/step-000400"));
    }
};

QTEST_GUILESS_MAIN(tst_convert_moment)
#include "tst_convert_moment.moc"

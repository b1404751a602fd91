// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of pages share: small files, buttons and fields by what stands on them, finished runs.
// Free functions; GUI thread.
#pragma once

#include "app/engine/engine_call.h"
#include "app/engine/places.h"
#include "app/library/file_watch.h"
#include "app_fixture.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "tests/full_disk.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSemaphore>
#include <QThreadPool>

#include <span>

namespace homebooth::app {

/// Writes a file; its folders are made.
inline void writeBytes(const QString& path, const QByteArray& text) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

/// "nothing" for a file that cannot be read.
[[nodiscard]] inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("nothing");
}

/// A file of fp32 tensors with any numbers.
inline void writeTensors(const QString& path,
                         const std::vector<std::pair<std::string, std::vector<int64_t>>>& shapes) {
    std::vector<core::TensorInfo> tensors;
    for (const auto& [name, shape] : shapes)
        tensors.push_back(core::makeTensorInfo(name, core::DataType::F32, shape));
    auto writer = core::SafetensorsWriter::create(path.toStdString(), tensors);
    QVERIFY(writer);
    for (const core::TensorInfo& info : tensors) {
        const std::vector<float> values(static_cast<size_t>(info.elementCount()), 0.5F);
        QVERIFY(writer->write(info.name, std::as_bytes(std::span(values))));
    }
    QVERIFY(writer->commit());
}

/// A kohya LoRA of one layer.
/// @param layer  as kohya calls it. @param width, out  how many numbers it takes and gives
inline void writeLoraFile(const QString& path, const std::string& layer, int64_t width, int64_t out) {
    writeTensors(path, {{layer + ".lora_down.weight", {2, width}},
                        {layer + ".lora_up.weight", {out, 2}},
                        {layer + ".alpha", {}}});
}

/// A model but for words of one of its files. @returns the new folder
[[nodiscard]] inline QString changedModel(const QString& folder, const QString& file,
                                          const QList<std::pair<QByteArray, QByteArray>>& words,
                                          const QString& from = builtInModel()) {
    const QString part = file.section('/', 0, 0);
    const auto link = [&folder, &from](const QString& name) {
        QFile::link(from + '/' + name, folder + '/' + name);
    };
    QDir().mkpath(folder + '/' + part);
    constexpr auto kAll = QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot;
    for (const QString& name : QDir(from).entryList(kAll))
        if (name != part) link(name);
    for (const QString& name : QDir(from + '/' + part).entryList(kAll))
        if (part + '/' + name != file) link(part + '/' + name);
    QByteArray text = bytesOf(from + '/' + file);
    for (const auto& [before, after] : words) text.replace(before, after);
    writeBytes(folder + '/' + file, text);
    return folder;
}

/// The shape of a model whose pictures are multiples of 16 pixels. @returns the folder
[[nodiscard]] inline QString coarseModel(const QString& folder) {
    constexpr qsizetype kStages = 5;
    const QString file = u"vae/config.json"_s;
    const qsizetype more = kStages - bytesOf(builtInModel() + '/' + file).count("DownEncoderBlock2D");
    QString model = changedModel(
        folder, file,
        {{"\"block_out_channels\": [", "\"block_out_channels\": [" + QByteArray("32,").repeated(more)},
         {"\"down_block_types\": [",
          "\"down_block_types\": [" + QByteArray("\"DownEncoderBlock2D\",").repeated(more)},
         {"\"up_block_types\": [",
          "\"up_block_types\": [" + QByteArray("\"UpDecoderBlock2D\",").repeated(more)}});
    QFile::remove(model + u"/vae/diffusion_pytorch_model.safetensors"_s); // of another shape
    return model;
}

/// SDXL with all its parts, though tiny, as if it were made for pictures of 1024 pixels. @returns the folder
[[nodiscard]] inline QString sdxlModel(const QString& folder) {
    return changedModel(folder, u"unet/config.json"_s, {{"\"sample_size\": 8", "\"sample_size\": 128"}},
                        QStringLiteral(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/tiny-sdxl"));
}

/// The layer by whose width of text a LoRA's family is known, as kohya calls it in SDXL and in the others.
inline constexpr const char* kSdxlLayer = "lora_unet_input_blocks_4_1_transformer_blocks_0_attn2_to_k";
inline constexpr const char* kFirstLayer =
    "lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn2_to_k";

/// The first button below a widget with this text; null if there is none.
[[nodiscard]] inline QPushButton* buttonNamed(const QWidget& root, const QString& text) {
    for (auto* button : root.findChildren<QPushButton*>())
        if (button->text() == text) return button;
    return nullptr;
}

/// What the labels below a widget say, but for hidden ones.
[[nodiscard]] inline QStringList shownTexts(const QWidget& root) {
    QStringList texts;
    for (auto* label : root.findChildren<QLabel*>())
        if (!label->isHidden()) texts.append(label->text());
    return texts;
}

/// The first line to type in below a widget with this accessible name; null if there is none.
[[nodiscard]] inline QLineEdit* fieldNamed(const QWidget& root, const QString& name) {
    for (auto* field : root.findChildren<QLineEdit*>())
        if (field->accessibleName() == name) return field;
    return nullptr;
}

/// While it lives no file of this process grows beyond a few bytes, as on a full disk: what is written is
/// refused when it leaves the buffers.
class FullDisk : public test::FullDisk {
public:
    FullDisk()
        : test::FullDisk(16) {}
};

/// A run's folder with its configuration, as the engine makes it. @returns its path
inline QString makeRunFolder(const QString& runsFolder, const QString& name, int64_t steps) {
    core::TrainConfig config;
    config.model = builtInModel().toStdString();
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of ohwx toy";
    config.steps = steps;
    config.output.runDir = (runsFolder + '/' + name).toStdString();
    QDir().mkpath(runsFolder);
    const auto run = core::RunFolder::create(config.output.runDir, config);
    return run ? QString::fromStdString(run->path()) : QString();
}

[[nodiscard]] inline std::unique_ptr<core::JournalWriter> journalOf(const QString& runFolder) {
    auto journal = core::JournalWriter::open((runFolder + u"/events.jsonl"_s).toStdString());
    return journal ? std::move(*journal) : nullptr;
}

/// Puts a script into the engine's place. @returns whether that was possible
[[nodiscard]] inline bool useEngine(const TestPlace& place, const char* script) {
    QFile engine(place.path(u"engine.sh"_s));
    if (!engine.open(QIODevice::WriteOnly) || engine.write(script) < 0) return false;
    engine.close();
    qputenv("HOMEBOOTH_ENGINE", engine.fileName().toUtf8());
    return engine.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// The questions to the engine whose processes are still there, or whose answers were not taken yet.
[[nodiscard]] inline qsizetype openQuestions() {
    return QCoreApplication::instance()->findChildren<EngineCall*>().size();
}

/// All that a spy on FileWatch::begun was told of.
[[nodiscard]] inline QStringList watched(const QSignalSpy& begun) {
    QStringList places;
    for (const QList<QVariant>& one : begun) places += one.front().toStringList();
    return places;
}

/// Pictures of "an apple" by the built-in model, into a folder of the test.
[[nodiscard]] inline core::SampleConfig pictureOrder(const TestPlace& place, int64_t count) {
    core::SampleConfig config;
    config.model = builtInModel().toStdString();
    config.prompt = "an apple";
    config.seed = 7;
    config.count = count;
    config.outputDir = place.path(u"out"_s).toStdString();
    return config;
}

/// Keeps a pool's threads busy while it lives: nothing that needs one gets done.
class Blocked {
public:
    explicit Blocked(QThreadPool& pool) {
        for (; m_count < kMany; ++m_count) pool.start([this] { m_free.acquire(); });
        m_pool = &pool;
    }
    ~Blocked() {
        m_free.release(m_count);
        m_pool->waitForDone();
    }
    Blocked(const Blocked&) = delete;
    Blocked& operator=(const Blocked&) = delete;

private:
    static constexpr int kMany = 64; // more than any pool has threads
    QThreadPool* m_pool = nullptr;
    QSemaphore m_free;
    int m_count = 0;
};

} // namespace homebooth::app

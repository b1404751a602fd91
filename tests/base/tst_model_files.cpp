// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Models are opened from folders and single files and saved as both, without a bit of a weight changing.
#include "core/base/files/atomic_file.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/compvis_names.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

using namespace homebooth::core;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::vector<std::byte> bytesOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    std::vector<std::byte> bytes(info == nullptr ? 0 : static_cast<size_t>(info->byteCount));
    if (info != nullptr && !source.read(name, bytes)) bytes.clear();
    return bytes;
}

std::string fileText(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "(cannot be read)";
}

/// Relative path -> content of every file.
std::map<std::string, std::string> contentOf(const fs::path& folder) {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            content[fs::relative(entry.path(), folder).string()] = fileText(entry.path());
    return content;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

/// Writes a file again with some tensors renamed, dropped (empty name) or added.
void rewrite(const fs::path& path, const std::function<std::string(const std::string&)>& rename,
             const std::vector<TensorInfo>& added = {}) {
    auto reader = SafetensorsReader::open(path.string());
    QVERIFY2(reader.ok(), reader.ok() ? "" : reader.error().text().c_str());
    std::vector<TensorInfo> infos;
    std::vector<std::string> from;
    for (TensorInfo info : (*reader)->tensors()) {
        const std::string before = info.name;
        info.name = rename(info.name);
        if (info.name.empty()) continue;
        infos.push_back(info);
        from.push_back(before);
    }
    infos.insert(infos.end(), added.begin(), added.end());
    auto writer = SafetensorsWriter::create(path.string(), infos, (*reader)->metadata());
    QVERIFY(writer.ok());
    for (size_t i = 0; i < infos.size(); ++i) {
        std::vector<std::byte> bytes(static_cast<size_t>(infos[i].byteCount));
        if (i < from.size()) QVERIFY((*reader)->read(from[i], bytes).ok());
        QVERIFY(writer->write(infos[i].name, bytes).ok());
    }
    QVERIFY(writer->commit().ok());
}

/// The header of a full-size single file by somebody else, followed by a hole as long as its weights.
void writeSparse(const fs::path& path, const ModelSource& model, int64_t inChannels,
                 const std::map<std::string, std::string>& metadata) {
    std::vector<TensorInfo> infos;
    std::set<std::string> names;
    const auto add = [&](const CompVisTensor& tensor) {
        if (names.insert(tensor.name).second)
            infos.push_back(makeTensorInfo(tensor.name, DataType::F16, tensor.shape));
    };
    for (LayoutEntry entry : unetLayout(model.unet)) {
        if (entry.name == "conv_in.weight") entry.shape[1] = inChannels;
        add(compVisUnet(entry, model.unet));
    }
    for (const LayoutEntry& entry : vaeLayout(model.vae)) add(compVisVae(entry, model.vae));
    const bool openClip = usesOpenClipNames(model.textEncoder);
    for (const LayoutEntry& entry : textEncoderLayout(model.textEncoder))
        add(compVisTextEncoder(entry, openClip));
    const std::string header = makeSafetensorsHeader(infos, metadata);
    auto bytes = static_cast<int64_t>(header.size());
    for (const TensorInfo& info : infos) bytes += info.byteCount;
    QVERIFY(writeFileAtomically(path.string(), header).ok());
    fs::resize_file(path, static_cast<uintmax_t>(bytes));
}

std::string same(const std::string& name) {
    return name;
}

} // namespace

class TestModelFiles : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path at(const char* name) const { return fs::path(m_dir->path().toStdString()) / name; }

    /// Saves a tiny model as a folder and returns it opened.
    fs::path savedFolder(bool second, const char* name = "model") {
        const fs::path folder = at(name);
        const auto written = writeDiffusersFolder(test::tinyModel(second), folder.string());
        if (!written) qWarning("%s", written.error().text().c_str());
        return folder;
    }
    fs::path savedFile(bool second) {
        const fs::path file = at("model.safetensors");
        const auto written = writeSingleFile(test::tinyModel(second), file.string());
        if (!written) qWarning("%s", written.error().text().c_str());
        return file;
    }
    static std::string errorOf(const fs::path& path) {
        const auto model = openModel(path.string());
        return model.ok() ? "(opened)" : model.error().text();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void roundTripKeepsEveryByte_data() {
        QTest::addColumn<bool>("second");
        QTest::addColumn<int>("type");
        QTest::newRow("SD 1 layout, F32") << false << static_cast<int>(DataType::F32);
        QTest::newRow("SD 2 layout, F32") << true << static_cast<int>(DataType::F32);
        QTest::newRow("SD 1 layout, BF16") << false << static_cast<int>(DataType::BF16);
        QTest::newRow("SD 2 layout, F16") << true << static_cast<int>(DataType::F16);
    }

    void roundTripKeepsEveryByte() {
        QFETCH(bool, second);
        QFETCH(int, type);
        const ModelSource original = test::tinyModel(second, static_cast<DataType>(type));
        QVERIFY(writeDiffusersFolder(original, at("first").string()).ok());
        auto folder = openModel(at("first").string());
        QVERIFY2(folder.ok(), folder.ok() ? "" : folder.error().text().c_str());
        QVERIFY(writeSingleFile(*folder, at("single.safetensors").string()).ok());
        auto single = openModel(at("single.safetensors").string());
        QVERIFY2(single.ok(), single.ok() ? "" : single.error().text().c_str());
        QCOMPARE(joined(single->deviations), "");
        QVERIFY(writeDiffusersFolder(*single, at("second").string()).ok());
        QCOMPARE(contentOf(at("second")), contentOf(at("first")));
        for (const TensorInfo& info : original.unetTensors->tensors())
            QCOMPARE(bytesOf(*single->unetTensors, info.name), bytesOf(*original.unetTensors, info.name));
        for (const TensorInfo& info : original.textEncoderTensors->tensors())
            QCOMPARE(bytesOf(*single->textEncoderTensors, info.name),
                     bytesOf(*original.textEncoderTensors, info.name));
    }

    void singleFileHasTheLayoutOfItsFamily() {
        auto first = SafetensorsReader::open(savedFile(false).string());
        QVERIFY(first.ok());
        QVERIFY((*first)->find("cond_stage_model.transformer.text_model.encoder.layers.1.mlp.fc1.weight"));
        QCOMPARE((*first)->find("first_stage_model.decoder.mid.attn_1.q.weight")->shape,
                 (std::vector<int64_t>{8, 8, 1, 1}));
        QCOMPARE((*first)->metadata().at("format"), "pt");
        QCOMPARE((*first)->metadata().at("modelspec.prediction_type"), "epsilon");
        fs::remove(at("model.safetensors"));
        auto second = SafetensorsReader::open(savedFile(true).string());
        QVERIFY(second.ok());
        const TensorInfo* fused =
            (*second)->find("cond_stage_model.model.transformer.resblocks.0.attn.in_proj_weight");
        QVERIFY(fused != nullptr);
        QCOMPARE(fused->shape, (std::vector<int64_t>{36, 12}));
        QCOMPARE((*second)->metadata().at("modelspec.prediction_type"), "v");
    }

    void fusedProjectionHoldsQThenKThenV() {
        const ModelSource model = test::tinyModel(true);
        auto file = SafetensorsReader::open(savedFile(true).string());
        QVERIFY(file.ok());
        std::vector<std::byte> expected;
        for (const char* part : {"q", "k", "v"}) {
            const auto bytes =
                bytesOf(*model.textEncoderTensors,
                        std::string("text_model.encoder.layers.1.self_attn.") + part + "_proj.bias");
            expected.insert(expected.end(), bytes.begin(), bytes.end());
        }
        QCOMPARE(bytesOf(**file, "cond_stage_model.model.transformer.resblocks.1.attn.in_proj_bias"),
                 expected);
    }

    void opensAnFp16Variant() {
        const fs::path folder = savedFolder(false);
        fs::rename(folder / "unet/diffusion_pytorch_model.safetensors",
                   folder / "unet/diffusion_pytorch_model.fp16.safetensors");
        const auto model = openModel(folder.string());
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
        QVERIFY(contains(joined(model.value().deviations), "fp16 variant"));
    }

    void opensShards() {
        const fs::path folder = savedFolder(false);
        const fs::path whole = folder / "unet/diffusion_pytorch_model.safetensors";
        const auto model = test::tinyModel(false);
        json map = json::object();
        int number = 0;
        for (const char* half : {"down", "up"}) {
            const std::string name = "shard-" + std::to_string(++number) + ".safetensors";
            fs::copy_file(whole, folder / "unet" / name);
            const bool up = std::string(half) == "up";
            rewrite(folder / "unet" / name, [&](const std::string& tensor) {
                const bool mine = tensor.starts_with("up_blocks") == up;
                if (mine) map[tensor] = name;
                return mine ? tensor : std::string();
            });
        }
        fs::remove(whole);
        const fs::path index = folder / "unet/diffusion_pytorch_model.safetensors.index.json";
        QVERIFY(writeFileAtomically(index.string(), json{{"weight_map", map}}.dump()).ok());
        auto opened = openModel(folder.string());
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
        QCOMPARE(bytesOf(*opened->unetTensors, "up_blocks.1.resnets.0.conv1.weight"),
                 bytesOf(*model.unetTensors, "up_blocks.1.resnets.0.conv1.weight"));

        map["conv_in.weight"] = "../secret.safetensors";
        QVERIFY(writeFileAtomically(index.string(), json{{"weight_map", map}}.dump()).ok());
        QVERIFY(contains(errorOf(folder), "same folder"));
    }

    void acceptsOlderNames() {
        const fs::path folder = savedFolder(false);
        rewrite(folder / "vae/diffusion_pytorch_model.safetensors", [](std::string name) {
            for (const auto& [now, before] : std::map<std::string, std::string>{
                     {"to_q", "query"}, {"to_k", "key"}, {"to_v", "value"}, {"to_out.0", "proj_attn"}}) {
                if (const size_t place = name.find("." + now + "."); place != std::string::npos)
                    name.replace(place + 1, now.size(), before);
            }
            return name;
        });
        rewrite(folder / "text_encoder/model.safetensors",
                [](const std::string& name) { return name.substr(std::string("text_model.").size()); },
                {makeTensorInfo("embeddings.position_ids", DataType::I64, {1, 7})});
        auto opened = openModel(folder.string());
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
        const ModelSource model = test::tinyModel(false);
        const std::string query = "encoder.mid_block.attentions.0.to_q.weight";
        QCOMPARE(bytesOf(*opened->vaeTensors, query), bytesOf(*model.vaeTensors, query));
        QVERIFY(opened->textEncoderTensors->find("text_model.final_layer_norm.bias") != nullptr);
        QCOMPARE(opened->textEncoderTensors->find("text_model.embeddings.position_ids"), nullptr);
    }

    void ignoresAndNamesWhatTrainingLeft() {
        const fs::path file = savedFile(true);
        rewrite(file, same,
                {makeTensorInfo("model_ema.diffusion_modelinput_blocks00weight", DataType::F32, {2}),
                 makeTensorInfo("alphas_cumprod", DataType::F32, {10}),
                 makeTensorInfo("cond_stage_model.model.text_projection", DataType::F32, {12, 12}),
                 makeTensorInfo("cond_stage_model.model.transformer.resblocks.2.ln_1.weight", DataType::F32,
                                {12}),
                 makeTensorInfo("other.part", DataType::F32, {1})});
        const auto model = openModel(file.string());
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
        const std::string notes = joined(model.value().deviations);
        QVERIFY2(contains(notes, "EMA weights were ignored (1 tensors)"), notes.c_str());
        QVERIFY2(contains(notes, "not used were ignored (2 tensors)"), notes.c_str());
        QVERIFY2(contains(notes, "other.part"), notes.c_str());
    }

    void namesTensorsThatDoNotFit() {
        const fs::path file = savedFile(false);
        rewrite(file,
                [](const std::string& name) { return contains(name, "out.2.bias") ? std::string() : name; },
                {makeTensorInfo("model.diffusion_model.extra.weight", DataType::F32, {1})});
        const std::string error = errorOf(file);
        QVERIFY2(contains(error, "missing: model.diffusion_model.out.2.bias"), error.c_str());
        QVERIFY2(contains(error, "not expected: model.diffusion_model.extra.weight"), error.c_str());

        const fs::path folder = savedFolder(false);
        rewrite(folder / "unet/diffusion_pytorch_model.safetensors",
                [](const std::string& name) { return name == "conv_in.bias" ? std::string() : name; },
                {makeTensorInfo("conv_in.bias", DataType::F32, {5})});
        QVERIFY2(contains(errorOf(folder), "conv_in.bias is [5], expected [8]"), errorOf(folder).c_str());
    }

    void namesWhatAFolderLacks() {
        const fs::path folder = savedFolder(false);
        fs::remove_all(folder / "unet");
        QVERIFY2(contains(errorOf(folder), "expected a folder \"unet\""), errorOf(folder).c_str());
        fs::create_directory(at("empty"));
        QVERIFY2(contains(errorOf(at("empty")), "model_index.json"), errorOf(at("empty")).c_str());
        QVERIFY2(contains(errorOf(at("nowhere")), "does not exist"), errorOf(at("nowhere")).c_str());
    }

    void refusesPicklesEvenUnderAnotherName() {
        const fs::path folder = savedFolder(false);
        fs::rename(folder / "vae/diffusion_pytorch_model.safetensors",
                   folder / "vae/diffusion_pytorch_model.bin");
        QVERIFY2(contains(errorOf(folder), "pickle"), errorOf(folder).c_str());
        QVERIFY(writeFileAtomically(at("fake.safetensors").string(), std::string("\x80\x02}q\0.", 6)).ok());
        QVERIFY2(contains(errorOf(at("fake.safetensors")), "pickle"),
                 errorOf(at("fake.safetensors")).c_str());
    }

    void takesConfigurationsWithoutWeightsWhenAsked() {
        const fs::path folder = savedFolder(false);
        fs::remove(folder / "unet/diffusion_pytorch_model.safetensors");
        QVERIFY(contains(errorOf(folder), "UNet's weights"));
        OpenOptions options;
        options.weightsOptional = true;
        auto model = openModel(folder.string(), options);
        QVERIFY(model.ok());
        QVERIFY(model->unetTensors == nullptr);
        QVERIFY(model->vaeTensors != nullptr);
    }

    void recognisesOriginalReleasesByTheirShapes_data() {
        QTest::addColumn<int>("family");
        QTest::newRow("SD 1.x") << static_cast<int>(ModelFamily::StableDiffusion1);
        QTest::newRow("SD 2.x") << static_cast<int>(ModelFamily::StableDiffusion2);
    }

    void recognisesOriginalReleasesByTheirShapes() {
        QFETCH(int, family);
        const auto wanted = static_cast<ModelFamily>(family);
        const fs::path file = at("foreign.safetensors");
        writeSparse(file, test::fullSizeModel(wanted, PredictionType::Epsilon), 4, {});
        auto model = openModel(file.string());
        QVERIFY2(model.ok(), model.ok() ? "" : model.error().text().c_str());
        QVERIFY(model->family == wanted);
        QVERIFY(model->tokenizerFiles.empty());
        QCOMPARE(model->unetTensors->tensors().size(), unetLayout(model->unet).size());
        if (wanted == ModelFamily::StableDiffusion1) {
            QVERIFY(model->predictionTypeKnown);
            QVERIFY(model->predictionType == PredictionType::Epsilon);
            return;
        }
        QVERIFY(!model->predictionTypeKnown);
        QVERIFY(model->predictionType == PredictionType::VPrediction);
        QVERIFY(contains(joined(model->deviations), "v_prediction was assumed"));
        OpenOptions options;
        options.predictionType = PredictionType::Epsilon;
        auto told = openModel(file.string(), options);
        QVERIFY(told.ok() && told->predictionTypeKnown && told->predictionType == PredictionType::Epsilon);
        QVERIFY(contains(told->schedulerJson, "\"epsilon\""));
        writeSparse(file, test::fullSizeModel(wanted, PredictionType::Epsilon), 4,
                    {{"modelspec.architecture", "stable-diffusion-v2-512"}});
        auto written = openModel(file.string());
        QVERIFY(written.ok() && written->predictionTypeKnown);
        QVERIFY(written->predictionType == PredictionType::Epsilon);
    }

    void refusesConfigurationsOfAbsurdSize() {
        const fs::path folder = savedFolder(false);
        const std::string config = fileText(folder / "unet/config.json");
        for (const int64_t layers : {int64_t{250}, int64_t{1} << 40, int64_t{-1}}) {
            json changed = json::parse(config);
            changed["layers_per_block"] = layers;
            changed["transformer_layers_per_block"] = 200;
            QVERIFY(writeFileAtomically((folder / "unet/config.json").string(), changed.dump()).ok());
            QVERIFY2(errorOf(folder).find("(opened)") == std::string::npos, errorOf(folder).c_str());
        }
        json changed = json::parse(config);
        changed["block_out_channels"] = std::vector<int>(60, 8);
        changed["down_block_types"] = std::vector<std::string>(60, "DownBlock2D");
        changed["up_block_types"] = std::vector<std::string>(60, "UpBlock2D");
        QVERIFY(writeFileAtomically((folder / "unet/config.json").string(), changed.dump()).ok());
        QVERIFY2(contains(errorOf(folder), "found 60"), errorOf(folder).c_str());
    }

    void refusesInpaintingModels() {
        const fs::path file = at("inpainting.safetensors");
        writeSparse(file, test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon), 9, {});
        QVERIFY2(contains(errorOf(file), "inpainting"), errorOf(file).c_str());
    }

    void carriesSafetyCheckerAlong() {
        const fs::path folder = savedFolder(false);
        fs::create_directory(folder / "safety_checker");
        fs::create_directory(folder / "feature_extractor");
        QVERIFY(writeFileAtomically((folder / "safety_checker/model.safetensors").string(), "weights").ok());
        QVERIFY(
            writeFileAtomically((folder / "feature_extractor/preprocessor_config.json").string(), "{}").ok());
        QVERIFY(writeFileAtomically((folder / "LICENSE.md").string(), "terms").ok());
        json index = json::parse(fileText(folder / "model_index.json"));
        QVERIFY(index["safety_checker"][0].is_null());
        index["safety_checker"] = {"stable_diffusion", "StableDiffusionSafetyChecker"};
        index["feature_extractor"] = {"transformers", "CLIPImageProcessor"};
        QVERIFY(writeFileAtomically((folder / "model_index.json").string(), index.dump()).ok());
        auto model = openModel(folder.string());
        QVERIFY(model.ok());
        QVERIFY(writeDiffusersFolder(*model, at("saved").string()).ok());
        QCOMPARE(fileText(at("saved") / "safety_checker/model.safetensors"), "weights");
        QCOMPARE(fileText(at("saved") / "LICENSE.md"), "terms");
        const json saved = json::parse(fileText(at("saved") / "model_index.json"));
        QCOMPARE(saved["feature_extractor"][1].get<std::string>(), "CLIPImageProcessor");
        QVERIFY(saved["requires_safety_checker"].get<bool>());

        fs::remove(folder / "safety_checker/model.safetensors"); // named, but without weights
        auto bare = openModel(folder.string());
        QVERIFY(bare.ok());
        QVERIFY(writeDiffusersFolder(*bare, at("bare").string()).ok());
        QVERIFY(json::parse(fileText(at("bare") / "model_index.json"))["safety_checker"][0].is_null());
    }

    void convertsTheType() {
        WriteOptions options;
        options.floatType = DataType::F16;
        const ModelSource model = test::tinyModel(true);
        QVERIFY(writeSingleFile(model, at("half.safetensors").string(), options).ok());
        auto opened = openModel(at("half.safetensors").string());
        QVERIFY(opened.ok());
        for (const TensorInfo& info : opened->textEncoderTensors->tensors())
            QVERIFY(info.type == DataType::F16);
    }

    void neverReplacesAndLeavesNothingWhenCancelled() {
        const ModelSource model = test::tinyModel(false);
        QVERIFY(writeFileAtomically(at("taken").string(), "mine").ok());
        QVERIFY(!writeSingleFile(model, at("taken").string()).ok());
        QVERIFY(!writeDiffusersFolder(model, at("taken").string()).ok());
        QCOMPARE(fileText(at("taken")), "mine");
        WriteOptions options;
        int64_t seen = 0;
        options.progress = [&](int64_t done, int64_t total) {
            QVERIFY(done <= total);
            seen = done;
            options.cancel.request();
        };
        QVERIFY(*writeDiffusersFolder(model, at("stopped").string(), options) == WriteOutcome::Cancelled);
        QVERIFY(*writeSingleFile(model, at("stopped.safetensors").string(), options) ==
                WriteOutcome::Cancelled);
        QVERIFY(seen > 0);
        QCOMPARE(contentOf(m_dir->path().toStdString()).size(), size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestModelFiles)
#include "tst_model_files.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Models are opened from folders and single files and saved as both, without a bit of a weight changing.
#include "core/base/model/carried_files.h"
#include "core/base/model/model_hash.h"
#include "tests/base/support/model_files.h"
#include "tests/base/support/torch_writer.h"

#include <nlohmann/json.hpp>

#include <tuple>

using namespace homebooth::core;
using namespace homebooth::core::test;
using nlohmann::json;

namespace {

ModelSource tinyOf(ModelFamily family, DataType type) {
    return family == ModelFamily::StableDiffusionXl
               ? tinyXlModel(type)
               : test::tinyModel(family == ModelFamily::StableDiffusion2, type);
}

} // namespace

class TestModelFiles : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelFolder> m_models;
    fs::path at(const char* name) const { return m_models->at(name); }
    fs::path savedFolder(bool second) const { return m_models->savedFolder(second); }
    fs::path savedFile(bool second) const { return m_models->savedFile(second); }

private slots:
    void init() { m_models = std::make_unique<ModelFolder>(); }

    void roundTripKeepsEveryByte_data() {
        QTest::addColumn<int>("family");
        QTest::addColumn<int>("type");
        const auto row = [](const char* name, ModelFamily family, DataType type) {
            QTest::newRow(name) << static_cast<int>(family) << static_cast<int>(type);
        };
        row("SD 1 layout, F32", ModelFamily::StableDiffusion1, DataType::F32);
        row("SD 2 layout, F32", ModelFamily::StableDiffusion2, DataType::F32);
        row("SDXL layout, F32", ModelFamily::StableDiffusionXl, DataType::F32);
        row("SD 1 layout, BF16", ModelFamily::StableDiffusion1, DataType::BF16);
        row("SD 2 layout, F16", ModelFamily::StableDiffusion2, DataType::F16);
        row("SDXL layout, F16", ModelFamily::StableDiffusionXl, DataType::F16);
    }

    void roundTripKeepsEveryByte() {
        QFETCH(int, family);
        QFETCH(int, type);
        const ModelSource original = tinyOf(static_cast<ModelFamily>(family), static_cast<DataType>(type));
        QVERIFY(writeDiffusersFolder(original, at("first").string()).ok());
        auto folder = openModel(at("first").string());
        QVERIFY2(folder, reasonOf(folder).c_str());
        QVERIFY(writeSingleFile(*folder, at("single.safetensors").string()).ok());
        auto single = openModel(at("single.safetensors").string());
        QVERIFY2(single, reasonOf(single).c_str());
        QCOMPARE(joined(single->deviations), "");
        QVERIFY(writeDiffusersFolder(*single, at("second").string()).ok());
        QCOMPARE(contentOf(at("second")), contentOf(at("first")));
        compareWeights(*single, original);
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
        fs::remove(at("model.safetensors"));
        auto third = SafetensorsReader::open(m_models->savedFile(tinyXlModel()).string());
        QVERIFY(third.ok());
        QVERIFY((*third)->find("conditioner.embedders.0.transformer.text_model.final_layer_norm.bias"));
        QCOMPARE((*third)->find("conditioner.embedders.1.model.text_projection")->shape,
                 (std::vector<int64_t>{8, 10})); // what transformers has as [10, 8]
        QCOMPARE((*third)->metadata().at("modelspec.architecture"), "stable-diffusion-xl-v1-base");
        QCOMPARE((*third)->metadata().at("modelspec.implementation"),
                 "https://github.com/Stability-AI/generative-models");
    }

    void fusedProjectionHoldsQThenKThenV() {
        const ModelSource model = test::tinyModel(true);
        auto file = SafetensorsReader::open(savedFile(true).string());
        QVERIFY(file.ok());
        std::vector<std::byte> expected;
        for (const char* part : {"q", "k", "v"}) {
            const auto bytes =
                bytesOf(*model.text.tensors,
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
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(contains(joined(model.value().deviations), "fp16 variant"));
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

    /// As they are downloaded, folders often have the same weights several times.
    void carriesTheBestWeightsOfAComponentAlone_data() {
        using Names = QStringList;
        QTest::addColumn<Names>("there");
        QTest::addColumn<Names>("taken");
        QTest::newRow("both formats")
            << Names{"model.safetensors", "pytorch_model.bin"} << Names{"model.safetensors"};
        QTest::newRow("variants") << Names{"model.safetensors", "model.fp16.safetensors",
                                           "flax_model.msgpack"}
                                  << Names{"model.safetensors"};
        QTest::newRow("a variant alone")
            << Names{"model.fp16.safetensors", "pytorch_model.fp16.bin"} << Names{"model.fp16.safetensors"};
        QTest::newRow("other names") << Names{"checker.bin", "checker.safetensors"}
                                     << Names{"checker.bin", "checker.safetensors"};
        const Names shards{"model.safetensors.index.json", "model-1.safetensors"};
        QTest::newRow("shards") << shards + Names{"pytorch_model.bin"} << shards;
    }

    void carriesTheBestWeightsOfAComponentAlone() {
        QFETCH(QStringList, there);
        QFETCH(QStringList, taken);
        const fs::path folder = at("checker");
        fs::create_directory(folder);
        const std::string weights(100'000, 'w');
        const std::string index = R"({"weight_map":{"one":"model-1.safetensors"}})";
        const std::string tensor = tensorValue(storageValue("FloatStorage", "0", 2), 0, {2}, {1});
        const std::string torch = zipped({{"archive/data.pkl", pickled(dictValue({{"a", tensor}}))},
                                          {"archive/data/0", std::string(8, 't')}}); // others stay behind
        for (const QString& name : there + QStringList{"config.json"})
            QVERIFY(writeFileAtomically((folder / name.toStdString()).string(),
                                        name.endsWith(".index.json") ? index
                                        : name == "config.json"      ? "{}"
                                        : name == "checker.bin"      ? torch
                                                                     : weights)
                        .ok());
        ModelSource model = test::tinyModel(false);
        LeftAside leftAside;
        auto files = carriedFiles(folder.parent_path(), "checker", leftAside);
        QVERIFY2(files, reasonOf(files).c_str());
        model.carried = {{"safety_checker", "stable_diffusion", "StableDiffusionSafetyChecker", *files}};
        WriteOptions options;
        int64_t told = 0;
        int64_t whole = 0;
        options.progress = [&](int64_t done, int64_t total) {
            std::tie(told, whole) = std::pair(done, total);
        };
        QVERIFY(writeDiffusersFolder(model, at("saved").string(), options).ok());
        QStringList saved;
        for (const auto& [name, content] : contentOf(at("saved/safety_checker")))
            if (name != "config.json") saved.append(QString::fromStdString(name));
        saved.sort();
        taken.sort();
        QCOMPARE(saved, taken);
        QVERIFY(fs::exists(at("saved/safety_checker/config.json")));
        QCOMPARE(told, whole);
        QVERIFY(told > int64_t{100'000});
    }

    void aPartThatIsALinkCountsInTheHashAsIfItLayThere() {
        QVERIFY(writeDiffusersFolder(test::tinyModel(false), at("first").string()).ok());
        const std::string whole = modelHash(at("first").string()).value().value();
        fs::rename(at("first/unet"), at("elsewhere"));
        fs::create_directory_symlink(at("elsewhere"), at("first/unet"));
        fs::create_directory_symlink(at("first"), at("first/vae/round")); // is not walked in a circle
        QCOMPARE(modelHash(at("first").string()).value().value(), whole);
        QVERIFY(writeFileAtomically(at("elsewhere/config.json").string(), "{}").ok());
        QVERIFY(modelHash(at("first").string()).value().value() != whole);
    }

    void convertsTheType() {
        WriteOptions options;
        options.floatType = DataType::F16;
        const ModelSource model = test::tinyModel(true);
        QVERIFY(writeSingleFile(model, at("half.safetensors").string(), options).ok());
        auto opened = openModel(at("half.safetensors").string());
        QVERIFY(opened.ok());
        for (const TensorInfo& info : opened->text.tensors->tensors()) QVERIFY(info.type == DataType::F16);
    }

    void knowsFromConfigurationsWhatItWillTake_data() { roundTripKeepsEveryByte_data(); }

    void knowsFromConfigurationsWhatItWillTake() {
        QFETCH(int, family);
        QFETCH(int, type);
        ModelSource model = tinyOf(static_cast<ModelFamily>(family), DataType::F32);
        QVERIFY(writeFileAtomically(at("LICENSE.md").string(), "terms").ok());
        model.licenceFiles.emplace("LICENSE.md", KeptFile::open(at("LICENSE.md")).value());
        WriteOptions options;
        options.floatType = static_cast<DataType>(type);
        QVERIFY(writeDiffusersFolder(model, at("saved").string(), options).ok());
        QVERIFY(writeSingleFile(model, at("saved.safetensors").string(), options).ok());
        int64_t folder = 0;
        for (const auto& [name, content] : contentOf(at("saved"))) folder += std::ssize(content);
        model.unetTensors = model.vaeTensors = model.text.tensors = nullptr;
        options.title = "saved";
        const auto foreseen = writtenBytes(model, options);
        QVERIFY2(foreseen, reasonOf(foreseen).c_str());
        QCOMPARE(foreseen->folder, folder);
        QCOMPARE(foreseen->file, static_cast<int64_t>(fs::file_size(at("saved.safetensors"))));
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
        QCOMPARE(contentOf(m_models->path()).size(), size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestModelFiles)
#include "tst_model_files.moc"

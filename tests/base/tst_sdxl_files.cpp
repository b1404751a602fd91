// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SDXL as others wrote it and as it is saved: folders, single files, what only looks like one.
#include "core/base/model/convert.h"
#include "tests/base/support/model_files.h"

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace homebooth::core;
using namespace homebooth::core::test;
using nlohmann::json;

class TestSdxlFiles : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelFolder> m_models;
    fs::path at(const char* name) const { return m_models->at(name); }

    /// What is said of the model's folder when it was changed and the folder damaged.
    std::string refused(const char* name, const std::function<void(ModelSource&)>& change,
                        const std::function<void(const fs::path&)>& damage = {}) const {
        ModelSource model = tinyXlModel();
        change(model);
        model.unetJson = model.unet.toJson();
        model.unetTensors = randomSource(unetLayout(model.unet), DataType::F32, 1);
        const fs::path folder = m_models->savedFolder(model, name);
        if (damage) damage(folder);
        return errorOf(folder);
    }
    static std::string errorOf(const fs::path& path) {
        const auto model = openModel(path.string());
        return model.ok() ? "(opened)" : model.error().text();
    }

private slots:
    void init() { m_models = std::make_unique<ModelFolder>(); }

    void opensSdxlFolders() {
        const auto model = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sdxl");
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->family == ModelFamily::StableDiffusionXl);
        QCOMPARE(joined(model->deviations), "");
        QVERIFY(model->zeroEmptyPrompt);
        QVERIFY(model->secondText.has_value());
        const TextPart& second = *model->secondText;
        QCOMPARE(model->text.config.hiddenSize + second.config.hiddenSize, model->unet.crossAttentionDim);
        QCOMPARE(model->unet.pooledTextChannels(), second.config.projectionDim);
        QVERIFY(second.tensors->find("text_projection.weight") != nullptr);
        QCOMPARE(model->text.tensors->find("text_projection.weight"), nullptr);
        QCOMPARE(fs::path(model->text.tokenizerFolder).filename(), fs::path("tokenizer"));
        QCOMPARE(fs::path(second.tokenizerFolder).filename(), fs::path("tokenizer_2"));
        QVERIFY(contains(second.tokenizerFiles.at("special_tokens_map.json"), "\"!\""));
    }

    void theReleasedSdxlHasThePublishedNumberOfParameters() {
        OpenOptions options;
        options.weightsOptional = true;
        const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sdxl-base", options);
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->family == ModelFamily::StableDiffusionXl);
        const auto count = [](const ComponentLayout& layout) {
            int64_t parameters = 0;
            for (const LayoutEntry& entry : layout)
                parameters +=
                    std::accumulate(entry.shape.begin(), entry.shape.end(), int64_t{1}, std::multiplies<>());
            return parameters;
        };
        QCOMPARE(count(unetLayout(model->unet)), int64_t{2567463684});
        QCOMPARE(count(vaeLayout(model->vae)), int64_t{83653863});
        QCOMPARE(count(textLayout(*model, 0)), int64_t{123060480});
        QCOMPARE(count(textLayout(*model, 1)), int64_t{694659840});
        const std::string notes = joined(model->deviations);
        QVERIFY2(contains(notes, "the second text encoder has no weights"), notes.c_str());
        QVERIFY2(contains(notes, "the tokenizer_2 folder has no vocabulary"), notes.c_str());
        QVERIFY(model->secondText->tokenizerFolder.empty());
    }

    void opensSdxlByItsFoldersAlone() {
        const fs::path folder = m_models->savedFolder(tinyXlModel());
        fs::remove(folder / "model_index.json");
        fs::remove_all(folder / "tokenizer_2");
        fs::remove_all(folder / "scheduler");
        fs::rename(folder / "text_encoder_2/model.safetensors",
                   folder / "text_encoder_2/model.fp16.safetensors");
        rewrite(folder / "text_encoder_2/model.fp16.safetensors", [](const std::string& name) {
            return name.starts_with("text_model.") ? name.substr(std::string("text_model.").size()) : name;
        });
        const auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->zeroEmptyPrompt);
        QVERIFY(contains(model->schedulerJson, "EulerDiscreteScheduler"));
        const ModelSource expected = tinyXlModel();
        const std::string bias = "text_model.encoder.layers.2.mlp.fc2.bias";
        QCOMPARE(bytesOf(*model->secondText->tensors, bias), bytesOf(*expected.secondText->tensors, bias));
        const std::string notes = joined(model->deviations);
        for (const char* note : {"a StableDiffusionXLPipeline was assumed", "no tokenizer_2 folder",
                                 "second text encoder's fp16 variant"})
            QVERIFY2(contains(notes, note), notes.c_str());
    }

    void refusesWhatOnlyLooksLikeSdxl() {
        const auto expect = [](const std::string& error, const char* words) {
            QVERIFY2(contains(error, words), error.c_str());
        };
        expect(refused("inpainting", [](ModelSource& model) { model.unet.inChannels = 9; }), "inpainting");
        expect(refused("width", [](ModelSource& model) { model.unet.crossAttentionDim = 21; }),
               "of width 21, the text encoders give 12 + 8");
        expect(refused("pooled", [](ModelSource& model) { model.unet.additionInputDim += 1; }),
               "pooled text of width 11, the second text encoder gives 10");
        expect(refused(
                   "refiner", [](ModelSource& model) { model.unet.crossAttentionDim = 8; },
                   [](const fs::path& folder) { fs::remove_all(folder / "text_encoder"); }),
               "SDXL's refiner");
    }

    void refusesFoldersThatLackAPart() {
        const auto expect = [](const std::string& error, const char* words) {
            QVERIFY2(contains(error, words), error.c_str());
        };
        const auto none = [](ModelSource&) {};
        expect(
            refused("first", none, [](const fs::path& folder) { fs::remove_all(folder / "text_encoder"); }),
            "expected a folder \"text_encoder\" with the text encoder");
        expect(refused("second", none,
                       [](const fs::path& folder) { fs::remove_all(folder / "text_encoder_2"); }),
               "expected a folder \"text_encoder_2\" with the second text encoder");
        expect(
            refused("weights", none,
                    [](const fs::path& folder) { fs::remove(folder / "text_encoder_2/model.safetensors"); }),
            "expected the second text encoder's weights");
        expect(refused("projection", none,
                       [](const fs::path& folder) {
                           rewrite(folder / "text_encoder_2/model.safetensors", [](const std::string& name) {
                               return name == "text_projection.weight" ? std::string() : name;
                           });
                       }),
               "missing: text_projection.weight");
    }

    void refusesTextEncodersThatAreTooSmall() {
        const auto refused = [&](const char* name, int64_t layers, int64_t secondLayers, int64_t positions) {
            ModelSource model = tinyXlModel();
            model.text.config.layerCount = layers;
            model.secondText->config.layerCount = secondLayers;
            for (TextPart* part : {&model.text, &*model.secondText}) {
                part->config.maxPositions = positions;
                part->json = part->config.toJson();
            }
            model.text.tensors = randomSource(textLayout(model, 0), DataType::F32, 3);
            model.secondText->tensors = randomSource(textLayout(model, 1), DataType::F32, 4);
            return errorOf(m_models->savedFolder(model, name));
        };
        QCOMPARE(refused("enough", 2, 2, 3), "(opened)");
        const char* layers = "expected text encoders of two layers or more";
        QVERIFY(contains(refused("first", 1, 3, 7), layers));
        QVERIFY(contains(refused("second", 2, 1, 7), layers));
        const std::string tokens = refused("tokens", 2, 3, 2);
        QVERIFY2(contains(tokens, "of 3 tokens or more, found one of 2; take another copy"), tokens.c_str());
    }

    void refusesNoiseOfAnotherScale() {
        ModelSource model = tinyXlModel();
        const auto errorWith = [&](const char* name, const char* className, bool flow) {
            SchedulerConfig scheduler = originalScheduler(model.family, model.predictionType);
            scheduler.className = className;
            if (flow) scheduler.useFlowSigmas = true;
            model.schedulerJson = toJson(scheduler);
            return errorOf(m_models->savedFolder(model, name));
        };
        for (const char* name : {"EDMEulerScheduler", "FlowMatchEulerDiscreteScheduler"}) {
            const std::string error = errorWith(name, name, false);
            QVERIFY2(contains(error, "another scale of noise (" + std::string(name) + "), which is not"),
                     error.c_str());
        }
        QVERIFY(contains(errorWith("flow", "EulerDiscreteScheduler", true), "another scale of noise"));
        QCOMPARE(errorWith("other", "HeunDiscreteScheduler", false), "(opened)");
    }

    void opensForeignSdxlFiles() {
        const fs::path file = at("foreign.safetensors");
        const ModelSource released = test::fullSizeModel(ModelFamily::StableDiffusionXl, {});
        writeSparse(file, released, 4, {}, same,
                    {makeTensorInfo("conditioner.embedders.0.transformer.text_model.embeddings.position_ids",
                                    DataType::I64, {1, 77}),
                     makeTensorInfo("conditioner.embedders.1.model.logit_scale", DataType::F16, {}),
                     makeTensorInfo("denoiser.sigmas", DataType::F32, {1000}),
                     makeTensorInfo("lora_unet_left_behind.alpha", DataType::F32, {})});
        const auto model = openModel(file.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->family == ModelFamily::StableDiffusionXl);
        QVERIFY(model->predictionTypeKnown && model->predictionType == PredictionType::Epsilon);
        QVERIFY(model->zeroEmptyPrompt);
        QCOMPARE(model->secondText->tensors->tensors().size(), textLayout(released, 1).size());
        QCOMPARE(joined(model->deviations), std::string("buffers and layers that are not used were ignored "
                                                        "(2 tensors)\nunknown parts were ignored (1 tensors, "
                                                        "such as lora_unet_left_behind.alpha)\n"));
        QVERIFY(contains(model->schedulerJson, "EulerDiscreteScheduler"));

        // Names as transformers 5 and linear layers have them.
        const std::string first = "conditioner.embedders.0.transformer.";
        const std::string projection = "conditioner.embedders.1.model.text_projection";
        writeSparse(file, released, 4, {}, [&](const std::string& name) {
            if (name == projection) return name + ".weight";
            return name.starts_with(first) ? first + name.substr(first.size() + strlen("text_model.")) : name;
        });
        const auto newer = openModel(file.string());
        QVERIFY2(newer, reasonOf(newer).c_str());
    }

    void learnsWhatAnSdxlFilePredicts_data() {
        QTest::addColumn<QStringList>("keys");
        QTest::addColumn<QString>("named");
        QTest::addColumn<QString>("told");
        QTest::addColumn<bool>("v");
        QTest::addColumn<bool>("zeroSignal");
        QTest::newRow("key") << QStringList{"v_pred"} << ""
                             << "" << true << false;
        QTest::newRow("keys") << QStringList{"v_pred", "ztsnr"} << ""
                              << "" << true << true;
        QTest::newRow("key against metadata") << QStringList{"v_pred"} << "epsilon"
                                              << "" << true << false;
        QTest::newRow("metadata") << QStringList() << "v"
                                  << "" << true << false;
        QTest::newRow("told") << QStringList() << ""
                              << "v_prediction" << true << false;
        QTest::newRow("told against metadata") << QStringList() << "epsilon"
                                               << "v_prediction" << true << false;
        QTest::newRow("told against key") << QStringList{"v_pred"} << ""
                                          << "epsilon" << false << false;
        QTest::newRow("noise") << QStringList{"ztsnr"} << ""
                               << "" << false << false;
    }

    void learnsWhatAnSdxlFilePredicts() {
        QFETCH(const QStringList, keys);
        QFETCH(const QString, named);
        QFETCH(const QString, told);
        QFETCH(const bool, v);
        QFETCH(const bool, zeroSignal);
        std::vector<TensorInfo> added;
        for (const QString& key : keys)
            added.push_back(makeTensorInfo(key.toStdString(), DataType::F32, {0}));
        std::map<std::string, std::string> metadata;
        if (!named.isEmpty()) metadata["modelspec.prediction_type"] = named.toStdString();
        const fs::path file = at("foreign.safetensors");
        writeSparse(file, test::fullSizeModel(ModelFamily::StableDiffusionXl, {}), 4, metadata, same, added);
        OpenOptions options;
        if (!told.isEmpty()) options.predictionType = predictionTypeFromString(told.toStdString()).value();
        const auto model = openModel(file.string(), options);
        QVERIFY2(model, reasonOf(model).c_str());
        QCOMPARE(model->predictionType == PredictionType::VPrediction, v);
        QVERIFY(model->predictionTypeKnown);
        QCOMPARE(model->predictionTypeSaid, keys.contains("v_pred") || !named.isEmpty() || !told.isEmpty());
        const SchedulerConfig scheduler = parseSchedulerConfig(model->schedulerJson, "").value();
        QCOMPARE(scheduler.predictionType == PredictionType::VPrediction, v);
        QCOMPARE(scheduler.rescaleBetasZeroSnr.value_or(false), zeroSignal);
        QCOMPARE(scheduler.timestepSpacing == TimestepSpacing::Trailing, zeroSignal);
    }

    void whatLiesBesideAnSdxlFileSaysThatItPredictsV() {
        const fs::path file = at("theirs.safetensors");
        const std::string beside = at("theirs.yaml").string();
        writeSparse(file, test::fullSizeModel(ModelFamily::StableDiffusionXl, {}), 4, {});
        QVERIFY(
            writeFileAtomically(beside, "target: sgm.modules.diffusionmodules.denoiser_scaling.EpsScaling\n")
                .ok());
        const auto noise = openModel(file.string());
        QVERIFY2(noise, reasonOf(noise).c_str());
        QVERIFY(noise->predictionType == PredictionType::Epsilon && !noise->predictionTypeSaid);
        QVERIFY(
            writeFileAtomically(beside, "target: sgm.modules.diffusionmodules.denoiser_scaling.VScaling\n")
                .ok());
        const auto v = openModel(file.string());
        QVERIFY(v.ok() && v->predictionType == PredictionType::VPrediction && v->predictionTypeSaid);
    }

    void writesWhatIsToldOfAnSdxlFile() {
        const fs::path plain = at("plain.safetensors");
        const fs::path told = at("told.safetensors");
        QVERIFY(writeSingleFile(tinyXlModel(), plain.string()).ok());
        ConvertOptions options;
        options.open.zeroTerminalSnr = true;
        const auto refused = convertModel(plain.string(), told.string(), ConvertTarget::Checkpoint, options);
        QVERIFY(!refused.ok());
        QVERIFY2(contains(refused.error().text(), "--prediction-type v_prediction"),
                 refused.error().text().c_str());
        QVERIFY(!fs::exists(told));
        options.open.predictionType = PredictionType::VPrediction;
        for (const ConvertTarget target : {ConvertTarget::Checkpoint, ConvertTarget::Diffusers}) {
            const fs::path to = target == ConvertTarget::Checkpoint ? told : at("folder");
            const auto written = convertModel(plain.string(), to.string(), target, options);
            QVERIFY2(written, reasonOf(written).c_str());
            const auto model = openModel(to.string());
            QVERIFY2(model, reasonOf(model).c_str());
            QVERIFY(model->predictionType == PredictionType::VPrediction && model->predictionTypeSaid);
            const SchedulerConfig scheduler = parseSchedulerConfig(model->schedulerJson, "").value();
            QVERIFY(scheduler.rescaleBetasZeroSnr.value_or(false));
            QVERIFY(scheduler.timestepSpacing == TimestepSpacing::Trailing);
        }
        const auto file = SafetensorsReader::open(told.string());
        QVERIFY(file.ok());
        for (const char* key : {"v_pred", "ztsnr"}) QVERIFY2((*file)->find(key) != nullptr, key);
    }

    void refusesSdxlFilesOfOtherKinds() {
        const fs::path file = at("foreign.safetensors");
        const ModelSource released = test::fullSizeModel(ModelFamily::StableDiffusionXl, {});
        const auto expect = [&](const char* words,
                                const std::function<std::string(const std::string&)>& rename,
                                const std::vector<TensorInfo>& added = {}, int64_t channels = 4) {
            writeSparse(file, released, channels, {}, rename, added);
            QVERIFY2(contains(errorOf(file), words), errorOf(file).c_str());
        };
        const std::string first = "conditioner.embedders.0.transformer.";
        const std::string second = "conditioner.embedders.1.model.";
        expect("SDXL's refiner", [&](const std::string& name) {
            if (name.starts_with(first)) return std::string();
            return name.starts_with(second) ? "conditioner.embedders.0.model." + name.substr(second.size())
                                            : name;
        });
        expect("without one or both of its text encoders",
               [&](const std::string& name) { return name.starts_with(second) ? std::string() : name; });
        expect("without one or both of its text encoders", [&](const std::string& name) {
            return name.starts_with("conditioner.") ? std::string() : name;
        });
        expect("EDM", same, {makeTensorInfo("edm_mean", DataType::F32, {4})});
        expect("EDM", same, {makeTensorInfo("edm_vpred.sigma_max", DataType::F32, {1})});
        expect("inpainting", same, {}, 9);
        expect("missing: conditioner.embedders.1.model.text_projection", [&](const std::string& name) {
            return name == second + "text_projection" ? std::string() : name;
        });
        expect("a model without its autoencoder (VAE)", [&](const std::string& name) {
            return name.starts_with("first_stage_model.") ? std::string() : name;
        });
        expect("missing: first_stage_model.", [&](const std::string& name) {
            return name.starts_with("first_stage_model.encoder.") ? std::string() : name;
        });
    }

    void refusesModelsOfVideos() {
        const fs::path file = at("foreign.safetensors");
        const std::string first = "conditioner.embedders.0.transformer.";
        const std::string second = "conditioner.embedders.1.model.";
        const std::string time = "model.diffusion_model.input_blocks.1.0.time_stack.in_layers.0.weight";
        const auto rename = [&](const std::string& name) {
            if (name.starts_with(first)) return std::string();
            return name.starts_with(second)
                       ? "conditioner.embedders.0.open_clip." + name.substr(second.size())
                       : name;
        };
        writeSparse(file, test::fullSizeModel(ModelFamily::StableDiffusionXl, {}), 8, {}, rename,
                    {makeTensorInfo(time, DataType::F16, {320})});
        QVERIFY2(contains(errorOf(file), "found a model of videos"), errorOf(file).c_str());
    }

    void sdxlFromElsewhereKeepsEveryByte() {
        const auto folder = openModel(HOMEBOOTH_FIXTURES_DIR "/tiny-sdxl");
        QVERIFY2(folder, reasonOf(folder).c_str());
        QVERIFY(writeSingleFile(*folder, at("single.safetensors").string()).ok());
        const auto single = openModel(at("single.safetensors").string());
        QVERIFY2(single, reasonOf(single).c_str());
        QVERIFY(single->family == ModelFamily::StableDiffusionXl);
        compareWeights(*single, *folder);
        QVERIFY(writeDiffusersFolder(*single, at("folder").string()).ok());
        auto expected = contentOf(HOMEBOOTH_FIXTURES_DIR "/tiny-sdxl");
        auto found = contentOf(at("folder"));
        for (auto* content : {&expected, &found}) // the order of tensors is another
            std::erase_if(*content, [](const auto& file) { return file.first.ends_with(".safetensors"); });
        const json index = json::parse(found.at("model_index.json"));
        const json expectedIndex = json::parse(expected.at("model_index.json"));
        for (const auto& [key, value] : expectedIndex.items())
            if (key != "add_watermarker" && key != "_diffusers_version")
                QVERIFY2(index.contains(key) && index[key] == value, key.c_str());
        expected.erase("model_index.json");
        found.erase("model_index.json");
        QCOMPARE(found, expected);
        const auto again = openModel(at("folder").string());
        QVERIFY2(again, reasonOf(again).c_str());
        compareWeights(*again, *folder);
    }

    void whatAnSdxlDoesWithoutANegativePromptGoesAlong() {
        for (const bool zeros : {true, false}) {
            ModelSource model = tinyXlModel();
            model.zeroEmptyPrompt = zeros;
            const fs::path folder = m_models->savedFolder(model, zeros ? "zeros" : "words");
            QCOMPARE(openModel(folder.string())->zeroEmptyPrompt, zeros);
            const fs::path file = m_models->savedFile(model);
            QCOMPARE(openModel(file.string())->zeroEmptyPrompt, zeros);
            fs::remove(file);
        }
    }

    void otherProgramsAreToldOfAnSdxlThatPredictsV() {
        ModelSource model = tinyXlModel();
        const auto keysOf = [&] {
            const fs::path file = m_models->savedFile(model);
            const auto reader = SafetensorsReader::open(file.string());
            std::string keys;
            for (const char* key : {"v_pred", "ztsnr"})
                if ((*reader)->find(key) != nullptr) keys += std::string(key) + " ";
            const auto opened = openModel(file.string());
            if (!opened || opened->predictionType != model.predictionType) keys += "(opens as another)";
            fs::remove(file);
            return keys;
        };
        QCOMPARE(keysOf(), "");
        model.predictionType = PredictionType::VPrediction;
        SchedulerConfig scheduler = originalScheduler(model.family, model.predictionType);
        model.schedulerJson = toJson(scheduler);
        QCOMPARE(keysOf(), "v_pred ");
        scheduler.rescaleBetasZeroSnr = true;
        model.schedulerJson = toJson(scheduler);
        QCOMPARE(keysOf(), "v_pred ztsnr ");
    }

    void eachTextEncoderGetsThePublishedTokenizerWithItsOwnPad() {
        const std::string vocabulary =
            HOMEBOOTH_DEPS_DIR "/vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz";
        if (!fs::exists(vocabulary)) QSKIP("the published vocabulary is not downloaded; the set-up does it");
        ModelSource model = tinyXlModel();
        model.text.tokenizerFiles.clear();
        model.secondText->tokenizerFiles.clear();
        QVERIFY(!writeDiffusersFolder(model, at("none").string()).ok());
        QVERIFY(!fs::exists(at("none")));
        WriteOptions options;
        options.vocabularyFile = vocabulary;
        QVERIFY(writeDiffusersFolder(model, at("saved").string(), options).ok());
        const auto padOf = [&](const char* folder) {
            const std::string text = fileText(at("saved") / folder / "special_tokens_map.json");
            return json::parse(text)["pad_token"].get<std::string>();
        };
        QCOMPARE(padOf("tokenizer"), "<|endoftext|>");
        QCOMPARE(padOf("tokenizer_2"), "!");
    }
};

QTEST_APPLESS_MAIN(TestSdxlFiles)
#include "tst_sdxl_files.moc"

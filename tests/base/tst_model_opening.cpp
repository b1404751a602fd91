// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Models as others wrote them: variants, shards, older names, what is missing or too much, what is no model.
#include "core/base/formats/safetensors_reader.h"
#include "tests/base/support/model_files.h"

#include <nlohmann/json.hpp>

#include <sys/stat.h>

using namespace homebooth::core;
using namespace homebooth::core::test;
using nlohmann::json;

class TestModelOpening : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelFolder> m_models;
    fs::path at(const char* name) const { return m_models->at(name); }
    fs::path savedFolder(bool second) const { return m_models->savedFolder(second); }
    fs::path savedFile(bool second) const { return m_models->savedFile(second); }
    static std::string errorOf(const fs::path& path) {
        const auto model = openModel(path.string());
        return model.ok() ? "(opened)" : model.error().text();
    }

private slots:
    void init() { m_models = std::make_unique<ModelFolder>(); }

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
        QVERIFY2(opened, reasonOf(opened).c_str());
        QCOMPARE(bytesOf(*opened->unetTensors, "up_blocks.1.resnets.0.conv1.weight"),
                 bytesOf(*model.unetTensors, "up_blocks.1.resnets.0.conv1.weight"));

        map["conv_in.weight"] = "../secret.safetensors";
        QVERIFY(writeFileAtomically(index.string(), json{{"weight_map", map}}.dump()).ok());
        QVERIFY(contains(errorOf(folder), "same folder"));
    }

    /// Whoever downloads the variant alone gets the small files of the others with it.
    void anIndexWithoutItsShardsIsPassedOver() {
        const fs::path folder = savedFolder(false);
        const fs::path part = folder / "text_encoder";
        const std::string shard = "model-00001-of-00002.safetensors";
        const json index{{"weight_map", {{"text_model.final_layer_norm.bias", shard}}}};
        QVERIFY(writeFileAtomically((part / "model.safetensors.index.json").string(), index.dump()).ok());
        fs::rename(part / "model.safetensors", part / "model.fp16.safetensors");
        const auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(contains(joined(model->deviations), "text encoder's fp16 variant"));
        fs::remove(part / "model.fp16.safetensors");
        QVERIFY2(contains(errorOf(folder), shard), errorOf(folder).c_str());
    }

    /// Which does nothing where pictures are made.
    void dropoutOfTrainingIsNoReasonToRefuse() {
        const fs::path folder = savedFolder(false);
        for (const auto& [part, key] :
             {std::pair("unet", "dropout"), std::pair("text_encoder", "attention_dropout")}) {
            const fs::path file = folder / part / "config.json";
            json config = json::parse(fileText(file));
            config[key] = 0.1;
            QVERIFY(writeFileAtomically(file.string(), config.dump()).ok());
        }
        const auto model = openPictureModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(contains(model->unetJson, "\"dropout\":0.1")); // goes along where it is saved again
    }

    void textEncodersMayComeWithMoreOfTheirClip() {
        const fs::path folder = savedFolder(false);
        rewrite(folder / "text_encoder/model.safetensors", same,
                {makeTensorInfo("text_projection.weight", DataType::F32, {12, 12}),
                 makeTensorInfo("logit_scale", DataType::F32, {}),
                 makeTensorInfo("visual_projection.weight", DataType::F32, {12, 4}),
                 makeTensorInfo("vision_model.embeddings.class_embedding", DataType::F32, {4})});
        const auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QCOMPARE(model->text.tensors->find("text_projection.weight"), nullptr);
        rewrite(folder / "unet/diffusion_pytorch_model.safetensors", same,
                {makeTensorInfo("logit_scale", DataType::F32, {})});
        QVERIFY(contains(errorOf(folder), "not expected: logit_scale"));
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
        QVERIFY2(opened, reasonOf(opened).c_str());
        const ModelSource model = test::tinyModel(false);
        const std::string query = "encoder.mid_block.attentions.0.to_q.weight";
        QCOMPARE(bytesOf(*opened->vaeTensors, query), bytesOf(*model.vaeTensors, query));
        QVERIFY(opened->text.tensors->find("text_model.final_layer_norm.bias") != nullptr);
        QCOMPARE(opened->text.tensors->find("text_model.embeddings.position_ids"), nullptr);
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
        QVERIFY2(model, reasonOf(model).c_str());
        const std::string notes = joined(model.value().deviations);
        QVERIFY2(contains(notes, "EMA weights were ignored (1 tensors)"), notes.c_str());
        QVERIFY2(contains(notes, "not used were ignored (2 tensors)"), notes.c_str());
        QVERIFY2(contains(notes, "other.part"), notes.c_str());
    }

    void configurationsAloneMeanThePublishedVocabulary() {
        OpenOptions options;
        options.weightsOptional = true;
        const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", options);
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(contains(joined(model->deviations), "CLIP's published one is meant"));
        QVERIFY(model->text.tokenizerFolder.empty() && model->text.tokenizerFiles.empty());
    }

    void aTokenizerOfAnotherSizeMustBringItsVocabulary() {
        const fs::path folder = savedFolder(false);
        for (const char* name : {"vocab.json", "merges.txt", "tokenizer.json"})
            fs::remove(folder / "tokenizer" / name);
        const auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QCOMPARE(fs::path(model->text.tokenizerFolder), folder / "tokenizer");
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

    void tellsFilesApartByWhatIsInThem() {
        const fs::path folder = savedFolder(false);
        fs::rename(folder / "vae/diffusion_pytorch_model.safetensors",
                   folder / "vae/diffusion_pytorch_model.bin");
        QCOMPARE(errorOf(folder), "(opened)");
        QVERIFY(writeFileAtomically(at("fake.safetensors").string(), std::string("\x80\x02}q\0.", 6)).ok());
        QVERIFY2(contains(errorOf(at("fake.safetensors")), "found another pickle"),
                 errorOf(at("fake.safetensors")).c_str());
    }

    void saysWhichPartAFileLacksAltogether() {
        const auto without = [&](const char* prefix) {
            const fs::path file = savedFile(false);
            rewrite(file,
                    [&](const std::string& name) { return name.starts_with(prefix) ? std::string() : name; });
            const std::string error = errorOf(file);
            fs::remove(file);
            return error;
        };
        const std::string vae = without("first_stage_model.");
        QVERIFY2(contains(vae, "found a model without its autoencoder (VAE); choose"), vae.c_str());
        const std::string text = without("cond_stage_model.");
        QVERIFY2(contains(text, "found a UNet without its text encoder; choose"), text.c_str());
        const std::string unet = without("model.diffusion_model.");
        QVERIFY2(contains(unet, "found a model without its UNet; choose"), unet.c_str());
        const std::string first = without("model.diffusion_model.input_blocks.0.0.weight");
        QVERIFY2(contains(first, "no model.diffusion_model.input_blocks.0.0.weight"), first.c_str());
    }

    void saysWhatAFileWithoutAUnetIs_data() {
        QTest::addColumn<QString>("place"); // of the UNet's tensors; empty: they are left out
        QTest::addColumn<bool>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("SD 3") << "model.diffusion_model.joint_blocks." << false
                              << "another kind of model (such as SD 3 or Flux)";
        QTest::newRow("Flux alone") << "double_blocks." << false << "(such as SD 3 or Flux)";
        QTest::newRow("EMA") << "model_ema.diffusion_model" << true << "averaged weights (EMA)";
        QTest::newRow("ControlNet") << "control_model." << false << "found a ControlNet, which";
        QTest::newRow("IP-Adapter") << "ip_adapter." << false << "found an IP-Adapter, which";
        QTest::newRow("upscaler") << "model.1.sub." << false << "found an upscaler, which";
        QTest::newRow("VAE") << "" << false << "found a VAE alone";
    }

    void saysWhatAFileWithoutAUnetIs() {
        QFETCH(const QString, place);
        QFETCH(const bool, text);
        QFETCH(const QString, words);
        const fs::path file = savedFile(false);
        rewrite(file, [&](const std::string& name) {
            const std::string unet = "model.diffusion_model.";
            if (name.starts_with("cond_stage_model.")) return text ? name : std::string();
            if (!name.starts_with(unet)) return name;
            return place.isEmpty() ? std::string() : place.toStdString() + name.substr(unet.size());
        });
        QVERIFY2(contains(errorOf(file), words.toStdString()), errorOf(file).c_str());
    }

    void whatIsAskedForWinsOverWhatTheModelSays() {
        const fs::path folder = savedFolder(false);
        const fs::path file = savedFile(false);
        const fs::path foreign = at("foreign.safetensors");
        writeSparse(foreign, test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon), 4,
                    {{"modelspec.prediction_type", "epsilon"}});
        OpenOptions options;
        options.predictionType = PredictionType::VPrediction;
        for (const fs::path& path : {folder, file, foreign}) {
            const auto plain = openModel(path.string());
            QVERIFY2(plain, reasonOf(plain).c_str());
            QVERIFY(plain->predictionType == PredictionType::Epsilon && plain->deviations.empty());
            const auto told = openModel(path.string(), options);
            QVERIFY2(told, reasonOf(told).c_str());
            QVERIFY(told->predictionType == PredictionType::VPrediction && told->predictionTypeKnown);
            QVERIFY2(contains(told->schedulerJson, "\"v_prediction\""), told->schedulerJson.c_str());
            QCOMPARE(joined(told->deviations), std::string("the model says that it predicts epsilon; "
                                                           "v_prediction was taken, as was asked for\n"));
        }
    }

    void namesOfDiffusersOwnKeysAreNoParts() {
        const fs::path folder = savedFolder(false);
        const std::string index = R"({"_class_name": ["a", "b"], "feature_extractor": [null, null]})";
        QVERIFY(writeFileAtomically((folder / "model_index.json").string(), index).ok());
        const auto model = openModel(folder.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(writeDiffusersFolder(*model, at("saved").string()).ok());
        const json saved = json::parse(fileText(at("saved") / "model_index.json"));
        QCOMPARE(saved["_class_name"].dump(), "\"StableDiffusionPipeline\"");
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

    void refusesOtherPipelines() {
        const fs::path folder = savedFolder(false);
        const auto errorWith = [&](const char* index) {
            if (!writeFileAtomically((folder / "model_index.json").string(), index).ok())
                return std::string();
            return errorOf(folder);
        };
        for (const char* index :
             {R"({"_class_name": "FluxPipeline", "transformer": ["diffusers", "X"]})",
              R"({"_class_name": "StableDiffusion3Pipeline", "text_encoder_3": [null, null]})",
              R"({"_class_name": "OtherPipeline", "text_encoder_2": ["transformers", "T5EncoderModel"]})"}) {
            const std::string name = json::parse(index)["_class_name"];
            const std::string error = errorWith(index);
            QVERIFY2(contains(error, name + ", which is not supported; choose another model"), error.c_str());
        }
        QCOMPARE(errorWith(R"({"text_encoder_2": [null, null]})"), "(opened)");
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
        QVERIFY2(model, reasonOf(model).c_str());
        QVERIFY(model->family == wanted);
        QVERIFY(model->text.tokenizerFiles.empty());
        QCOMPARE(model->unetTensors->tensors().size(), unetLayout(model->unet).size());
        if (wanted == ModelFamily::StableDiffusion1) {
            QVERIFY(model->predictionTypeKnown);
            QVERIFY(model->predictionType == PredictionType::Epsilon);
            QVERIFY(!model->predictionTypeSaid); // no more than what they are as a rule
            return;
        }
        QVERIFY(!model->predictionTypeKnown && !model->predictionTypeSaid);
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
        QVERIFY(written.ok() && written->predictionTypeKnown && written->predictionTypeSaid);
        QVERIFY(written->predictionType == PredictionType::Epsilon);
        writeSparse(file, test::fullSizeModel(wanted, PredictionType::Epsilon), 4,
                    {{"modelspec.predict_key", "v"}}); // by ComfyUI
        QVERIFY(openModel(file.string())->predictionTypeKnown);
    }

    void whatLiesBesideASilentFileIsRead_data() {
        QTest::addColumn<int>("family");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said"); // empty: nothing
        const auto row = [](const char* name, ModelFamily family, const char* text, const char* said) {
            QTest::newRow(name) << static_cast<int>(family) << QString(text) << QString(said);
        };
        const ModelFamily first = ModelFamily::StableDiffusion1;
        const ModelFamily second = ModelFamily::StableDiffusion2;
        const char* noise = "model:\n  target: ldm.models.diffusion.ddpm.LatentDiffusion\n";
        row("v", first, "model:\n  params:\n    parameterization: \"v\"\n", "v_prediction");
        row("v, unquoted", second, "    parameterization: v # as 768-v\r\n", "v_prediction");
        row("v, other quotes", first, "parameterization : 'v'", "v_prediction");
        row("the first counts", first, "parameterization: v\nparameterization: eps\n", "v_prediction");
        row("noise", second, "parameterization: eps\n", "epsilon");
        row("noise of SD 2.x", second, noise, "epsilon");
        row("noise of SD 1.x", first, noise, "epsilon");
        row("a remark", first, "# parameterization: \"v\"\n", "");
        row("another key", second, "v_parameterization: v\nnote: \"parameterization: v\"\n", "");
        row("a third way", second, "parameterization: x0\n  target: a.LatentDiffusion\n", "");
        row("another model", second, "target: ldm.models.diffusion.ddpm.LatentUpscaleDiffusion\n", "");
        row("an open quote", second, "parameterization: \"v\n:\n\n : \n", "");
        row("nothing", second, "", "");
    }
    void whatLiesBesideASilentFileIsRead() {
        QFETCH(int, family);
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto wanted = static_cast<ModelFamily>(family);
        const fs::path file = at("their.v1.safetensors");
        writeSparse(file, test::fullSizeModel(wanted, PredictionType::Epsilon), 4, {});
        QVERIFY(writeFileAtomically(at("their.v1.yaml").string(), text.toStdString()).ok());
        const auto model = openModel(file.string());
        QVERIFY2(model, reasonOf(model).c_str());
        QCOMPARE(model->predictionTypeSaid, !said.isEmpty());
        if (said.isEmpty()) return;
        QCOMPARE(QString(toString(model->predictionType)), said);
        QVERIFY(model->predictionTypeKnown && model->deviations.empty());
        QVERIFY2(contains(model->schedulerJson, '"' + said.toStdString() + '"'), qPrintable(said));
    }

    void whatLiesBesideAFileCountsBehindItsOwnWord() {
        const auto model = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const fs::path file = at("said.safetensors");
        writeSparse(file, model, 4, {{"modelspec.prediction_type", "epsilon"}});
        const std::string beside = at("said.yaml").string();
        QVERIFY(writeFileAtomically(beside, "parameterization: v\n").ok());
        QVERIFY(openModel(file.string())->predictionType == PredictionType::Epsilon);
        writeSparse(file, model, 4, {});
        QVERIFY(openModel(file.string())->predictionType == PredictionType::VPrediction);
        OpenOptions options;
        options.predictionType = PredictionType::Epsilon; // and behind what is asked for
        const auto told = openModel(file.string(), options);
        QVERIFY(told.ok() && told->predictionType == PredictionType::Epsilon);
        QVERIFY(contains(joined(told->deviations), "epsilon was taken, as was asked for"));
    }

    void whatLiesBesideAFileIsReadWhereItIsASmallFile() {
        const fs::path file = at("odd.safetensors");
        writeSparse(file, test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon), 4, {});
        const fs::path beside = at("odd.yaml");
        constexpr size_t kTooLarge = size_t{1} << 17;
        std::string large = "parameterization: v\n";
        large.append(kTooLarge, '#');
        QVERIFY(writeFileAtomically(beside.string(), large).ok());
        QVERIFY(!openModel(file.string())->predictionTypeSaid);
        fs::remove(beside);
        QVERIFY(::mkfifo(beside.c_str(), 0600) == 0); // nobody writes into it: reading it would never end
        QVERIFY(!openModel(file.string())->predictionTypeSaid);
        fs::remove(beside);
        fs::create_directory(beside);
        QVERIFY(!openModel(file.string())->predictionTypeSaid);
    }

    void listsTensorsInTheOrderOfTheirBytes() {
        const std::string folder = HOMEBOOTH_FIXTURES_DIR "/tiny-sd1";
        auto model = openModel(folder);
        QVERIFY(model.ok());
        auto file = SafetensorsReader::open(folder + "/unet/diffusion_pytorch_model.safetensors");
        QVERIFY(file.ok());
        const auto& listed = model->unetTensors->tensors();
        const auto& stored = (*file)->tensors();
        QCOMPARE(listed.size(), stored.size());
        for (size_t i = 0; i < listed.size(); ++i) QCOMPARE(listed[i].name, stored[i].name);
        QVERIFY(listed.front().name !=
                unetLayout(model->unet).front().name); // another order than the layout's
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
        const ModelSource model = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const std::map<int64_t, std::string> kinds{{9, "(an inpainting model)"},
                                                   {8, "as it is told, such as InstructPix2Pix)"},
                                                   {5, "(a depth model)"}};
        for (const auto& [channels, words] : kinds) {
            writeSparse(file, model, channels, {});
            QVERIFY2(contains(errorOf(file), words), errorOf(file).c_str());
        }
        writeSparse(file, model, 4, {}, same,
                    {makeTensorInfo("model.diffusion_model.time_embed.cond_proj.weight", DataType::F32, {})});
        QVERIFY2(contains(errorOf(file), "distilled to few steps"), errorOf(file).c_str());
        ModelSource tiny = tinyModel(false); // whose first level reads no text
        tiny.unet.downStages = {UNetStage::Plain, UNetStage::CrossAttention, UNetStage::CrossAttention};
        tiny.unet.upStages = {UNetStage::CrossAttention, UNetStage::CrossAttention, UNetStage::Plain};
        writeSparse(file, tiny, 4, {});
        QVERIFY2(contains(errorOf(file), "takes text of width 12;"), errorOf(file).c_str());
    }
};

QTEST_APPLESS_MAIN(TestModelOpening)
#include "tst_model_opening.moc"

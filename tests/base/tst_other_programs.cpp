// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What other programs are told of a single file that predicts v, and an SD 2.x laid out as theirs may be.
#include "core/base/model/other_programs.h"
#include "tests/base/support/model_files.h"

#include <QtTest>

using namespace homebooth::core;
using namespace homebooth::core::test;

namespace {

/// As it comes from a training that had it predict v. @param zeroSnr  its last timestep is noise alone
ModelSource learnedV(ModelSource model, ModelFamily family, bool zeroSnr = false) {
    SchedulerConfig scheduler = stableDiffusionSchedulerConfig(PredictionType::VPrediction);
    if (zeroSnr) scheduler.rescaleBetasZeroSnr = true;
    model.family = family;
    model.predictionType = PredictionType::VPrediction;
    model.schedulerJson = toJson(scheduler);
    return model;
}

/// The model of which ComfyUI looks at one tensor, to know whether it predicts v.
ModelSource secondOfDeviation(float deviation, bool zeroSnr) {
    ModelSource model =
        learnedV(test::fullSizeModel(ModelFamily::StableDiffusion2, PredictionType::VPrediction),
                 ModelFamily::StableDiffusion2, zeroSnr);
    const std::vector<float> values{1.0F + deviation, 1.0F - deviation};
    const auto bytes = std::as_bytes(std::span(values));
    auto source = std::make_shared<MemorySource>();
    source->add(
        makeTensorInfo("up_blocks.3.attentions.2.transformer_blocks.0.norm1.bias", DataType::F32, {2}),
        {bytes.begin(), bytes.end()});
    model.unetTensors = source;
    return model;
}

std::string codeOf(const ModelSource& model) {
    const auto choice = choiceElsewhere(model);
    return choice ? choice->code : "(none)";
}

/// SD 2.x with its text encoder where SDXL has its own.
std::string inXlsPlace(const std::string& name) {
    const std::string usual = "cond_stage_model.model.";
    return name.starts_with(usual) ? "conditioner.embedders.0.model." + name.substr(usual.size()) : name;
}

} // namespace

class TestOtherPrograms : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelFolder> m_models;
    fs::path at(const char* name) const { return m_models->at(name); }

private slots:
    void init() { m_models = std::make_unique<ModelFolder>(); }

    void aTextOfItsValuesSaysThatItPredictsV() {
        const ModelSource first =
            learnedV(test::fullSizeModel(ModelFamily::StableDiffusion1, {}), ModelFamily::StableDiffusion1);
        const std::string text = configurationBeside(first);
        for (const char* line :
             {"\nmodel:\n  target: \"ldm.models.diffusion.ddpm.LatentDiffusion\"\n  params:\n",
              "\n    parameterization: \"v\"\n", "\n    timesteps: 1000\n", "\n    linear_start: 0.00085\n",
              "\n    linear_end: 0.012\n", "\n    scale_factor: 0.18215\n", "\n    use_ema: false\n",
              "\n    unet_config:\n      target: \"ldm.modules.diffusionmodules.openaimodel.UNetModel\"\n",
              "\n        model_channels: 320\n", "\n        channel_mult: [1,2,4,4]\n",
              "\n        attention_resolutions: [1,2,4]\n", "\n        num_heads: 8\n",
              "\n        context_dim: 768\n", "\n        legacy: false\n", "\n          ch_mult: [1,2,4,4]\n",
              "\n          attn_resolutions: []\n", "\n          target: \"torch.nn.Identity\"\n",
              "\n      target: \"ldm.modules.encoders.modules.FrozenCLIPEmbedder\"\n"})
            QVERIFY2(contains(text, line), (line + text).c_str());
        const ModelSource second = secondOfDeviation(0.2F, false);
        const std::string other = configurationBeside(second);
        for (const char* line :
             {"\n    image_size: 96\n", "\n        num_head_channels: 64\n",
              "\n        use_linear_in_transformer: true\n", "\n        context_dim: 1024\n",
              "FrozenOpenCLIPEmbedder\"\n      params:\n        freeze: true\n        layer: "
              "\"penultimate\""})
            QVERIFY2(contains(other, line), (line + other).c_str());
    }

    void othersNeedNone() {
        const ModelSource noise = test::fullSizeModel(ModelFamily::StableDiffusion1, {});
        const ModelSource xl = learnedV(tinyXlModel(), ModelFamily::StableDiffusionXl);
        const ModelSource unpublished = learnedV(test::tinyModel(true), ModelFamily::Other);
        for (const ModelSource* model : {&noise, &xl, &unpublished}) {
            QCOMPARE(configurationBeside(*model), std::string());
            QCOMPARE(codeOf(*model), "(none)");
        }
    }

    void comfyUiNeedsToBeToldUnlessItSeesIt() {
        const ModelSource first = learnedV(test::tinyModel(false), ModelFamily::StableDiffusion1);
        QCOMPARE(codeOf(first), std::string(kVChosenElsewhere));
        QVERIFY(contains(choiceElsewhere(first)->message, "ModelSamplingDiscrete"));
        QCOMPARE(codeOf(secondOfDeviation(0.2F, false)), "(none)");
        QCOMPARE(codeOf(secondOfDeviation(0.02F, false)), std::string(kVChosenElsewhere));
        QCOMPARE(codeOf(secondOfDeviation(0.2F, true)), std::string(kZeroSnrChosenElsewhere));
    }

    void comfyUiIsToldOfOneThatPredictsTheNoiseThoughItLooksOtherwise() {
        ModelSource model = secondOfDeviation(0.2F, false);
        model.predictionType = PredictionType::Epsilon;
        QCOMPARE(codeOf(model), std::string(kNoiseChosenElsewhere));
        QVERIFY(contains(choiceElsewhere(model)->message, "with eps"));
        model = secondOfDeviation(0.02F, false);
        model.predictionType = PredictionType::Epsilon;
        QCOMPARE(codeOf(model), "(none)");
    }

    void theConfigurationLiesBesideTheFile() {
        const ModelSource model = learnedV(test::tinyModel(false), ModelFamily::StableDiffusion1, true);
        std::vector<std::string> told;
        WriteOptions options;
        options.onChoice = [&told](const ChoiceElsewhere& choice) { told.push_back(choice.code); };
        QVERIFY(writeSingleFile(model, at("learned.v1.safetensors").string(), options).ok());
        QCOMPARE(fileText(at("learned.v1.yaml")), configurationBeside(model));
        QCOMPARE(told, std::vector<std::string>{kZeroSnrChosenElsewhere});
        const auto opened = openModel(at("learned.v1.safetensors").string());
        QVERIFY2(opened, reasonOf(opened).c_str());
        QCOMPARE(joined(opened->deviations), "");
        QVERIFY(opened->predictionType == PredictionType::VPrediction);
        fs::remove(at("learned.v1.safetensors"));
        QVERIFY(writeSingleFile(model, at("learned.v1.safetensors").string(), options).ok()); // as it was
    }

    void aFileThatIsNotWrittenHasNoneBesideIt() {
        const ModelSource model = learnedV(test::tinyModel(false), ModelFamily::StableDiffusion1);
        WriteOptions stopped;
        stopped.cancel.request();
        QVERIFY(writeSingleFile(model, at("stopped.safetensors").string(), stopped).value() ==
                WriteOutcome::Cancelled);
        QVERIFY(!fs::exists(at("stopped.yaml")));
        QVERIFY(writeFileAtomically(at("mine.yaml").string(), "mine").ok());
        const auto refused = writeSingleFile(model, at("mine.safetensors").string());
        QVERIFY(!refused.ok() && contains(refused.error().text(), "mine.yaml"));
        QVERIFY(!fs::exists(at("mine.safetensors")));
        QCOMPARE(fileText(at("mine.yaml")), "mine");
        QVERIFY(writeSingleFile(test::tinyModel(false), at("noise.safetensors").string()).ok());
        QVERIFY(!fs::exists(at("noise.yaml")));
    }

    void whatIsBesideAnEarlierFileGoesUnlessItIsSomebodyElses() {
        const ModelSource learned = learnedV(test::tinyModel(false), ModelFamily::StableDiffusion1);
        ModelSource otherwise = learned;
        otherwise.vae.scalingFactor = 0.5;
        const std::string file = at("robot.safetensors").string();
        QVERIFY(writeSingleFile(learned, file).ok());
        QVERIFY(isConfigurationBeside(at("robot.yaml")));
        fs::remove(file);
        QVERIFY(writeSingleFile(otherwise, file).ok()); // it says this one now
        QCOMPARE(fileText(at("robot.yaml")), configurationBeside(otherwise));
        fs::remove(file);
        QVERIFY(writeSingleFile(test::tinyModel(false), file).ok());
        QVERIFY(!fs::exists(at("robot.yaml")));
        QVERIFY(writeFileAtomically(at("mine.yaml").string(), "model: mine").ok());
        QVERIFY(!isConfigurationBeside(at("mine.yaml")));
        const auto refused = writeSingleFile(test::tinyModel(false), at("mine.safetensors").string());
        QVERIFY(!refused.ok() && contains(refused.error().text(), "mine.yaml"));
        QVERIFY(contains(refused.error().text(), "move it away"));
        QVERIFY(!fs::exists(at("mine.safetensors")));
        QCOMPARE(fileText(at("mine.yaml")), "model: mine");
    }

    void forgeIsToldOfZeroTerminalSnrByATensor() {
        for (const bool zeroSnr : {false, true}) {
            const char* name = zeroSnr ? "zero.safetensors" : "plain.safetensors";
            const ModelSource model = learnedV(test::tinyModel(true), ModelFamily::StableDiffusion2, zeroSnr);
            QVERIFY(writeSingleFile(model, at(name).string()).ok());
            const auto reader = SafetensorsReader::open(at(name).string());
            QVERIFY(reader.ok());
            QCOMPARE((*reader)->find("ztsnr") != nullptr, zeroSnr);
            QVERIFY((*reader)->find("v_pred") == nullptr);
        }
    }

    void anSd2InTheLayoutOfSdxlIsRead() {
        const fs::path file = m_models->savedFile(true);
        rewrite(file, inXlsPlace);
        const auto opened = openModel(file.string());
        QVERIFY2(opened, reasonOf(opened).c_str());
        QCOMPARE(joined(opened->deviations), "");
        compareWeights(*opened, test::tinyModel(true));
        const fs::path foreign = at("foreign.safetensors");
        writeSparse(foreign, test::fullSizeModel(ModelFamily::StableDiffusion2, PredictionType::VPrediction),
                    4, {{"modelspec.prediction_type", "v"}}, inXlsPlace);
        const auto full = openModel(foreign.string());
        QVERIFY2(full, reasonOf(full).c_str());
        QVERIFY(full->family == ModelFamily::StableDiffusion2 && !full->secondText);
    }
};

QTEST_APPLESS_MAIN(TestOtherPrograms)
#include "tst_other_programs.moc"

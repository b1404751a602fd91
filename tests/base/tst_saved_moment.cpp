// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Saved moments of trainings: what they are as a model or a LoRA, which run they are of, and what is said
// where a single file of one is taken for a whole.
#include "core/base/model/convert.h"
#include "core/base/model/saved_moment.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "tests/base/support/made_lora.h"
#include "tests/base/support/model_files.h"

#include <fstream>
#include <tuple>

using namespace homebooth::core;
using namespace homebooth::core::test;

namespace {

constexpr const char* kQuery = "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";
constexpr const char* kTextQuery = "text_model.encoder.layers.1.self_attn.q_proj";
constexpr int64_t kStep = 400;

/// Writes those tensors of a source whose names begin so, without that beginning.
/// @param ending  of their names in the file. @param zeros  in place of the source's numbers
void writeTensors(const std::string& path, const TensorSource& source, const std::string& ending = "",
                  const std::string& beginning = "", bool zeros = false) {
    std::vector<TensorInfo> infos;
    std::vector<std::vector<std::byte>> contents;
    for (TensorInfo info : source.tensors()) {
        if (!info.name.starts_with(beginning)) continue;
        std::vector<std::byte> bytes = bytesOf(source, info.name);
        if (zeros) std::fill(bytes.begin(), bytes.end(), std::byte{0});
        contents.push_back(std::move(bytes));
        info.name = info.name.substr(beginning.size());
        info.name.append(ending);
        infos.push_back(std::move(info));
    }
    auto writer = SafetensorsWriter::create(path, infos);
    QVERIFY(writer.ok());
    for (size_t i = 0; i < infos.size(); ++i) QVERIFY(writer->write(infos[i].name, contents[i]).ok());
    QVERIFY(writer->commit().ok());
}

void seal(const std::string& folder) {
    ManifestOptions options;
    options.step = kStep;
    QVERIFY(writeManifest(folder, options).ok());
}

/// An adapter of the UNet and one of the text encoder, rank 3 with alpha 1.5.
struct TwoAdapters : MadeLora {
    TwoAdapters() {
        add({"unet", kQuery}, {3, 8}, {8, 3}, 1.5);
        add({"text_encoder", kTextQuery}, {3, 12}, {12, 3}, 1.5);
    }
};

} // namespace

class TestSavedMoment : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelFolder> m_folder;
    ModelSource m_base; ///< what the model in the folder holds

    [[nodiscard]] TrainConfig askedFor(TrainMethod method) const {
        TrainConfig config;
        config.model = m_folder->at("model").string();
        config.method = method;
        config.data.instanceDir = "/photos";
        config.data.instancePrompt = "a photo of sks dog";
        config.lora.rank = 3;
        config.lora.alpha = 1.5;
        return config;
    }

    [[nodiscard]] RunFolder newRun(const TrainConfig& asked, const char* name = "robot") const {
        return *RunFolder::create(m_folder->at(name).string(), asked);
    }

    /// A checkpoint's folder without files.
    static std::string checkpointOf(const RunFolder& run) {
        fs::create_directories(run.checkpointDir(kStep));
        return run.checkpointDir(kStep);
    }

    [[nodiscard]] std::shared_ptr<MemorySource> unetOf(unsigned seed) const {
        return randomSource(unetLayout(m_base.unet), DataType::F32, seed);
    }
    [[nodiscard]] std::shared_ptr<MemorySource> textOf(unsigned seed) const {
        return randomSource(textEncoderLayout(m_base.text.config), DataType::F32, seed);
    }

    /// A moment of adapters, of which those of the UNet have averages. @returns its folder
    [[nodiscard]] std::string loraMoment(const RunFolder& run, bool averages = true) const {
        const TwoAdapters lora;
        const std::string folder = checkpointOf(run);
        writeTensors(folder + "/unet.safetensors", lora.source, "", "unet/", averages);
        if (averages) writeTensors(folder + "/ema-unet.safetensors", lora.source, ".ema", "unet/");
        writeTensors(folder + "/text_encoder.safetensors", lora.source, "", "text_encoder/");
        seal(folder);
        return folder;
    }

    static std::string refusalOf(const std::string& path, bool lora) {
        if (lora) {
            const auto opened = openLora(path);
            return opened ? "(opened)" : opened.error().text();
        }
        const auto opened = openModel(path);
        return opened ? "(opened)" : opened.error().text();
    }

private slots:
    void init() {
        m_folder = std::make_unique<ModelFolder>();
        m_base = tinyModel(false);
        const auto written = writeDiffusersFolder(m_base, m_folder->at("model").string());
        QVERIFY2(written, reasonOf(written).c_str());
    }

    void aWholeModelHasAveragesWhereThereAreAny() {
        const std::string folder = checkpointOf(newRun(askedFor(TrainMethod::Full)));
        const std::string theirs = m_folder->at("model/README.md").string();
        QVERIFY(writeFileAtomically(theirs, "---\nlicense: mit\n---\nof the base").ok());
        ModelSource expected = m_base;
        expected.unetTensors = unetOf(12);
        expected.text.tensors = textOf(13);
        writeTensors(folder + "/unet.safetensors", *unetOf(11));
        writeTensors(folder + "/ema-unet.safetensors", *expected.unetTensors, ".ema");
        writeTensors(folder + "/text_encoder.safetensors", *expected.text.tensors);
        seal(folder);
        QVERIFY(momentHasAverages(folder));
        const auto moment = openSavedMoment(folder + "/");
        QVERIFY2(moment, reasonOf(moment).c_str());
        const auto model = openMomentModel(*moment);
        QVERIFY2(model, reasonOf(model).c_str());
        compareWeights(*model, expected);
        for (const ConvertTarget target : {ConvertTarget::Diffusers, ConvertTarget::Checkpoint}) {
            const bool whole = target == ConvertTarget::Checkpoint;
            const std::string out = m_folder->at(whole ? "out.safetensors" : "out").string();
            const auto written = convertModel(folder, out, target);
            QVERIFY2(written, reasonOf(written).c_str());
            const auto opened = openModel(out);
            QVERIFY2(opened, reasonOf(opened).c_str());
            compareWeights(*opened, expected);
            QCOMPARE(opened->metadata.at("modelspec.trigger_phrase"), "a photo of sks dog");
        }
        const std::string card = fileText(m_folder->at("out") / "README.md"); // of the moment, not of the run
        QVERIFY2(contains(card, "license: mit\n") && contains(card, "400 steps"), card.c_str());
        QVERIFY2(!contains(card, "of the base"), card.c_str());
    }

    void whatDidNotLearnIsTheResults() {
        const RunFolder run = newRun(askedFor(TrainMethod::Full));
        const std::string folder = checkpointOf(run);
        ModelSource expected = m_base;
        expected.unetTensors = unetOf(11);
        writeTensors(folder + "/unet.safetensors", *expected.unetTensors);
        seal(folder);
        QVERIFY(!momentHasAverages(folder));
        const auto before = openMomentModel(*openSavedMoment(folder));
        QVERIFY2(before, reasonOf(before).c_str());
        compareWeights(*before, expected);
        ModelSource result = m_base;
        result.text.tensors = expected.text.tensors = textOf(14);
        fs::create_directories(run.resultDir());
        QVERIFY(writeDiffusersFolder(result, run.resultDir() + "/model").ok());
        fs::remove_all(m_folder->at("model")); // the result goes with the run, it does not
        const auto after = openMomentModel(*openSavedMoment(folder));
        QVERIFY2(after, reasonOf(after).c_str());
        compareWeights(*after, expected);
    }

    void itsModelIsSaidToBeMissing() {
        const std::string folder = checkpointOf(newRun(askedFor(TrainMethod::Full)));
        writeTensors(folder + "/unet.safetensors", *unetOf(11));
        seal(folder);
        fs::remove_all(m_folder->at("model"));
        const auto written = convertModel(folder, m_folder->at("out").string(), ConvertTarget::Diffusers);
        QVERIFY(!written.ok());
        QVERIFY2(contains(written.error().text(), "the model that its training began with"),
                 written.error().text().c_str());
        QVERIFY(contains(written.error().text(), m_folder->at("model").string()));
    }

    void ofATrainingFromScratchAllComesFromItsFiles() {
        TrainConfig asked = askedFor(TrainMethod::Full);
        asked.mode = TrainMode::FromScratch;
        asked.model.clear();
        asked.scratch.configDir = m_folder->at("model").string();
        const std::string folder = checkpointOf(newRun(asked));
        ModelSource expected = m_base;
        expected.unetTensors = unetOf(11);
        expected.text.tensors = textOf(12);
        writeTensors(folder + "/unet.safetensors", *expected.unetTensors);
        seal(folder);
        const auto half = openMomentModel(*openSavedMoment(folder));
        QVERIFY(!half.ok());
        QVERIFY2(contains(half.error().text(), "found some missing"), half.error().text().c_str());
        writeTensors(folder + "/text_encoder.safetensors", *expected.text.tensors);
        seal(folder);
        const auto model = openMomentModel(*openSavedMoment(folder));
        QVERIFY2(model, reasonOf(model).c_str());
        compareWeights(*model, expected);
    }

    void itPredictsWhatItsTrainingWasTold() {
        TrainConfig told = askedFor(TrainMethod::Full);
        told.loss.predictionType = "v_prediction";
        const std::string folder = checkpointOf(newRun(told));
        writeTensors(folder + "/unet.safetensors", *unetOf(11));
        seal(folder);
        const auto moment = openSavedMoment(folder);
        QVERIFY2(moment, reasonOf(moment).c_str());
        QVERIFY(openMomentModel(*moment)->predictionType == PredictionType::VPrediction);
        OpenOptions asked;
        asked.predictionType = PredictionType::Epsilon;
        QVERIFY(openMomentModel(*moment, asked)->predictionType == PredictionType::Epsilon);
    }

    void aLoraHasAveragesAndItsStrength() {
        const TwoAdapters lora;
        const std::string folder = loraMoment(newRun(askedFor(TrainMethod::Lora)));
        const std::string theirs = m_folder->at("model/README.md").string();
        QVERIFY(writeFileAtomically(theirs, "---\nlicense: mit\n---\nof the base").ok());
        const std::string kohya = m_folder->at("kohya.safetensors").string();
        const std::string diffusers = m_folder->at("diffusers.safetensors").string();
        const auto written = convertModel(folder, kohya, ConvertTarget::KohyaLora);
        QVERIFY2(written, reasonOf(written).c_str());
        QVERIFY(convertModel(folder, diffusers, ConvertTarget::DiffusersLora).ok());
        for (const std::string& file : {kohya, diffusers}) {
            const auto opened = openLora(file);
            QVERIFY2(opened, reasonOf(opened).c_str());
            QCOMPARE(opened->modules.size(), lora.modules.size());
            for (const LoraModule& module : opened->modules) {
                const bool first = module.name.component == "unet";
                const LoraModule& made = lora.modules[first ? 0 : 1];
                QVERIFY(module.name == made.name);
                QCOMPARE(module.alpha, file == kohya ? 1.5 : 3.0);
                QVERIFY(bytesOf(*opened->tensors, module.downTensor) ==
                        bytesOf(lora.source, made.downTensor));
                QVERIFY(bytesOf(*opened->tensors, module.upTensor) ==
                        (file == kohya ? bytesOf(lora.source, made.upTensor) : lora.scaledUp(made)));
            }
            QCOMPARE(opened->metadata.at("modelspec.trigger_phrase"), "a photo of sks dog");
            QCOMPARE(opened->metadata.at("modelspec.license"), "mit");
            QVERIFY(isLoraOfAverages(file));
        }
    }

    void aLoraWithoutAveragesSaysSo() {
        const RunFolder run = newRun(askedFor(TrainMethod::Lora));
        const std::string folder = loraMoment(run, /*averages=*/false);
        const std::string out = m_folder->at("out.safetensors").string();
        QVERIFY(convertModel(folder, out, ConvertTarget::KohyaLora).ok());
        QVERIFY(!isLoraOfAverages(out));
        const auto opened = openLora(out);
        QVERIFY(opened.ok());
        QCOMPARE(opened->metadata.at("ss_output_name"), "out");
        QVERIFY(opened->metadata.contains("ss_steps"));
        const TwoAdapters lora;
        QVERIFY(bytesOf(*opened->tensors, opened->modules.back().upTensor) ==
                bytesOf(lora.source, lora.modules[0].upTensor));
    }

    void eachKindHasItsForms() {
        const std::string lora = loraMoment(newRun(askedFor(TrainMethod::Lora), "a LoRA"));
        const std::string whole = checkpointOf(newRun(askedFor(TrainMethod::Full), "a model"));
        writeTensors(whole + "/unet.safetensors", *unetOf(11));
        seal(whole);
        const std::string out = m_folder->at("out").string();
        const auto refusal = [&](const std::string& in, ConvertTarget target) {
            const auto written = convertModel(in, out, target);
            return written ? std::string("(written)") : written.error().text();
        };
        for (const ConvertTarget target : {ConvertTarget::Diffusers, ConvertTarget::Checkpoint})
            QVERIFY2(contains(refusal(lora, target), "take --to kohya-lora"), refusal(lora, target).c_str());
        for (const ConvertTarget target : {ConvertTarget::KohyaLora, ConvertTarget::DiffusersLora})
            QVERIFY2(contains(refusal(whole, target), "take --to checkpoint"),
                     refusal(whole, target).c_str());
        QVERIFY(!fs::exists(out));
    }

    void damagedWeightsMakeNothing() {
        const std::string lora = loraMoment(newRun(askedFor(TrainMethod::Lora), "a LoRA"));
        const std::string whole = checkpointOf(newRun(askedFor(TrainMethod::Full), "a model"));
        writeTensors(whole + "/unet.safetensors", *unetOf(11));
        seal(whole);
        const std::string out = m_folder->at("out").string();
        for (const auto& [folder, name, target] :
             {std::tuple(lora, "text_encoder.safetensors", ConvertTarget::KohyaLora),
              std::tuple(whole, "unet.safetensors", ConvertTarget::Checkpoint)}) {
            std::fstream file(folder + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(-1, std::ios::end).put('\x7f');
            file.close();
            const auto written = convertModel(folder, out, target);
            QVERIFY(!written.ok());
            QVERIFY2(contains(written.error().text(), std::string(name) + " has changed"),
                     written.error().text().c_str());
            QVERIFY(!fs::exists(out));
        }
    }

    void momentsOfOtherTrainingsAreNone() {
        TrainConfig autoencoder = askedFor(TrainMethod::Full);
        autoencoder.mode = TrainMode::FromScratch;
        autoencoder.scratch.component = "vae";
        autoencoder.scratch.configDir = m_folder->at("model").string();
        const std::string folder = checkpointOf(newRun(autoencoder));
        writeTensors(folder + "/encoder.safetensors", *unetOf(11));
        seal(folder);
        const auto moment = openSavedMoment(folder);
        QVERIFY(!moment.ok());
        QVERIFY2(contains(moment.error().text(), "found one of an autoencoder"),
                 moment.error().text().c_str());
    }

    void oneFileOfItIsNoLora() {
        const std::string folder = loraMoment(newRun(askedFor(TrainMethod::Lora)));
        for (const std::string& path :
             {folder, folder + "/unet.safetensors", folder + "/ema-unet.safetensors"}) {
            const std::string ofLora = refusalOf(path, true);
            QVERIFY2(contains(ofLora, "convert \"" + folder + "\" lora.safetensors --to kohya-lora"),
                     ofLora.c_str());
            const std::string ofModel = refusalOf(path, false);
            QVERIFY2(contains(ofModel, "convert \"" + folder + "\" lora.safetensors --to kohya-lora"),
                     ofModel.c_str());
        }
        const std::string beside = folder + "/mine.safetensors";
        QVERIFY(convertModel(folder, beside, ConvertTarget::KohyaLora).ok());
        QCOMPARE(refusalOf(beside, true), "(opened)");
    }

    void whatItMakesIsSaidWhateverWasExpected() {
        const std::string lora = loraMoment(newRun(askedFor(TrainMethod::Lora)));
        const std::string whole = checkpointOf(newRun(askedFor(TrainMethod::Full), "whole"));
        writeTensors(whole + "/unet.safetensors", *unetOf(11));
        seal(whole);
        const std::string moved = m_folder->at("moved").string(); // away from its run
        fs::create_directories(moved);
        writeTensors(moved + "/language.safetensors", *unetOf(11));
        seal(moved);
        const std::vector<std::tuple<std::string, TakenFor, const char*, const char*>> cases{
            {lora, TakenFor::LanguageLora, "this one makes a LoRA for pictures",
             "lora.safetensors --to kohya-lora"},
            {whole, TakenFor::LanguageLora, "this one makes a model that makes pictures",
             "model.safetensors --to checkpoint"},
            {whole, TakenFor::PictureLora, "this one makes a model that makes pictures",
             "model.safetensors --to checkpoint"},
            {moved, TakenFor::PictureLora, "this one makes a language model", "model --to transformers"},
            {moved, TakenFor::Model, "make that of it first", "model --to transformers"}};
        for (const auto& [folder, expected, makes, conversion] : cases) {
            const auto refused = expectNoMoment(folder, expected);
            QVERIFY(!refused.ok());
            const std::string& said = refused.error().message;
            const std::string way = ": homebooth-engine convert \"" + folder + "\" " + conversion;
            QVERIFY2(said.ends_with(makes + way), said.c_str());
        }
    }

    void itsRunIsFoundWhereMomentsLieElsewhere() {
        const RunFolder run = newRun(askedFor(TrainMethod::Lora));
        const std::string within = loraMoment(run);
        const std::string disk = m_folder->at("disk").string();
        fs::create_directory(disk);
        const auto moved = moveCheckpoints(run, disk);
        QVERIFY2(moved, reasonOf(moved).c_str());
        const std::string there = *moved + within.substr(within.rfind('/'));
        for (const std::string& path : {within, there}) {
            const auto moment = openSavedMoment(path);
            QVERIFY2(moment, reasonOf(moment).c_str());
            QCOMPARE(moment->runDir, run.path());
        }
        fs::remove(*moved + "/" + kOwnerName);
        const auto lost = openSavedMoment(there);
        QVERIFY(!lost.ok());
        QVERIFY2(contains(lost.error().text(), "RUN/checkpoints/step-000400"), lost.error().text().c_str());
    }

    /// Of those of links, that the window makes.
    void foldersWithAveragesOpen() {
        const auto asAverage = [](const std::string& name) { return name + ".ema"; };
        rewrite(m_folder->at("model/unet/diffusion_pytorch_model.safetensors"), asAverage);
        rewrite(m_folder->at("model/text_encoder/model.safetensors"), asAverage);
        const auto model = openModel(m_folder->at("model").string());
        QVERIFY2(model, reasonOf(model).c_str());
        compareWeights(*model, m_base);
    }
};

QTEST_GUILESS_MAIN(TestSavedMoment)
#include "tst_saved_moment.moc"

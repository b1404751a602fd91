// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever lies on a disk is described; models are converted and have one identity.
#include "core/base/config/training_defaults.h"
#include "core/base/files/atomic_file.h"
#include "core/base/formats/convert_type.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/convert.h"
#include "core/base/model/deviation.h"
#include "core/base/model/inspect.h"
#include "core/base/model/model_hash.h"
#include "core/base/model/published_tokenizer.h"
#include "core/base/model/tensor_copy.h"
#include "core/base/util/regular_file.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

using namespace homebooth::core;
namespace fs = std::filesystem;
using nlohmann::json;

class TestInspect : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string at(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }

    bool writeTensors(const std::string& path, const std::vector<TensorInfo>& infos) {
        auto writer = SafetensorsWriter::create(path, infos);
        if (!writer) return false;
        for (const TensorInfo& info : infos)
            if (!writer->write(info.name, std::vector<std::byte>(static_cast<size_t>(info.byteCount))))
                return false;
        return writer->commit().ok();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void describesModels() {
        const ModelSource model = test::tinyModel(true, DataType::BF16);
        QVERIFY(writeDiffusersFolder(model, at("folder")).ok());
        QVERIFY(writeSingleFile(model, at("file.safetensors")).ok());
        int64_t parameters = 0;
        for (const TensorInfo& info : model.unetTensors->tensors()) parameters += info.elementCount();
        for (const char* name : {"folder", "file.safetensors"}) {
            const auto facts = inspectPath(at(name));
            QVERIFY(facts.ok());
            const json value = json::parse(facts.value().toJson());
            QCOMPARE(value["kind"].get<std::string>(), "model");
            QVERIFY(value["usable"].get<bool>());
            QCOMPARE(value["predictionType"].get<std::string>(), "v_prediction");
            QVERIFY(value["predictionTypeSaid"].get<bool>());
            QVERIFY(value["widthPixels"].is_number_integer() && !value.contains("resolution"));
            QCOMPARE(value["heightPixels"], value["widthPixels"]);
            QCOMPARE(value["components"]["unet"]["parameters"].get<int64_t>(), parameters);
            QCOMPARE(value["components"]["unet"]["types"].get<std::string>(), "BF16");
            QVERIFY(facts.value().toText().find("Model: another Stable Diffusion") == 0);
        }
    }

    void describesSdxlByItsFourParts() {
        const ModelSource model = test::tinyXlModel(DataType::F16);
        QVERIFY(writeDiffusersFolder(model, at("folder")).ok());
        QVERIFY(writeSingleFile(model, at("file.safetensors")).ok());
        int64_t parameters = 0;
        for (const TensorInfo& info : model.secondText->tensors->tensors()) parameters += info.elementCount();
        for (const char* name : {"folder", "file.safetensors"}) {
            const auto facts = inspectPath(at(name));
            QVERIFY(facts.ok());
            const json value = json::parse(facts.value().toJson());
            QCOMPARE(value["family"].get<std::string>(), "SDXL");
            QVERIFY(value["usable"].get<bool>() && !value.contains("fault"));
            QCOMPARE(value["components"].size(), size_t{4});
            QCOMPARE(value["components"]["text_encoder_2"]["parameters"].get<int64_t>(), parameters);
            QVERIFY(facts->toText().find("Model: SDXL") == 0);
            QVERIFY(facts->toText().find("\n  text_encoder_2  ") != std::string::npos);
        }
        fs::remove(at("folder/text_encoder_2/model.safetensors"));
        const auto without = inspectPath(at("folder"));
        QVERIFY(without->fault == ModelFault::PartsMissing);
        QVERIFY2(without->problem.find("found none for the second text encoder;") != std::string::npos,
                 without->problem.c_str());
        fs::remove_all(at("folder/text_encoder_2"));
        QVERIFY(inspectPath(at("folder"))->fault == ModelFault::PartsMissing);
    }

    void otherModelsBesideSdxlAreSaidToBeSo() {
        ModelSource refiner = test::tinyXlModel();
        refiner.unet.crossAttentionDim = refiner.secondText->config.hiddenSize;
        refiner.unetJson = refiner.unet.toJson();
        refiner.unetTensors = test::randomSource(unetLayout(refiner.unet), DataType::F32, 1);
        QVERIFY(writeDiffusersFolder(refiner, at("refiner")).ok());
        fs::remove_all(at("refiner/text_encoder"));
        QVERIFY(inspectPath(at("refiner"))->fault == ModelFault::OtherModel);
        QVERIFY(writeSingleFile(refiner, at("mixed.safetensors")).ok()); // with an encoder too many
        QVERIFY(inspectPath(at("mixed.safetensors"))->fault == ModelFault::OtherModel);
        QVERIFY(writeDiffusersFolder(test::tinyXlModel(), at("flux")).ok());
        QVERIFY(writeFileAtomically(at("flux/model_index.json"), R"({"transformer": ["a", "b"]})").ok());
        QVERIFY(inspectPath(at("flux"))->fault == ModelFault::OtherModel);
    }

    void describesLorasAndEmbeddings() {
        QVERIFY(writeTensors(
            at("lora.safetensors"),
            {makeTensorInfo("lora_te_text_model_encoder_layers_0_mlp_fc1.lora_down.weight", DataType::F16,
                            {4, 768}),
             makeTensorInfo("lora_te_text_model_encoder_layers_0_mlp_fc1.lora_up.weight", DataType::F16,
                            {3072, 4}),
             makeTensorInfo(
                 "lora_unet_mid_block_attentions_0_transformer_blocks_0_attn2_to_k.lora_down.weight",
                 DataType::F16, {8, 1024}),
             makeTensorInfo("lora_unet_mid_block_attentions_0_transformer_blocks_0_attn2_to_k.lora_up.weight",
                            DataType::F16, {1280, 8})}));
        auto lora = inspectPath(at("lora.safetensors"));
        QVERIFY(lora.ok() && lora->kind == InspectedKind::Lora);
        QCOMPARE(lora->rank, 8);
        QCOMPARE(lora->modules, size_t{2});
        QVERIFY(lora->family == ModelFamily::StableDiffusion2);
        QVERIFY(writeTensors(at("token.safetensors"), {makeTensorInfo("<sks>", DataType::F32, {4, 768})}));
        auto token = inspectPath(at("token.safetensors"));
        QVERIFY(token.ok() && token->kind == InspectedKind::Embedding);
        QCOMPARE(token->vectors, 4);
        QVERIFY(token->family == ModelFamily::StableDiffusion1);
        QVERIFY(json::parse(token->toJson())["usable"].get<bool>());
        QVERIFY(!json::parse(token->toJson()).contains("secondWidth"));
        QVERIFY(writeTensors(at("xl.safetensors"), {makeTensorInfo("clip_l", DataType::F32, {2, 768}),
                                                    makeTensorInfo("clip_g", DataType::F32, {2, 1280})}));
        const auto xl = inspectPath(at("xl.safetensors"));
        QCOMPARE(json::parse(xl->toJson())["secondWidth"].get<int>(), 1280);
        QVERIFY(xl->toText().find("SDXL: 2 vectors of widths 768 and 1280\n") != std::string::npos);
    }

    void whatIsLeftOfALoraMakesNoneOfAModel() {
        QVERIFY(writeTensors(
            at("unet.safetensors"),
            {makeTensorInfo("model.diffusion_model.input_blocks.0.0.weight", DataType::F16, {320, 4, 3, 3}),
             makeTensorInfo("lora_te_left_behind.alpha", DataType::F16, {})}));
        const auto facts = inspectPath(at("unet.safetensors"));
        QVERIFY(facts->fault == ModelFault::OtherModel);
        QVERIFY2(facts->problem.find("a UNet without its text encoder") != std::string::npos,
                 facts->problem.c_str());
    }

    void describesWhatCannotBeUsed() {
        QVERIFY(writeFileAtomically(at("a.ckpt"), std::string("\x80\x02}q\0.", 6)).ok());
        QVERIFY(
            writeFileAtomically(at("b.safetensors"), "version https://git-lfs.github.com/spec/v1\n").ok());
        QVERIFY(writeTensors(at("c.safetensors"), {makeTensorInfo("x", DataType::F32, {3})}));
        fs::create_directory(at("d"));
        QVERIFY(writeFileAtomically(at("e.safetensors"), R"({"error":"Unauthorized"})").ok());
        const std::map<std::string, std::string> expected{{"a.ckpt", "pickle"},
                                                          {"b.safetensors", "download the real file"},
                                                          {"c.safetensors", "something else"},
                                                          {"e.safetensors", "an error message of a site"},
                                                          {"d", "model_index.json"}};
        for (const auto& [name, reason] : expected) {
            auto facts = inspectPath(at(name));
            QVERIFY(facts.ok());
            QVERIFY2(facts->problem.find(reason) != std::string::npos, facts->problem.c_str());
            QVERIFY(!json::parse(facts->toJson())["usable"].get<bool>());
        }
        QVERIFY(inspectPath(at("a.ckpt"))->fault == ModelFault::NotAModel);
        QVERIFY(inspectPath(at("b.safetensors"))->fault == ModelFault::NotDownloaded);
        QVERIFY(inspectPath(at("e.safetensors"))->fault == ModelFault::NotDownloaded);
        QVERIFY(inspectPath(at("c.safetensors"))->fault == ModelFault::OtherModel);
        QVERIFY(inspectPath(at("d"))->fault == ModelFault::NotAModel);
        QVERIFY(!inspectPath(at("nowhere")).ok());
        QVERIFY(!inspectPath("/dev/null").ok());
    }

    void aFileThatIsCutOffIsIncompleteAndOneThatIsNotUnderstoodIsDamaged() {
        QVERIFY(writeTensors(at("x.safetensors"), {makeTensorInfo("x", DataType::F32, {64})}));
        QVERIFY(inspectPath(at("x.safetensors"))->fault == ModelFault::OtherModel);
        fs::resize_file(at("x.safetensors"), fs::file_size(at("x.safetensors")) - 8);
        QVERIFY(inspectPath(at("x.safetensors"))->fault == ModelFault::Incomplete);
        QCOMPARE(json::parse(inspectPath(at("x.safetensors"))->toJson())["fault"].get<std::string>(),
                 "incomplete");
        QVERIFY(writeFileAtomically(at("y.safetensors"), std::string("\x03\0\0\0\0\0\0\0{x}", 11)).ok());
        QVERIFY(inspectPath(at("y.safetensors"))->fault == ModelFault::Damaged);
        const std::string fp8 = R"({"a":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}})";
        const std::string length = static_cast<char>(fp8.size()) + std::string(7, '\0');
        QVERIFY(writeFileAtomically(at("fp8.safetensors"), length + fp8 + "12345678").ok());
        const auto coarse = inspectPath(at("fp8.safetensors")); // another copy would be no better
        QVERIFY(coarse->fault == ModelFault::OtherNumbers);
        QVERIFY2(coarse->problem.find("get the fp16 version") != std::string::npos, coarse->problem.c_str());
        QVERIFY(coarse->problem.find("bad header") == std::string::npos);
        QVERIFY(writeFileAtomically(at("z.safetensors"), "").ok());
        QVERIFY(inspectPath(at("z.safetensors"))->fault == ModelFault::Incomplete);
    }

    void whatIsUnusualIsReadBackFromItsSentence() {
        const std::map<DeviationKind, std::pair<const char*, const char*>> all{
            {DeviationKind::IndexMissing, {"StableDiffusionXLPipeline", ""}},
            {DeviationKind::FolderMissing, {"safety_checker", ""}},
            {DeviationKind::SchedulerMissing, {"epsilon", ""}},
            {DeviationKind::TokenizerMissing, {"tokenizer_2", ""}},
            {DeviationKind::VocabularyMissing, {"tokenizer", ""}},
            {DeviationKind::WeightsMissing, {"text encoder", ""}},
            {DeviationKind::Variant, {"UNet", "fp16"}},
            {DeviationKind::PredictionUnknown, {"", ""}},
            {DeviationKind::PredictionReplaced, {"epsilon", "v_prediction"}},
            {DeviationKind::AdapterConfigMissing, {"", ""}},
            {DeviationKind::EmaIgnored, {"686 tensors", ""}},
            {DeviationKind::UnusedIgnored, {"3 tensors", ""}},
            {DeviationKind::ZerosFound, {"lora_up", ""}},
            {DeviationKind::UnknownIgnored, {"1 tensors", "control.x"}}};
        for (const auto& [kind, arguments] : all) {
            const std::string text = deviationText(kind, arguments.first, arguments.second);
            const Deviation found = readDeviation(text);
            QVERIFY2(found.kind == kind, text.c_str());
            QCOMPARE(found.first, std::string(arguments.first));
            QCOMPARE(found.second, std::string(arguments.second));
        }
        QVERIFY(readDeviation("the weather is fine").kind == DeviationKind::Other);
    }

    void describesModelsWithoutWeightsAndRuns() {
        QVERIFY(writeDiffusersFolder(test::tinyModel(false), at("folder")).ok());
        fs::remove(at("folder/unet/diffusion_pytorch_model.safetensors"));
        auto facts = inspectPath(at("folder"));
        QVERIFY(facts.ok() && facts->kind == InspectedKind::Model);
        QVERIFY2(facts->problem.find("found none for the UNet;") != std::string::npos,
                 facts->problem.c_str());
        QVERIFY(facts->fault == ModelFault::PartsMissing);
        QVERIFY(std::any_of(facts->warnings.begin(), facts->warnings.end(), [](const std::string& text) {
            return readDeviation(text).kind == DeviationKind::WeightsMissing;
        }));
        fs::remove_all(at("folder/vae"));
        QVERIFY(inspectPath(at("folder"))->fault == ModelFault::PartsMissing);
        QVERIFY(writeFileAtomically(at("run.json"), "{}").ok());
        QVERIFY(inspectPath(m_dir->path().toStdString())->kind == InspectedKind::Run);
    }

    void hostileMetadataCannotBreakThePrintout() {
        auto writer =
            SafetensorsWriter::create(at("x.safetensors"), {makeTensorInfo("x", DataType::F32, {0})},
                                      {{"modelspec.title", "two\nlines \x1b[31m"}});
        QVERIFY(writer.ok() && writer->write("x", {}).ok() && writer->commit().ok());
        auto facts = inspectPath(at("x.safetensors"));
        QVERIFY(facts.ok());
        QVERIFY(facts->toText().find('\x1b') == std::string::npos);
        QVERIFY(json::parse(facts->toJson()).is_object());
    }

    void convertsSdxlBothWays() {
        QVERIFY(writeDiffusersFolder(test::tinyXlModel(), at("a")).ok());
        QVERIFY(convertModel(at("a"), at("b.safetensors"), ConvertTarget::Checkpoint).ok());
        QVERIFY(convertModel(at("b.safetensors"), at("c"), ConvertTarget::Diffusers).ok());
        const std::string hash = modelHash(at("a")).value().value();
        QCOMPARE(modelHash(at("c")).value().value(), hash);
        for (const char* part : {"tokenizer_2/merges.txt", "text_encoder_2/config.json"}) {
            QVERIFY(writeFileAtomically(at(std::string("c/") + part), "other").ok());
            const std::string changed = modelHash(at("c")).value().value();
            QVERIFY2(changed != hash, part);
            fs::copy_file(at(std::string("a/") + part), at(std::string("c/") + part),
                          fs::copy_options::overwrite_existing);
        }
        QCOMPARE(modelHash(at("c")).value().value(), hash);
    }

    void convertsModelsBothWays() {
        QVERIFY(writeDiffusersFolder(test::tinyModel(false), at("a")).ok());
        QVERIFY(convertModel(at("a"), at("b.safetensors"), *convertTargetFromString("checkpoint")).ok());
        QVERIFY(convertModel(at("b.safetensors"), at("c"), *convertTargetFromString("diffusers")).ok());
        QCOMPARE(modelHash(at("a")).value(), modelHash(at("c")).value());
        QVERIFY(!convertModel(at("a"), at("c"), ConvertTarget::Diffusers).ok());
        for (const char* whole : {"a", "b.safetensors"}) {
            const auto refused = convertModel(at(whole), at("d"), ConvertTarget::KohyaLora);
            QVERIFY(!refused.ok());
            QVERIFY2(refused.error().message.find("take --to checkpoint or diffusers") != std::string::npos,
                     refused.error().message.c_str());
        }
        QVERIFY(openLora(at("b.safetensors")).error().message.find("a whole model;") != std::string::npos);
        QVERIFY(!fs::exists(at("d")));
        const auto unknown = convertTargetFromString("ckpt");
        QVERIFY(!unknown.ok() && unknown.error().code == ErrorCode::Usage);
        QVERIFY(unknown.error().message.find("kohya-lora") != std::string::npos);
    }

    void whatOthersWroteOfAModelAndWhatLiesBesideItStays() {
        const std::map<std::string, std::string> said{{"modelspec.author", "Jane"},
                                                      {"modelspec.description", "two\nlines"},
                                                      {"modelspec.license", "CC-BY-NC-4.0"},
                                                      {"modelspec.title", "Jane Mix v3"},
                                                      {"sd_merge_models", "{}"},
                                                      {"ss_steps", "300"}};
        WriteOptions options;
        options.metadata = said;
        options.metadata["sshs_model_hash"] = "of other bytes";
        QVERIFY(writeSingleFile(test::tinyModel(false), at("a.safetensors"), options).ok());
        QVERIFY(convertModel(at("a.safetensors"), at("b"), ConvertTarget::Diffusers).ok());
        const std::map<std::string, std::string> beside{
            {"LICENSE.md", "terms"},
            {"README.md", "of it"},
            {"training_defaults.json", R"({"all":{"steps":77}})"}};
        for (const auto& [name, text] : beside) QVERIFY(writeFileAtomically(at("b/" + name), text).ok());
        QVERIFY(convertModel(at("b"), at("c.safetensors"), ConvertTarget::Checkpoint).ok());
        QVERIFY(convertModel(at("c.safetensors"), at("d"), ConvertTarget::Diffusers).ok());
        QVERIFY(openModel(at("b"))->metadata == said);
        for (const char* name : {"c.safetensors", "d"}) {
            auto model = openModel(at(name));
            for (const auto& [key, text] : said) QCOMPARE(model->metadata.at(key), text);
            QVERIFY(!model->metadata.contains("sshs_model_hash"));
            QCOMPARE(TrainingDefaults::of(*model)->fill({}, {}).config.steps, int64_t{77});
            QVERIFY(keepAlong(*model).ok()); // a training does: what it makes is another model
            const std::string out = at(std::string("of ") + name);
            QVERIFY(writeDiffusersFolder(*model, out).ok());
            QVERIFY(fs::exists(out + "/LICENSE.md") && !fs::exists(out + "/README.md"));
            QCOMPARE(openModel(out)->metadata,
                     (std::map<std::string, std::string>{{"modelspec.license", "CC-BY-NC-4.0"}}));
        }
        for (const auto& [name, text] : beside) QCOMPARE(readRegularFile(at("d/" + name), 100).value(), text);
    }

    /// A tiny model whose text encoder holds one NaN and one infinity in its first tensor.
    ModelSource poisonedModel(DataType type) {
        ModelSource model = test::tinyModel(false, type);
        auto poisoned = std::make_shared<test::MemorySource>();
        for (const TensorInfo& info : model.text.tensors->tensors()) {
            std::vector<std::byte> bytes(static_cast<size_t>(info.byteCount));
            (void)model.text.tensors->read(info.name, bytes);
            if (poisoned->tensors().empty()) {
                const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                                     -std::numeric_limits<float>::infinity()};
                const auto width = static_cast<size_t>(byteWidth(type));
                convertElements(std::as_bytes(std::span(bad)), DataType::F32,
                                std::span(bytes).subspan(width, 2 * width), type);
            }
            poisoned->add(info, std::move(bytes));
        }
        model.text.tensors = poisoned;
        return model;
    }

    void numbersThatAreNotFiniteAreFoundOnRequest_data() {
        QTest::addColumn<int>("type");
        for (const DataType type : {DataType::F32, DataType::F16, DataType::BF16})
            QTest::newRow(dataTypeName(type).data()) << static_cast<int>(type);
    }
    void numbersThatAreNotFiniteAreFoundOnRequest() {
        QFETCH(int, type);
        const ModelSource model = poisonedModel(static_cast<DataType>(type));
        WriteOptions options;
        const auto refused = writeDiffusersFolder(model, at("refused"), options);
        QVERIFY(!refused.ok());
        QVERIFY(!fs::exists(at("refused")));
        options.allowNotFinite = true;
        QVERIFY(writeDiffusersFolder(model, at("folder"), options).ok());
        QVERIFY(inspectPath(at("folder"))->problem.empty()); // headers alone do not tell
        const auto facts = inspectPath(at("folder"), true);
        QVERIFY(facts.ok());
        QCOMPARE(facts->valueFaults.size(), size_t{1});
        QCOMPARE(facts->valueFaults[0].count.nan, int64_t{1});
        QCOMPARE(facts->valueFaults[0].count.infinite, int64_t{1});
        QCOMPARE(facts->valueFaults[0].file, at("folder/text_encoder/model.safetensors"));
        const std::string name = model.text.tensors->tensors().front().name;
        for (const std::string& words : {name, at("folder/text_encoder/model.safetensors")})
            QVERIFY2(facts->problem.find(words) != std::string::npos, facts->problem.c_str());
        QCOMPARE(json::parse(facts->toJson())["valueFaults"][0]["tensor"].get<std::string>(), name);
        NumberTrouble trouble;
        QCOMPARE(modelHash(at("folder"), {}, {}, &trouble).value(), modelHash(at("folder")).value());
        QVERIFY(trouble.notFinite && !trouble.zeros);

        const auto converted = convertModel(at("folder"), at("file.safetensors"), ConvertTarget::Checkpoint);
        QVERIFY(!converted.ok());
        for (const std::string& words :
             {name, at("folder/text_encoder/model.safetensors"), std::string("--allow-not-finite")})
            QVERIFY2(converted.error().message.find(words) != std::string::npos,
                     converted.error().message.c_str());
        QVERIFY(!fs::exists(at("file.safetensors")));
        ConvertOptions asItIs;
        asItIs.write.allowNotFinite = true;
        QVERIFY(convertModel(at("folder"), at("file.safetensors"), ConvertTarget::Checkpoint, asItIs).ok());
        QCOMPARE(inspectPath(at("file.safetensors"), true)->valueFaults.size(), size_t{1});
    }

    /// A LoRA of two layers with ones up to a byte, as who reserves a file's room leaves it.
    /// @param halfZero  the up half of the second layer learned nothing. @param halves  how they are called
    void writeLora(const std::string& path, int64_t ones, bool halfZero,
                   const std::vector<std::string>& halves = {".lora_down.weight", ".lora_up.weight"}) {
        const std::string layer = "lora_unet_mid_block_attentions_0_transformer_blocks_0_attn2_to_";
        std::vector<TensorInfo> infos;
        for (const char* name : {"k", "v"})
            for (const std::string& half : halves)
                infos.push_back(makeTensorInfo(layer + name + half, DataType::F32, {512, 512}));
        auto writer = SafetensorsWriter::create(path, infos);
        QVERIFY(writer.ok());
        for (const TensorInfo& info : infos) {
            std::vector<std::byte> bytes(static_cast<size_t>(info.byteCount));
            const bool zero = halfZero && &info == &infos.back();
            const int64_t filled = zero ? 0 : std::clamp<int64_t>(ones, 0, info.byteCount);
            std::fill_n(bytes.begin(), filled, std::byte{1});
            ones -= filled;
            QVERIFY(writer->write(info.name, bytes).ok());
        }
        QVERIFY(writer->commit().ok());
    }

    void zerosOfALoraAreARemark_data() {
        QTest::addColumn<qint64>("ones");
        QTest::addColumn<bool>("halfZero");
        QTest::addColumn<bool>("whole");
        QTest::newRow("whole") << (qint64{4} << 20) << false << true;
        QTest::newRow("half of one learned nothing") << (qint64{4} << 20) << true << true;
        QTest::newRow("a quarter") << (qint64{1} << 20) << false << false;
        QTest::newRow("three in part") << (qint64{3} << 20) - 8192 << false << false;
        QTest::newRow("the header alone") << qint64{0} << false << false;
    }
    void zerosOfALoraAreARemark() {
        QFETCH(const qint64, ones);
        QFETCH(const bool, halfZero);
        QFETCH(const bool, whole);
        const std::string path = at("lora.safetensors");
        writeLora(path, ones, halfZero);
        for (const bool values : {false, true}) {
            const auto facts = inspectPath(path, values);
            QVERIFY2(facts->problem.empty(), facts->problem.c_str()); // its blocks may have been switched off
            QCOMPARE(facts->warnings.size(), size_t{whole ? 0U : 1U});
            QVERIFY(whole || readDeviation(facts->warnings[0]).kind == DeviationKind::ZerosFound);
        }
        NumberTrouble trouble;
        QCOMPARE(modelHash(path, {}, {}, &trouble).value(), modelHash(path).value());
        QCOMPARE(trouble.zeros, !whole);
        QVERIFY(!trouble.notFinite);
    }

    void zerosAtTheEndOfOtherAddOnsAreRemarks() {
        const std::string config = R"({"peft_type": "LORA", "r": 512, "target_modules": ["k", "v"]})";
        fs::create_directory(at("peft"));
        QVERIFY(writeFileAtomically(at("peft/adapter_config.json"), config).ok());
        writeLora(at("peft/adapter_model.safetensors"), int64_t{1} << 20, false,
                  {".lora_A.weight", ".lora_B.weight"});
        QVERIFY(writeTensors(at("word.safetensors"), {makeTensorInfo("clip_g", DataType::F32, {75, 1280}),
                                                      makeTensorInfo("clip_l", DataType::F32, {75, 768})}));
        for (const char* addOn : {"peft", "word.safetensors"}) {
            const auto facts = inspectPath(at(addOn));
            QVERIFY2(facts->problem.empty(), facts->problem.c_str());
            QCOMPARE(facts->warnings.size(), size_t{1});
        }
    }

    void aModelWhoseDownloadIsUnfinishedIsNotWhole() {
        ModelSource model = test::tinyModel(false);
        model.text.config.vocabularySize = 30'000;
        model.text.json = model.text.config.toJson();
        model.text.tensors = test::randomSource(textEncoderLayout(model.text.config), DataType::F32, 3);
        QVERIFY(writeDiffusersFolder(model, at("folder")).ok());
        const std::string file = at("folder/text_encoder/model.safetensors");
        const auto bytes = fs::file_size(file);
        fs::resize_file(file, bytes / 16); // which is behind its header
        fs::resize_file(file, bytes);
        for (const bool values : {false, true}) {
            const auto facts = inspectPath(at("folder"), values);
            QVERIFY(facts->fault == ModelFault::Incomplete);
            QVERIFY(facts->problem.find("the download is unfinished") != std::string::npos);
        }
    }

    void aLastMatrixOfZerosIsMissingOnlyWhereItIsLarge() {
        const std::vector<std::byte> mebi(size_t{1} << 20);
        for (const int64_t mebis : {16, 64}) {
            ZeroRun zeros;
            zeros.add(std::vector(size_t{4096}, std::byte{1}));
            zeros.endTensor(makeTensorInfo("learned", DataType::F32, {32, 32}));
            for (int64_t i = 0; i < mebis; ++i) zeros.add(mebi);
            zeros.endTensor(makeTensorInfo("last", DataType::F32, {mebis, 1 << 18}));
            QCOMPARE(zeros.end(), mebis == 64 ? std::string("last") : std::string());
        }
    }

    void finiteModelsAreSaidToBeSo() {
        QVERIFY(writeDiffusersFolder(test::tinyModel(false), at("a")).ok());
        const auto facts = inspectPath(at("a"), true);
        QVERIFY(facts->problem.empty());
        QVERIFY(facts->toText().find("all finite") != std::string::npos);
        QVERIFY(inspectPath(at("a"))->toText().find("all finite") == std::string::npos);
    }

    void numbersTooLargeForTheNewTypeAreRefused() {
        auto source = std::make_shared<test::MemorySource>();
        const float large[] = {1.0F, 1e6F};
        const auto bytes = std::as_bytes(std::span(large));
        source->add(makeTensorInfo("lora_unet_x", DataType::F32, {2}), {bytes.begin(), bytes.end()});
        const std::vector<PlannedTensor> plan{
            {makeTensorInfo("x", DataType::F16, {2}), {"lora_unet_x"}, false, source.get()}};
        const WriteOptions options;
        CopyProgress progress(options, 4);
        const auto written = writePlanned(at("x.safetensors"), plan, {}, progress);
        QVERIFY(!written.ok());
        QVERIFY2(written.error().message.find("too large for F16") != std::string::npos,
                 written.error().message.c_str());
        QVERIFY(!fs::exists(at("x.safetensors")));
    }

    void identityIsOfTheModelAlone() {
        QVERIFY(writeDiffusersFolder(test::tinyModel(false), at("a")).ok());
        const auto before = modelHash(at("a")).value().value();
        QCOMPARE(before.size(), size_t{64});
        QCOMPARE(shortHash(before), before.substr(0, 10));
        QVERIFY(writeFileAtomically(at("a/notes.txt"), "mine").ok());
        QCOMPARE(modelHash(at("a")).value().value(), before);
        QVERIFY(writeFileAtomically(at("a/scheduler/scheduler_config.json"), "{}").ok());
        QVERIFY(modelHash(at("a")).value().value() != before);
        QVERIFY(writeFileAtomically(at("f"), "abc").ok());
        QCOMPARE(modelHash(at("f")).value().value(), sha256Text("abc"));
        const CancelToken cancel;
        cancel.request();
        QVERIFY(!modelHash(at("a"), {}, cancel).value().has_value());
    }

    void publishedTokenizerIsClips() {
        const std::string file = HOMEBOOTH_DEPS_DIR "/vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz";
        if (!fs::exists(file)) QSKIP("the published vocabulary is not downloaded; the set-up does it");
        auto files = publishedTokenizerFiles(file, false);
        QVERIFY2(files.ok(), files.ok() ? "" : files.error().text().c_str());
        QVERIFY(isPublishedTokenizer(*files));
        const json vocabulary = json::parse(files->at("vocab.json"));
        QCOMPARE(vocabulary.size(), size_t{49408});
        QCOMPARE(vocabulary["!"].get<int>(), 0);
        QCOMPARE(vocabulary["<|endoftext|>"].get<int>(), 49407);
        QCOMPARE(json::parse(publishedTokenizerFiles(file, true)->at("special_tokens_map.json"))["pad_token"]
                     .get<std::string>(),
                 "!");
        QVERIFY(!isPublishedTokenizer({{"merges.txt", "other"}}));
        QVERIFY(!publishedTokenizerFiles(at("missing"), false).ok());
    }
};

QTEST_APPLESS_MAIN(TestInspect)
#include "tst_inspect.moc"

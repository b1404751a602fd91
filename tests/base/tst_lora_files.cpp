// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRA names in all their forms, files in both, and what becomes of broken ones.
#include "core/base/files/atomic_file.h"
#include "core/base/formats/convert_type.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/convert.h"
#include "core/base/model/deviation.h"
#include "core/base/model/training_notes.h"
#include "tests/base/support/made_lora.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr const char* kQuery = "down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q";
constexpr const char* kTextQuery = "text_model.encoder.layers.1.self_attn.q_proj";

/// Adapters of rank 3 (alpha 1.5) on the tiny model: one linear, one 3x3 convolution, one of the text
/// encoder.
struct TinyLora : test::MadeLora {
    TinyLora() {
        add({"unet", kQuery}, {3, 8}, {8, 3}, 1.5);
        add({"unet", "down_blocks.0.resnets.0.conv1"}, {2, 8, 3, 3}, {8, 2, 1, 1}, 1.0);
        add({"text_encoder", kTextQuery}, {3, 12}, {12, 3}, 1.5);
    }
};

std::vector<std::byte> bytesOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    std::vector<std::byte> bytes(info == nullptr ? 0 : static_cast<size_t>(info->byteCount));
    if (info != nullptr && !source.read(name, bytes)) bytes.clear();
    return bytes;
}

const LoraModule* moduleCalled(const LoraFile& lora, const std::string& path) {
    for (const LoraModule& module : lora.modules)
        if (module.name.path == path) return &module;
    return nullptr;
}

} // namespace

class TestLoraFiles : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string at(const char* name) const { return m_dir->path().toStdString() + "/" + name; }

    /// Writes a file of zeros with these tensors.
    std::string fileOf(const std::vector<TensorInfo>& infos,
                       const std::map<std::string, std::string>& metadata = {}) {
        auto writer = SafetensorsWriter::create(at("made.safetensors"), infos, metadata);
        if (!writer) return {};
        for (const TensorInfo& info : infos)
            if (!writer->write(info.name, std::vector<std::byte>(static_cast<size_t>(info.byteCount))))
                return {};
        return writer->commit().ok() ? at("made.safetensors") : std::string();
    }
    static std::string errorOf(const std::string& path) {
        const auto lora = openLora(path);
        return lora.ok() ? "(opened)" : lora.error().text();
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void everyModuleOfTheFamiliesSurvivesKohyaNames_data() {
        QTest::addColumn<int>("family");
        QTest::newRow("SD 1.x") << static_cast<int>(ModelFamily::StableDiffusion1);
        QTest::newRow("SD 2.x") << static_cast<int>(ModelFamily::StableDiffusion2);
    }

    void everyModuleOfTheFamiliesSurvivesKohyaNames() {
        QFETCH(int, family);
        const ModelSource model =
            test::fullSizeModel(static_cast<ModelFamily>(family), PredictionType::Epsilon);
        const auto check = [](const char* component, const ComponentLayout& layout) {
            for (const LayoutEntry& entry : layout) {
                const LoraModuleName module{component, entry.name.substr(0, entry.name.rfind('.'))};
                const auto back = moduleOfKohyaName(kohyaModuleName(module).value_or("none"));
                QVERIFY2(back && *back == module, entry.name.c_str());
            }
        };
        check("unet", unetLayout(model.unet));
        check("text_encoder", textEncoderLayout(model.text.config));
        QCOMPARE(kohyaModuleName({"unet", kQuery}).value_or("none"),
                 "lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q");
        QCOMPARE(kohyaModuleName({"text_encoder", kTextQuery}).value_or("none"),
                 "lora_te_text_model_encoder_layers_1_self_attn_q_proj");
        QVERIFY(!kohyaModuleName({"text_encoder_2", kTextQuery}));
    }

    void understandsEveryForm_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("down");
        const QString query = kQuery;
        const QString attention = query.left(query.lastIndexOf('.'));
        const auto row = [](const char* tag, const QString& name, const char* path, bool down) {
            QTest::newRow(tag) << name << QString(path) << down;
        };
        row("kohya", "lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q.lora_down.weight",
            kQuery, true);
        row("PEFT", "unet." + query + ".lora_A.weight", kQuery, true);
        row("PEFT, named adapter", "unet." + query + ".lora_B.default.weight", kQuery, false);
        row("PEFT's own prefix", "unet.base_model.model." + query + ".lora_B.weight", kQuery, false);
        row("diffusers 0.2x", "unet." + query + ".lora.up.weight", kQuery, false);
        row("processor", "unet." + attention + ".processor.to_q_lora.down.weight", kQuery, true);
        row("processor, no component", attention + ".processor.to_q_lora.down.weight", kQuery, true);
        row("PEFT's own UNet", "base_model.model." + query + ".lora_A.weight", kQuery, true);
        row("PEFT's own text", "base_model.model." + QString(kTextQuery) + ".lora_B.weight", kTextQuery,
            false);
        row("PEFT's own text, transformers 5",
            "base_model.model.encoder.layers.1.self_attn.q_proj.lora_A.weight", kTextQuery, true);
        row("ComfyUI, SD 1.x and 2.x",
            "diffusion_model.input_blocks.1.1.transformer_blocks.0.attn1.to_q.lora_down.weight", kQuery,
            true);
        row("ComfyUI, SDXL",
            "diffusion_model.output_blocks.2.1.transformer_blocks.9.attn2.to_k.lora_up.weight",
            "up_blocks.0.attentions.2.transformer_blocks.9.attn2.to_k", false);
        row("ComfyUI, text", "text_encoders.clip_l.transformer." + QString(kTextQuery) + ".lora_up.weight",
            kTextQuery, false);
        row("text, old", "text_encoder." + QString(kTextQuery) + ".lora_linear_layer.up.weight", kTextQuery,
            false);
        row("text, transformers 5", "text_encoder.encoder.layers.1.self_attn.q_proj.lora_A.weight",
            kTextQuery, true);
    }

    void understandsEveryForm() {
        QFETCH(QString, name);
        QFETCH(QString, path);
        QFETCH(bool, down);
        const auto key = parseLoraKey(name.toStdString());
        QVERIFY(key.has_value());
        QCOMPARE(key->module.path, path.toStdString());
        QVERIFY(key->part == (down ? LoraPart::Down : LoraPart::Up));
    }

    void understandsTheProcessorsOutput() {
        const auto key = parseLoraKey(
            "unet.mid_block.attentions.0.transformer_blocks.0.attn2.processor.to_out_lora.up.weight");
        QVERIFY(key.has_value());
        QCOMPARE(key->module.path, "mid_block.attentions.0.transformer_blocks.0.attn2.to_out.0");
        for (const char* other : {"lora_unet_input_blocks_3_1_proj_in.lora_down.weight",
                                  "lora_unet_double_blocks_0_img_mlp_0.alpha", "lora_te3_x.alpha", "unet.",
                                  "diffusion_model.double_blocks.0.img_mlp.0.lora_A.weight",
                                  "base_model.model.model.layers.0.mlp.lora_A.weight", "x", ""})
            QVERIFY2(!parseLoraKey(other).has_value(), other);
    }

    void roundTripKeepsEveryByteAndTheStrength() {
        const TinyLora lora;
        LoraDescription description;
        description.triggerPhrase = "a photo of sks dog";
        QVERIFY(
            writeLora(at("a.safetensors"), LoraFormat::Kohya, lora.modules, lora.source, description).ok());
        auto converted = convertModel(at("a.safetensors"), at("b.safetensors"), ConvertTarget::DiffusersLora);
        QVERIFY2(converted.ok(), converted.ok() ? "" : converted.error().text().c_str());
        QVERIFY(convertModel(at("b.safetensors"), at("c.safetensors"), ConvertTarget::KohyaLora).ok());
        for (const char* file : {"a.safetensors", "b.safetensors", "c.safetensors"}) {
            auto opened = openLora(at(file));
            QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
            QCOMPARE(opened->modules.size(), lora.modules.size());
            for (const LoraModule& module : lora.modules) {
                const LoraModule* found = moduleCalled(*opened, module.name.path);
                QVERIFY(found != nullptr);
                const bool folded = file != std::string("a.safetensors");
                QCOMPARE(found->alpha, folded ? static_cast<double>(module.rank) : module.alpha);
                QCOMPARE(found->rank, module.rank);
                QCOMPARE(bytesOf(*opened->tensors, found->downTensor),
                         bytesOf(lora.source, module.downTensor));
                QCOMPARE(bytesOf(*opened->tensors, found->upTensor),
                         folded ? lora.scaledUp(module) : bytesOf(lora.source, module.upTensor));
            }
            QVERIFY(checkLoraFits(*opened, test::tinyModel(false)).ok());
        }
    }

    /// Most readers of that form take the rank for the alpha, whatever a header says.
    void diffusersFormHasItsStrengthInTheWeights() {
        test::MadeLora lora;
        lora.add({"unet", kQuery}, {8, 8}, {8, 8}, 1.0);
        LoraDescription description;
        description.metadata["ss_steps"] = "400";
        WriteOptions half;
        half.floatType = DataType::F16;
        const std::string kohya = at("a.safetensors");
        const std::string diffusers = at("b.safetensors");
        QVERIFY(writeLora(kohya, LoraFormat::Kohya, lora.modules, lora.source, description, half).ok());
        QVERIFY(convertModel(kohya, diffusers, ConvertTarget::DiffusersLora).ok());
        const auto before = openLora(kohya);
        const auto after = openLora(diffusers);
        QVERIFY(before.ok() && after.ok());
        QCOMPARE(before->modules.front().alpha, 1.0);
        QCOMPARE(after->modules.front().alpha, 8.0);
        const auto up = bytesOf(*before->tensors, before->modules.front().upTensor);
        const auto scaled = bytesOf(*after->tensors, after->modules.front().upTensor);
        QCOMPARE(scaled.size(), up.size());
        for (size_t i = 0; i < up.size(); i += 2) {
            const auto value = static_cast<float>(scalarValue(std::span(up).subspan(i), DataType::F16));
            const auto found = static_cast<float>(scalarValue(std::span(scaled).subspan(i), DataType::F16));
            QCOMPARE(halfOfFloat(found), halfOfFloat(value / 8));
        }
        QCOMPARE(after->metadata.at("ss_steps"), "400");
        for (const auto& [key, value] : after->metadata)
            QVERIFY2(key != "lora_adapter_metadata" && !key.starts_with("ss_network_"), key.c_str());
        QVERIFY(convertModel(diffusers, at("c.safetensors"), ConvertTarget::KohyaLora).ok());
        const auto back = openLora(at("c.safetensors"));
        QVERIFY(back.ok());
        QCOMPARE(back->modules.front().alpha, 8.0);
        QCOMPARE(back->metadata.at("ss_network_alpha"), "8.0");
    }

    /// Diffusers would take the first rank for every module's alpha.
    void severalRanksAreSaidToBeTheAlphas() {
        const TinyLora lora;
        QVERIFY(writeLora(at("a.safetensors"), LoraFormat::Diffusers, lora.modules, lora.source, {}).ok());
        const auto opened = openLora(at("a.safetensors"));
        QVERIFY(opened.ok());
        const auto said = nlohmann::json::parse(opened->metadata.at("lora_adapter_metadata"));
        for (const std::string component : {"unet", "text_encoder"}) {
            QVERIFY(said.contains(component + ".r"));
            QVERIFY(said.at(component + ".lora_alpha") == said.at(component + ".r"));
            QVERIFY(said.at(component + ".alpha_pattern") == said.at(component + ".rank_pattern"));
        }
        QCOMPARE(said.at("unet.rank_pattern").size(), size_t{1});
        for (const LoraModule& module : opened->modules)
            QCOMPARE(module.alpha, static_cast<double>(module.rank));
    }

    void saysWhatItIsInItsMetadata() {
        const TinyLora lora;
        LoraDescription description;
        description.family = ModelFamily::StableDiffusion2;
        description.predictionType = PredictionType::VPrediction;
        description.triggerPhrase = "sks";
        QVERIFY(
            writeLora(at("dog.safetensors"), LoraFormat::Kohya, lora.modules, lora.source, description).ok());
        auto reader = SafetensorsReader::open(at("dog.safetensors"));
        QVERIFY(reader.ok());
        const auto& metadata = (*reader)->metadata();
        QCOMPARE(metadata.at("ss_v2"), "True");
        QCOMPARE(metadata.at("ss_base_model_version"), "sd_v2_v");
        QCOMPARE(metadata.at("ss_network_module"), "networks.lora");
        QCOMPARE(metadata.at("ss_network_dim"), "3");
        QCOMPARE(metadata.at("ss_network_alpha"), "1.5");
        QCOMPARE(metadata.at("ss_network_args"), "{\"conv_alpha\":\"1.0\",\"conv_dim\":\"2\"}");
        QCOMPARE(metadata.at("modelspec.architecture"), "stable-diffusion-v2-768-v/lora");
        QCOMPARE(metadata.at("modelspec.title"), "dog");
        QCOMPARE(metadata.at("ss_output_name"), "dog");
        QCOMPARE(metadata.at("modelspec.trigger_phrase"), "sks");
        QVERIFY((*reader)->find("lora_te_text_model_encoder_layers_1_self_attn_q_proj.alpha") != nullptr);
    }

    /// A1111 calls an add-on by ss_output_name: several trainings must not have one name.
    void whatIsExportedIsCalledAsItsFile() {
        const TinyLora lora;
        LoraDescription description;
        description.title = description.triggerPhrase = "a photo of sks dog";
        const std::string trained = at("lora.safetensors");
        QVERIFY(writeLora(trained, LoraFormat::Kohya, lora.modules, lora.source, description).ok());
        QVERIFY(convertModel(trained, at("blue dog.safetensors"), ConvertTarget::KohyaLora).ok());
        auto said = openLora(at("blue dog.safetensors")).value().metadata;
        for (const char* key : {"ss_output_name", "modelspec.title"}) QCOMPARE(said.at(key), "blue dog");
        QCOMPARE(said.at("modelspec.trigger_phrase"), "a photo of sks dog");
        description.title = "Jane Mix"; // as its author has called it
        QVERIFY(
            writeLora(at("jane.safetensors"), LoraFormat::Diffusers, lora.modules, lora.source, description)
                .ok());
        QVERIFY(convertModel(at("jane.safetensors"), at("b.safetensors"), ConvertTarget::KohyaLora).ok());
        said = openLora(at("b.safetensors")).value().metadata;
        QCOMPARE(said.at("modelspec.title"), "Jane Mix");
        QCOMPARE(said.at("ss_output_name"), "b");
        description.outputName = description.title; // as sd-scripts calls both
        for (const bool isOfOthers : {false, true}) {
            if (isOfOthers) description.metadata["ss_session_id"] = "1";
            const std::string from = at(isOfOthers ? "from.safetensors" : "own.safetensors");
            const std::string to = at(isOfOthers ? "h\xE9.safetensors" : "\xE9.safetensors");
            QVERIFY(writeLora(from, LoraFormat::Kohya, lora.modules, lora.source, description).ok());
            const auto written = convertModel(from, to, ConvertTarget::KohyaLora); // no UTF-8
            QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
            said = openLora(to).value().metadata;
            QCOMPARE(said.at("modelspec.title"), std::string(isOfOthers ? "Jane Mix" : "\xEF\xBF\xBD"));
        }
    }

    void saysHowItWasTrained() {
        TrainConfig config;
        config.model = "/models/v1-5.safetensors";
        config.steps = 400;
        config.optimizer.learningRate = 1e-4;
        config.data.datasetDir = "/run/photos";
        const CaptionCounts two{{"a photo of ohwx Dog, snow", 4}, {"a photo of seye toy, snow", 3}};
        LoraDescription description;
        noteTraining(config, {{kModelFact, "5dff94e082"}}, 300, description);
        noteCaptions(config, two, 7, description);
        const auto& said = description.metadata;
        QCOMPARE(said.at("ss_sd_model_name"), "v1-5.safetensors");
        QCOMPARE(said.at("ss_new_sd_model_hash"), "5dff94e082");
        QCOMPARE(said.at("ss_steps"), "300");
        QCOMPARE(said.at("ss_learning_rate"), "0.0001");
        QCOMPARE(said.at("ss_num_train_images"), "7");
        QCOMPARE(said.at("ss_tag_frequency"),
                 "{\"photos\":{\"a photo of ohwx dog\":4,\"a photo of seye toy\":3,\"snow\":7}}");
        QCOMPARE(triggerOf(config, two), "a photo of ohwx Dog, snow, a photo of seye toy, snow");
        QCOMPARE(triggerOf(config, {{"a cat", 1}, {"a dog", 1}}), ""); // of a data set
        QCOMPARE(triggerOf(config, {{"ohwx dog", 4}, {"seye toy", 1}}), "ohwx dog, seye toy");
        QCOMPARE(triggerOf(config, {{std::string(2000, 'x'), 3}}), "");
        noteCaptions(config, {{std::string(300, 'x').append(", snow"), 3}}, 3, description);
        QCOMPARE(said.at("ss_tag_frequency"), "{\"photos\":{\"snow\":3}}");
        config.data.instancePrompt = "a photo of sks dog";
        QCOMPARE(triggerOf(config, two), "a photo of sks dog");
        std::ofstream(at("1.txt")) << "a photo of ohwx dog\n";
        std::ofstream(at("2.txt")) << "a photo of ohwx dog";
        std::ofstream(at("readme.txt")) << "made in June"; // beside no picture
        for (const char* picture : {"1.png", "2.png"}) std::ofstream(at(picture)) << "x";
        QVERIFY(captionFilesIn(m_dir->path().toStdString()) == (CaptionCounts{{"a photo of ohwx dog", 2}}));
        QVERIFY(captionFilesIn(at("gone")).empty());
    }

    void alphaIsTheRankWhereNothingIsSaid() {
        const auto file = fileOf({makeTensorInfo("unet.conv_in.lora_A.weight", DataType::F16, {4, 4, 3, 3}),
                                  makeTensorInfo("unet.conv_in.lora_B.weight", DataType::F16, {8, 4, 1, 1})});
        auto lora = openLora(file);
        QVERIFY2(lora.ok(), lora.ok() ? "" : lora.error().text().c_str());
        QCOMPARE(lora->modules.front().alpha, 4.0);
        const auto told = fileOf({makeTensorInfo("unet.conv_in.lora_A.weight", DataType::F16, {4, 4, 3, 3}),
                                  makeTensorInfo("unet.conv_in.lora_B.weight", DataType::F16, {8, 4, 1, 1})},
                                 {{"lora_adapter_metadata", "{\"unet.lora_alpha\": 8, \"unet.r\": 4}"}});
        QCOMPARE(openLora(told).value().modules.front().alpha, 8.0);
    }

    void singleFileNamesMeanTheSameInAllFamilies() {
        const FamilyConfigs first = originalConfigs(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const SgmModules modules(first.unet);
        for (const LayoutEntry& entry : unetLayout(first.unet)) {
            const std::string path = entry.name.substr(0, entry.name.rfind('.'));
            const std::string* name = modules.flatNameOf(path);
            const std::string* ofXl = name == nullptr ? nullptr : SgmModules::released().pathOf(*name);
            if (ofXl != nullptr) QCOMPARE(*ofXl, path);
        }
    }

    /// As diffusers 0.16 and earlier wrote them.
    void oldestFilesNameNoComponent() {
        const std::string attention = "down_blocks.0.attentions.0.transformer_blocks.0.attn1.processor.";
        const auto with = [&](const std::string& component) {
            std::vector<TensorInfo> infos;
            for (const char* part : {"to_q", "to_k", "to_v", "to_out"}) {
                const std::string name = component + attention + part;
                infos.push_back(makeTensorInfo(name + "_lora.down.weight", DataType::F32, {4, 8}));
                infos.push_back(makeTensorInfo(name + "_lora.up.weight", DataType::F32, {8, 4}));
            }
            return openLora(fileOf(infos));
        };
        const auto named = with("unet.");
        QVERIFY2(named.ok(), named ? "" : named.error().text().c_str());
        const auto bare = with("");
        QVERIFY2(bare.ok(), bare ? "" : bare.error().text().c_str());
        QCOMPARE(bare->modules.size(), size_t{4});
        QCOMPARE(bare->deviations.size(), size_t{0});
        for (size_t i = 0; i < bare->modules.size(); ++i) {
            QVERIFY(bare->modules[i].name == named->modules[i].name);
            QCOMPARE(bare->modules[i].alpha, 4.0);
        }
        QVERIFY(checkLoraFits(*bare, test::tinyModel(false)).ok());
    }

    void peftKeepsItsAlphaBesideTheFile() {
        const std::string query = "base_model.model." + std::string(kQuery);
        const auto file = fileOf({makeTensorInfo(query + ".lora_A.weight", DataType::F32, {4, 8}),
                                  makeTensorInfo(query + ".lora_B.weight", DataType::F32, {8, 4})});
        const auto without = openLora(file);
        QVERIFY2(without.ok(), without ? "" : without.error().text().c_str());
        QCOMPARE(without->modules.front().alpha, 4.0);
        QVERIFY(readDeviation(without->deviations.at(0)).kind == DeviationKind::AdapterConfigMissing);
        const auto alphaWith = [&](const char* config) {
            if (!writeFileAtomically(at("adapter_config.json"), config).ok()) return 0.0;
            const auto lora = openLora(file);
            return lora && lora->deviations.empty() ? lora->modules.front().alpha : 0.0;
        };
        QCOMPARE(alphaWith(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 6})"), 6.0);
        QCOMPARE(alphaWith(R"({"peft_type": "LORA", "r": 4, "lora_alpha": 6, "use_rslora": true})"), 12.0);
        QVERIFY(writeFileAtomically(at("adapter_config.json"), R"({"peft_type": "LOHA"})").ok());
        QVERIFY(errorOf(file).find("expected \"LORA\" as peft_type") != std::string::npos);
    }

    /// Its scale is alpha / sqrt(rank), which readers of one number know as alpha / rank.
    void rankStabilizedAlphasAreScaled() {
        const std::vector<TensorInfo> matrices{
            makeTensorInfo("unet.conv_in.lora_A.weight", DataType::F16, {4, 4, 3, 3}),
            makeTensorInfo("unet.conv_in.lora_B.weight", DataType::F16, {8, 4, 1, 1})};
        const auto alphaWith = [&](const char* said, const std::vector<TensorInfo>& tensors) {
            return openLora(fileOf(tensors, {{"lora_adapter_metadata", said}}))->modules.front().alpha;
        };
        QCOMPARE(alphaWith(R"({"unet.use_rslora": true})", matrices), 8.0);
        QCOMPARE(alphaWith(R"({"text_encoder.use_rslora": true, "unet.lora_alpha": 4})", matrices), 4.0);
        std::vector<TensorInfo> withAlpha = matrices;
        withAlpha.push_back(makeTensorInfo("unet.conv_in.alpha", DataType::F32, {}));
        constexpr const char* kSaid = R"({"unet.use_rslora": true, "unet.lora_alpha": 4, "unet.r": 4})";
        QCOMPARE(alphaWith(kSaid, withAlpha), 0.0); // the file's own
        QCOMPARE(alphaWith(kSaid, matrices), 8.0);
        QVERIFY(convertModel(at("made.safetensors"), at("kohya.safetensors"), ConvertTarget::KohyaLora).ok());
        QCOMPARE(openLora(at("kohya.safetensors"))->modules.front().alpha, 8.0);
        QVERIFY(convertModel(at("made.safetensors"), at("peft.safetensors"), ConvertTarget::DiffusersLora));
        const auto peft = openLora(at("peft.safetensors"));
        QVERIFY(peft.ok() && !peft->metadata.contains("lora_adapter_metadata"));
        QCOMPARE(peft->modules.front().alpha, 4.0);
    }

    void takesTheWordForHowTheModelPredicts() {
        const TinyLora lora;
        LoraDescription description;
        description.family = ModelFamily::StableDiffusion2;
        const std::string from = at("a.safetensors");
        QVERIFY(writeLora(from, LoraFormat::Kohya, lora.modules, lora.source, description).ok());
        const auto saidOf = [&](const char* name, std::optional<PredictionType> asked) {
            ConvertOptions options;
            options.open.predictionType = asked;
            const auto done = convertModel(from, at(name), ConvertTarget::KohyaLora, options);
            const auto made = done ? openLora(at(name)) : Result<LoraFile>(done.error());
            return made ? made->metadata : std::map<std::string, std::string>();
        };
        QCOMPARE(saidOf("b.safetensors", {})["modelspec.prediction_type"], "epsilon");
        auto said = saidOf("c.safetensors", PredictionType::VPrediction); // whatever its own metadata says
        QCOMPARE(said["modelspec.prediction_type"], "v");
        QCOMPARE(said["ss_v2"], "True");
        QVERIFY(said["ss_base_model_version"] != "sd_v2");
        QVERIFY(predictionTypeOfMetadata(said) == PredictionType::VPrediction);
        ConvertOptions noise;
        noise.open.zeroTerminalSnr = true;
        const auto refused = convertModel(from, at("d.safetensors"), ConvertTarget::DiffusersLora, noise);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().code == ErrorCode::Usage);
        QVERIFY(refused.error().message.find("--zero-terminal-snr") != std::string::npos);
        QVERIFY(!fs::exists(at("d.safetensors")));
    }

    void forgetsWhatItsTrainingWasToldWhereTheWordIsAnother_data() {
        QTest::addColumn<int>("asked");
        QTest::addColumn<bool>("says");
        QTest::addColumn<bool>("kept");
        constexpr int kNothing = -1;
        const int noise = static_cast<int>(PredictionType::Epsilon);
        const int velocity = static_cast<int>(PredictionType::VPrediction);
        QTest::newRow("no word") << kNothing << true << true;
        QTest::newRow("the same word") << velocity << true << true;
        QTest::newRow("another word") << noise << true << false;
        QTest::newRow("another word, which the rest says") << noise << false << false;
    }

    void forgetsWhatItsTrainingWasToldWhereTheWordIsAnother() {
        QFETCH(int, asked);
        QFETCH(bool, says);
        QFETCH(bool, kept);
        const TinyLora lora;
        ModelSource silent = test::tinyModel(false);
        silent.path = at("silent.safetensors");
        silent.predictionTypeSaid = false;
        TrainConfig config;
        config.loss.predictionType = "v_prediction";
        config.loss.zeroTerminalSnr = true;
        LoraDescription description;
        noteToldPrediction(config, silent, description);
        if (!says) description.predictionType = PredictionType::Epsilon;
        const std::string from = at("a.safetensors");
        QVERIFY(writeLora(from, LoraFormat::Kohya, lora.modules, lora.source, description).ok());
        QVERIFY(toldPredictionOf(from, silent.path).has_value());
        ConvertOptions options;
        if (asked >= 0) options.open.predictionType = static_cast<PredictionType>(asked);
        QVERIFY(convertModel(from, at("b.safetensors"), ConvertTarget::KohyaLora, options).ok());
        const auto told = toldPredictionOf(at("b.safetensors"), silent.path);
        QCOMPARE(told.has_value(), kept);
        if (told) QVERIFY(told->predictionType == PredictionType::VPrediction && told->zeroTerminalSnr);
    }

    void refusesWhatItCannotUse_data() {
        QTest::addColumn<QStringList>("tensors");
        QTest::addColumn<QString>("reason");
        const QString query = "lora_unet_mid_block_attentions_0_proj_in";
        QTest::newRow("half") << QStringList{query + ".lora_down.weight"} << "lacks its up half";
        QTest::newRow("DoRA") << QStringList{query + ".lora_down.weight", query + ".dora_scale"} << "DoRA";
        QTest::newRow("no module of SDXL")
            << QStringList{"lora_unet_input_blocks_3_1_proj_in.lora_down.weight"}
            << "modules that the UNet of SDXL does not have";
        QTest::newRow("another kind") << QStringList{"lora_unet_double_blocks_0_img_mlp_0.lora_down.weight",
                                                     "lora_te1_text_model_x.lora_down.weight"}
                                      << "another kind of model";
        QTest::newRow("LoHa") << QStringList{query + ".hada_w1_a"} << "LyCORIS";
        QTest::newRow("whole weight")
            << QStringList{"lora_unet_input_blocks_4_1_proj_in.diff"} << "LyCORIS adapter that is no LoRA";
        QTest::newRow("norm") << QStringList{query + ".lora_down.weight", query + ".lora_up.weight",
                                             "lora_unet_input_blocks_4_1_norm.w_norm"}
                              << "(a LyCORIS adapter that is no LoRA); choose another file";
        QTest::newRow("bundle") << QStringList{query + ".lora_down.weight", query + ".lora_up.weight",
                                               "bundle_emb.sks.clip_l"}
                                << "textual inversions beside it";
        QTest::newRow("model") << QStringList{"model.diffusion_model.out.2.weight", query + ".lora_up.weight"}
                               << "found a whole model; choose it as the base model";
        QTest::newRow("other") << QStringList{"x.weight"} << "other tensors";
        QTest::newRow("partly unknown")
            << QStringList{query + ".lora_down.weight", query + ".lora_up.weight", "x"} << "not understood";
        QTest::newRow("shapes") << QStringList{query + ".lora_down.weight", query + ".lora_up.weight"}
                                << "do not fit";
        QTest::newRow("twice") << QStringList{query + ".lora_down.weight",
                                              "unet.mid_block.attentions.0.proj_in.lora_A.weight"}
                               << "mean the same";
    }

    void refusesWhatItCannotUse() {
        QFETCH(QStringList, tensors);
        QFETCH(QString, reason);
        std::vector<TensorInfo> infos;
        for (const QString& name : tensors)
            infos.push_back(makeTensorInfo(name.toStdString(), DataType::F32, {2, 3}));
        const std::string error = errorOf(fileOf(infos));
        QVERIFY2(error.find(reason.toStdString()) != std::string::npos, error.c_str());
    }

    void namesModulesThatDoNotFitTheModel() {
        const auto file = fileOf({makeTensorInfo("unet.conv_in.lora_A.weight", DataType::F32, {4, 4, 3, 3}),
                                  makeTensorInfo("unet.conv_in.lora_B.weight", DataType::F32, {320, 4, 1, 1}),
                                  makeTensorInfo("unet.no.such.lora_A.weight", DataType::F32, {1, 4}),
                                  makeTensorInfo("unet.no.such.lora_B.weight", DataType::F32, {4, 1})});
        auto lora = openLora(file);
        QVERIFY(lora.ok());
        const auto fits = checkLoraFits(*lora, test::tinyModel(false));
        QVERIFY(!fits.ok());
        QVERIFY2(fits.error().message.find("2 of 2 modules") != std::string::npos,
                 fits.error().message.c_str());
        QVERIFY2(fits.error().message.find("[8, 4, 3, 3]") != std::string::npos,
                 fits.error().message.c_str());
    }

    void neverReplaces() {
        const TinyLora lora;
        QVERIFY(writeFileAtomically(at("taken"), "mine").ok());
        QVERIFY(!writeLora(at("taken"), LoraFormat::Kohya, lora.modules, lora.source, {}).ok());
        QVERIFY(!writeLora(at("new"), LoraFormat::Kohya, {}, lora.source, {}).ok());
        QCOMPARE(fs::file_size(at("taken")), uintmax_t{4});
    }
};

QTEST_APPLESS_MAIN(TestLoraFiles)
#include "tst_lora_files.moc"

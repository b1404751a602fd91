// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRAs of SDXL: kohya's names that count its blocks, those of both text encoders, and that what was made for
// another family is refused.
#include "core/base/formats/safetensors_reader.h"
#include "core/base/model/convert.h"
#include "tests/base/support/made_lora.h"
#include "tests/base/support/model_files.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

constexpr const char* kQuery = "down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
constexpr const char* kTextKey = "down_blocks.2.attentions.1.transformer_blocks.9.attn2.to_k";
constexpr const char* kTextQuery = "text_model.encoder.layers.1.self_attn.q_proj";
constexpr int64_t kTextWidth = 2048;

std::string fixtureText(const std::string& name) {
    return test::fileText(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/" + name);
}

/// The configurations of tiny-sdxl, which has another number of layers than what was released.
ModelSource tinyXl() {
    ModelSource model;
    model.family = ModelFamily::StableDiffusionXl;
    model.unet = UNetConfig::fromJson(fixtureText("tiny-sdxl/unet/config.json")).value();
    model.text.config = ClipConfig::fromJson(fixtureText("tiny-sdxl/text_encoder/config.json")).value();
    model.secondText.emplace().config =
        ClipConfig::fromJson(fixtureText("tiny-sdxl/text_encoder_2/config.json")).value();
    return model;
}

ModelSource releasedXl() {
    const FamilyConfigs configs = originalConfigs(ModelFamily::StableDiffusionXl, PredictionType::Epsilon);
    ModelSource model;
    model.family = ModelFamily::StableDiffusionXl;
    model.unet = configs.unet;
    model.text.config = configs.textEncoder;
    model.secondText.emplace().config = configs.secondTextEncoder.value();
    return model;
}

/// Of the released model's modules, narrower than they are.
struct XlLora : test::MadeLora {
    XlLora() {
        add({"unet", kQuery}, {3, 8}, {8, 3}, 1.5);
        add({"unet", kTextKey}, {2, kTextWidth}, {4, 2}, 2.0);
        add({"unet", "up_blocks.0.resnets.2.conv_shortcut"}, {2, 8, 1, 1}, {8, 2, 1, 1}, 1.0);
        add({"text_encoder", kTextQuery}, {3, 6}, {6, 3}, 1.5);
        add({"text_encoder_2", kTextQuery}, {3, 7}, {7, 3}, 1.5);
        add({"text_encoder_2", "text_projection"}, {1, 7}, {7, 1}, 4.0);
    }
};

/// Name -> bytes of every tensor.
std::map<std::string, std::vector<std::byte>> tensorsOf(const std::string& path) {
    std::map<std::string, std::vector<std::byte>> tensors;
    const auto reader = SafetensorsReader::open(path);
    if (!reader) return tensors;
    for (const TensorInfo& info : (*reader)->tensors())
        tensors[info.name] = test::bytesOf(**reader, info.name);
    return tensors;
}

std::string refusalOf(const Result<void>& result) {
    return result.ok() ? "(taken)" : result.error().text();
}

} // namespace

class TestLoraXl : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::string at(const char* name) const { return m_dir->path().toStdString() + "/" + name; }

    /// Writes a LoRA and opens it again, for a model.
    Result<LoraFile> written(const test::MadeLora& lora, LoraFormat format,
                             const LoraDescription& description, const ModelSource& model) {
        const std::string path = at("written.safetensors");
        std::filesystem::remove(path);
        HOMEBOOTH_CHECK(writeLora(path, format, lora.modules, lora.source, description));
        return openLora(path, model);
    }

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void kohyasNamesOfTheFixtureAreUnderstoodAndWritten() {
        const SgmModules modules(tinyXl().unet);
        const QStringList lines =
            QString::fromStdString(fixtureText("xl/lora_keys.tsv")).split('\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 100);
        for (const QString& line : lines) {
            const QStringList cells = line.split('\t');
            QCOMPARE(cells.size(), 3);
            const std::string name = cells[0].toStdString();
            const LoraModuleName module{cells[1].toStdString(), cells[2].toStdString()};
            const auto found = moduleOfKohyaName(name, modules);
            QVERIFY2(found && *found == module, name.c_str());
            QCOMPARE(kohyaModuleName(module, &modules).value_or("none"), name);
        }
    }

    void everyModuleOfTheReleasedModelSurvivesKohyasNames() {
        const ModelSource model = releasedXl();
        std::set<std::string> names;
        const auto check = [&names](const char* component, const ComponentLayout& layout) {
            for (const LayoutEntry& entry : layout) {
                if (!entry.name.ends_with(".weight")) continue;
                const LoraModuleName module{component, entry.name.substr(0, entry.name.rfind('.'))};
                const auto name = kohyaModuleName(module, &SgmModules::released());
                QVERIFY2(name && names.insert(*name).second, entry.name.c_str());
                const auto back = parseLoraKey(*name + ".lora_up.weight");
                QVERIFY2(back && back->module == module, name->c_str());
                QVERIFY2(back->origin == NameOrigin::Xl, name->c_str());
            }
        };
        check("unet", unetLayout(model.unet));
        check("text_encoder", textEncoderLayout(model.text.config));
        check("text_encoder_2", projectingTextEncoderLayout(model.secondText->config));
    }

    void namesAreThoseOfPublishedFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("path");
        const auto row = [](const char* name, const char* path) {
            QTest::newRow(name) << QString(name) << QString(path);
        };
        row("lora_unet_input_blocks_4_1_transformer_blocks_0_attn1_to_q", kQuery);
        row("lora_unet_middle_block_1_transformer_blocks_9_ff_net_0_proj",
            "mid_block.attentions.0.transformer_blocks.9.ff.net.0.proj");
        row("lora_unet_output_blocks_5_1_proj_out", "up_blocks.1.attentions.2.proj_out");
        row("lora_unet_input_blocks_0_0", "conv_in");
        row("lora_unet_input_blocks_3_0_op", "down_blocks.0.downsamplers.0.conv");
        row("lora_unet_input_blocks_7_0_emb_layers_1", "down_blocks.2.resnets.0.time_emb_proj");
        row("lora_unet_middle_block_2_out_layers_3", "mid_block.resnets.1.conv2");
        row("lora_unet_output_blocks_0_0_in_layers_2", "up_blocks.0.resnets.0.conv1");
        row("lora_unet_output_blocks_8_0_skip_connection", "up_blocks.2.resnets.2.conv_shortcut");
        row("lora_unet_output_blocks_2_2_conv", "up_blocks.0.upsamplers.0.conv");
        row("lora_unet_time_embed_0", "time_embedding.linear_1");
        row("lora_unet_label_emb_0_2", "add_embedding.linear_2");
        row("lora_unet_out_2", "conv_out");
    }

    void namesAreThoseOfPublishedFiles() {
        QFETCH(const QString, name);
        QFETCH(const QString, path);
        const LoraModuleName module{"unet", path.toStdString()};
        QCOMPARE(kohyaModuleName(module, &SgmModules::released()).value_or("none"), name.toStdString());
        const auto key = parseLoraKey(name.toStdString() + ".alpha");
        QVERIFY(key && key->module == module && key->part == LoraPart::Alpha);
    }

    void understandsEveryForm_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("component");
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("saysXl");
        const auto row = [](const char* tag, const QString& name, const char* component, const char* path,
                            bool saysXl) {
            QTest::newRow(tag) << name << QString(component) << QString(path) << saysXl;
        };
        const QString text = kTextQuery;
        row("diffusers' path in kohya's form",
            "lora_unet_down_blocks_1_attentions_0_transformer_blocks_0_attn1_to_q.lora_up.weight", "unet",
            kQuery, false);
        row("likewise, of SDXL alone", "lora_unet_add_embedding_linear_1.lora_up.weight", "unet",
            "add_embedding.linear_1", true);
        row("first text encoder", "lora_te1_" + QString(text).replace('.', '_') + ".lora_up.weight",
            "text_encoder", kTextQuery, true);
        row("projection", "lora_te2_text_projection.lora_up.weight", "text_encoder_2", "text_projection",
            true);
        row("PEFT", "unet." + QString(kQuery) + ".lora_B.weight", "unet", kQuery, false);
        row("PEFT, text", "text_encoder." + text + ".lora_B.weight", "text_encoder", kTextQuery, false);
        row("PEFT, second text", "text_encoder_2." + text + ".lora_B.weight", "text_encoder_2", kTextQuery,
            true);
        row("PEFT, second text, transformers 5",
            "text_encoder_2.encoder.layers.1.self_attn.q_proj.lora_B.weight", "text_encoder_2", kTextQuery,
            true);
        row("diffusers 0.2x", "text_encoder_2." + text + ".lora_linear_layer.up.weight", "text_encoder_2",
            kTextQuery, true);
        row("processor",
            "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.processor.to_q_lora.up.weight",
            "unet", kQuery, false);
        row("SD 1.x", "lora_te_" + QString(text).replace('.', '_') + ".lora_up.weight", "text_encoder",
            kTextQuery, false);
    }

    void understandsEveryForm() {
        QFETCH(const QString, name);
        QFETCH(const QString, component);
        QFETCH(const QString, path);
        QFETCH(const bool, saysXl);
        const auto key = parseLoraKey(name.toStdString());
        QVERIFY(key.has_value());
        QVERIFY(key->module == (LoraModuleName{component.toStdString(), path.toStdString()}));
        QVERIFY(key->part == LoraPart::Up);
        QCOMPARE(key->origin == NameOrigin::Xl, saysXl);
    }

    void roundTripKeepsEveryByteAndTheStrength() {
        const XlLora lora;
        LoraDescription description;
        description.family = ModelFamily::StableDiffusionXl;
        const std::string a = at("a.safetensors");
        const std::string b = at("b.safetensors");
        const std::string c = at("c.safetensors");
        QVERIFY(writeLora(a, LoraFormat::Kohya, lora.modules, lora.source, description).ok());
        const auto converted = convertModel(a, b, ConvertTarget::DiffusersLora);
        QVERIFY2(converted, test::reasonOf(converted).c_str());
        QVERIFY(convertModel(b, c, ConvertTarget::KohyaLora).ok());
        QVERIFY(tensorsOf(a).contains(
            "lora_unet_input_blocks_4_1_transformer_blocks_0_attn1_to_q.lora_down.weight"));
        QVERIFY(tensorsOf(b).contains("text_encoder_2." + std::string(kTextQuery) + ".lora_B.weight"));
        const auto namesOf = [](const std::string& path) {
            QStringList names;
            for (const auto& [name, bytes] : tensorsOf(path)) names << QString::fromStdString(name);
            return names;
        };
        QCOMPARE(namesOf(c), namesOf(a));
        for (const std::string& file : {a, b, c}) {
            const auto opened = openLora(file);
            QVERIFY2(opened, test::reasonOf(opened).c_str());
            QCOMPARE(opened->modules.size(), lora.modules.size());
            QVERIFY(opened->family == ModelFamily::StableDiffusionXl);
            for (const LoraModule& module : lora.modules) {
                const auto found = std::find_if(opened->modules.begin(), opened->modules.end(),
                                                [&](const LoraModule& m) { return m.name == module.name; });
                QVERIFY2(found != opened->modules.end(), module.name.path.c_str());
                const bool folded = file != a;
                QCOMPARE(found->alpha, folded ? static_cast<double>(module.rank) : module.alpha);
                QVERIFY(test::bytesOf(*opened->tensors, found->downTensor) ==
                        test::bytesOf(lora.source, module.downTensor));
                QVERIFY(test::bytesOf(*opened->tensors, found->upTensor) ==
                        (folded ? lora.scaledUp(module) : test::bytesOf(lora.source, module.upTensor)));
            }
        }
    }

    /// As in files by diffusers, which say no more of it.
    void theWidthOfTheTextTellsTheFamily_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("family");
        QTest::addColumn<QString>("name");
        const char* plain = "lora_unet_down_blocks_2_attentions_1_transformer_blocks_0_attn2_to_k.alpha";
        QTest::newRow("SD 1.x") << 768 << int(ModelFamily::StableDiffusion1) << plain;
        QTest::newRow("SD 2.x") << 1024 << int(ModelFamily::StableDiffusion2) << plain;
        QTest::newRow("SDXL") << 2048 << int(ModelFamily::StableDiffusionXl)
                              << "lora_unet_input_blocks_8_1_transformer_blocks_0_attn2_to_k.alpha";
        QTest::newRow("another") << 10 << int(ModelFamily::Other) << plain;
    }

    void theWidthOfTheTextTellsTheFamily() {
        QFETCH(const int, width);
        QFETCH(const int, family);
        QFETCH(const QString, name);
        test::MadeLora lora;
        lora.add({"unet", "down_blocks.2.attentions.1.transformer_blocks.0.attn2.to_k"}, {2, width}, {4, 2},
                 1.0);
        LoraDescription silent; // what it writes of a family is taken away again
        const std::string path = at("wide.safetensors");
        QVERIFY(
            writeLora(at("told.safetensors"), LoraFormat::Diffusers, lora.modules, lora.source, silent).ok());
        const auto told = SafetensorsReader::open(at("told.safetensors"));
        auto writer = SafetensorsWriter::create(path, (*told)->tensors());
        QVERIFY(writer.ok());
        for (const TensorInfo& info : (*told)->tensors())
            QVERIFY(writer->write(info.name, test::bytesOf(**told, info.name)).ok());
        QVERIFY(writer->commit().ok());
        const auto opened = openLora(path);
        QVERIFY(opened.ok() && opened->family == static_cast<ModelFamily>(family));
        QVERIFY(convertModel(path, at("kohya.safetensors"), ConvertTarget::KohyaLora).ok());
        QVERIFY(tensorsOf(at("kohya.safetensors")).contains(name.toStdString()));
        const bool large = static_cast<ModelFamily>(family) == ModelFamily::StableDiffusionXl;
        QCOMPARE(openLora(at("kohya.safetensors"))->metadata.at("modelspec.resolution"),
                 large ? "1024x1024" : "512x512");
    }

    void saysWhatItIsInItsMetadata() {
        const XlLora lora;
        LoraDescription description = LoraDescription::of(releasedXl());
        description.resolutionPixels = 1024;
        const auto opened = written(lora, LoraFormat::Kohya, description, releasedXl());
        QVERIFY(opened.ok());
        const auto& metadata = opened->metadata;
        QCOMPARE(metadata.at("ss_v2"), "False");
        QCOMPARE(metadata.at("ss_base_model_version"), "sdxl_base_v1-0");
        QCOMPARE(metadata.at("ss_network_module"), "networks.lora");
        QCOMPARE(metadata.at("ss_resolution"), "(1024, 1024)");
        QCOMPARE(metadata.at("modelspec.architecture"), "stable-diffusion-xl-v1-base/lora");
        QCOMPARE(metadata.at("modelspec.resolution"), "1024x1024");
    }

    void aModelsOwnBlocksAreCounted_data() {
        QTest::addColumn<int>("format");
        QTest::newRow("kohya") << int(LoraFormat::Kohya);
        QTest::newRow("diffusers") << int(LoraFormat::Diffusers);
    }

    void aModelsOwnBlocksAreCounted() {
        QFETCH(const int, format);
        const ModelSource model = tinyXl();
        test::MadeLora lora;
        lora.add({"unet", kQuery}, {2, 8}, {8, 2}, 1.0);
        lora.add({"unet", "up_blocks.0.resnets.1.conv1"}, {2, 16, 3, 3}, {8, 2, 1, 1}, 1.0);
        lora.add({"text_encoder", kTextQuery}, {2, 4}, {4, 2}, 1.0);
        lora.add({"text_encoder_2", "text_projection"}, {2, 6}, {6, 2}, 1.0);
        const auto opened = written(lora, static_cast<LoraFormat>(format), LoraDescription::of(model), model);
        QVERIFY2(opened, test::reasonOf(opened).c_str());
        QVERIFY(opened->family == ModelFamily::StableDiffusionXl);
        QCOMPARE(opened->modules.size(), lora.modules.size());
        QCOMPARE(refusalOf(checkLoraFits(*opened, model)), "(taken)");
        QVERIFY(openLora(at("written.safetensors"), releasedXl()).ok() ==
                (static_cast<LoraFormat>(format) == LoraFormat::Diffusers));
    }

    void namesOfAnotherFamilyAreRefused() {
        const ModelSource xl = tinyXl();
        ModelSource first = test::tinyModel(false);
        first.text.config = xl.text.config; // as wide, as CLIP-L is in both families
        test::MadeLora lora;
        lora.add({"text_encoder", kTextQuery}, {2, 4}, {4, 2}, 1.0);
        const auto ofFirst = written(lora, LoraFormat::Kohya, LoraDescription::of(first), xl);
        QVERIFY(ofFirst.ok());
        QCOMPARE(refusalOf(checkLoraFits(*ofFirst, first)), "(taken)");
        const std::string toXl = refusalOf(checkLoraFits(*ofFirst, xl));
        QVERIFY2(test::contains(toXl, "made for SD 1.x, not for a model of this family (SDXL)") &&
                     test::contains(toXl, "names of SD 1.x and 2.x"),
                 toXl.c_str());
        const auto ofXl = written(lora, LoraFormat::Kohya, LoraDescription::of(xl), first);
        QVERIFY(ofXl.ok());
        QCOMPARE(refusalOf(checkLoraFits(*ofXl, xl)), "(taken)");
        const std::string toFirst = refusalOf(checkLoraFits(*ofXl, first));
        QVERIFY2(test::contains(toFirst, "made for SDXL, not for") &&
                     test::contains(toFirst, "names of SDXL; choose the base model"),
                 toFirst.c_str());
    }

    void shapesOfAnotherFamilyAreRefused() {
        const ModelSource xl = releasedXl();
        const ModelSource first = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const auto refusal = [&](int64_t width, const ModelSource& model) {
            test::MadeLora lora;
            lora.add({"unet", "down_blocks.2.attentions.1.transformer_blocks.0.attn2.to_k"}, {1, width},
                     {1280, 1}, 1.0);
            const auto opened = written(lora, LoraFormat::Diffusers, {}, model);
            return opened.ok() ? refusalOf(checkLoraFits(*opened, model)) : opened.error().text();
        };
        QCOMPARE(refusal(768, first), "(taken)");
        QCOMPARE(refusal(2048, xl), "(taken)");
        const std::string toFirst = refusal(2048, first);
        QVERIFY2(test::contains(toFirst, "made for SDXL, not for a model of this family (SD 1.x): 1 of 1"),
                 toFirst.c_str());
        const std::string toXl = refusal(768, xl);
        QVERIFY2(test::contains(toXl, "made for SD 1.x, not for a model of this family (SDXL): 1 of 1"),
                 toXl.c_str());
    }

    void aModuleWithoutANameInKohyasFormIsNotWritten() {
        test::MadeLora lora;
        lora.add({"unet", "down_blocks.0.attentions.0.proj_in"}, {2, 8}, {8, 2}, 1.0);
        const auto refused =
            written(lora, LoraFormat::Kohya, LoraDescription::of(releasedXl()), releasedXl());
        QVERIFY(!refused.ok() && refused.error().code == ErrorCode::BadInput);
        QVERIFY2(
            test::contains(refused.error().message, "expected modules of SDXL, found unet.down_blocks.0"),
            refused.error().message.c_str());
        QVERIFY(!std::filesystem::exists(at("written.safetensors")));
        test::MadeLora second;
        second.add({"text_encoder_2", kTextQuery}, {2, 8}, {8, 2}, 1.0);
        QVERIFY(!written(second, LoraFormat::Kohya, {}, releasedXl()).ok()); // of SD 1.x
    }
};

QTEST_APPLESS_MAIN(TestLoraXl)
#include "tst_lora_xl.moc"

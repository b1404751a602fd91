// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Model configurations: what the real files say, class defaults, round trips, and clear refusals.
#include "core/base/model/model_family.h"

#include <QFile>
#include <QTest>

using namespace homebooth::core;

namespace {

std::string configText(const char* model, const char* name = "config.json") {
    QFile file(QStringLiteral(HOMEBOOTH_SOURCE_DIR "/tests/configs/") + model + "/" + name);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot open %s", qPrintable(file.fileName()));
    return file.readAll().toStdString();
}

template <class Config>
QString refusalOf(const std::string& text) {
    const auto config = Config::fromJson(text);
    return config ? QString() : QString::fromStdString(config.error().text());
}

} // namespace

class ModelConfigs : public QObject {
    Q_OBJECT
private slots:
    void readsTheRealFiles();
    void theReleasedSdxlIsKnownByHeart();
    void missingKeysMeanTheClassDefaults();
    void nullMidBlockIsNoMidBlock();
    void roundTripsThroughJson_data();
    void roundTripsThroughJson();
    void oneNumberStandsForAllBlocks();
    void readsTheTextPartOfAWholeClip();
    void refusesUnetsByName_data();
    void refusesUnetsByName();
    void refusesOtherParts_data();
    void refusesOtherParts();
    void namesEveryProblemAtOnce();
    void takesDropoutWhichPicturesAreMadeWithout();
    void deeplyNestedFilesAreRefused();
};

void ModelConfigs::deeplyNestedFilesAreRefused() {
    constexpr size_t kDepth = 200'000; // copying or writing it again would go down as deep on the stack
    const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
    const std::string text =
        "{\"in_channels\": " + deep + ", \"text_config\": {\"vocab_size\": " + deep + "}}";
    for (const QString& refusal :
         {refusalOf<UNetConfig>(text), refusalOf<VaeConfig>(text), refusalOf<ClipConfig>(text)})
        QVERIFY2(refusal.contains("nested too deeply"), qPrintable(refusal));
}

/// What single files, which bring no configuration, are taken for.
void ModelConfigs::theReleasedSdxlIsKnownByHeart() {
    constexpr ModelFamily kXl = ModelFamily::StableDiffusionXl;
    const FamilyConfigs known = originalConfigs(kXl, PredictionType::Epsilon);
    QCOMPARE(known.unet.toJson(), UNetConfig::fromJson(configText("sdxl-base/unet")).value().toJson());
    QCOMPARE(known.vae.toJson(), VaeConfig::fromJson(configText("sdxl-base/vae")).value().toJson());
    QCOMPARE(known.textEncoder.toJson(),
             ClipConfig::fromJson(configText("sdxl-base/text_encoder")).value().toJson());
    QVERIFY(known.secondTextEncoder.has_value());
    QCOMPARE(known.secondTextEncoder->toJson(),
             ClipConfig::fromJson(configText("sdxl-base/text_encoder_2")).value().toJson());
    QVERIFY(familyOf(known.unet) == kXl);

    const std::string file = configText("sdxl-base/scheduler", "scheduler_config.json");
    const SchedulerConfig released = parseSchedulerConfig(file, "").value();
    const SchedulerConfig scheduler = originalScheduler(kXl, PredictionType::Epsilon);
    QCOMPARE(scheduler.className, released.className);
    QCOMPARE(scheduler.betaStart, released.betaStart);
    QCOMPARE(scheduler.betaEnd, released.betaEnd);
    QVERIFY(scheduler.betaSchedule == released.betaSchedule);
    QVERIFY(scheduler.timestepSpacing == released.timestepSpacing);
    QVERIFY(scheduler.predictionType == released.predictionType);
    QCOMPARE(scheduler.stepsOffset, released.stepsOffset);
    QCOMPARE(scheduler.setAlphaToOne, released.setAlphaToOne);
    QCOMPARE(scheduler.clipSample, released.clipSample);
    QCOMPARE(scheduler.interpolationType, released.interpolationType);
}

void ModelConfigs::readsTheRealFiles() {
    const UNetConfig sd15 = UNetConfig::fromJson(configText("sd15/unet")).value();
    QCOMPARE(sd15.attentionHeads, std::vector<int64_t>({8, 8, 8, 8}));
    QCOMPARE(sd15.crossAttentionDim, int64_t{768});
    QVERIFY(!sd15.useLinearProjection);
    const UNetConfig sd21 = UNetConfig::fromJson(configText("sd21-768/unet")).value();
    QCOMPARE(sd21.attentionHeads, std::vector<int64_t>({5, 10, 20, 20}));
    QVERIFY(sd21.useLinearProjection && sd21.upcastAttention);
    QCOMPARE(sd21.sampleSize, int64_t{96});
    const UNetConfig sdxl = UNetConfig::fromJson(configText("sdxl-base/unet")).value();
    QVERIFY(sdxl.textTimeEmbedding);
    QCOMPARE(sdxl.transformerLayers, std::vector<int64_t>({1, 2, 10}));
    QCOMPARE(sdxl.upTransformerLayers, std::vector<int64_t>({10, 2, 1}));
    const VaeConfig vae = VaeConfig::fromJson(configText("sdxl-base/vae")).value();
    QCOMPARE(vae.scalingFactor, 0.13025);
    QVERIFY(vae.forceUpcast);
    QCOMPARE(vae.downscale(), int64_t{8});
    const ClipConfig text = ClipConfig::fromJson(configText("sd21-base/text_encoder")).value();
    QCOMPARE(text.layerCount, int64_t{23});
    QCOMPARE(text.activation, std::string("gelu"));
}

void ModelConfigs::missingKeysMeanTheClassDefaults() {
    const UNetConfig unet = UNetConfig::fromJson("{}").value();
    QCOMPARE(unet.attentionHeads, std::vector<int64_t>({8, 8, 8, 8}));
    QCOMPARE(unet.normGroups, int64_t{32});
    QCOMPARE(unet.layersPerBlock, std::vector<int64_t>({2, 2, 2, 2}));
    QCOMPARE(unet.crossAttentionDim, int64_t{1280});
    QVERIFY(unet.mid == UNetMid::CrossAttention);
    const VaeConfig vae = VaeConfig::fromJson("{}").value();
    QCOMPARE(vae.scalingFactor, 0.18215);
    QCOMPARE(vae.blockOutChannels, std::vector<int64_t>({64}));
    QVERIFY(vae.useQuantConv && vae.midBlockAttention && !vae.shiftFactor);
    QCOMPARE(ClipConfig::fromJson("{}").value().activation, std::string("quick_gelu"));
}

void ModelConfigs::nullMidBlockIsNoMidBlock() {
    QVERIFY(UNetConfig::fromJson(R"({"mid_block_type": null})").value().mid == UNetMid::None);
    const UNetConfig plain = UNetConfig::fromJson(R"({"mid_block_type": "UNetMidBlock2D"})").value();
    QVERIFY(plain.mid == UNetMid::Plain);
    QVERIFY(UNetConfig::fromJson(plain.toJson()).value().mid == UNetMid::Plain);
}

void ModelConfigs::roundTripsThroughJson_data() {
    QTest::addColumn<QString>("family");
    for (const char* family : {"sd15", "sd21-base", "sd21-768", "sdxl-base"}) QTest::newRow(family) << family;
}

/// Written and read again, the text no longer changes: nothing that is written is lost.
void ModelConfigs::roundTripsThroughJson() {
    QFETCH(const QString, family);
    const UNetConfig unet = UNetConfig::fromJson(configText(qPrintable(family + "/unet"))).value();
    const UNetConfig again = UNetConfig::fromJson(unet.toJson()).value();
    QCOMPARE(again.toJson(), unet.toJson());
    QCOMPARE(again.upTransformerLayers, unet.upTransformerLayers);
    QCOMPARE(again.attentionHeads, unet.attentionHeads);
    QCOMPARE(again.additionInputDim, unet.additionInputDim);
    const VaeConfig vae = VaeConfig::fromJson(configText(qPrintable(family + "/vae"))).value();
    QCOMPARE(VaeConfig::fromJson(vae.toJson()).value().toJson(), vae.toJson());
    QCOMPARE(VaeConfig::fromJson(vae.toJson()).value().scalingFactor, vae.scalingFactor);
    const ClipConfig text = ClipConfig::fromJson(configText(qPrintable(family + "/text_encoder"))).value();
    QCOMPARE(ClipConfig::fromJson(text.toJson()).value().toJson(), text.toJson());
    QCOMPARE(ClipConfig::fromJson(text.toJson()).value().eosTokenId, text.eosTokenId);
}

void ModelConfigs::oneNumberStandsForAllBlocks() {
    const UNetConfig config = UNetConfig::fromJson(R"({
        "block_out_channels": [32, 64], "down_block_types": ["CrossAttnDownBlock2D", "DownBlock2D"],
        "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D"], "layers_per_block": 3,
        "attention_head_dim": [2, 4], "cross_attention_dim": [24, 24], "sample_size": [16]})")
                                  .value();
    QCOMPARE(config.layersPerBlock, std::vector<int64_t>({3, 3}));
    QCOMPARE(config.attentionHeads, std::vector<int64_t>({2, 4}));
    QCOMPARE(config.crossAttentionDim, int64_t{24});
    QCOMPARE(config.sampleSize, int64_t{16});
}

void ModelConfigs::readsTheTextPartOfAWholeClip() {
    const ClipConfig config = ClipConfig::fromJson(R"({"architectures": ["CLIPModel"], "model_type": "clip",
        "text_config": {"model_type": "clip_text_model", "hidden_size": 96, "num_attention_heads": 3}})")
                                  .value();
    QCOMPARE(config.hiddenSize, int64_t{96});
}

void ModelConfigs::refusesUnetsByName_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* name, const char* text, const QStringList& expected) {
        QTest::newRow(name) << QByteArray(text) << expected;
    };
    row("not JSON", "PK\x03\x04", {"UNet configuration", "not JSON"});
    row("empty", "", {"not JSON"});
    row("a list", "[]", {"expected a JSON object", "[]"});
    row("another class", R"({"_class_name": "SD3Transformer2DModel"})",
        {"_class_name", "SD3Transformer2DModel", "UNet2DConditionModel"});
    row("unknown block", R"({"down_block_types": ["KDownBlock2D"]})",
        {"down_block_types", "KDownBlock2D", "CrossAttnDownBlock2D, DownBlock2D"});
    row("lengths differ", R"({"block_out_channels": [32, 64]})", {"block_out_channels", "as many of each"});
    row("class embedding", R"({"class_embed_type": "projection"})", {"class_embed_type", "projection"});
    row("dual", R"({"dual_cross_attention": true})", {"dual_cross_attention", "true"});
    row("only cross", R"({"only_cross_attention": [true, true, true, false]})", {"only_cross_attention"});
    row("image text", R"({"addition_embed_type": "text_image"})", {"text_image", "text_time"});
    row("half of text_time", R"({"addition_embed_type": "text_time"})", {"addition_time_embed_dim"});
    row("fourier", R"({"time_embedding_type": "fourier"})", {"time_embedding_type", "positional"});
    row("no groups", R"({"norm_num_groups": null})", {"norm_num_groups"});
    row("groups", R"({"norm_num_groups": 7})", {"320", "norm_num_groups", "7"});
    row("heads", R"({"attention_head_dim": 7})", {"attention_head_dim", "7", "320"});
    row("negative", R"({"in_channels": -4})", {"in_channels", "-4", "1 to"});
    row("fraction", R"({"in_channels": 4.5})", {"in_channels", "4.5"});
    row("huge", R"({"layers_per_block": 1e18})", {"layers_per_block"});
    row("text", R"({"in_channels": "4"})", {"in_channels", "\"4\""});
    row("even kernel", R"({"conv_in_kernel": 4})", {"conv_in_kernel", "odd"});
    row("contexts", R"({"cross_attention_dim": [1, 2, 3, 4]})", {"cross_attention_dim", "same"});
}

void ModelConfigs::refusesUnetsByName() {
    QFETCH(const QByteArray, text);
    QFETCH(const QStringList, expected);
    const QString refusal = refusalOf<UNetConfig>(text.toStdString());
    for (const QString& part : expected) QVERIFY2(refusal.contains(part), qPrintable(refusal));
    QVERIFY2(!refusal.contains('\n') && refusal.size() < 500, qPrintable(refusal));
}

void ModelConfigs::refusesOtherParts_data() {
    QTest::addColumn<QString>("refusal");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("vae blocks") << refusalOf<VaeConfig>(R"({"down_block_types": ["AttnDownEncoderBlock2D"]})")
                                << QStringList{"down_block_types", "AttnDownEncoderBlock2D"};
    QTest::newRow("vae zero scale") << refusalOf<VaeConfig>(R"({"scaling_factor": 0})")
                                    << QStringList{"scaling_factor", "0"};
    QTest::newRow("vae statistics") << refusalOf<VaeConfig>(R"({"latents_mean": [0.1]})")
                                    << QStringList{"latents_mean"};
    QTest::newRow("vae groups") << refusalOf<VaeConfig>(R"({"norm_num_groups": 0})")
                                << QStringList{"norm_num_groups", "0"};
    QTest::newRow("clip heads") << refusalOf<ClipConfig>(R"({"num_attention_heads": 7})")
                                << QStringList{"num_attention_heads", "512"};
    QTest::newRow("clip activation") << refusalOf<ClipConfig>(R"({"hidden_act": "relu6"})")
                                     << QStringList{"hidden_act", "relu6", "quick_gelu, gelu"};
    QTest::newRow("clip dropout") << refusalOf<ClipConfig>(R"({"attention_dropout": -0.1})")
                                  << QStringList{"attention_dropout", "-0.1", "0 to 1"};
    QTest::newRow("another text encoder") << refusalOf<ClipConfig>(R"({"architectures": ["T5EncoderModel"]})")
                                          << QStringList{"T5EncoderModel", "CLIPTextModel"};
}

void ModelConfigs::refusesOtherParts() {
    QFETCH(const QString, refusal);
    QFETCH(const QStringList, expected);
    for (const QString& part : expected) QVERIFY2(refusal.contains(part), qPrintable(refusal));
}

void ModelConfigs::namesEveryProblemAtOnce() {
    const QString refusal =
        refusalOf<UNetConfig>(R"({"in_channels": 0, "act_fn": "tanh", "dropout": 1.5, "norm_eps": "small"})");
    for (const char* key : {"in_channels", "act_fn", "dropout", "norm_eps"})
        QVERIFY2(refusal.contains(key), qPrintable(refusal));
}

void ModelConfigs::takesDropoutWhichPicturesAreMadeWithout() {
    for (const char* value : {"0.1", "1", "0", "null", "false"}) {
        const std::string given = value;
        QVERIFY2(UNetConfig::fromJson("{\"dropout\": " + given + "}").ok(), value);
        QVERIFY2(ClipConfig::fromJson("{\"attention_dropout\": " + given + "}").ok(), value);
    }
}

QTEST_APPLESS_MAIN(ModelConfigs)
#include "tst_model_config.moc"

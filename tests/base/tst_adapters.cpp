// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which weights get low-rank adapters, of what shape, and what stays trainable.
#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/schedule/adapters.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace homebooth::core;

namespace {

/// A small SD 1.x: one stage with attention, one without.
UNetConfig smallUNet(bool linearProjection = false) {
    UNetConfig config;
    config.downStages = {UNetStage::CrossAttention, UNetStage::Plain};
    config.upStages = {UNetStage::Plain, UNetStage::CrossAttention};
    config.blockOutChannels = {32, 64};
    config.layersPerBlock = {1, 1};
    config.attentionHeads = {2, 2};
    config.transformerLayers = {1, 1};
    config.upTransformerLayers = {1, 1};
    config.normGroups = 8;
    config.crossAttentionDim = 24;
    config.useLinearProjection = linearProjection;
    return config;
}

const ParameterSpec* find(const Schedule& schedule, const std::string& name) {
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.name == name) return &parameter;
    return nullptr;
}

std::set<std::string> adaptedModules(const Schedule& schedule) {
    std::set<std::string> modules;
    for (const BlockSpec& block : schedule.blocks())
        for (const AdapterSpec& adapter : block.adapters) {
            const std::string& weight = block.parameters[adapter.weight].name;
            modules.insert(weight.substr(0, weight.rfind('.')));
        }
    return modules;
}

using Shape = std::vector<int64_t>;

} // namespace

class AdaptersTest : public QObject {
    Q_OBJECT
private slots:
    void coversAttentionFeedForwardAndProjections();
    void convolutionsAreCoveredOnRequest();
    void givesTheShapesOfTheField();
    void textEncodersAreCovered();
    void onlyAdaptersLearn();
    void namesEveryBadOption();
    void makesEverythingTrainableAgain();
};

void AdaptersTest::coversAttentionFeedForwardAndProjections() {
    Schedule schedule = unetSchedule(smallUNet());
    const auto attached = attachAdapters(schedule, {});
    QVERIFY(attached.ok());
    const std::set<std::string> modules = adaptedModules(schedule);
    QCOMPARE(attached.value(), static_cast<int64_t>(modules.size()));
    const std::string transformer = "down_blocks.0.attentions.0.";
    const std::string layer = transformer + "transformer_blocks.0.";
    for (const std::string name : {"to_q", "to_k", "to_v", "to_out.0"})
        for (const std::string attention : {"attn1.", "attn2."})
            QVERIFY2(modules.contains(layer + attention + name), name.c_str());
    QVERIFY(modules.contains(layer + "ff.net.0.proj"));
    QVERIFY(modules.contains(layer + "ff.net.2"));
    QVERIFY(modules.contains(transformer + "proj_in"));
    QVERIFY(modules.contains(transformer + "proj_out"));
    // Twelve in each transformer: one down, one in the middle, two up.
    QCOMPARE(attached.value(), int64_t{4 * 12});
}

void AdaptersTest::convolutionsAreCoveredOnRequest() {
    Schedule schedule = unetSchedule(smallUNet());
    QVERIFY(attachAdapters(schedule, {.convolutions = true}).ok());
    const std::set<std::string> modules = adaptedModules(schedule);
    for (const std::string name :
         {"down_blocks.0.resnets.0.conv1", "down_blocks.0.resnets.0.conv2",
          "down_blocks.0.resnets.0.time_emb_proj", "down_blocks.1.resnets.0.conv_shortcut",
          "down_blocks.0.downsamplers.0.conv", "up_blocks.0.upsamplers.0.conv", "mid_block.resnets.1.conv2"})
        QVERIFY2(modules.contains(name), name.c_str());
    for (const std::string name :
         {"conv_in", "conv_out", "time_embedding.linear_1", "time_embedding.linear_2"})
        QVERIFY2(!modules.contains(name), name.c_str());
    QVERIFY2(find(schedule, "down_blocks.0.resnets.0.norm1.lora_down.weight") == nullptr, "a norm");
}

void AdaptersTest::givesTheShapesOfTheField() {
    Schedule schedule = unetSchedule(smallUNet());
    QVERIFY(attachAdapters(schedule, {.rank = 4, .alpha = 2.0, .dropout = 0.1, .convolutions = true}).ok());
    const auto expectShapes = [&](const std::string& module, const Shape& down, const Shape& up,
                                  double fanIn) {
        const ParameterSpec* first = find(schedule, module + ".lora_down.weight");
        const ParameterSpec* second = find(schedule, module + ".lora_up.weight");
        QVERIFY2(first != nullptr && second != nullptr, module.c_str());
        QCOMPARE(first->shape, down);
        QCOMPARE(second->shape, up);
        QCOMPARE(first->initialisation, Initialisation::KaimingUniform);
        QCOMPARE(first->initialisationScale, fanIn);
        QCOMPARE(second->initialisation, Initialisation::Zeros);
        QCOMPARE(first->storage, StorageType::Float32);
        QCOMPARE(second->storage, StorageType::Float32);
    };
    const std::string transformer = "down_blocks.0.attentions.0.";
    expectShapes(transformer + "transformer_blocks.0.attn2.to_k", {4, 24}, {32, 4}, 24.0);
    expectShapes(transformer + "proj_in", {4, 32, 1, 1}, {32, 4, 1, 1}, 32.0);
    expectShapes("down_blocks.1.resnets.0.conv1", {4, 32, 3, 3}, {64, 4, 1, 1}, 288.0);
    expectShapes("down_blocks.1.resnets.0.time_emb_proj", {4, 128}, {64, 4}, 128.0);
    for (const BlockSpec& block : schedule.blocks()) {
        for (const AdapterSpec& adapter : block.adapters) {
            QCOMPARE(adapter.scale, 0.5);
            QCOMPARE(adapter.dropout, 0.1);
            QVERIFY(block.parameters[adapter.down].name.ends_with(".lora_down.weight"));
            QVERIFY(block.parameters[adapter.up].name.ends_with(".lora_up.weight"));
        }
    }
    Schedule linear = unetSchedule(smallUNet(true));
    QVERIFY(attachAdapters(linear, {.rank = 4}).ok());
    QCOMPARE(find(linear, transformer + "proj_in.lora_down.weight")->shape, (Shape{4, 32}));
}

void AdaptersTest::textEncodersAreCovered() {
    ClipConfig config;
    config.hiddenSize = 16;
    config.intermediateSize = 64;
    config.layerCount = 3;
    config.headCount = 2;
    config.vocabularySize = 100;
    Schedule schedule = clipSchedule(config);
    const auto attached = attachAdapters(schedule, {.rank = 2});
    QVERIFY(attached.ok());
    QCOMPARE(attached.value(), int64_t{3 * 6});
    const std::set<std::string> modules = adaptedModules(schedule);
    for (const std::string ending : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
                                     "self_attn.out_proj", "mlp.fc1", "mlp.fc2"})
        QVERIFY2(std::any_of(modules.begin(), modules.end(),
                             [&](const std::string& name) { return name.ends_with("layers.2." + ending); }),
                 ending.c_str());
}

void AdaptersTest::onlyAdaptersLearn() {
    Schedule schedule = unetSchedule(smallUNet());
    QVERIFY(attachAdapters(schedule, {}).ok());
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            QCOMPARE(parameter.trainable, parameter.name.find(".lora_") != std::string::npos);
}

void AdaptersTest::namesEveryBadOption() {
    Schedule schedule = unetSchedule(smallUNet());
    for (const AdapterOptions& options : {AdapterOptions{.rank = 0}, AdapterOptions{.rank = -3},
                                          AdapterOptions{.dropout = 1.0}, AdapterOptions{.dropout = -0.1}}) {
        const auto attached = attachAdapters(schedule, options);
        QVERIFY(!attached.ok());
        QCOMPARE(attached.error().code, ErrorCode::BadInput);
        QCOMPARE(schedule.trainableCount(), schedule.parameterCount()); // nothing was changed
    }
    QVERIFY(attachAdapters(schedule, {}).ok());
    QVERIFY2(!attachAdapters(schedule, {}).ok(), "adapters upon adapters");
    Schedule empty;
    QVERIFY(!attachAdapters(empty, {}).ok());
}

void AdaptersTest::makesEverythingTrainableAgain() {
    Schedule schedule = unetSchedule(smallUNet());
    setTrainable(schedule, false);
    QCOMPARE(schedule.trainableCount(), int64_t{0});
    setTrainable(schedule, true);
    QCOMPARE(schedule.trainableCount(), schedule.parameterCount());
}

QTEST_GUILESS_MAIN(AdaptersTest)
#include "tst_adapters.moc"

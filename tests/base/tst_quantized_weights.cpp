// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which weights are kept as integers, and what that takes.
#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/schedule/adapters.h"
#include "core/base/schedule/quantized_weights.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

const ParameterSpec* find(const Schedule& schedule, const std::string& name) {
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.name == name) return &parameter;
    return nullptr;
}

UNetConfig unet() {
    return UNetConfig(); // as SD 1.x
}

} // namespace

class TestQuantizedWeights : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areThoseOfLinearLayersAndConvolutions_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("quantized");
        const QString layer = "down_blocks.0.attentions.0.transformer_blocks.0.";
        QTest::newRow("attention") << layer + "attn1.to_q.weight" << true;
        QTest::newRow("feed forward") << layer + "ff.net.2.weight" << true;
        QTest::newRow("its bias") << layer + "ff.net.2.bias" << false;
        QTest::newRow("norm") << layer + "norm1.weight" << false;
        QTest::newRow("convolution") << "mid_block.resnets.0.conv1.weight" << true;
        QTest::newRow("time projection") << "mid_block.resnets.0.time_emb_proj.weight" << true;
        QTest::newRow("first") << "conv_in.weight" << false;
        QTest::newRow("last") << "conv_out.weight" << false;
        QTest::newRow("timestep") << "time_embedding.linear_1.weight" << false;
    }
    void areThoseOfLinearLayersAndConvolutions() {
        QFETCH(QString, name);
        QFETCH(bool, quantized);
        const Schedule schedule = frozenSchedule(unetSchedule(unet()), Quantization::Int8);
        const ParameterSpec* parameter = find(schedule, name.toStdString());
        QVERIFY(parameter != nullptr);
        QCOMPARE(parameter->storage == StorageType::Int8, quantized);
        const ParameterSpec* scales = quantized ? find(schedule, scaleName(parameter->name)) : nullptr;
        QCOMPARE(scales != nullptr, quantized);
        if (scales == nullptr) return;
        QCOMPARE(scales->shape, std::vector<int64_t>{parameter->shape.front()});
        QCOMPARE(scales->storage, StorageType::Float32);
        QVERIFY(!scales->trainable);
        QCOMPARE(weightOfScale(scales->name), parameter->name);
    }

    void productsOfIntegersAreThoseOfPixels_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("integers");
        const QString layer = "down_blocks.0.attentions.0.transformer_blocks.0.";
        QTest::newRow("query") << layer + "attn1.to_q.weight" << true;
        QTest::newRow("key") << layer + "attn1.to_k.weight" << true;
        QTest::newRow("query of the text") << layer + "attn2.to_q.weight" << true;
        QTest::newRow("key of the text") << layer + "attn2.to_k.weight" << false;
        QTest::newRow("value of the text") << layer + "attn2.to_v.weight" << false;
        QTest::newRow("feed forward") << layer + "ff.net.0.proj.weight" << true;
        QTest::newRow("convolution") << "mid_block.resnets.0.conv1.weight" << false;
        QTest::newRow("time") << "mid_block.resnets.0.time_emb_proj.weight" << false;
    }
    void productsOfIntegersAreThoseOfPixels() {
        QFETCH(QString, name);
        QFETCH(bool, integers);
        for (const Quantization quantization : {Quantization::Int8, Quantization::W8A8}) {
            const Schedule schedule = frozenSchedule(unetSchedule(unet()), quantization);
            const ParameterSpec* parameter = find(schedule, name.toStdString());
            QVERIFY(parameter != nullptr);
            QCOMPARE(parameter->storage, StorageType::Int8);
            QCOMPARE(parameter->integerProducts, integers && quantization == Quantization::W8A8);
        }
        const Schedule text = frozenSchedule(clipSchedule(ClipConfig()), Quantization::W8A8);
        for (const BlockSpec& block : text.blocks())
            for (const ParameterSpec& parameter : block.parameters) QVERIFY(!parameter.integerProducts);
    }

    void embeddingsStayWhole() {
        const Schedule text = frozenSchedule(clipSchedule(ClipConfig()), Quantization::Int8);
        int tables = 0;
        for (const BlockSpec& block : text.blocks())
            for (const ParameterSpec& parameter : block.parameters)
                if (parameter.name.find("_embedding.weight") != std::string::npos) {
                    QCOMPARE(parameter.storage, StorageType::Model);
                    ++tables;
                }
        QCOMPARE(tables, 2);
    }

    void namesOfOtherParametersAreNoScales() {
        QVERIFY(weightOfScale("conv_in.weight").empty());
        QVERIFY(weightOfScale("").empty());
    }

    void whatLearnsStaysWhole() {
        Schedule schedule = unetSchedule(unet());
        QCOMPARE(quantizeWeights(schedule), int64_t{0});
        QVERIFY(attachAdapters(schedule, {}).ok());
        const int64_t learning = schedule.trainableCount();
        QVERIFY(quantizeWeights(schedule) > 200);
        QCOMPARE(schedule.trainableCount(), learning);
        for (const BlockSpec& block : schedule.blocks())
            for (const AdapterSpec& adapter : block.adapters) {
                QCOMPARE(block.parameters.at(adapter.weight).storage, StorageType::Int8);
                QCOMPARE(block.parameters.at(adapter.down).storage, StorageType::Float32);
            }
    }

    void theyTakeHalfOfWhat16BitsTake() {
        const Schedule whole = frozenSchedule(unetSchedule(unet()), Quantization::None);
        const Schedule integers = frozenSchedule(unetSchedule(unet()), Quantization::Int8);
        const double share =
            static_cast<double>(parameterBytes(integers, 2)) / static_cast<double>(parameterBytes(whole, 2));
        QVERIFY2(share > 0.5 && share < 0.51, qPrintable(QString::number(share)));
        QCOMPARE(largestWholeWeightBytes(whole, 2), int64_t{0});
        // up_blocks.0.resnets.0.conv1 joins 1280 channels of the skip to 1280.
        QCOMPARE(largestWholeWeightBytes(integers, 2), int64_t{2} * 1280 * 2560 * 9);
        QCOMPARE(quantizedWorkBytes(whole, 2), int64_t{0});
        QCOMPARE(quantizedWorkBytes(integers, 2), largestWholeWeightBytes(integers, 2));
    }

    /// Their sums, and the integers of as many rows.
    void productsOfIntegersTakeTheirSums() {
        UNetConfig narrow = unet();
        narrow.blockOutChannels = {64, 128, 256, 256};
        const Schedule schedule = frozenSchedule(unetSchedule(narrow), Quantization::W8A8);
        const int64_t sums = kMostIntegerSums * int64_t{4};
        const int64_t inputs = (kMostIntegerSums / 256 + 1) * 1024; // ff.net.2 of the last stages
        QVERIFY(largestWholeWeightBytes(schedule, 2) < sums);
        QCOMPARE(quantizedWorkBytes(schedule, 2), sums + inputs);
    }
};

QTEST_GUILESS_MAIN(TestQuantizedWeights)
#include "tst_quantized_weights.moc"

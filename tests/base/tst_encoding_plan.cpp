// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/plan/training/train_sizes.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

using namespace homebooth::core;

namespace {

TrainConfig dataSet(EncodeTime when) {
    TrainConfig config;
    config.mode = TrainMode::Dataset;
    config.data.encode = when;
    return config;
}

} // namespace

class tst_encoding_plan : public QObject {
    Q_OBJECT

private slots:
    void whatIsAskedForIsWishedForWhateverTheMemory() {
        TrainConfig config = dataSet(EncodeTime::Ahead);
        config.memory.deviceBytes = 1;
        config.memory.policy = PlacementPolicy::Cpu;
        for (const bool gpu : {false, true})
            QVERIFY(encodingWish(config, gpu, /*many=*/false) == EncodingWish::WhateverElse);
        config.data.encode = EncodeTime::First;
        QVERIFY(encodingWish(config, /*gpu=*/false, /*many=*/true) == EncodingWish::First);
    }

    void byItselfManyPicturesAreEncodedBesideTheStepsOfAProcessorAlone() {
        const TrainConfig config = dataSet(EncodeTime::Auto);
        QVERIFY(encodingWish(config, /*gpu=*/false, /*many=*/true) == EncodingWish::WhereItFits);
        QVERIFY(encodingWish(config, /*gpu=*/false, /*many=*/false) == EncodingWish::First);
        QVERIFY(encodingWish(config, /*gpu=*/true, /*many=*/true) == EncodingWish::First);
        std::vector<TrainConfig> shortOfMemory(3, config);
        shortOfMemory[0].memory.deviceBytes = 1;
        shortOfMemory[1].memory.policy = PlacementPolicy::Cpu;
        shortOfMemory[2].memory.swapDir = "/swap";
        for (const TrainConfig& one : shortOfMemory)
            QVERIFY(encodingWish(one, /*gpu=*/false, /*many=*/true) == EncodingWish::First);
        TrainConfig photos = config;
        photos.mode = TrainMode::DreamBooth;
        QVERIFY(encodingWish(photos, /*gpu=*/false, /*many=*/true) == EncodingWish::First);
    }

    void aDecisionBringsWhatStepsLeave_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<bool>("asked");
        QTest::addColumn<bool>("told");
        QTest::newRow("beside the steps") << 5 << true << false;
        QTest::newRow("by itself") << 5 << false << false;
        QTest::newRow("first") << 0 << false << false;
        QTest::newRow("first, for want of memory") << 0 << true << true;
    }
    void aDecisionBringsWhatStepsLeave() {
        QFETCH(int, bytes);
        QFETCH(bool, asked);
        QFETCH(bool, told);
        const EncodingWish wish = asked ? EncodingWish::WhateverElse : EncodingWish::First;
        std::vector<PlanDecision> decisions{{"one"}, aboutEncoding(bytes, wish), {"another"}};
        QVERIFY(takeEncoding(decisions) == std::optional<int64_t>(bytes));
        QCOMPARE(decisions.size(), told ? size_t{3} : size_t{2});
        if (told) QVERIFY(decisions[1].text.find("no memory") != std::string::npos);
    }

    void homesOfWhatIsStreamedComeOnceAllIsEncoded() {
        constexpr int64_t kPlenty = int64_t{1} << 45;
        const ModelSource model = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        TrainConfig config = dataSet(EncodeTime::First);
        config.precision = Precision::Bf16;
        config.output.previewEverySteps = 0;
        StepNeed need;
        need.device.activationBytes = int64_t{10} << 20;
        need.ram.cacheBytes = int64_t{100} << 20; // what is encoded
        const auto ramBytes = [&] {
            return planTraining(config, model, {false, 0, kPlenty}, need)->event.predicted.ramBytes;
        };
        const int64_t encoding = encodingNeed(config, model).mostAtOnceBytes();
        const int64_t before = programBytes(/*gpu=*/false) + need.ram.cacheBytes + encoding;
        QCOMPARE(ramBytes(), before);
        need.ram.parameterBytes = encoding - 2 * need.device.activationBytes;
        QCOMPARE(ramBytes(), before); // it takes more than the steps
        need.ram.parameterBytes = 2 * encoding;
        QCOMPARE(ramBytes(), before + encoding + need.device.activationBytes);
    }

    void aPlanWithoutOneLeavesItOpen() {
        std::vector<PlanDecision> decisions{{"one"}};
        QVERIFY(!takeEncoding(decisions).has_value());
        QCOMPARE(decisions.size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_encoding_plan)
#include "tst_encoding_plan.moc"

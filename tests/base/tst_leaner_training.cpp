// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is advised where a training finds no room: nothing that it has already, or may not have any more.
#include "core/base/plan/own_limits.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/plan/weight_format.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <filesystem>

using namespace homebooth::core;

namespace {

constexpr int64_t kPlenty = int64_t{1} << 45;
constexpr int64_t kFourGibibytes = int64_t{4} << 30;

/// With everything that could be leaner.
TrainConfig lavishConfig() {
    TrainConfig config;
    config.precision = Precision::Fp32;
    config.optimizer.kind = OptimizerKind::AdamW;
    config.method = TrainMethod::Full;
    config.batchSize = 4;
    return config;
}

QString refusalOf(const TrainConfig& config, const MachineLimits& limits) {
    static const ModelSource model =
        test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
    const auto plan = planTraining(config, model, limits);
    return plan ? QString() : QString::fromStdString(plan.error().message);
}

} // namespace

class tst_leaner_training : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Of a run that has saved a step.
    TrainConfig begun(TrainConfig config) const {
        config.output.runDir = m_folder.path().toStdString();
        std::filesystem::create_directories(config.output.runDir + "/checkpoints/step-000002");
        return config;
    }

private slots:
    /// What the training has already is not among what to try.
    void whatIsAdvisedIsNotTakenYet() {
        TrainConfig config = lavishConfig();
        QCOMPARE(leanerTraining(config, /*inRam=*/false),
                 "try --precision bf16, --optimizer adamw8bit, --method lora, a smaller --resolution or "
                 "--batch, or close other programs");
        config.memory.policy = PlacementPolicy::Gpu; // helps more than all the rest
        QVERIFY(leanerTraining(config, /*inRam=*/false).starts_with("try --policy auto, --precision bf16, "));
        config.precision = Precision::Bf16;
        config.optimizer.kind = OptimizerKind::AdamW8bit;
        config.batchSize = 1;
        QCOMPARE(leanerInRam(config), "try --method lora, --swap FOLDER, or close other programs");
        config.method = TrainMethod::Lora;
        QCOMPARE(leanerInRam(config), "try --quantize int8, --swap FOLDER, or close other programs");
        config.quantization = Quantization::Int8;
        config.memory.swapDir = "/swap";
        QCOMPARE(leanerTraining(config, /*inRam=*/true),
                 "try a smaller --resolution, or close other programs");
        QCOMPARE(leanerInRam(config), "close other programs");
    }

    /// RAM that ran out beside a GPU is no reason to take less of that.
    void whatRanOutIsWhatALowerLimitIsOf() {
        TrainConfig config = lavishConfig();
        config.precision = Precision::Bf16;
        config.optimizer.kind = OptimizerKind::AdamW8bit;
        QCOMPARE(planForLess(config, /*gpu=*/true, /*ofRam=*/true),
                 "plan for less with a lower --ram, or try --method lora, --swap FOLDER, or close other "
                 "programs");
        QCOMPARE(planForLess(config, /*gpu=*/true, /*ofRam=*/false),
                 "plan for less with a lower --gpu-memory, or try --method lora, a smaller --resolution or "
                 "--batch, or close other programs");
        for (const bool ofRam : {false, true}) // there is no other
            QCOMPARE(planForLess(config, /*gpu=*/false, ofRam),
                     "plan for less with a lower --ram, or try --method lora, --swap FOLDER, a smaller "
                     "--resolution or --batch, or close other programs");
    }

    /// Of which there is nothing yet to put an add-on beside.
    void noLoraIsAdvisedFromScratch() {
        TrainConfig config = lavishConfig();
        config.mode = TrainMode::FromScratch;
        QCOMPARE(leanerTraining(config, /*inRam=*/true),
                 "try --precision bf16, --optimizer adamw8bit, --swap FOLDER, a smaller --resolution or "
                 "--batch, or close other programs");
        config.scratch.component = "vae"; // planned without a disk
        QVERIFY(leanerTraining(config, /*inRam=*/true).find("--swap") == std::string::npos);
    }

    /// The rest is refused where a run is resumed.
    void aBegunRunIsAdvisedWhatItStillTakes() {
        TrainConfig config = begun(lavishConfig());
        const MachineLimits ram{false, 0, kFourGibibytes};
        QString refusal = refusalOf(config, ram);
        QVERIFY2(
            refusal.endsWith("may be used; try --swap FOLDER, a smaller --batch, or close other programs"),
            qPrintable(refusal));
        config.method = TrainMethod::Lora;
        QCOMPARE(leanerInRam(config), "try --quantize int8, --swap FOLDER, or close other programs");
        config = begun(lavishConfig());
        config.batchSize = 1;
        refusal = refusalOf(config, {true, kFourGibibytes, kPlenty});
        QVERIFY2(refusal.endsWith("may be used; close other programs"), qPrintable(refusal));
    }

    void aLimitThatBindsIsNamed() {
        TrainConfig config = begun(lavishConfig());
        const MachineLimits gpu{true, kFourGibibytes, kPlenty};
        config.memory.deviceBytes = kFourGibibytes;
        QString refusal = refusalOf(config, gpu);
        QVERIFY2(
            refusal.endsWith("4096 MiB may be used; raise --gpu-memory, or try a smaller --batch, or close "
                             "other programs"),
            qPrintable(refusal));
        config.memory.deviceBytes = kPlenty; // of a card that has less
        refusal = refusalOf(config, gpu);
        QVERIFY2(refusal.endsWith("4096 MiB may be used; try a smaller --batch, or close other programs"),
                 qPrintable(refusal));
        MachineLimits ram{false, 0, kFourGibibytes};
        ram.split.limitBytes = kFourGibibytes;
        refusal = refusalOf(config, ram);
        QVERIFY2(refusal.contains("4096 MiB may be used; raise --ram, or try --swap FOLDER"),
                 qPrintable(refusal));
    }

    /// Beside other jobs, whose end would help where nothing of this binds.
    void whatOwnLimitsRefuseNeedsNoWait_data() {
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<bool>("ramLacks");
        QTest::addColumn<bool>("ownDevice");
        QTest::addColumn<bool>("ownRam");
        QTest::addColumn<bool>("refused");
        QTest::newRow("GPU lacks, no limit") << true << false << false << false << false;
        QTest::newRow("GPU lacks, its limit alone") << true << false << true << false << true;
        QTest::newRow("GPU lacks, limit of RAM alone") << true << false << false << true << false;
        QTest::newRow("GPU lacks, both") << true << false << true << true << true;
        QTest::newRow("RAM lacks, no limit") << true << true << false << false << false;
        QTest::newRow("RAM lacks, limit of the GPU alone") << true << true << true << false << false;
        QTest::newRow("RAM lacks, its limit alone") << true << true << false << true << false;
        QTest::newRow("RAM lacks, both") << true << true << true << true << true;
        QTest::newRow("no GPU, no limit") << false << true << false << false << false;
        QTest::newRow("no GPU, limit of RAM") << false << true << false << true << true;
    }
    void whatOwnLimitsRefuseNeedsNoWait() {
        QFETCH(bool, gpu);
        QFETCH(bool, ramLacks);
        QFETCH(bool, ownDevice);
        QFETCH(bool, ownRam);
        const int64_t device = ramLacks ? kPlenty : kFourGibibytes;
        const int64_t ram = ramLacks ? 1 : kPlenty; // the program alone takes more
        TrainConfig config = lavishConfig();
        if (ownDevice) config.memory.deviceBytes = device;
        if (ownRam) config.memory.ramBytes = ram;
        const MachineLimits limits{gpu, gpu ? device : 0, ram};
        const QString refusal = refusalOf(config, limits);
        QVERIFY(!refusal.isEmpty());
        QTEST(ownLimitsRefuse(config.memory, limits, 1, refusal.toStdString()), "refused");
    }

    /// Figures of the worker's.
    void whatTheWorkerRefusesNeedsNoWaitEither() {
        const MachineLimits gpu{true, kPlenty, kPlenty};
        MemoryConfig memory;
        memory.deviceBytes = kFourGibibytes;
        std::string words = "this training needs at least 5000 MiB";
        words.append(kWhereItComputes).append(", and 4.00 GiB may be used; ");
        std::string raise = words;
        raise.append(kRaiseDeviceLimit).append(", or close other programs");
        QVERIFY(ownLimitsRefuse(memory, gpu, 1, raise));
        QVERIFY(!ownLimitsRefuse(memory, gpu, 1, words + "close other programs")); // they hold the rest
        std::string either = raise;
        either.append("; ").append(kMoreRamWouldDo);
        QVERIFY(!ownLimitsRefuse(memory, gpu, 1, either));
        memory.ramBytes = kPlenty;
        QVERIFY(ownLimitsRefuse(memory, gpu, 1, either));
        QVERIFY(ownLimitsRefuse(memory, {false, 0, kPlenty}, 1, raise)); // RAM stands for a GPU
        memory = {};
        memory.ramBytes = kPlenty;
        const std::string ofRam = "9216 MiB of RAM would do, and 8.00 GiB may be used; raise --ram, or close";
        QVERIFY(!ownLimitsRefuse(memory, gpu, 1, ofRam));
        memory.policy = PlacementPolicy::Cpu; // however large the GPU is
        QVERIFY(ownLimitsRefuse(memory, gpu, 1, ofRam));
        QVERIFY(ownLimitsRefuse(memory, {true, kPlenty, kPlenty / 2}, 2, ofRam)); // its part of two
        QVERIFY(!ownLimitsRefuse(memory, {true, kPlenty, kPlenty / 2}, 1, ofRam));
    }
};

QTEST_APPLESS_MAIN(tst_leaner_training)
#include "tst_leaner_training.moc"

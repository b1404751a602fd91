// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What plans say of a training's end: the result's room on the disk, and what it takes of RAM while it is put
// together.
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/plan/training/disk_need.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <cstdlib>
#include <string>

using namespace homebooth::core;

namespace {

constexpr int64_t kPlenty = int64_t{1} << 45;

int64_t allParameters(const ModelSource& model) {
    int64_t count = unetSchedule(model.unet).parameterCount() +
                    vaeEncoderSchedule(model.vae).parameterCount() +
                    vaeDecoderSchedule(model.vae).parameterCount();
    for (size_t part = 0; part < model.textParts().size(); ++part)
        count += textSchedule(model, part).parameterCount();
    return count;
}

TrainConfig ofTwoProcesses(int64_t zero) {
    TrainConfig config;
    config.precision = Precision::Bf16;
    config.batchSize = 2;
    config.parallel.processes = 2;
    config.parallel.zero = zero;
    return config;
}

} // namespace

class tst_result_plan : public QObject {
    Q_OBJECT

private slots:
    /// The UNet alone may learn: frozen parts are written with it, each twice.
    void aWholeModelIsWrittenAsAFolderAndAsAFile() {
        for (const ModelFamily family : {ModelFamily::StableDiffusion1, ModelFamily::StableDiffusionXl})
            for (const Precision precision : {Precision::Bf16, Precision::Fp32}) {
                const ModelSource model = test::fullSizeModel(family, PredictionType::Epsilon);
                TrainConfig config;
                config.precision = precision;
                const auto plan = planTraining(config, model, {false, 0, kPlenty});
                QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
                const int64_t weights = 2 * allParameters(model) * (precision == Precision::Fp32 ? 4 : 2);
                QVERIFY(plan->resultBytes >= weights);
                QVERIFY(plan->resultBytes <= weights + weights / 100);
                QCOMPARE(diskBytes(*plan, 2), 3 * plan->checkpointBytes + plan->resultBytes);
                QCOMPARE(checkpointBytesOnDisk(*plan, 2, 1), 2 * plan->checkpointBytes);
                QCOMPARE(checkpointBytesOnDisk(*plan, 2, 2), plan->checkpointBytes);
                QCOMPARE(checkpointBytesOnDisk(*plan, 2, 4),
                         plan->checkpointBytes); // the new one comes first
                QCOMPARE(checkpointBytesOnDisk(*plan, 2, 2, true), plan->checkpointBytes);
                QCOMPARE(checkpointBytesOnDisk(*plan, 2, 3, true), int64_t{0}); // or takes the clock's place
            }
    }

    /// Moments in fp32 are twice as large as weights in it, and lie in one file.
    void theLargestFilesAreKnown() {
        const ModelSource model = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const int64_t count = unetSchedule(model.unet).parameterCount();
        constexpr int64_t kFat = int64_t{4} << 30;
        TrainConfig config;
        config.precision = Precision::Bf16;
        const TrainPlan plain = *planTraining(config, model, {false, 0, kPlenty});
        QCOMPARE(plain.largestCheckpointFile, 8 * count);
        QVERIFY(plain.largestCheckpointFile > kFat && plain.largestResultFile < kFat);
        QVERIFY(plain.largestResultFile > 2 * count && plain.largestResultFile < plain.resultBytes);
        config.optimizer.kind = OptimizerKind::AdamW8bit;
        config.optimizer.emaDecay = 0.999;
        QCOMPARE(planTraining(config, model, {false, 0, kPlenty})->largestCheckpointFile, 4 * count);
        const ModelSource xl = test::fullSizeModel(ModelFamily::StableDiffusionXl, PredictionType::Epsilon);
        QVERIFY(planTraining(config, xl, {false, 0, kPlenty})->largestResultFile > kFat);
        config.method = TrainMethod::Lora;
        QVERIFY(planTraining(config, xl, {false, 0, kPlenty})->largestCheckpointFile < kFat);
    }

    /// Parameters of each network have a file on the disk of --swap, which FAT32 may take though it would not
    /// take all of them in one.
    void eachNetworkSwapsIntoAFileOfItsOwn() {
        const ModelSource model = test::fullSizeModel(ModelFamily::StableDiffusion2, PredictionType::Epsilon);
        const int64_t unet = 4 * unetSchedule(model.unet).parameterCount();
        constexpr int64_t kFat = int64_t{4} << 30;
        constexpr int64_t kStates = int64_t{1} << 30;
        TrainConfig config;
        config.precision = Precision::Fp32;
        config.output.previewEverySteps = 10;
        TrainPlan plan;
        plan.peaks.swap.parameterBytes = 4 * allParameters(model);
        plan.event.predicted.swapBytes = plan.peaks.swap.parameterBytes + kStates;
        QVERIFY(plan.peaks.swap.parameterBytes > kFat);
        const int64_t largest = largestSwapFile(plan, config, model);
        QVERIFY(largest < kFat);
        QVERIFY2(std::abs(largest - unet) <= unet / 1000, std::to_string(largest - unet).c_str());
        config.output.previewEverySteps = 0; // so nothing but the UNet is there
        plan.peaks.swap.parameterBytes = unet;
        plan.event.predicted.swapBytes = unet + kStates;
        QCOMPARE(largestSwapFile(plan, config, model), unet);
        plan.event.predicted.swapBytes = unet + 2 * kFat; // states and what else waits there are one
        QCOMPARE(largestSwapFile(plan, config, model), 2 * kFat);
        plan.peaks.swap.parameterBytes = 0;
        QCOMPARE(largestSwapFile(plan, config, model), unet + 2 * kFat);
    }

    void aLoraIsWrittenAlone() {
        TrainConfig config;
        config.method = TrainMethod::Lora;
        const TrainPlan plan = *planTraining(
            config, test::fullSizeModel(ModelFamily::StableDiffusionXl, PredictionType::Epsilon),
            {false, 0, kPlenty});
        QVERIFY(plan.resultBytes > 0 && plan.resultBytes < int64_t{1} << 30);
    }

    /// Averages and masters have their parts at every process: the first one puts all of them together.
    void numbersOfAllProcessesAreGatheredForTheResult() {
        const ModelSource model = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const int64_t count = unetSchedule(model.unet).parameterCount();
        StepNeed need;
        need.device.parameterBytes = int64_t{8} << 30; // more than what prepares
        const auto ramOf = [&](const TrainConfig& config, bool gpu) {
            const auto plan = planTraining(config, model, {gpu, gpu ? kPlenty : 0, kPlenty}, need);
            return plan ? plan->event.predicted.ramBytes : int64_t{0};
        };
        for (const int64_t zero : {1, 2})
            for (const bool gpu : {false, true}) {
                const TrainConfig plain = ofTwoProcesses(zero);
                const int64_t without = ramOf(plain, gpu);
                QVERIFY(without > 0);
                TrainConfig averaging = plain;
                averaging.optimizer.emaDecay = 0.999;
                QCOMPARE(ramOf(averaging, gpu), without + 4 * count);
                TrainConfig exact = plain;
                exact.optimizer.master = MasterWeights::Fp32;
                QCOMPARE(ramOf(exact, gpu), without + 4 * count);
                exact.optimizer.emaDecay = 0.999; // instead of the masters
                QCOMPARE(ramOf(exact, gpu), without + 4 * count);
                exact.precision = Precision::Fp32; // whose parameters are exact
                exact.optimizer.emaDecay = 0.0;
                QCOMPARE(ramOf(exact, gpu), without);
                TrainConfig whole = averaging;
                whole.parallel.zero = 0;
                QCOMPARE(ramOf(whole, gpu), without);
            }
    }
};

QTEST_APPLESS_MAIN(tst_result_plan)
#include "tst_result_plan.moc"

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/unet_layout.h"
#include "core/base/config/byte_size.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/step_time.h"
#include "core/base/plan/training/train_plan.h"
#include "core/base/plan/value_sizes.h"
#include "core/base/plan/weight_format.h"
#include "core/base/run/failure_cause.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"
#include "tests/base/support/tiny_model.h"

#include <QDir>
#include <QtTest>

#include <algorithm>
#include <map>

using namespace homebooth::core;

namespace {

constexpr int64_t kPlenty = int64_t{1} << 45;

/// The published size of SD 1.x.
ModelSource bigModel() {
    return test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
}

/// SDXL as it was released.
ModelSource sdxl() {
    return test::fullSizeModel(ModelFamily::StableDiffusionXl, PredictionType::Epsilon);
}

TrainConfig someConfig() {
    TrainConfig config;
    config.precision = Precision::Bf16;
    return config;
}

MachineLimits ram(int64_t bytes) {
    return {false, 0, bytes};
}

int64_t needed(const TrainConfig& config) {
    return planTraining(config, bigModel(), ram(kPlenty))->event.predicted.ramBytes;
}

} // namespace

class tst_plan : public QObject {
    Q_OBJECT

private slots:
    void parametersAndStatesAreExact() {
        const int64_t count = unetSchedule(bigModel().unet).parameterCount();
        const TrainPlan plan = *planTraining(someConfig(), bigModel(), ram(kPlenty));
        QCOMPARE(plan.tier.parameterBytes, 2 * count);
        QCOMPARE(plan.tier.stateBytes, 8 * count);
        TrainConfig lean = someConfig();
        lean.optimizer.states = StateType::Bf16;
        QCOMPARE(planTraining(lean, bigModel(), ram(kPlenty))->tier.stateBytes, 4 * count);
        TrainConfig exact = someConfig();
        exact.optimizer.master = MasterWeights::Fp32;
        const TrainPlan withMaster = *planTraining(exact, bigModel(), ram(kPlenty));
        QCOMPARE(withMaster.tier.stateBytes, 12 * count);
        QCOMPARE(withMaster.checkpointBytes, plan.checkpointBytes + 2 * count); // instead of the parameters
    }

    /// A kernel of 3 x 3 has a third of its weights as means over each side, not a row and a column of the
    /// whole: checkpoints would seem to need far less of the disk.
    void adafactorsStatesOfConvolutionsAreCounted() {
        TrainConfig config = someConfig();
        config.optimizer.kind = OptimizerKind::Adafactor;
        const Schedule schedule = unetSchedule(bigModel().unet);
        int64_t kernels = 0; // elements
        int64_t others = 0;
        for (const BlockSpec& block : schedule.blocks())
            for (const ParameterSpec& parameter : block.parameters) {
                const std::vector<int64_t>& shape = parameter.shape;
                if (shape.size() == 4)
                    kernels += shape[0] * shape[1] * (shape[2] + shape[3]);
                else
                    others += shape.size() == 2 ? shape[0] + shape[1] : shape[0];
            }
        const TrainPlan plan = *planTraining(config, bigModel(), ram(kPlenty));
        QVERIFY(kernels > 10 * others);
        QCOMPARE(plan.tier.stateBytes, 4 * (kernels + others));
        const TrainPlan whole = *planTraining(someConfig(), bigModel(), ram(kPlenty));
        QCOMPARE(whole.checkpointBytes - plan.checkpointBytes, whole.tier.stateBytes - plan.tier.stateBytes);
    }

    void everySavingSaves() {
        const TrainConfig base = someConfig();
        TrainConfig other = base;
        other.precision = Precision::Fp32;
        QVERIFY(needed(other) > needed(base));
        other = base;
        other.optimizer.kind = OptimizerKind::AdamW8bit;
        QVERIFY(needed(other) < needed(base));
        other.optimizer.kind = OptimizerKind::Adafactor;
        QVERIFY(needed(other) < needed(base));
        other = base;
        other.method = TrainMethod::Lora;
        QVERIFY(needed(other) < needed(base) / 2);
        other = base;
        other.optimizer.maxGradientNorm = 1.0;
        QVERIFY(needed(other) > needed(base));
        other = base;
        other.data.resolutionPixels = 1024;
        QVERIFY(needed(other) > needed(base));
        other = base;
        other.batchSize = 4;
        QVERIFY(needed(other) > needed(base));
        other = base;
        other.optimizer.emaDecay = 0.999;
        QVERIFY(needed(other) > needed(base));
        other = base;
        other.trainTextEncoder = true;
        QVERIFY(needed(other) > needed(base));
    }

    void activationsAreComputedAgainWhereMemoryIsTight() {
        TrainConfig config = someConfig();
        config.batchSize = 4;
        const int64_t roomy = needed(config);
        const TrainPlan tight = *planTraining(config, bigModel(), ram(int64_t{10} << 30));
        QVERIFY(tight.event.predicted.ramBytes < roomy);
        QVERIFY(tight.event.predicted.ramBytes <= int64_t{10} << 30);
    }

    void productsAreKeptWhereGraphsDoNotFit() {
        TrainConfig config = someConfig();
        config.batchSize = 4;
        const auto activations = [&](int64_t bytes) {
            const TrainPlan plan = *planTraining(config, bigModel(), ram(bytes));
            const std::string& line = plan.event.decisions[3].text;
            const int kind = line.find("all kept") != std::string::npos          ? 2
                             : line.find("costly products") != std::string::npos ? 1
                                                                                 : 0;
            return std::pair(kind, plan.tier.activationBytes);
        };
        std::map<int, int64_t> found; // kind to bytes, from plenty of memory down to little
        for (int64_t bytes = int64_t{64} << 30; bytes > int64_t{10} << 30; bytes -= int64_t{1} << 28) {
            const auto [kind, kept] = activations(bytes);
            QVERIFY(found.empty() || kind <= found.begin()->first); // never more with less memory
            found[kind] = kept;
        }
        QCOMPARE(found.size(), size_t{3});
        QVERIFY(found[0] < found[1] && found[1] < found[2]);
    }

    void paddingTakesMemoryOnAGpuOnly() {
        const TrainPlan onCpu = *planTraining(someConfig(), bigModel(), ram(kPlenty));
        const TrainPlan onGpu = *planTraining(someConfig(), bigModel(), {true, kPlenty, kPlenty});
        QVERIFY(onGpu.tier.parameterBytes > onCpu.tier.parameterBytes);
        QVERIFY(onGpu.tier.parameterBytes < onCpu.tier.parameterBytes * 11 / 10);
        QCOMPARE(onGpu.resultBytes, onCpu.resultBytes);
    }

    void ramThatStandsForADeviceIsToldOnce() {
        StepNeed need;
        need.device.parameterBytes = int64_t{100} << 20;
        need.device.activationBytes = int64_t{1100} << 20; // more than encoding the pictures takes
        need.ram.parameterBytes = int64_t{700} << 20;
        TrainConfig config = someConfig();
        const TrainPlan whole = *planTraining(config, bigModel(), ram(kPlenty), need);
        QCOMPARE(whole.event.predicted.deviceBytes, int64_t{0}); // RAM computes
        config.memory.deviceBytes = int64_t{1500} << 20;
        const TrainPlan parted = *planTraining(config, bigModel(), ram(kPlenty), need);
        QCOMPARE(parted.event.predicted.deviceBytes, int64_t{1200} << 20);
        // Both together are what the process takes, as in the chart of its memory.
        QCOMPARE(parted.event.predicted.deviceBytes + parted.event.predicted.ramBytes,
                 whole.event.predicted.ramBytes);
        QVERIFY(parted.event.predicted.ramBytes > totalBytes(need.ram));
    }

    void kindsSumUpToEveryTiersPeak_data() {
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<bool>("rehearsed");
        QTest::addColumn<bool>("smallerDevice");
        QTest::addColumn<int>("zero");
        QTest::addColumn<bool>("lora");
        QTest::newRow("estimated") << false << false << false << 0 << false;
        QTest::newRow("estimated, gpu") << true << false << false << 0 << false;
        QTest::newRow("lora: encoding is the peak") << false << false << false << 0 << true;
        QTest::newRow("lora, gpu") << true << false << false << 0 << true;
        QTest::newRow("rehearsed") << false << true << false << 0 << false;
        QTest::newRow("rehearsed, gpu") << true << true << false << 0 << false;
        QTest::newRow("RAM stands for a device") << false << true << true << 0 << false;
        QTest::newRow("spread") << false << true << false << 3 << false;
        QTest::newRow("spread, gpu") << true << true << false << 3 << false;
    }
    void kindsSumUpToEveryTiersPeak() {
        QFETCH(bool, gpu);
        QFETCH(bool, rehearsed);
        QFETCH(bool, smallerDevice);
        QFETCH(int, zero);
        QFETCH(bool, lora);
        StepNeed need;
        need.device.parameterBytes = int64_t{100} << 20;
        need.device.activationBytes = int64_t{200} << 20; // less than encoding the pictures takes
        need.ram.parameterBytes = int64_t{700} << 20;
        need.ram.stateBytes = int64_t{300} << 20;
        need.ram.gradientBytes = int64_t{80} << 20;
        need.ram.activationBytes = int64_t{50} << 20;
        need.swap.stateBytes = int64_t{400} << 20;
        need.swap.gradientBytes = int64_t{60} << 20;
        need.swapBytes = totalBytes(need.swap);
        need.swapBytesReadPerStep = int64_t{900} << 20;
        TrainConfig config = someConfig();
        if (lora) config.method = TrainMethod::Lora;
        if (smallerDevice) config.memory.deviceBytes = int64_t{2} << 30;
        if (zero > 0) config.parallel.processes = 2;
        config.parallel.zero = zero;
        config.batchSize = 2;
        const MachineLimits limits{gpu, gpu ? kPlenty : 0, kPlenty};
        const auto plan =
            planTraining(config, bigModel(), limits, rehearsed ? std::optional(need) : std::nullopt);
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
        const ResourceUse& use = plan->event.predicted;
        QCOMPARE(use.deviceBytes > 0, gpu || smallerDevice);
        QCOMPARE(totalBytes(plan->peaks.device), use.deviceBytes);
        QCOMPARE(totalBytes(plan->peaks.ram), use.ramBytes);
        QCOMPARE(totalBytes(plan->peaks.swap), use.swapBytes);
        if (!rehearsed) return;
        QCOMPARE(plan->swapBytesReadPerStep, need.swapBytesReadPerStep);
        if (gpu || smallerDevice) QCOMPARE(plan->peaks.ram.parameterBytes, need.ram.parameterBytes);
        QCOMPARE(plan->peaks.ram.stateBytes, need.ram.stateBytes);
        QCOMPARE(plan->peaks.ram.gradientBytes, need.ram.gradientBytes);
        QCOMPARE(plan->peaks.swap.stateBytes, need.swap.stateBytes);
    }

    void kindsOfASamplingSumUp() {
        for (const bool gpu : {false, true}) {
            const TrainPlan plan = *planSampling({}, bigModel(), {gpu, gpu ? kPlenty : 0, kPlenty});
            QCOMPARE(totalBytes(plan.peaks.device), plan.event.predicted.deviceBytes);
            QCOMPARE(totalBytes(plan.peaks.ram), plan.event.predicted.ramBytes);
        }
    }

    void theModelIsLoadedWhenAllIsEncoded() {
        TrainConfig config = someConfig();
        config.method = TrainMethod::Lora;
        StepNeed need;
        need.device.parameterBytes = int64_t{3} << 30; // more than encoding takes
        const EncodingNeed encoding = encodingNeed(config, bigModel());
        const int64_t plain = planTraining(config, bigModel(), ram(kPlenty), need)->event.predicted.ramBytes;
        const int64_t program = plain - need.device.parameterBytes;
        QVERIFY(program > 0 && program < int64_t{512} << 20);
        need.device.parameterBytes = 1;
        const TrainPlan small = *planTraining(config, bigModel(), ram(kPlenty), need);
        // First the pictures, then the captions: each is released again.
        QVERIFY(encoding.pictureBytes > encoding.textBytes && encoding.textBytes > 0);
        QCOMPARE(small.event.predicted.ramBytes, program + encoding.pictureBytes);
    }

    void theModelIsThereWhileClassPicturesAreMade() {
        TrainConfig config = someConfig();
        config.method = TrainMethod::Lora;
        config.data.classPrompt = "a photo of a dog";
        StepNeed need;
        need.device.parameterBytes = int64_t{3} << 30;
        const int64_t pictures = encodingNeed(config, bigModel()).pictureBytes;
        const MachineLimits plenty{true, kPlenty, kPlenty};
        const TrainPlan plan = *planTraining(config, bigModel(), plenty, need);
        QCOMPARE(plan.event.predicted.deviceBytes, need.device.parameterBytes + pictures);
        // A GPU that has no room for both gets the model block by block meanwhile.
        const MachineLimits tight{true, need.device.parameterBytes, kPlenty};
        const auto streamed = planTraining(config, bigModel(), tight, need);
        QVERIFY2(streamed.ok(), streamed.ok() ? "" : streamed.error().text().c_str());
        QCOMPARE(streamed->event.predicted.deviceBytes, tight.deviceBytes);
    }

    /// For a processor nothing is streamed.
    void theTextEncodersAreThereWhileAProcessorMakesClassPictures() {
        TrainConfig config = someConfig();
        config.method = TrainMethod::Lora;
        StepNeed need;
        need.device.parameterBytes = int64_t{3} << 30;
        const auto ramFor = [&](const ModelSource& model) {
            return planTraining(config, model, ram(kPlenty), need)->event.predicted.ramBytes;
        };
        for (const ModelSource& model : {bigModel(), sdxl()}) {
            const EncodingNeed encoding = encodingNeed(config, model);
            config.data.classPrompt.clear();
            const int64_t steps = ramFor(model);
            config.data.classPrompt = "a photo of a dog";
            QCOMPARE(ramFor(model), steps + encoding.pictureBytes + encoding.textBytes);
        }
    }

    void bothTextEncodersOfSdxlAreCounted() {
        const EncodingNeed need = encodingNeed(someConfig(), sdxl());
        // 116 of 123 million parameters of the first one, whose last layer nobody asks for, and 695 million.
        QVERIFY2(need.textBytes > 1'615'000'000 && need.textBytes < 1'627'000'000,
                 std::to_string(need.textBytes).c_str());
        QCOMPARE(need.mostAtOnceBytes(), std::max(need.pictureBytes, need.textBytes));
    }

    /// Its UNet takes 5.1 GB in 16 bits, and a picture that is encoded nearly three.
    void sdxlsEncodingIsNoReasonToRefuseEightGigabytes() {
        TrainConfig config = someConfig();
        config.method = TrainMethod::Lora;
        config.data.resolutionPixels = 1024;
        StepNeed need;
        need.device.parameterBytes = 2 * unetSchedule(sdxl().unet).parameterCount();
        need.device.activationBytes = int64_t{1} << 30;
        const MachineLimits card{true, int64_t{8} << 30, kPlenty};
        const EncodingNeed encoding = encodingNeed(config, sdxl());
        QVERIFY(need.device.parameterBytes + encoding.bytes() > card.deviceBytes);
        const auto plan = planTraining(config, sdxl(), card, need);
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
        QCOMPARE(plan->event.predicted.deviceBytes, totalBytes(need.device));
    }

    void sdxlsTextEncodersStayAsTheyAre() {
        TrainConfig config = someConfig();
        QVERIFY(checkLearning(config, sdxl()).ok());
        config.trainTextEncoder = true;
        QVERIFY(checkLearning(config, bigModel()).ok());
        const auto refused = planTraining(config, sdxl(), ram(kPlenty));
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::Usage);
        QVERIFY(refused.error().message.find("--train-text-encoder") != std::string::npos);
        config = someConfig();
        config.mode = TrainMode::FromScratch;
        const auto scratch = checkLearning(config, sdxl());
        QVERIFY(!scratch.ok());
        QVERIFY(scratch.error().message.find("--scratch-config") != std::string::npos);
        config.scratch.component = "vae"; // which has nothing to do with texts
        QVERIFY(checkLearning(config, sdxl()).ok());
    }

    void smallPicturesOfSdxlAreTold() {
        TrainConfig config = someConfig();
        const auto tells = [&] {
            const TrainPlan plan = *planTraining(config, sdxl(), ram(kPlenty));
            return std::any_of(plan.event.decisions.begin(), plan.event.decisions.end(),
                               [](const PlanDecision& one) { return one.code == "small-pictures"; });
        };
        QVERIFY(tells());
        config.data.resolutionPixels = 1024;
        QVERIFY(!tells());
    }

    void whatEncodesAheadLiesBesideTheSteps() {
        StepNeed need;
        need.device.activationBytes = int64_t{20} << 30; // far more than encoding takes
        TrainConfig config = someConfig();
        const int64_t before = planTraining(config, bigModel(), ram(kPlenty), need)->event.predicted.ramBytes;
        const EncodingNeed encoding = encodingNeed(config, bigModel());
        QVERIFY(encoding.pictureBytes > 0 && encoding.textBytes > 0);
        config.mode = TrainMode::Dataset;
        config.data.encode = EncodeTime::Ahead;
        const TrainPlan asked = *planTraining(config, bigModel(), ram(kPlenty), need);
        QCOMPARE(asked.event.predicted.ramBytes, before + encoding.bytes());
        config.data.encode = EncodeTime::Auto;
        need.encodingBytes = encoding.pictureBytes; // as the worker found
        const TrainPlan found = *planTraining(config, bigModel(), ram(kPlenty), need);
        QCOMPARE(found.event.predicted.ramBytes, before + encoding.pictureBytes);
        QVERIFY(std::any_of(found.event.decisions.begin(), found.event.decisions.end(),
                            [](const PlanDecision& one) { return one.code == "encoding-ahead"; }));
        config.data.encode = EncodeTime::Ahead;
        need.encodingBytes = 0; // as asked, but there was no room
        const TrainPlan refused = *planTraining(config, bigModel(), ram(kPlenty), need);
        QCOMPARE(refused.event.predicted.ramBytes, before);
        QVERIFY(std::none_of(refused.event.decisions.begin(), refused.event.decisions.end(),
                             [](const PlanDecision& one) { return one.code == "encoding-ahead"; }));
        config.trainTextEncoder = true;
        QCOMPARE(encodingNeed(config, bigModel()).textBytes, int64_t{0});
    }

    void aGpuDecidesByItsOwnMemory() {
        TrainConfig config = someConfig();
        config.batchSize = 4;
        const auto keepsAll = [&](const MachineLimits& limits) {
            const auto plan = planTraining(config, bigModel(), limits);
            return plan && plan->event.decisions[3].text.find("all kept") != std::string::npos;
        };
        QVERIFY(keepsAll({true, kPlenty, int64_t{8} << 30}));
        QVERIFY(!keepsAll({true, int64_t{10} << 30, kPlenty}));
    }

    void stepTimesAreSaidAsPeopleSayThem() {
        QCOMPARE(stepTimeText(990.0), std::string("17 min"));
        QCOMPARE(stepTimeText(330.0), std::string("5.5 min"));
        QCOMPARE(stepTimeText(9000.0), std::string("2.5 h"));
        QCOMPARE(stepTimeText(95.0), std::string("95 s"));
        QCOMPARE(stepTimeText(9.96), std::string("10 s"));
        QCOMPARE(stepTimeText(0.253), std::string("0.25 s"));
        QCOMPARE(stepTimeText(12.34, 3), std::string("12.3 s"));
    }

    void whatCannotFitIsRefusedWithTheFigure() {
        const auto refused = planTraining(someConfig(), bigModel(), ram(int64_t{4} << 30));
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::OutOfResources);
        QVERIFY(refused.error().message.find("4096 MiB may be used") != std::string::npos);
        QCOMPARE(causeOf(4, refused.error().message), FailureCause::TooLittleMemory);
        const auto onGpu = planTraining(someConfig(), bigModel(), {true, int64_t{4} << 30, kPlenty});
        QVERIFY(!onGpu.ok());
        QVERIFY(onGpu.error().message.find("GPU memory") != std::string::npos);
        // With everything on a GPU the program alone takes RAM: 1.36 GB at least where that was measured.
        QVERIFY(!planTraining(someConfig(), bigModel(), {true, kPlenty, int64_t{1} << 30}));
        QVERIFY(planTraining(someConfig(), bigModel(), {true, kPlenty, int64_t{3} << 29}));
    }

    /// The program and what is streamed lie in RAM whatever computes.
    void ramBesideAGpuIsCheckedToo() {
        const int64_t program =
            planTraining(someConfig(), bigModel(), {true, kPlenty, kPlenty})->event.predicted.ramBytes;
        QVERIFY(planTraining(someConfig(), bigModel(), {true, kPlenty, program}).ok());
        const auto refused = planTraining(someConfig(), bigModel(), {true, kPlenty, program - 1});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::OutOfResources);
        QVERIFY(refused.error().message.find("of memory beside the GPU") != std::string::npos);
        StepNeed need;
        need.ram.parameterBytes = int64_t{3} << 30;
        QVERIFY(
            planTraining(someConfig(), bigModel(), {true, kPlenty, program + need.ram.parameterBytes}, need)
                .ok());
        MachineLimits half{true, kPlenty, program};
        half.split = {2, 2 * program};
        const auto streamed = planTraining(someConfig(), bigModel(), half, need);
        QVERIFY(!streamed.ok());
        QVERIFY(streamed.error().message.find("raise --ram or take fewer --processes") != std::string::npos);
    }

    void theMemoryThatARefusalNamesIsEnough() {
        TrainConfig config = someConfig();
        config.output.previewEverySteps = 0;
        const auto planned = [&](const StepNeed& need, int64_t ramBytes) {
            return planTraining(config, bigModel(), {true, kPlenty, ramBytes}, need);
        };
        StepNeed need;
        need.ram.parameterBytes = int64_t{1} << 30;
        const int64_t beside = planned(need, kPlenty)->event.predicted.ramBytes - need.ram.parameterBytes;
        // A little more than a figure with two digits behind the point.
        need.ram.parameterBytes = (int64_t{4} << 30) + (int64_t{4} << 20) + 1 - beside;
        const auto refused = planned(need, int64_t{4} << 30);
        QVERIFY(!refused.ok());
        const QString figure = QString::fromStdString(refused.error().message)
                                   .section("needs about ", 1)
                                   .section(" of memory", 0, 0);
        const auto named = parseByteSize(figure.toStdString());
        QVERIFY2(named.ok(), qPrintable(figure));
        QVERIFY2(planned(need, *named).ok(), qPrintable(figure));
    }

    void whatProcessesShareIsNamedInARefusal() {
        const auto refusal = [](const RamSplit& split, bool gpu = false) {
            MachineLimits limits{gpu, gpu ? int64_t{4} << 30 : 0, gpu ? kPlenty : int64_t{4} << 30};
            limits.split = split;
            const auto refused = planTraining(someConfig(), bigModel(), limits);
            return QString::fromStdString(refused ? "" : refused.error().message);
        };
        QVERIFY(
            refusal({2, int64_t{8} << 30})
                .contains("4096 MiB may be used (a half of --ram 8.00 GiB, for each of 2 processes); raise "
                          "--ram or take fewer --processes, or try --optimizer adamw8bit"));
        QVERIFY(refusal({3, 0}).contains("4096 MiB may be used (a third of what is free, for each of 3 "
                                         "processes); take fewer --processes, or try --optimizer adamw8bit"));
        QVERIFY(
            refusal({8, int64_t{32} << 30}).contains(" (1/8 of --ram 32.0 GiB, for each of 8 processes)"));
        QVERIFY(refusal({1, 0}).contains("4096 MiB may be used; try --optimizer adamw8bit"));
        QVERIFY(refusal({1, int64_t{4} << 30})
                    .contains("4096 MiB may be used; raise --ram, or try --optimizer adamw8bit"));
        QVERIFY(
            refusal({2, int64_t{8} << 30}, true).contains("4096 MiB may be used; try --optimizer adamw8bit"));
    }

    /// The weights of SDXL's UNet beside a LoRA: 5.1 GB in bf16.
    void int8IsToldAndProposed() {
        TrainConfig config = someConfig();
        config.method = TrainMethod::Lora;
        StepNeed need;
        need.device.parameterBytes = int64_t{1} << 30;
        const auto decision = [&](const char* code) {
            const auto plan = planTraining(config, sdxl(), ram(kPlenty), need);
            const auto& all = plan->event.decisions;
            const auto found = std::find_if(all.begin(), all.end(),
                                            [code](const PlanDecision& one) { return one.code == code; });
            return found == all.end() ? PlanDecision{} : *found;
        };
        QVERIFY(decision(kWeightsInt8Proposed).text.empty()); // all of it stays on the device
        need.ram.parameterBytes = int64_t{4} << 30;
        const PlanDecision proposed = decision(kWeightsInt8Proposed);
        QVERIFY(proposed.text.find("--quantize int8") != std::string::npos);
        config.memory.policy = PlacementPolicy::Cpu;
        QVERIFY(decision(kWeightsInt8Proposed).text.empty()); // that was asked for
        QVERIFY(decision(kWeightsInt8).text.empty());
        config.quantization = Quantization::Int8;
        const PlanDecision told = decision(kWeightsInt8);
        QVERIFY(decision(kWeightsInt8Proposed).text.empty());
        QCOMPARE(told.facts, proposed.facts);
        QVERIFY2(told.text.find("2.39 GiB instead of 4.7") != std::string::npos, told.text.c_str());
        const double whole = told.facts.at("wholeWeightBytes");
        QVERIFY(whole > 5.0e9 && whole < 5.2e9);
        QVERIFY(told.facts.at("weightBytes") < 0.51 * whole);
        config.precision = Precision::Fp32;
        QCOMPARE(decision(kWeightsInt8).facts.at("wholeWeightBytes"), 2.0 * whole);
    }

    void int8IsNamedWhereALoraFindsNoRoom() {
        TrainConfig config = someConfig();
        const auto refusal = [&config] {
            const auto refused = planTraining(config, sdxl(), ram(int64_t{1} << 30));
            return refused ? std::string() : refused.error().message;
        };
        QVERIFY(refusal().find("--method lora") != std::string::npos);
        config.method = TrainMethod::Lora;
        const std::string whole = refusal();
        QVERIFY(whole.find("--quantize int8") != std::string::npos);
        QVERIFY(whole.find("--method lora") == std::string::npos);
        config.quantization = Quantization::Int8;
        const std::string quantized = refusal();
        QVERIFY(!quantized.empty() && quantized.find("--quantize") == std::string::npos);
        QVERIFY(leanerInRam(config).find("--quantize") == std::string::npos);
    }

    void samplingNeedsMoreForBiggerPictures() {
        SampleConfig config;
        const int64_t own = planSampling(config, bigModel(), ram(kPlenty))->event.predicted.ramBytes;
        config.widthPixels = 1024;
        config.heightPixels = 1024;
        QVERIFY(planSampling(config, bigModel(), ram(kPlenty))->event.predicted.ramBytes > own);
        QVERIFY(!planSampling(config, bigModel(), ram(int64_t{1} << 30)).ok());
    }

    void aRunThatSwapsAlreadyIsPlannedWhateverIsFree() {
        TrainConfig config = someConfig();
        config.memory.swapDir = QDir::tempPath().toStdString();
        StepNeed need;
        need.device.parameterBytes = 1;
        need.swapBytes = int64_t{1} << 60; // its own file has taken the disk
        QVERIFY(planTraining(config, bigModel(), ram(kPlenty), need).ok());
    }

    void oldDriversAreToldFromNewOnes() {
        QCOMPARE(judgeDriver(""), GpuState::NoDriver);
        QCOMPARE(judgeDriver("535.183.01"), GpuState::DriverTooOld);
        QCOMPARE(judgeDriver("579"), GpuState::DriverTooOld);
        QCOMPARE(judgeDriver("580.95.05"), GpuState::Ready);
        QCOMPARE(judgeDriver("unknown"), GpuState::Broken);
    }

    void countsOnWhatOthersLeaveOfAGpu() {
        GpuDevice card;
        card.totalBytes = int64_t{8} << 30;
        const auto usable = [&card](int64_t freeBytes) {
            GpuLoad load;
            load.freeBytes = freeBytes;
            return usableBytes(card, load);
        };
        QCOMPARE(usable(-1), card.totalBytes); // nobody says it
        QCOMPARE(usable(kGpuContextBytes), int64_t{0});
        QCOMPARE(usable(0), int64_t{0});
        QCOMPARE(usable(kGpuContextBytes + 1000), int64_t{900});
        QVERIFY(usable(card.totalBytes) < card.totalBytes);
        QCOMPARE(usable(2 * card.totalBytes), usable(card.totalBytes)); // a card in parts
    }

    void countsOnTheFullestOfTheGpusThatComputeTheSame() {
        const auto card = [](const char* uuid) { return GpuDevice{"", uuid, int64_t{8} << 30, 8, 6}; };
        const auto load = [](int64_t freeBytes) { return GpuLoad{kGpuContextBytes + freeBytes, {}}; };
        const std::vector<GpuDevice> cards{card("a"), card("b"), card("c")};
        const std::vector<GpuLoad> loads{load(3000), load(1000), load(2000)};
        QCOMPARE(leastUsableBytes(cards, loads, {"c", "a"}), int64_t{1800});
        QCOMPARE(leastUsableBytes(cards, loads, {"a", "b", "c"}), int64_t{900});
        QCOMPARE(leastUsableBytes(cards, loads, {}), int64_t{2700}); // the first one, as one process takes it
        QCOMPARE(leastUsableBytes(cards, loads, {"unknown"}), int64_t{2700});
    }

    void memoryFactsAreOfThisMachine() {
        const MemoryFacts facts = memoryFacts();
        QVERIFY(facts.totalBytes > 0);
        QVERIFY(facts.usableBytes() > 0);
        QVERIFY(facts.usableBytes() <= facts.availableBytes);
        const MemoryFacts limited{100, 80, 50, 20};
        QCOMPARE(limited.usableBytes(), int64_t{30});
        const std::vector<char> touched(int64_t{32} << 20, 'x');
        QVERIFY(peakResidentBytes() >= static_cast<int64_t>(touched.size()));
        QVERIFY(residentBytes() <= peakResidentBytes());
    }
};

QTEST_APPLESS_MAIN(tst_plan)
#include "tst_plan.moc"

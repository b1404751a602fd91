// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/train_sizes.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <optional>
#include <stdexcept>

using namespace homebooth::core;

namespace {

constexpr int64_t kPlenty = int64_t{1} << 45;

/// The published size of SD 1.x.
ModelSource bigModel() {
    return test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
}

MachineLimits ram(int64_t bytes) {
    return {false, 0, bytes};
}

/// A LoRA of which previews are made.
TrainConfig previewedConfig() {
    TrainConfig config;
    config.precision = Precision::Bf16;
    config.method = TrainMethod::Lora;
    config.output.previewEverySteps = 100;
    return config;
}

/// What a plan says of previews.
PlanDecision aboutPreviews(const TrainPlan& plan) {
    for (const PlanDecision& one : plan.event.decisions)
        if (one.code.starts_with(kPreviews)) return one;
    return {};
}

int64_t previewBytes(const TrainPlan& plan, const char* fact = "previewBytes") {
    const PlanDecision told = aboutPreviews(plan);
    return told.code.empty() ? 0 : static_cast<int64_t>(told.facts.at(fact));
}

} // namespace

class tst_preview_plan : public QObject {
    Q_OBJECT

private slots:
    void previewsAreMadeBesideWhatStays() {
        TrainConfig config = previewedConfig();
        StepNeed need;
        need.device.parameterBytes = int64_t{3} << 30; // more than encoding takes
        need.device.stateBytes = int64_t{1} << 20;
        need.device.gradientBytes = int64_t{8} << 20;   // gone by then,
        need.device.activationBytes = int64_t{1} << 20; // as these
        const TrainPlan plan = *planTraining(config, bigModel(), ram(kPlenty), need);
        const int64_t beside = 2 * (vaeEncoderSchedule(bigModel().vae).parameterCount() +
                                    vaeDecoderSchedule(bigModel().vae).parameterCount() +
                                    textSchedule(bigModel()).parameterCount());
        SampleConfig picture;
        picture.precision = config.precision;
        picture.widthPixels = picture.heightPixels = config.data.resolutionPixels;
        const int64_t decoding = decodingBytes(picture, bigModel(), /*gpu=*/false);
        QCOMPARE(aboutPreviews(plan).code, std::string(kPreviews));
        QCOMPARE(previewBytes(plan), need.device.parameterBytes + need.device.stateBytes + beside + decoding);
        QCOMPARE(previewBytes(plan, "besideBytes"), int64_t{0});
        QCOMPARE(plan.event.predicted.ramBytes, programBytes(false) + previewBytes(plan));
        QCOMPARE(totalBytes(plan.peaks.ram), plan.event.predicted.ramBytes);
        QCOMPARE(totalBytes(plan.tier), totalBytes(need.device)); // of the steps
        const TrainPlan onGpu = *planTraining(config, bigModel(), {true, kPlenty, kPlenty}, need);
        QCOMPARE(onGpu.event.predicted.deviceBytes, previewBytes(onGpu));
        // Chunks are padded there, and convolutions need no patches.
        const int64_t decodingOnGpu = decodingBytes(picture, bigModel(), /*gpu=*/true);
        QVERIFY(decodingOnGpu < decoding);
        QVERIFY(previewBytes(onGpu) - decodingOnGpu > previewBytes(plan) - decoding);
        config.output.previewEverySteps = 0;
        const TrainPlan without = *planTraining(config, bigModel(), ram(kPlenty), need);
        QVERIFY(aboutPreviews(without).code.empty());
        QCOMPARE(without.event.predicted.ramBytes, programBytes(false) + totalBytes(need.device));
    }

    void previewsCountWhatAveragesStandInForAndNoTextEncoderTwice() {
        TrainConfig config = previewedConfig();
        config.method = TrainMethod::Full;
        StepNeed need;
        need.device.parameterBytes = int64_t{3} << 30;
        need.device.stateBytes = int64_t{1} << 30;
        const auto bytes = [&] {
            return previewBytes(*planTraining(config, bigModel(), ram(kPlenty), need));
        };
        const int64_t plain = bytes();
        config.optimizer.emaDecay = 0.999;
        QCOMPARE(bytes(), plain + 2 * unetSchedule(bigModel().unet).parameterCount());
        config.optimizer.emaDecay = 0.0;
        config.trainTextEncoder = true; // it is among the parameters already
        QCOMPARE(bytes(), plain - 2 * textSchedule(bigModel()).parameterCount());
    }

    void previewsOfStreamedTrainingsHaveTheirPartsInRam() {
        const TrainConfig config = previewedConfig();
        StepNeed need;
        need.device.parameterBytes = int64_t{3} << 30;
        const MachineLimits gpu{true, kPlenty, kPlenty};
        const TrainPlan whole = *planTraining(config, bigModel(), gpu, need);
        need.ram.parameterBytes = int64_t{1} << 30;
        const TrainPlan plan = *planTraining(config, bigModel(), gpu, need);
        QCOMPARE(aboutPreviews(plan).code, std::string(kPreviews));
        const int64_t homes = previewBytes(plan, "besideBytes");
        QVERIFY(homes >= 2 * (vaeDecoderSchedule(bigModel().vae).parameterCount() +
                              textSchedule(bigModel()).parameterCount()));
        QVERIFY(previewBytes(plan) < previewBytes(whole) - homes / 2);
        QCOMPARE(plan.event.predicted.ramBytes, programBytes(true) + need.ram.parameterBytes + homes);
        need.ram.parameterBytes = 0;
        need.swap.parameterBytes = int64_t{1} << 30;
        QCOMPARE(previewBytes(*planTraining(config, bigModel(), gpu, need), "besideBytes"), int64_t{0});
    }

    void previewsThatFindNoRoomRefuseNoTraining_data() {
        QTest::addColumn<QString>("memory");
        for (const char* memory : {"gpu", "ram", "part of ram", "budget"}) QTest::newRow(memory) << memory;
    }
    /// First come tiles, and then the words that there will be none, and nothing of them counts.
    void previewsThatFindNoRoomRefuseNoTraining() {
        QFETCH(QString, memory);
        TrainConfig config = previewedConfig();
        config.data.resolutionPixels = 1024;
        StepNeed need;
        need.device.parameterBytes = int64_t{4} << 30;
        const auto planWith = [&](int64_t bytes) {
            MachineLimits limits{memory == "gpu", kPlenty, kPlenty};
            if (memory == "gpu") limits.deviceBytes = bytes;
            if (memory == "ram") limits.ramBytes = programBytes(false) + bytes;
            if (memory == "part of ram") config.memory.deviceBytes = bytes;
            if (memory == "budget") need.freeBytes = bytes - need.device.parameterBytes;
            const auto plan = planTraining(config, bigModel(), limits, need);
            if (!plan) throw std::runtime_error(plan.error().text());
            return *plan;
        };
        const int64_t whole = previewBytes(planWith(kPlenty));
        QCOMPARE(aboutPreviews(planWith(whole)).code, std::string(kPreviews));
        const TrainPlan tiled = planWith(whole - 1);
        QCOMPARE(aboutPreviews(tiled).code, std::string(kPreviewsInTiles));
        QVERIFY(aboutPreviews(tiled).text.find("in tiles") != std::string::npos);
        QVERIFY(previewBytes(tiled) < whole * 9 / 10);
        QCOMPARE(totalBytes(tiled.peaks.device) + totalBytes(tiled.peaks.ram),
                 tiled.event.predicted.deviceBytes + tiled.event.predicted.ramBytes);
        const TrainPlan none = planWith(need.device.parameterBytes + (int64_t{64} << 20));
        const PlanDecision told = aboutPreviews(none);
        QCOMPARE(told.code, std::string(kPreviewsLackMemory));
        for (const char* part : {"will probably not be made", "--preview-every 0", "--quantize int8"})
            QVERIFY2(told.text.find(part) != std::string::npos, told.text.c_str());
        QCOMPARE(told.text.find("--gpu-memory") != std::string::npos, memory == "part of ram");
        const bool apart = memory == "gpu" || memory == "part of ram";
        const ResourceUse& use = none.event.predicted;
        QCOMPARE(apart ? use.deviceBytes : use.ramBytes - programBytes(false), need.device.parameterBytes);
    }

    /// Nothing left is not the same as not knowing what is.
    void stepsThatLeaveNothingLeaveNoRoomForPreviews() {
        StepNeed need;
        need.device.parameterBytes = int64_t{1} << 20; // all that steps take
        const auto codeWith = [&](std::optional<int64_t> freeBytes) {
            need.freeBytes = freeBytes;
            return aboutPreviews(*planTraining(previewedConfig(), bigModel(), ram(kPlenty), need)).code;
        };
        QCOMPARE(codeWith(std::nullopt), std::string(kPreviews));
        QCOMPARE(codeWith(kPlenty / 2), std::string(kPreviews));
        QCOMPARE(codeWith(0), std::string(kPreviewsLackMemory));
    }
};

QTEST_APPLESS_MAIN(tst_preview_plan)
#include "tst_preview_plan.moc"

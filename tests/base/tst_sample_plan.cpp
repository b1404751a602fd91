// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/learning_schedule.h"
#include "tests/base/support/tiny_model.h"

#include <QtTest>

#include <algorithm>

using namespace homebooth::core;

namespace {

constexpr int64_t kPlenty = int64_t{1} << 45;
constexpr int64_t kGiB = int64_t{1} << 30;

const ModelSource& sdxl() {
    static const ModelSource model =
        test::fullSizeModel(ModelFamily::StableDiffusionXl, PredictionType::Epsilon);
    return model;
}

SampleConfig halfConfig() {
    SampleConfig config;
    config.precision = Precision::Fp16;
    return config;
}

MachineLimits gpu(int64_t deviceBytes) {
    return {true, deviceBytes, 16 * kGiB};
}

SamplePlan planned(const SampleConfig& config, const MachineLimits& limits) {
    const auto plan = planSampling(config, sdxl(), limits);
    if (!plan) throw std::runtime_error(plan.error().text());
    return *plan;
}

int64_t textParameters(int64_t clipSkip) {
    return textSchedule(sdxl(), 0, clipSkip).parameterCount() +
           textSchedule(sdxl(), 1, clipSkip).parameterCount();
}

bool saysOf(const SamplePlan& plan, const char* text) {
    const auto& lines = plan.event.decisions;
    return std::any_of(lines.begin(), lines.end(),
                       [&](const PlanDecision& line) { return line.text.find(text) != std::string::npos; });
}

/// Bytes of the UNet's blocks from `first` to before `last` that are streamed.
int64_t streamedBytes(const SamplePlacement& placement, size_t first, size_t last) {
    const Schedule unet = unetSchedule(sdxl().unet);
    int64_t bytes = 0;
    for (size_t block = first; block < last; ++block)
        if (!placement.residentBlocks.at(block)) bytes += 2 * unet.blocks()[block].parameterCount();
    return bytes;
}

} // namespace

class tst_sample_plan : public QObject {
    Q_OBJECT

private slots:
    void allPartsCount() {
        SampleConfig config;
        const MachineLimits ram{false, 0, kPlenty};
        const int64_t own = unetSchedule(sdxl().unet).parameterCount() +
                            vaeEncoderSchedule(sdxl().vae).parameterCount() +
                            vaeDecoderSchedule(sdxl().vae).parameterCount();
        QCOMPARE(planned(config, ram).tier.parameterBytes, 4 * (own + textParameters(0)));
        config.clipSkip = 2; // the negative prompt keeps its own
        QCOMPARE(planned(config, ram).tier.parameterBytes, 4 * (own + textParameters(0) + textParameters(2)));
    }

    void kindsSumUp_data() {
        QTest::addColumn<qint64>("deviceBytes");
        QTest::addColumn<qint64>("ownLimit");
        QTest::addColumn<bool>("isGpu");
        QTest::newRow("gpu") << qint64(kPlenty) << qint64(0) << true;
        QTest::newRow("small gpu") << qint64(6 * kGiB) << qint64(0) << true;
        QTest::newRow("gpu with less") << qint64(kPlenty) << qint64(6 * kGiB) << true;
        QTest::newRow("processor") << qint64(0) << qint64(0) << false;
        QTest::newRow("memory that stands for a gpu") << qint64(0) << qint64(6 * kGiB) << false;
    }
    void kindsSumUp() {
        QFETCH(qint64, deviceBytes);
        QFETCH(qint64, ownLimit);
        QFETCH(bool, isGpu);
        SampleConfig config = halfConfig();
        config.deviceBytes = ownLimit;
        const SamplePlan plan = planned(config, {isGpu, deviceBytes, 64 * kGiB});
        const ResourceUse& use = plan.event.predicted;
        QCOMPARE(totalBytes(plan.peaks.device), use.deviceBytes);
        QCOMPARE(totalBytes(plan.peaks.ram), use.ramBytes);
        QCOMPARE(use.deviceBytes > 0, isGpu || ownLimit > 0);
        if (ownLimit > 0) QVERIFY(use.deviceBytes <= ownLimit);
        QCOMPARE(plan.placement.streamsUnet, deviceBytes == 6 * kGiB || ownLimit > 0);
        QCOMPARE(use.linkBytesPerStep > 0, plan.placement.streamsUnet);
    }

    /// The less memory there is, the more comes from RAM; tiles are the last means.
    void smallerCardsGetMoreFromRam() {
        int64_t ramBefore = 0;
        int64_t linkBefore = 0;
        for (const double gib : {12.0, 10.0, 8.0, 6.0, 5.5}) {
            const auto budget = static_cast<int64_t>(gib * static_cast<double>(kGiB));
            const SamplePlan plan = planned(halfConfig(), gpu(budget));
            QVERIFY(plan.event.predicted.deviceBytes <= budget);
            QVERIFY2(!plan.placement.tilesVae, qPrintable(QString::number(gib)));
            QCOMPARE(plan.placement.streamsText, gib < 12.0);
            QVERIFY(plan.event.predicted.ramBytes > ramBefore);
            QVERIFY(plan.event.predicted.linkBytesPerStep >= linkBefore);
            ramBefore = plan.event.predicted.ramBytes;
            linkBefore = plan.event.predicted.linkBytesPerStep;
        }
        const SamplePlan tiled = planned(halfConfig(), gpu(4 * kGiB));
        QVERIFY(tiled.placement.tilesVae);
        QVERIFY(tiled.event.predicted.deviceBytes <= 4 * kGiB);
    }

    void theTextEncodersLeaveFirst() {
        SampleConfig config = halfConfig();
        const int64_t all = planned(config, gpu(kPlenty)).event.predicted.deviceBytes;
        const SamplePlan plan = planned(config, gpu(all - 1));
        QVERIFY(plan.placement.streamsText);
        QVERIFY(!plan.placement.streamsUnet && plan.placement.residentBlocks.empty());
        QCOMPARE(plan.event.predicted.linkBytesPerStep, int64_t{0});
    }

    void streamedBlocksAreSpreadOverTheStep() {
        const SamplePlan plan = planned(halfConfig(), gpu(8 * kGiB));
        QVERIFY(plan.placement.streamsUnet);
        const size_t blocks = plan.placement.residentBlocks.size();
        QCOMPARE(blocks, unetSchedule(sdxl().unet).blocks().size());
        const int64_t all = streamedBytes(plan.placement, 0, blocks);
        QCOMPARE(all, plan.event.predicted.linkBytesPerStep);
        const int64_t first = streamedBytes(plan.placement, 0, blocks / 2);
        QVERIFY(first > all / 4 && first < all - all / 4);
    }

    void ramForWhatIsStreamedMustBeThere() {
        MachineLimits limits = gpu(6 * kGiB);
        limits.ramBytes = 4 * kGiB;
        const SamplePlan plan = planned(halfConfig(), limits); // tiles leave room for more of the UNet
        QVERIFY(plan.placement.tilesVae);
        QVERIFY(plan.event.predicted.ramBytes <= limits.ramBytes);
        limits.ramBytes = kGiB;
        const auto refused = planSampling(halfConfig(), sdxl(), limits);
        QVERIFY(!refused.ok());
        QVERIFY(QString::fromStdString(refused.error().message).contains("of memory beside the GPU"));
        // Whoever tries it all the same asks for no more of it than the card needs.
        QCOMPARE(placeSampling(halfConfig(), sdxl(), limits), plan.placement);
    }

    void tilesAreUsedWhereTheyHelpOrWereAskedFor() {
        SampleConfig config = halfConfig();
        config.widthPixels = config.heightPixels = tileSidePixels(sdxl().vae);
        QVERIFY(!placeSampling(config, sdxl(), gpu(1)).tilesVae); // one tile is all of it
        config.widthPixels *= 2;
        QVERIFY(placeSampling(config, sdxl(), gpu(1)).tilesVae);
        QVERIFY(!placeSampling(config, sdxl(), gpu(kPlenty)).tilesVae);
        config.vaeTiling = true;
        QVERIFY(placeSampling(config, sdxl(), gpu(kPlenty)).tilesVae);
    }

    void tilesAreWholeLatents() {
        VaeConfig vae = sdxl().vae;
        QCOMPARE(tileSidePixels(vae), int64_t{512});
        vae.sampleSize = 300;
        QCOMPARE(tileSidePixels(vae), int64_t{288});
        vae.sampleSize = 1;
        QCOMPARE(tileSidePixels(vae), int64_t{32});
    }

    void tilingTakesLess() {
        SampleConfig config = halfConfig();
        config.widthPixels = config.heightPixels = 2048;
        const int64_t whole = planned(config, gpu(kPlenty)).tier.activationBytes;
        config.vaeTiling = true;
        QVERIFY(planned(config, gpu(kPlenty)).tier.activationBytes < whole / 4);
    }

    void anAutoencoderThatOverflowsIsPlannedInFp32() {
        SampleConfig config = halfConfig();
        const int64_t upcast = planned(config, gpu(kPlenty)).tier.activationBytes;
        config.precision = Precision::Bf16;
        QCOMPARE(planned(config, gpu(kPlenty)).tier.activationBytes, upcast / 2);
    }

    /// All of SDXL's UNet stays on a card of 8 GiB then.
    void weightsIn8BitsLeaveRoomForAllOfTheModel() {
        SampleConfig config = halfConfig();
        const SamplePlan half = planned(config, gpu(8 * kGiB));
        QVERIFY(half.placement.streamsUnet);
        QVERIFY2(saysOf(half, "--quantize int8 would keep denoiser and text encoders in "), "no proposal");
        config.quantization = Quantization::Int8;
        const SamplePlan plan = planned(config, gpu(8 * kGiB));
        QVERIFY(!plan.placement.streamsUnet && !plan.placement.tilesVae);
        QVERIFY(saysOf(plan, "integers of 8 bits"));
        QVERIFY(!saysOf(plan, "--quantize"));
        const double all = static_cast<double>(planned(halfConfig(), gpu(kPlenty)).tier.parameterBytes);
        const double own = static_cast<double>(planned(config, gpu(kPlenty)).tier.parameterBytes);
        QVERIFY2(own > 0.5 * all && own < 0.55 * all, qPrintable(QString::number(own / all)));
    }

    /// Integers of a LoRA's base count as they are; text encoders that encode for it are whole.
    void aModelThatLearnsIsPlacedAsItIsKept() {
        const auto leastForAll = [](const auto& placed) {
            int64_t bytes = 2 * kGiB;
            while (!(placed(gpu(bytes)) == SamplePlacement())) bytes += kGiB / 16;
            return bytes;
        };
        TrainConfig training;
        training.method = TrainMethod::Lora;
        const auto whileTraining = [&](const MachineLimits& limits) {
            const auto learning = learningSchedules(training, sdxl());
            if (!learning) throw std::runtime_error(learning.error().text());
            return placeSampling(halfConfig(), sdxl(), limits, *learning);
        };
        const int64_t whole = leastForAll(whileTraining);
        training.quantization = Quantization::Int8;
        const int64_t quantized = leastForAll(whileTraining);
        QVERIFY2(whole - quantized > 2 * kGiB, qPrintable(QString::number(whole - quantized)));
        SampleConfig integers = halfConfig();
        integers.quantization = Quantization::Int8; // of text encoders, too
        const int64_t all =
            leastForAll([&](const MachineLimits& limits) { return placeSampling(integers, sdxl(), limits); });
        QVERIFY2(quantized - all > kGiB / 2, qPrintable(QString::number(quantized - all)));
    }

    void whatFitsNowhereIsRefusedWithWhatHelps() {
        const auto message = [](const SampleConfig& config, const MachineLimits& limits) {
            const auto refused = planSampling(config, sdxl(), limits);
            return QString::fromStdString(refused ? "" : refused.error().message);
        };
        SampleConfig config;
        const QString refusal = message(config, gpu(kGiB));
        QVERIFY2(
            refusal.contains(" of GPU memory, and 1024 MiB may be used; close other programs that use the "
                             "GPU, or try --precision bf16, "
                             "--quantize int8, a smaller --batch, --width or --height"),
            qPrintable(refusal));
        QVERIFY(!refusal.contains("tiling")); // it is counted on
        QVERIFY(!message(halfConfig(), gpu(kGiB)).contains("bf16"));
        SampleConfig integers = halfConfig();
        integers.quantization = Quantization::Int8;
        QVERIFY(message(integers, gpu(kGiB / 4)).contains("use the GPU, or try a smaller --batch"));
        // Others hold all of it: what is named is the least, not the whole model.
        QCOMPARE(message(config, gpu(0)).section(" of GPU", 0, 0), refusal.section(" of GPU", 0, 0));
        config.deviceBytes = kGiB;
        const QString standIn = message(config, {false, 0, kPlenty});
        QVERIFY2(standIn.contains(" of device memory, and 1024 MiB may be used"), qPrintable(standIn));
        const SamplePlacement leanest = placeSampling(config, sdxl(), gpu(1));
        QVERIFY(leanest.streamsText && leanest.streamsUnet && leanest.tilesVae);
        QVERIFY(std::none_of(leanest.residentBlocks.begin(), leanest.residentBlocks.end(),
                             [](bool stays) { return stays; }));
    }

    void theFirstModelsAreNotStreamedWithoutNeed() {
        const ModelSource first = test::fullSizeModel(ModelFamily::StableDiffusion1, PredictionType::Epsilon);
        const auto plan = planSampling(halfConfig(), first, gpu(4 * kGiB));
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().text().c_str());
        QCOMPARE(plan->placement, SamplePlacement());
        QVERIFY(planSampling(halfConfig(), first, gpu(2 * kGiB))->placement.streamsUnet);
    }
};

QTEST_APPLESS_MAIN(tst_sample_plan)
#include "tst_sample_plan.moc"

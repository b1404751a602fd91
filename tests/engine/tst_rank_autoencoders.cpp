// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Autoencoders that several processes train learn what one process teaches them with the same batch.
#include "rank_training.h"

#include "core/base/config/parallel_check.h"
#include "core/base/model/model_source.h"

namespace homebooth::core::testing {
namespace {

constexpr int64_t kVaeSteps = 6;

/// Nine pictures, and the tiny model's shape without weights.
TrainConfig autoencoder(const std::string& root) {
    TrainConfig config = tinyDataset(root, 9);
    config.scratch.configDir = root + "/model";
    config.model.clear();
    fs::copy(fixture("tiny-sd1"), config.scratch.configDir, fs::copy_options::recursive);
    for (const char* weights : {"unet/diffusion_pytorch_model.safetensors",
                                "vae/diffusion_pytorch_model.safetensors", "text_encoder/model.safetensors"})
        fs::remove(config.scratch.configDir + "/" + weights);
    config.mode = TrainMode::FromScratch;
    config.scratch.component = "vae";
    config.batchSize = kBatch;
    config.steps = kVaeSteps;
    config.data.flip = true;
    config.optimizer.learningRate = 1e-4;
    config.optimizer.epsilon = 1e-4;
    config.optimizer.emaDecay = 0.9;
    config.output.checkpointEverySteps = kVaeSteps;
    return config;
}

/// What the latents of the data set are multiplied by, as the result has it.
double scalingIn(const TrainConfig& config) {
    OpenOptions partial;
    partial.weightsOptional = true;
    const auto result = openModel(config.output.runDir + "/result/model", partial);
    if (!result) throw std::runtime_error(result.error().text());
    return result->vae.scalingFactor;
}

void expectLikeOneProcess(const TrainConfig& config, const std::string& name,
                          const std::vector<Spread>& spreads, const std::string& broken = "") {
    const TrainConfig alone = inFolder(config, freshFolder(name + "-1"));
    MeddlingSource pictures;
    breakPictures(pictures, broken);
    JobWorld world;
    const OutcomeEvent outcome = runWith(pictures, alone, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    for (const Spread& spread : spreads) {
        const std::string own = name + "-" + std::to_string(spread.ranks) + "-" + std::to_string(spread.zero);
        SCOPED_TRACE(own);
        const TrainConfig made = trainSpread(config, spread, own, [&](const std::string& folder) {
            for (int rank = 0; rank < spread.ranks; ++rank) obstacle(rank, "broken", broken)(folder);
        });
        for (const char* half : {"/vae-encoder.safetensors", "/vae-decoder.safetensors"})
            EXPECT_LE(difference(checkpointOf(made, kVaeSteps) + half, checkpointOf(alone, kVaeSteps) + half),
                      kTolerance)
                << half;
        expectNear(numbersBy(made, 0, "losses"), lossesIn<StepEvent>(world.events), "loss");
        expectNear(numbersBy(made, 0, "validations"), lossesIn<ValidationEvent>(world.events), "validation");
        EXPECT_NEAR(scalingIn(made) / scalingIn(alone), 1.0, 1e-4);
    }
}

TEST(ARank, DISABLED_trains) {
    trainAsRank();
}

TEST(RankAutoencoders, learnWhatOneProcessTeaches) {
    expectLikeOneProcess(autoencoder(scratchFolder("vae")), "vae", {{2, 0}, {3, 1}, {2, 2}});
}

TEST(RankAutoencoders, learnTheSameOfSeveralMicroStepsWithAClippedNorm) {
    TrainConfig config = autoencoder(scratchFolder("vae-micro"));
    config.optimizer.accumulationSteps = 2;
    config.optimizer.maxGradientNorm = 0.05;
    config.data.validationShare = 0.2;
    config.output.validateEverySteps = 3;
    config.output.previewEverySteps = 3;
    expectLikeOneProcess(config, "vae-micro", {{2, 2}});
}

TEST(RankAutoencoders, leaveTheSamePicturesOut) {
    TrainConfig config = autoencoder(scratchFolder("vae-broken"));
    config.data.skipBrokenImages = true;
    expectLikeOneProcess(config, "vae-broken", {{3, 0}}, "p3.ppm\np4.ppm\n");
}

TEST(RankAutoencoders, haveTheSameBytesAtEveryStage) {
    const TrainConfig config = autoencoder(scratchFolder("vae-stages"));
    const TrainConfig plain = trainSpread(config, {2, 0}, "vae-stages-0");
    for (const int64_t zero : {1, 2})
        expectSameTensors(trainSpread(config, {2, zero}, "vae-stages-" + std::to_string(zero)), plain,
                          kVaeSteps);
}

TEST(RankAutoencoders, keepTheirParametersWhole) {
    TrainConfig config = autoencoder(scratchFolder("vae-three"));
    config.parallel = {2, 2};
    EXPECT_TRUE(checkParallel(config).ok());
    config.parallel.zero = 3;
    const auto refused = checkParallel(config);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("take --zero 2"), std::string::npos) << refused.error().message;
}

} // namespace
} // namespace homebooth::core::testing

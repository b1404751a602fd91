// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training runs that begin without weights.
#include "core/base/model/model_source.h"

#include "gone_folder.h"

namespace homebooth::core::testing {
namespace {

/// A data set of captioned patterns and a configuration's folder without weights.
TrainConfig tinyScratch(const std::string& root) {
    const std::string data = root + "/data";
    const std::string model = root + "/model";
    fs::create_directories(data);
    for (int i = 0; i < 4; ++i) {
        writePpm(data + "/p" + std::to_string(i) + ".ppm", patternPicture(i));
        std::ofstream(data + "/p" + std::to_string(i) + ".txt") << "pattern " << i;
    }
    fs::copy(fixture("tiny-sd1"), model, fs::copy_options::recursive);
    for (const char* weights : {"unet/diffusion_pytorch_model.safetensors",
                                "vae/diffusion_pytorch_model.safetensors", "text_encoder/model.safetensors"})
        fs::remove(model + "/" + weights);
    TrainConfig config;
    config.mode = TrainMode::FromScratch;
    config.scratch.configDir = model;
    config.data.datasetDir = data;
    config.data.resolutionPixels = 64;
    config.data.captionDropout = 0.1;
    config.batchSize = 2;
    config.steps = 3;
    config.threads = 1;
    config.optimizer.learningRate = 1e-3;
    config.optimizer.emaDecay = 0.99;
    config.output.previewEverySteps = 3;
    config.output.runDir = root + "/vae-run";
    return config;
}

TEST(TrainScratch, trainsAnAutoencoderOnPicturesOfSeveralShapes) {
    const std::string root = scratchFolder("scratch-shapes");
    TrainConfig config = tinyScratch(root);
    writePpm(config.data.datasetDir + "/wide.ppm", patternPicture(7, 200, 80));
    std::ofstream(config.data.datasetDir + "/wide.txt") << "wide";
    config.scratch.component = "vae";
    config.data.framing = FramingMode::Buckets;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

TrainConfig tinyAutoencoder(const std::string& root, int pictures = 6) {
    TrainConfig config = tinyScratch(root);
    for (int i = 4; i < pictures; ++i) {
        const std::string name = config.data.datasetDir + "/p" + std::to_string(i);
        writePpm(name + ".ppm", patternPicture(i));
        std::ofstream(name + ".txt") << "pattern " << i;
    }
    config.scratch.component = "vae";
    config.output.previewEverySteps = 0;
    return config;
}

TEST(TrainScratch, goesOnWithAnAutoencoderAsIfItHadNotStopped) {
    const std::string root = scratchFolder("scratch-resumed");
    TrainConfig config = tinyAutoencoder(root);
    config.data.flip = true;
    config.data.validationShare = 0.2;
    config.output.validateEverySteps = 2;
    config.steps = 6;
    const TrainConfig straight = inFolder(config, root + "/straight");
    JobWorld world;
    ASSERT_EQ(runFresh(straight, world).result, "done");
    TrainConfig parts = inFolder(config, root + "/parts");
    JobWorld last;
    for (const int64_t until : {2, 4, 6}) {
        parts.steps = until;
        ASSERT_EQ(runWith(last.pictures, parts, last).result, "done") << until;
    }
    expectEqualFolders(checkpointOf(parts, 6), checkpointOf(straight, 6));
    EXPECT_EQ(last.events.of<ValidationEvent>().back().loss, world.events.of<ValidationEvent>().back().loss);
}

TEST(TrainScratch, givesAnAutoencoderALossOfPicturesThatItNeverLearns) {
    const std::string root = scratchFolder("scratch-held-out");
    TrainConfig config = tinyAutoencoder(root);
    config.data.validationShare = 0.2; // one of six
    config.output.validateEverySteps = 10;
    config.steps = 30;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto losses = world.events.of<ValidationEvent>();
    ASSERT_EQ(losses.size(), 4U);
    EXPECT_LT(losses.back().loss, losses.front().loss);
    EXPECT_EQ(RunFolder::open(config.output.runDir)->facts()->at(kHeldOutFact), "1");
}

TEST(TrainScratch, leavesAWholeAutoencoderThoughItsConfigurationIsGone) {
    const std::string root = scratchFolder("scratch-gone");
    const TrainConfig config = tinyAutoencoder(root);
    std::ofstream(config.scratch.configDir + "/LICENSE.md") << "terms";
    JobWorld world;
    ASSERT_EQ(runFresh(inFolder(config, root + "/there"), world).result, "done");
    const OutcomeEvent outcome = runLosing(config.scratch.configDir, config);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    expectEqualFolders(outcome.resultPaths.front(), root + "/there/run/result/model");
    for (const char* name : {"LICENSE.md", "model_index.json", "unet/config.json", "tokenizer/vocab.json"})
        EXPECT_TRUE(fs::exists(outcome.resultPaths.front() + "/" + name)) << name;
}

TEST(TrainScratch, tellsWhatTheLossOfAnAutoencoderIsTheSumOf) {
    TrainConfig config = tinyAutoencoder(scratchFolder("scratch-parts"));
    config.optimizer.accumulationSteps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto steps = world.events.of<StepEvent>();
    ASSERT_EQ(steps.size(), 3U);
    for (const StepEvent& step : steps) {
        double sum = 0.0;
        for (const char* name : {"pixels", "edges", "areas", "divergence"}) {
            ASSERT_TRUE(step.lossParts.contains(name)) << name;
            EXPECT_GT(step.lossParts.at(name), 0.0) << name;
            sum += step.lossParts.at(name);
        }
        EXPECT_EQ(step.lossParts.size(), 4U);
        EXPECT_NEAR(sum, step.loss, 1e-9 + 1e-6 * step.loss);
    }
}

TEST(TrainScratch, teachesAnAutoencoderWithoutBrokenPicturesWhereThatIsAllowed) {
    const std::string root = scratchFolder("scratch-broken");
    TrainConfig config = tinyAutoencoder(root);
    config.steps = 4;
    MeddlingSource pictures;
    pictures.before = [](const std::string& path) { return !path.ends_with("p3.ppm"); };
    JobWorld strict;
    const OutcomeEvent outcome = runWith(pictures, config, strict);
    EXPECT_EQ(outcome.code, 3);
    for (const char* part : {"p3.ppm", "cut off", "--skip-broken-images"})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;

    config.data.skipBrokenImages = true;
    config.output.runDir = root + "/skipping";
    JobWorld skipping;
    ASSERT_EQ(runWith(pictures, config, skipping).result, "done");
    EXPECT_TRUE(warnsOf(skipping.events, "p3.ppm: the picture is cut off"));
    EXPECT_EQ(skipping.events.of<WarningEvent>().size(), 1U);
}

TEST(TrainScratch, namesAHeldOutPictureThatCannotBeRead) {
    const std::string root = scratchFolder("scratch-broken-held-out");
    TrainConfig config = tinyAutoencoder(root);
    config.data.validationShare = 0.2; // one of six
    config.output.validateEverySteps = 1;
    MeddlingSource pictures;
    std::string heldOut; // what is looked at before the first step
    pictures.before = [&heldOut](const std::string& path) {
        if (heldOut.empty()) heldOut = path;
        return true;
    };
    JobWorld whole;
    ASSERT_EQ(runWith(pictures, config, whole).result, "done");
    const std::string name = fs::path(heldOut).filename().string();
    ASSERT_FALSE(name.empty());

    pictures.before = [&heldOut](const std::string& path) { return path != heldOut; };
    config.output.runDir = root + "/strict";
    JobWorld strict;
    const OutcomeEvent outcome = runWith(pictures, config, strict);
    EXPECT_EQ(outcome.code, 3);
    for (const std::string& part : {name, std::string("cut off"), std::string("--skip-broken-images")})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;

    config.data.skipBrokenImages = true;
    config.output.runDir = root + "/skipping";
    JobWorld skipping;
    ASSERT_EQ(runWith(pictures, config, skipping).result, "done");
    EXPECT_TRUE(warnsOf(skipping.events, name + ": the picture is cut off"));
    EXPECT_EQ(skipping.events.of<WarningEvent>().size(), 1U); // and not at every look
    EXPECT_TRUE(skipping.events.of<ValidationEvent>().empty());
}

TEST(TrainScratch, decodesOnlyWhatTheAutoencodersStepsNeed) {
    const std::string root = scratchFolder("scratch-many");
    const TrainConfig config = tinyAutoencoder(root, 60);
    JobWorld world;
    StoppingSink events(world.control);
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), events, world.control, world.pictures,
                                             world.writer, world.options);
    EXPECT_EQ(outcome.result, "cancelled");
    EXPECT_EQ(events.of<StepEvent>().size(), 1U);
    EXPECT_GE(world.pictures.loaded(), 2); // a step of two,
    EXPECT_LE(world.pictures.loaded(), 8); // and three more that were looked at
}

TEST(TrainScratch, makesAModelFromNothing) {
    const std::string root = scratchFolder("scratch");
    TrainConfig config = tinyScratch(root);
    JobWorld untrained;
    EXPECT_EQ(runFresh(config, untrained).code, 3); // the autoencoder has no weights yet
    config.scratch.component = "vae";
    config.output.runDir = root + "/vae";
    std::ofstream(config.scratch.configDir + "/LICENSE.txt") << "free";
    std::ofstream(config.scratch.configDir + "/old.ckpt") << "the whole model, as another program wrote it";
    fs::resize_file(config.scratch.configDir + "/old.ckpt", uintmax_t{64} << 20);
    JobWorld world;
    const OutcomeEvent vae = runFresh(config, world);
    ASSERT_EQ(vae.result, "done") << vae.message;
    EXPECT_FALSE(world.events.of<PreviewEvent>().empty());
    OpenOptions partial;
    partial.weightsOptional = true;
    const auto opened = openModel(vae.resultPaths.front(), partial);
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_NE(opened->vae.scalingFactor, 0.18215);
    EXPECT_TRUE(fs::exists(vae.resultPaths.front() + "/LICENSE.txt"));
    EXPECT_FALSE(fs::exists(vae.resultPaths.front() + "/old.ckpt"));

    config.scratch.component = "unet";
    config.scratch.configDir = vae.resultPaths.front();
    config.output.runDir = root + "/unet";
    JobWorld second;
    const OutcomeEvent unet = runFresh(config, second);
    ASSERT_EQ(unet.result, "done") << unet.message;
    EXPECT_TRUE(openModel(unet.resultPaths.front()));
    EXPECT_FALSE(second.events.of<PreviewEvent>().empty());
}

/// Elements of one tensor of a model file. Shapes: [n], fp32
std::vector<float> elementsOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    EXPECT_NE(info, nullptr) << name;
    EXPECT_EQ(info->type, DataType::F32);
    std::vector<float> elements(static_cast<size_t>(info->elementCount()));
    EXPECT_TRUE(source.read(name, std::as_writable_bytes(std::span(elements))));
    return elements;
}

TEST(TrainScratch, takesOnlyTheShapeOfAModelWithWeights) {
    const std::string root = scratchFolder("scratch-weights");
    TrainConfig config = tinyScratch(root);
    config.scratch.component = "unet";
    config.scratch.configDir = fixture("tiny-sd1");
    config.optimizer.learningRate = 1e-12; // what it begins with is what it ends with
    config.optimizer.emaDecay = 0.0;
    config.steps = 1;
    config.output.previewEverySteps = 0;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto trained = openModel(outcome.resultPaths.front());
    const auto shape = openModel(config.scratch.configDir);
    ASSERT_TRUE(trained && shape);
    const std::string unet = "conv_in.weight";
    EXPECT_NE(elementsOf(*trained->unetTensors, unet), elementsOf(*shape->unetTensors, unet));
    const std::string text = "text_model.embeddings.token_embedding.weight";
    EXPECT_NE(elementsOf(*trained->text.tensors, text), elementsOf(*shape->text.tensors, text));
}

} // namespace
} // namespace homebooth::core::testing

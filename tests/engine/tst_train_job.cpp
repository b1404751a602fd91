// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole training runs on tiny models: what they leave, and what is asked of them on the way.
#include "core/base/model/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/base/model/model_writer.h"
#include "core/engine/training/tensor_files.h"

#include "training_support.h"

#include <chrono>
#include <cmath>
#include <thread>

namespace homebooth::core::testing {
namespace {

TEST(TrainJob, leavesAModelThatOpens) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("full"));
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(outcome.resultPaths.size(), 2U);
    for (const std::string& path : outcome.resultPaths) {
        const auto model = openModel(path);
        EXPECT_TRUE(model) << model.error().text();
    }
    EXPECT_EQ(world.events.of<StepEvent>().size(), 4U);
    EXPECT_EQ(world.events.of<CheckpointEvent>().size(), 2U);
    EXPECT_GT(world.events.of<MemoryEvent>().front().ram.parameterBytes, 0);
    EXPECT_GT(outcome.measured.residentBytes, 0);
    EXPECT_EQ(world.events.of<StateEvent>().front().state, "loading");
}

TEST(TrainJob, takesTheTokenizerOutOfASingleFile) {
    const std::string root = scratchFolder("single");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 1;
    const auto folder = openModel(config.model);
    ASSERT_TRUE(folder) << folder.error().text();
    const auto packed = writeSingleFile(*folder, root + "/model.safetensors", {});
    ASSERT_TRUE(packed) << packed.error().text();
    config.model = root + "/model.safetensors";
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

TEST(TrainJob, warnsOnceThatCaptionsAreTooLong) {
    TrainConfig config = tinyDreamBooth(scratchFolder("long-caption"));
    config.steps = 1;
    for (int word = 0; word < 100; ++word) config.data.instancePrompt += " dog";
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto warnings = world.events.of<WarningEvent>();
    EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                            [](const WarningEvent& warning) { return warning.code == "prompt-truncated"; }),
              1);
}

TEST(TrainJob, lowersTheLossOnOnePicture) {
    TrainConfig config = tinyDreamBooth(scratchFolder("learns"));
    config.steps = 60;
    config.output.checkpointEverySteps = 60;
    config.optimizer.learningRate = 3e-3;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto steps = world.events.of<StepEvent>();
    double first = 0.0;
    double last = 0.0;
    for (size_t i = 0; i < 15; ++i) {
        first += steps[i].loss;
        last += steps[steps.size() - 1 - i].loss;
    }
    EXPECT_LT(last, 0.9 * first);
}

TEST(TrainJob, leavesALoraThatFits) {
    TrainConfig config = tinyDreamBooth(scratchFolder("lora"));
    config.method = TrainMethod::Lora;
    config.trainTextEncoder = true;
    config.lora.rank = 2;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto lora = openLora(outcome.resultPaths.front());
    ASSERT_TRUE(lora) << lora.error().text();
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    EXPECT_TRUE(checkLoraFits(*lora, *model));
    // Only the adapters are in the checkpoint.
    EXPECT_LT(fs::file_size(checkpointOf(config, 4) + "/unet.safetensors"),
              fs::file_size(fixture("tiny-sd1/unet/diffusion_pytorch_model.safetensors")) / 2);
}

TEST(TrainJob, makesClassPicturesOnceAndCountsThem) {
    const std::string root = scratchFolder("prior");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 3;
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_EQ(world.writer.written, 3);
    // One was lost, one more is wanted: exactly two are made.
    fs::remove(root + "/class/class-000001.png");
    config.data.classImageCount = 4;
    JobWorld again;
    const OutcomeEvent outcome = runFresh(inFolder(config, root + "/second"), again);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(again.writer.written, 2);
    EXPECT_EQ(again.events.of<StepEvent>().size(), 2U);
}

TEST(TrainJob, keysClassPicturesInTheCacheByPrompt) {
    const std::string root = scratchFolder("prior-cache");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 1;
    config.steps = 1;
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    ASSERT_EQ(runFresh(inFolder(config, root + "/same"), world).result, "done");
    EXPECT_EQ(world.writer.written, 1);
    config.data.classPrompt = "a cat";
    ASSERT_EQ(runFresh(inFolder(config, root + "/other"), world).result, "done");
    EXPECT_EQ(world.writer.written, 2);
}

TEST(TrainJob, decodesNoPictureThatIsCached) {
    const std::string root = scratchFolder("cached");
    const TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_EQ(world.pictures.loaded(), 3);
    JobWorld second;
    second.options.cacheDir = root + "/cache";
    const TrainConfig other = inFolder(config, root + "/second");
    ASSERT_EQ(runFresh(other, second).result, "done");
    EXPECT_EQ(second.pictures.loaded(), 0);
    expectEqualFolders(checkpointOf(other, 4), checkpointOf(config, 4));
}

TEST(TrainJob, keepsTheCacheBelowItsBound) {
    const std::string root = scratchFolder("bounded");
    const TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    world.options.cacheDir = root + "/cache";
    const std::string old = world.options.cacheDir + "/latents/older/pack.safetensors";
    fs::create_directories(fs::path(old).parent_path());
    std::ofstream(old) << std::string(5000, 'x');
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_TRUE(fs::exists(old));
    world.options.cacheBytes = 1000;
    ASSERT_EQ(runFresh(inFolder(config, root + "/second"), world).result, "done");
    EXPECT_FALSE(fs::exists(old));
    EXPECT_EQ(world.pictures.loaded(), 3); // what the run itself uses stayed
}

TEST(TrainJob, savesAndSamplesWhenAsked) {
    TrainConfig config = tinyDreamBooth(scratchFolder("asked"));
    config.steps = 2;
    config.output.checkpointEverySteps = 2;
    JobWorld world;
    world.control.sampleNow = true;
    world.control.saveNow = true;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_EQ(world.events.of<PreviewEvent>().size(), 1U);
    ASSERT_EQ(world.events.of<CheckpointEvent>().size(), 2U);
    EXPECT_EQ(world.events.of<CheckpointEvent>().front().step, 0);
}

TEST(TrainJob, waitsWhilePaused) {
    TrainConfig config = tinyDreamBooth(scratchFolder("paused"));
    config.steps = 1;
    JobWorld world;
    world.control.paused = true;
    std::thread release([&] {
        while (world.control.paused) {
            std::this_thread::sleep_for(std::chrono::milliseconds(400));
            world.control.paused = false;
        }
    });
    ASSERT_EQ(runFresh(config, world).result, "done");
    release.join();
    const auto states = world.events.of<StateEvent>();
    EXPECT_TRUE(
        std::any_of(states.begin(), states.end(), [](const auto& state) { return state.state == "paused"; }));
}

TEST(TrainJob, drawsAndClipsOverMicroSteps) {
    const std::string root = scratchFolder("accumulate");
    TrainConfig config = tinyDreamBooth(root);
    config.optimizer.accumulationSteps = 3;
    config.optimizer.maxGradientNorm = 1.0;
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_TRUE(world.events.of<StepEvent>().front().gradientNorm.has_value());
    EXPECT_EQ(world.events.of<StepEvent>().back().epoch, 2); // three photos, six draws
}

/// AdamW's first moments after one step: a tenth of the gradients.
std::map<std::string, at::Tensor> firstMoments(const TrainConfig& config, const char* part) {
    const auto reader =
        SafetensorsReader::open(checkpointOf(config, 1) + "/optimizer-" + part + ".safetensors");
    if (!reader) throw std::runtime_error(reader.error().text());
    std::map<std::string, at::Tensor> found;
    for (const TensorInfo& info : (*reader)->tensors())
        if (info.name.ends_with(".exp_avg")) found[info.name] = *readWholeTensor(**reader, info.name);
    return found;
}

void expectEqualMoments(const TrainConfig& actual, const TrainConfig& expected, const char* part) {
    const auto found = firstMoments(actual, part);
    const auto wanted = firstMoments(expected, part);
    ASSERT_FALSE(wanted.empty());
    double total = 0.0;
    for (const auto& [name, tensor] : wanted) total += tensor.square().sum().item<double>();
    const double floor = 1e-6 * std::sqrt(total); // key biases' gradients are mathematically zero
    for (const auto& [name, tensor] : wanted) {
        const double difference = (found.at(name) - tensor).norm().item<double>();
        EXPECT_LE(difference, std::max(1e-4 * tensor.norm().item<double>(), floor)) << name;
    }
}

TEST(TrainJob, seesInMicroStepsWhatALargerBatchSees) {
    const std::string root = scratchFolder("micro-steps");
    TrainConfig config = tinyDreamBooth(root);
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(4, 160, 80));
    config.trainTextEncoder = true;
    config.data.framing = FramingMode::Buckets;
    config.data.flip = true;
    config.data.captionDropout = 0.3;
    config.data.classPrompt = "a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 2;
    config.loss.noiseOffset = 0.1;
    config.output.checkpointEverySteps = 1;
    config.output.keepCheckpoints = 9;
    config.steps = 3;
    TrainConfig batch = inFolder(config, root + "/batch");
    batch.batchSize = 2;
    TrainConfig micro = inFolder(config, root + "/micro");
    micro.optimizer.accumulationSteps = 2;
    JobWorld first;
    JobWorld second;
    ASSERT_EQ(runFresh(batch, first).result, "done");
    ASSERT_EQ(runFresh(micro, second).result, "done");
    const auto expected = first.events.of<StepEvent>();
    const auto actual = second.events.of<StepEvent>();
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(actual[i].loss, expected[i].loss, 1e-4 * expected[i].loss) << "step " << i + 1;
    expectEqualMoments(micro, batch, "unet");
    expectEqualMoments(micro, batch, "text_encoder");
}

TEST(TrainJob, trainsInSixteenBits) {
    for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
        const std::string root = scratchFolder(precision == Precision::Bf16 ? "bf16" : "fp16");
        TrainConfig config = tinyDreamBooth(root);
        config.precision = precision;
        config.trainTextEncoder = true;
        JobWorld world;
        const OutcomeEvent outcome = runFresh(config, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(world.events.of<StepEvent>().front().lossScale.has_value(), precision == Precision::Fp16);
        EXPECT_TRUE(openModel(outcome.resultPaths.front()));
    }
}

TEST(TrainJob, keepsShapesInBuckets) {
    const std::string root = scratchFolder("buckets");
    TrainConfig config = tinyDreamBooth(root);
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(4, 160, 80));
    config.data.framing = FramingMode::Buckets;
    config.data.resolutionPixels = 64;
    config.data.flip = true;
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 1;
    config.data.classDir = root + "/class";
    config.steps = 8;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

TEST(TrainJob, writesPreviews) {
    TrainConfig config = tinyDreamBooth(scratchFolder("previews"));
    config.steps = 2;
    config.output.previewEverySteps = 2;
    config.output.previewCount = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto previews = world.events.of<PreviewEvent>();
    ASSERT_EQ(previews.size(), 2U);
    for (const PreviewEvent& preview : previews) EXPECT_TRUE(fs::exists(preview.path));
}

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

TEST(TrainJob, trainsAnAutoencoderOnPicturesOfSeveralShapes) {
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

TEST(TrainJob, measuresTheStepOfAOneStepRun) {
    TrainConfig config = tinyDreamBooth(scratchFolder("one-step"));
    config.steps = 1;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_GT(outcome.measured.stepSeconds, 0.0);
}

TEST(TrainJob, makesAModelFromNothing) {
    const std::string root = scratchFolder("scratch");
    TrainConfig config = tinyScratch(root);
    JobWorld untrained;
    EXPECT_EQ(runFresh(config, untrained).code, 3); // the autoencoder has no weights yet
    config.scratch.component = "vae";
    config.output.runDir = root + "/vae";
    JobWorld world;
    const OutcomeEvent vae = runFresh(config, world);
    ASSERT_EQ(vae.result, "done") << vae.message;
    EXPECT_FALSE(world.events.of<PreviewEvent>().empty());
    OpenOptions partial;
    partial.weightsOptional = true;
    const auto opened = openModel(vae.resultPaths.front(), partial);
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_NE(opened->vae.scalingFactor, 0.18215);

    config.scratch.component = "unet";
    config.scratch.configDir = vae.resultPaths.front();
    config.output.runDir = root + "/unet";
    JobWorld second;
    const OutcomeEvent unet = runFresh(config, second);
    ASSERT_EQ(unet.result, "done") << unet.message;
    EXPECT_TRUE(openModel(unet.resultPaths.front()));
    EXPECT_FALSE(second.events.of<PreviewEvent>().empty());
}

} // namespace
} // namespace homebooth::core::testing

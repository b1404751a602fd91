// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole training runs on tiny models: results, resumption, prior preservation, bad pictures, a full disk.
#include "core/base/model/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/base/run/checkpoint.h"

#include "training_support.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace homebooth::core::testing {
namespace {

std::string checkpointOf(const TrainConfig& config, int64_t step) {
    char name[64];
    std::snprintf(name, sizeof name, "/checkpoints/step-%06lld", static_cast<long long>(step));
    return config.output.runDir + name;
}

/// The same run under another root.
TrainConfig inFolder(TrainConfig config, const std::string& root) {
    config.output.runDir = root + "/run";
    return config;
}

OutcomeEvent runFresh(const TrainConfig& config, JobWorld& world) {
    return runJob(config, makeRun(config), world);
}

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

TEST(TrainJob, namesEveryBrokenPicture) {
    TrainConfig config = tinyDreamBooth(scratchFolder("broken"));
    std::ofstream(config.data.instanceDir + "/empty.ppm");
    std::ofstream(config.data.instanceDir + "/half.ppm") << "P6\n80 72\n255\nabc";
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("empty.ppm"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find("half.ppm"), std::string::npos) << outcome.message;
    EXPECT_FALSE(fs::exists(config.output.runDir + "/result"));

    config.data.skipBrokenImages = true;
    JobWorld skipping;
    EXPECT_EQ(runJob(config, *RunFolder::open(config.output.runDir), skipping).result, "done");
    EXPECT_EQ(skipping.events.of<WarningEvent>().size(), 2U);
}

TEST(TrainJob, saysThatThereAreNoPhotos) {
    TrainConfig config = tinyDreamBooth(scratchFolder("none"));
    config.data.instanceDir = scratchFolder("no-photos");
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("no-photos"), std::string::npos) << outcome.message;
}

TEST(TrainJob, stopsWithACheckpointAndGoesOn) {
    const std::string root = scratchFolder("stop");
    TrainConfig config = tinyDreamBooth(root);
    config.optimizer.emaDecay = 0.9;
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");

    const RunFolder run = makeRun(config);
    JobWorld world;
    world.control.stop.request();
    EXPECT_EQ(runJob(config, run, world).result, "cancelled");
    TrainConfig part = config;
    part.steps = 3;
    JobWorld second;
    ASSERT_EQ(runJob(part, run, second).result, "done");
    JobWorld third;
    ASSERT_EQ(runJob(config, run, third).result, "done");
    EXPECT_EQ(third.events.of<ResumedEvent>().front().fromStep, 3);
    expectEqualFolders(checkpointOf(config, 4), root + "/straight/run/checkpoints/step-000004");
    expectEqualFolders(config.output.runDir + "/result/model", root + "/straight/run/result/model");
}

TEST(TrainJob, fallsBackToTheNewestValidCheckpoint) {
    const std::string root = scratchFolder("fallback");
    TrainConfig config = tinyDreamBooth(root);
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string newest = checkpointOf(config, 4);
    const std::string before = fileBytes(newest + "/unet.safetensors");
    std::string damaged = before;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    std::ofstream(newest + "/unet.safetensors", std::ios::binary) << damaged;
    JobWorld again;
    ASSERT_EQ(runJob(config, *RunFolder::open(config.output.runDir), again).result, "done");
    EXPECT_EQ(again.events.of<ResumedEvent>().front().fromStep, 2);
    ASSERT_FALSE(again.events.of<WarningEvent>().empty());
    EXPECT_NE(again.events.of<WarningEvent>().front().message.find("passed over"), std::string::npos);
    EXPECT_TRUE(fileBytes(newest + "/unet.safetensors") == before);
}

TEST(TrainJob, trainsAFinishedRunFurtherWithMorePhotos) {
    TrainConfig config = tinyDreamBooth(scratchFolder("further"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string before = fileBytes(config.output.runDir + "/result/model.safetensors");
    writePpm(config.data.instanceDir + "/photo9.ppm", patternPicture(9));
    config.steps = 6;
    JobWorld further;
    const OutcomeEvent outcome = runJob(config, *RunFolder::open(config.output.runDir), further);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(further.events.of<StepEvent>().front().step, 5);
    EXPECT_NE(fileBytes(config.output.runDir + "/result/model.safetensors"), before);
}

TEST(TrainJob, dropsOptimizerStatesWhenAsked) {
    TrainConfig config = tinyDreamBooth(scratchFolder("pruned"));
    config.output.keepOptimizerState = false;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_FALSE(fs::exists(checkpointOf(config, 4) + "/optimizer-unet.safetensors"));
    config.steps = 5;
    JobWorld further;
    ASSERT_EQ(runJob(config, *RunFolder::open(config.output.runDir), further).result, "done");
    ASSERT_FALSE(further.events.of<WarningEvent>().empty());
    EXPECT_NE(further.events.of<WarningEvent>().front().message.find("pruned"), std::string::npos);
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

TEST(TrainJob, refusesAResolutionThatTheModelCannotHave) {
    TrainConfig config = tinyDreamBooth(scratchFolder("resolution"));
    config.data.resolutionPixels = 60;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("64"), std::string::npos) << outcome.message;
}

TEST(TrainJob, accumulatesLikeALargerBatch) {
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

TEST(TrainJob, keepsTheOlderCheckpointWhenTheDiskIsFull) {
    const std::string root = scratchFolder("disk");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    config.steps = 4;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{20000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    JobWorld full;
    const OutcomeEvent outcome = runJob(config, *RunFolder::open(config.output.runDir), full);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(outcome.code, 4) << outcome.message;
    EXPECT_NE(outcome.kept.find("step 2"), std::string::npos) << outcome.kept;
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2)));
    EXPECT_FALSE(fs::exists(checkpointOf(config, 4)));
    JobWorld again;
    EXPECT_EQ(runJob(config, *RunFolder::open(config.output.runDir), again).result, "done");
}

constexpr const char* kChildVariable = "HOMEBOOTH_TRAIN_CHILD";

/// The part of the killed process: works on the run that the variable names.
TEST(TrainJobChild, DISABLED_worksOnARun) {
    const char* path = std::getenv(kChildVariable);
    ASSERT_NE(path, nullptr);
    JobWorld world;
    const auto run = RunFolder::open(path);
    ASSERT_TRUE(run) << run.error().text();
    const OutcomeEvent outcome =
        resumeTrainJob(*run, world.events, world.control, world.pictures, world.writer, world.options);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

/// Starts the child; kills it after `milliseconds` (0: never). Returns whether it ended by itself, well.
bool runChild(const std::string& runDir, int milliseconds) {
    const pid_t child = fork();
    if (child == 0) {
        setenv(kChildVariable, runDir.c_str(), 1);
        execl("/proc/self/exe", "train-job-child", "--gtest_also_run_disabled_tests",
              "--gtest_filter=TrainJobChild.*", static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    for (int waited = 0; milliseconds == 0 || waited < milliseconds; ++waited) {
        if (waitpid(child, &status, milliseconds == 0 ? 0 : WNOHANG) == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        usleep(1000);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return false;
}

TEST(TrainJob, hasTheSameBytesAfterKills) {
    const std::string root = scratchFolder("kill");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 30;
    config.trainTextEncoder = true;
    config.optimizer.emaDecay = 0.9;
    config.optimizer.accumulationSteps = 2;
    config.data.captionDropout = 0.2;
    config.output.checkpointEverySteps = 3;
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");

    const RunFolder run = makeRun(config);
    int milliseconds = 900;
    int kills = 0;
    while (kills < 6 && !runChild(run.path(), milliseconds)) {
        ++kills;
        milliseconds += 130; // another moment each time, and in the end far enough to make progress
    }
    ASSERT_TRUE(kills < 6 || runChild(run.path(), 0));
    EXPECT_GT(kills, 0);
    expectEqualFolders(checkpointOf(config, 30), root + "/straight/run/checkpoints/step-000030");
    expectEqualFolders(run.path() + "/result/model", root + "/straight/run/result/model");
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run keeps of its beginning when it goes on: model, photos, threads, class pictures, states.
#include "core/base/files/sha256.h"
#include "core/base/run/failure_cause.h"
#include "core/base/system/cpu_facts.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/jobs/engine_versions.h"
#include "core/engine/training/run_start.h"

#include "training_support.h"

namespace homebooth::core::testing {
namespace {

TEST(TrainStart, dropsOptimizerStatesWhenAsked) {
    TrainConfig config = tinyDreamBooth(scratchFolder("pruned"));
    config.output.keepOptimizerState = false;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_FALSE(fs::exists(checkpointOf(config, 4) + "/optimizer-unet.safetensors"));
    config.steps = 5;
    JobWorld further;
    ASSERT_EQ(runAgain(config, further).result, "done");
    ASSERT_FALSE(further.events.of<WarningEvent>().empty());
    EXPECT_NE(further.events.of<WarningEvent>().front().message.find("pruned"), std::string::npos);
}

TEST(TrainStart, dropsOptimizerStatesBesideAFolderThatIsNoCheckpoint) {
    TrainConfig config = tinyDreamBooth(scratchFolder("pruned-beside"));
    config.output.keepOptimizerState = false;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    // As a kill amid the removal of a checkpoint once left it.
    fs::create_directory(checkpointOf(config, 1));
    std::ofstream(checkpointOf(config, 1) + "/optimizer-unet.safetensors") << "half";
    config.steps = 5;
    JobWorld further;
    const OutcomeEvent outcome = runAgain(config, further);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_FALSE(fs::exists(checkpointOf(config, 5) + "/optimizer-unet.safetensors"));
    EXPECT_TRUE(fs::exists(checkpointOf(config, 1)));
}

double greatestChange(const std::string& before, const std::string& after) {
    const auto first = SafetensorsReader::open(before);
    const auto second = SafetensorsReader::open(after);
    if (!first || !second) throw std::runtime_error("no such checkpoint");
    double greatest = 0.0;
    for (const TensorInfo& info : (*first)->tensors()) {
        const at::Tensor change =
            *readWholeTensor(**second, info.name) - *readWholeTensor(**first, info.name);
        greatest = std::max(greatest, change.abs().max().item<double>());
    }
    return greatest;
}

TEST(TrainStart, beginsPrunedStatesLikeFreshOnes) {
    for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::AdamW8bit}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("pruned-bias"));
        config.optimizer.kind = kind;
        config.optimizer.weightDecay = 0.0;
        config.output.keepOptimizerState = false;
        config.output.keepCheckpoints = 9;
        config.steps = 8;
        JobWorld world;
        ASSERT_EQ(runFresh(config, world).result, "done");
        config.steps = 9;
        config.output.keepOptimizerState = true;
        JobWorld further;
        ASSERT_EQ(runAgain(config, further).result, "done");
        // The first update of fresh moments is the learning rate, whatever the gradient.
        const double change = greatestChange(checkpointOf(config, 8) + "/unet.safetensors",
                                             checkpointOf(config, 9) + "/unet.safetensors");
        EXPECT_LT(change, 1.01 * config.optimizer.learningRate);
        // And a kill right then does not change what comes next.
        config.steps = 11;
        JobWorld rest;
        ASSERT_EQ(runAgain(config, rest).result, "done");
        EXPECT_LT(greatestChange(checkpointOf(config, 9) + "/unet.safetensors",
                                 checkpointOf(config, 10) + "/unet.safetensors"),
                  1.5 * config.optimizer.learningRate);
    }
}

TEST(TrainStart, refusesAModelThatPredictsOtherwiseThanAtTheStart) {
    TrainConfig config = tinyDreamBooth(scratchFolder("predicts-otherwise"));
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto run = RunFolder::open(config.output.runDir);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->facts()->at(kPredictsFact), "epsilon");
    ASSERT_TRUE(run->addFacts({{kPredictsFact, "v_prediction"}})); // as of a .yaml that is gone
    config.steps = 3;
    JobWorld other;
    const OutcomeEvent outcome = runAgain(config, other);
    EXPECT_EQ(outcome.code, 3) << outcome.message;
    EXPECT_NE(outcome.message.find("expected v_prediction, found epsilon"), std::string::npos)
        << outcome.message;
    EXPECT_FALSE(fs::exists(checkpointOf(config, 3)));
    config.loss.predictionType = "epsilon"; // whoever says it needs no file
    JobWorld told;
    EXPECT_EQ(runAgain(config, told).result, "done");
}

TEST(TrainStart, refusesAModelThatChangedSinceTheStart) {
    const std::string root = scratchFolder("changed-model");
    TrainConfig config = tinyDreamBooth(root);
    config.model = root + "/model";
    fs::copy(fixture("tiny-sd1"), config.model, fs::copy_options::recursive);
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const std::string file = config.model + "/vae/diffusion_pytorch_model.safetensors";
    const std::string original = fileBytes(file);
    std::string changed = original;
    changed[changed.size() - 1] = static_cast<char>(changed.back() ^ 1);
    std::ofstream(file, std::ios::binary) << changed;
    config.steps = 3;
    JobWorld other;
    const OutcomeEvent outcome = runAgain(config, other);
    EXPECT_EQ(outcome.code, 3) << outcome.message;
    EXPECT_NE(outcome.message.find("has changed"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.message.find(config.model), std::string::npos) << outcome.message;
    EXPECT_FALSE(fs::exists(checkpointOf(config, 3)));
    // The same model at another place is the same model.
    std::ofstream(file, std::ios::binary) << original;
    fs::rename(config.model, root + "/moved");
    config.model = root + "/moved";
    JobWorld moved;
    EXPECT_EQ(runAgain(config, moved).result, "done");
}

/// Asks to stop when two steps are done.
class StopAfterTwo : public EventSink {
public:
    explicit StopAfterTwo(TrainControl& control)
        : m_control(control) {}
    void emit(const Event& event) override {
        const auto* step = std::get_if<StepEvent>(&event);
        if (step != nullptr && step->step == 2) m_control.stop.request();
    }

private:
    TrainControl& m_control;
};

/// A run of four steps in its middle.
TrainConfig stoppedAtTwo(const std::string& root) {
    TrainConfig config = tinyDreamBooth(root);
    config.output.checkpointEverySteps = 1;
    JobWorld world;
    StopAfterTwo sink(world.control);
    const OutcomeEvent stopped = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    EXPECT_EQ(stopped.result, "cancelled");
    EXPECT_GT(stopped.measured.stepSeconds, 0.0);
    EXPECT_GT(stopped.measured.residentBytes, 0);
    return config;
}

TEST(TrainStart, refusesOtherPhotosInTheMiddleOfARun) {
    TrainConfig config = stoppedAtTwo(scratchFolder("changed-photos"));
    const RunFolder run = *RunFolder::open(config.output.runDir);
    const std::string before = run.facts()->at("datasetSha256");
    writePpm(config.data.instanceDir + "/photo9.ppm", patternPicture(9));
    JobWorld other;
    const OutcomeEvent refused = runAgain(config, other);
    EXPECT_EQ(refused.code, 3) << refused.message;
    for (const char* part : {"pictures or captions", "put them back", "--steps 2"})
        EXPECT_NE(refused.message.find(part), std::string::npos) << refused.message;
    EXPECT_EQ(run.facts()->at("datasetSha256"), before);
    // The remedy: end the run where it stands; then it can be trained further with what there is now.
    config.steps = 2;
    JobWorld ended;
    ASSERT_EQ(runAgain(config, ended).result, "done");
    config.steps = 4;
    JobWorld further;
    EXPECT_EQ(runAgain(config, further).result, "done");
    EXPECT_TRUE(warnsOf(further.events, "a new epoch begins"));
}

TEST(TrainStart, saysWhatStaysInTheMiddleOfARun) {
    TrainConfig config = stoppedAtTwo(scratchFolder("broken-photo"));
    const std::string photo = config.data.instanceDir + "/photo1.ppm";
    std::ofstream(photo) << "P6\n80 72\n255\n";
    JobWorld broken;
    const OutcomeEvent without = runAgain(config, broken); // to go on without it would be refused as well
    EXPECT_EQ(causeOf(without.code, without.message), FailureCause::PicturesChanged) << without.message;
    EXPECT_EQ(without.message.find("--skip-broken-images"), std::string::npos) << without.message;
    writePpm(photo, patternPicture(1));
    TrainConfig larger = config;
    larger.data.resolutionPixels = 96;
    JobWorld resized;
    const OutcomeEvent refused = runAgain(larger, resized);
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.message.find("--resolution"), std::string::npos) << refused.message;
    JobWorld asItWas;
    EXPECT_EQ(runAgain(config, asItWas).result, "done");
}

TEST(TrainStart, keepsTheThreadsOfTheStart) {
    const std::string root = scratchFolder("threads");
    TrainConfig config = tinyDreamBooth(root);
    config.threads = 0;
    config.steps = 1;
    JobWorld first;
    ASSERT_EQ(runFresh(config, first).result, "done");
    const auto facts = RunFolder::open(config.output.runDir)->facts();
    EXPECT_EQ(facts->at("threads"), std::to_string(usableThreads()));

    // As if it had begun on a machine with fewer cores, or more.
    const RunFolder run = *RunFolder::open(config.output.runDir);
    ASSERT_TRUE(run.addFacts({{"threads", "1"}}));
    config.steps = 2;
    JobWorld second;
    ASSERT_EQ(runAgain(config, second).result, "done");
    EXPECT_FALSE(warnsOf(second.events, "threads and goes on"));
    EXPECT_NE(fileBytes(checkpointOf(config, 2) + "/state.json").find("\"threads\": 1"), std::string::npos);
    const int64_t more = usableThreads() + 2;
    ASSERT_TRUE(run.addFacts({{"threads", std::to_string(more)}}));
    JobWorld world;
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    EXPECT_EQ(*threadsOf(job), more);
    EXPECT_TRUE(warnsOf(world.events, std::to_string(more) + " threads and goes on"));
    EXPECT_FALSE(warnsOf(world.events, " threads share "));
    config.threads = 8 * usableThreads(); // by name
    EXPECT_EQ(*threadsOf(job), config.threads);
    EXPECT_TRUE(warnsOf(world.events, std::to_string(config.threads) + " threads share "));
    config.threads = 1;
    EXPECT_EQ(*threadsOf(job), 1);
    EXPECT_EQ(run.facts()->at("threads"), "1");
}

TEST(TrainStart, notesWhatComputes) {
    TrainConfig config = tinyDreamBooth(scratchFolder("versions"));
    config.steps = 1;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const RunFolder run = *RunFolder::open(config.output.runDir);
    EXPECT_EQ(*run.versions(), engineVersions(at::kCPU));
    ASSERT_TRUE(run.setVersions({{"homebooth", "0.0.1"}})); // as one of an earlier version has them
    config.steps = 2;
    JobWorld again;
    ASSERT_EQ(runAgain(config, again).result, "done");
    EXPECT_EQ(*run.versions(), engineVersions(at::kCPU));
}

TEST(TrainStart, leavesAGpuForTheProcessorOnlyWhenAsked) {
    TrainConfig config = tinyDreamBooth(scratchFolder("lost-gpu"));
    config.steps = 1;
    JobWorld first;
    ASSERT_EQ(runFresh(config, first).result, "done");
    const RunFolder run = *RunFolder::open(config.output.runDir);
    EXPECT_EQ(run.facts()->at(kDeviceFact), "processor");

    // As if a GPU had computed that, and its driver were gone now.
    ASSERT_TRUE(run.addFacts({{kDeviceFact, "NVIDIA GeForce RTX 3060"}}));
    config.steps = 2;
    JobWorld lost;
    const OutcomeEvent refused = runAgain(config, lost);
    EXPECT_EQ(refused.code, static_cast<int>(ErrorCode::DeviceLost)) << refused.message;
    for (const char* part : {"RTX 3060", "doctor", "--device cpu"})
        EXPECT_NE(refused.message.find(part), std::string::npos) << refused.message;
    EXPECT_TRUE(processorCanGoOn(refused.message)); // so the window offers it
    EXPECT_EQ(run.facts()->at(kDeviceFact), "NVIDIA GeForce RTX 3060");
    config.memory.device = ComputeDevice::Cpu; // by name, and from then on
    JobWorld chosen;
    EXPECT_EQ(runAgain(config, chosen).result, "done");
    config.memory.device = ComputeDevice::Auto;
    config.steps = 3;
    JobWorld later;
    EXPECT_EQ(runAgain(config, later).result, "done");
}

TEST(TrainStart, leavesAGpuForTheProcessorNoSoonerWhereNothingWasSaved) {
    TrainConfig config = tinyDreamBooth(scratchFolder("lost-gpu-early"));
    const RunFolder run = makeRun(config);
    ASSERT_TRUE(run.addFacts({{kDeviceFact, "NVIDIA GeForce RTX 3060"}})); // as an attempt leaves it
    JobWorld lost;
    const OutcomeEvent refused = runJob(config, run, lost);
    EXPECT_EQ(refused.code, static_cast<int>(ErrorCode::DeviceLost)) << refused.message;
    EXPECT_TRUE(lost.events.of<StepEvent>().empty());
    EXPECT_EQ(run.facts()->at(kDeviceFact), "NVIDIA GeForce RTX 3060");
    config.memory.device = ComputeDevice::Cpu;
    JobWorld chosen;
    EXPECT_EQ(runJob(config, run, chosen).result, "done");
}

TEST(TrainStart, makesClassPicturesInTheSameGroups) {
    const std::string root = scratchFolder("class-groups");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 6;
    config.steps = 1;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto name = [&](int index) {
        return config.data.classDir + "/class-00000" + std::to_string(index) + ".png";
    };
    std::vector<std::string> straight;
    for (int i = 0; i < 6; ++i) straight.push_back(fileBytes(name(i)));
    std::ofstream(name(0), std::ios::binary) << straight[1]; // what is there is kept, whatever it shows
    for (const int lost : {1, 3, 5}) fs::remove(name(lost));
    JobWorld again;
    ASSERT_EQ(runFresh(inFolder(config, root + "/second"), again).result, "done");
    EXPECT_EQ(again.writer.written, 3);
    EXPECT_TRUE(fileBytes(name(0)) == straight[1]);
    for (int i = 1; i < 6; ++i) EXPECT_TRUE(fileBytes(name(i)) == straight[static_cast<size_t>(i)]) << i;
    // Two groups, however many members of them were missing.
    const auto states = again.events.of<StateEvent>();
    EXPECT_EQ(std::count_if(states.begin(), states.end(),
                            [](const StateEvent& state) { return state.state == "class-images"; }),
              2);
}

TEST(TrainStart, aGroupOfClassPicturesThatTakesLongShowsLife) {
    const std::string root = scratchFolder("class-life");
    TrainConfig config = tinyDreamBooth(root);
    config.data.classPrompt = "a photo of a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 2;
    config.steps = 1;
    JobWorld quick;
    ASSERT_EQ(runFresh(config, quick).result, "done");
    config.data.classDir = root + "/slow";
    JobWorld slow;
    slow.options.signEverySeconds = 0.0;
    ASSERT_EQ(runFresh(inFolder(config, root + "/second"), slow).result, "done");
    int64_t signs = 0;
    for (const StateEvent& state : slow.events.of<StateEvent>()) {
        if (state.state != "class-images") continue;
        ++signs;
        EXPECT_EQ(state.detail, config.data.classPrompt);
        EXPECT_EQ(state.done, 0); // until they are there
        EXPECT_EQ(state.total, 2);
    }
    EXPECT_GT(signs, 50); // after each block, not after each of 25 steps alone
    for (const char* name : {"/class-000000.png", "/class-000001.png"})
        EXPECT_TRUE(fileBytes(root + "/class" + name) == fileBytes(root + "/slow" + name)) << name;
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training runs that cannot go on: bad input, numbers that are no longer finite, a full disk, failed
// previews.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/failure_cause.h"
#include "core/engine/io/tensor_files.h"

#include "failing_once.h"
#include "tests/full_disk.h"
#include "training_support.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

namespace homebooth::core::testing {
namespace {

using test::FullDisk;

bool hashedTheModel(const EventList& events) {
    const auto states = events.of<StateEvent>();
    return std::any_of(states.begin(), states.end(),
                       [](const StateEvent& state) { return state.detail == "hash of the model"; });
}

TEST(TrainFailures, namesEveryBrokenPicture) {
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
    EXPECT_FALSE(hashedTheModel(world.events)); // found before anything long

    config.data.skipBrokenImages = true;
    JobWorld skipping;
    EXPECT_EQ(runAgain(config, skipping).result, "done");
    EXPECT_EQ(skipping.events.of<WarningEvent>().size(), 2U);
}

TEST(TrainFailures, saysThatThereAreNoPhotos) {
    TrainConfig config = tinyDreamBooth(scratchFolder("none"));
    config.data.instanceDir = scratchFolder("no-photos");
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("no-photos"), std::string::npos) << outcome.message;
}

TEST(TrainFailures, refusesAResolutionThatTheModelCannotHave) {
    TrainConfig config = tinyDreamBooth(scratchFolder("resolution"));
    config.data.resolutionPixels = 60;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.message.find("64"), std::string::npos) << outcome.message;
}

TEST(TrainFailures, namesEveryCheckpointWhenAllAreDamaged) {
    for (const bool shortened : {true, false}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("all-damaged"));
        JobWorld world;
        ASSERT_EQ(runFresh(config, world).result, "done");
        for (const int64_t step : {2, 4}) {
            const std::string file = checkpointOf(config, step) + "/unet.safetensors";
            std::string bytes = fileBytes(file);
            bytes.back() = static_cast<char>(bytes.back() ^ 1);
            if (shortened) bytes.pop_back();
            std::ofstream(file, std::ios::binary) << bytes;
        }
        config.steps = 5;
        JobWorld again;
        const OutcomeEvent outcome = runAgain(config, again);
        EXPECT_EQ(outcome.code, 3);
        for (const std::string& part :
             {std::string("step-000002"), std::string("step-000004"), std::string("unet.safetensors"),
              std::string(shortened ? "instead of" : "has changed"), std::string("begin again")})
            EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
        EXPECT_EQ(outcome.kept, "no checkpoint is whole any more");
        EXPECT_EQ(hashedTheModel(again.events), !shortened); // sizes tell at once
    }
}

TEST(TrainFailures, callsNothingDamagedThatTheDiskDoesNotGiveBack) {
    TrainConfig config = tinyDreamBooth(scratchFolder("disk-fails"));
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    for (const int64_t step : {2, 4}) {
        const std::string file = checkpointOf(config, step) + "/" + kManifestName;
        fs::remove(file);
        fs::create_symlink("/proc/self/mem", file); // an input/output error at its beginning
    }
    config.steps = 5;
    JobWorld again;
    const OutcomeEvent outcome = runAgain(config, again);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.kept, kCheckpointsUnread);
    EXPECT_EQ(outcome.message.find("begin again"), std::string::npos) << outcome.message;
}

TEST(TrainFailures, removeWhatAKilledAttemptLeft) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("left-overs"));
    const RunFolder run = makeRun(config);
    std::vector<std::string> leftOvers;
    for (const char* folder : {"", "/checkpoints", "/samples", "/result", "/charts"}) {
        fs::create_directories(run.path() + folder);
        leftOvers.push_back(run.path() + folder + "/.something.partial-abcdef");
        std::ofstream(leftOvers.back()) << "half";
    }
    fs::create_directories(run.checkpointsDir() + "/.step-000002.partial-abcdef/unet");
    JobWorld world;
    ASSERT_EQ(runJob(config, run, world).result, "done");
    for (const std::string& path : leftOvers) EXPECT_FALSE(fs::exists(path)) << path;
    EXPECT_FALSE(fs::exists(run.checkpointsDir() + "/.step-000002.partial-abcdef"));
}

/// Writes previews as files that appear whole or not at all, as PNG files do.
class AtomicWriter : public PictureWriter {
public:
    Result<void> write(const std::string& path, const Picture& picture,
                       const std::map<std::string, std::string>&) override {
        return writeFileAtomically(path,
                                   {reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size()});
    }
};

/// Lets the disk be full from one state until the next.
class FullDiskIn : public EventSink {
public:
    FullDiskIn(std::string state, std::string detail)
        : m_state(std::move(state))
        , m_detail(std::move(detail)) {}
    void emit(const Event& event) override {
        list.emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr) return;
        m_full.reset();
        if (state->state == m_state && state->detail == m_detail) m_full = std::make_unique<FullDisk>(100);
    }
    EventList list;

private:
    std::string m_state;
    std::string m_detail;
    std::unique_ptr<FullDisk> m_full;
};

TEST(TrainFailures, goOnWhenTheDiskIsFullAtAPreview) {
    const std::string root = scratchFolder("disk-preview");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 3;
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");
    config.output.previewEverySteps = 1;
    FullDiskIn events("sampling", "preview");
    AtomicWriter writer;
    JobWorld world;
    const OutcomeEvent outcome =
        runTrainJob(config, makeRun(config), events, world.control, world.pictures, writer, world.options);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(events.list, "larger than allowed"));
    EXPECT_TRUE(events.list.of<PreviewEvent>().empty());
    EXPECT_TRUE(fs::is_empty(config.output.runDir + "/samples"));
    expectEqualFolders(checkpointOf(config, 3), root + "/straight/run/checkpoints/step-000003");
}

TEST(TrainFailures, keepTheCheckpointWhenTheDiskIsFullAtTheResult) {
    for (const TrainMethod method : {TrainMethod::Full, TrainMethod::Lora}) {
        const std::string root = scratchFolder("disk-result");
        TrainConfig config = tinyDreamBooth(root);
        config.method = method;
        config.steps = 2;
        JobWorld world;
        OutcomeEvent outcome;
        {
            FullDiskIn events("saving", "result");
            outcome = runTrainJob(config, makeRun(config), events, world.control, world.pictures,
                                  world.writer, world.options);
        }
        EXPECT_EQ(outcome.result, "failed");
        EXPECT_EQ(outcome.code, 4) << outcome.message;
        for (const char* part : {"result of step 2", "larger than allowed"})
            EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.kept.find("step 2"), std::string::npos) << outcome.kept;
        EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2)));
        for (const auto& left : fs::directory_iterator(config.output.runDir + "/result"))
            ADD_FAILURE() << left.path() << " was left";
        JobWorld again; // with room for it, nothing has to be trained again
        EXPECT_EQ(runAgain(config, again).result, "done");
        EXPECT_TRUE(again.events.of<StepEvent>().empty());
    }
}

TEST(TrainFailures, keepsTheOlderCheckpointWhenTheDiskIsFull) {
    const std::string root = scratchFolder("disk");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    config.steps = 4;
    auto disk = std::make_unique<FullDisk>(20000);
    JobWorld full;
    const OutcomeEvent outcome = runAgain(config, full);
    disk.reset();
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(outcome.code, 4) << outcome.message;
    EXPECT_NE(outcome.kept.find("step 2"), std::string::npos) << outcome.kept;
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 2)));
    EXPECT_FALSE(fs::exists(checkpointOf(config, 4)));
    JobWorld again;
    EXPECT_EQ(runAgain(config, again).result, "done");
}

/// A rate of which one step overflows every weight, while that step's own loss is still finite.
constexpr double kRuinousRate = 1e39;

TEST(TrainFailures, saveNoWeightsThatAreNotFinite) {
    for (const char* method : {"full", "average", "lora"}) {
        TrainConfig config = tinyDreamBooth(scratchFolder(std::string("ruined-") + method));
        if (std::string(method) == "average") config.optimizer.emaDecay = 0.9;
        if (std::string(method) == "lora") config.method = TrainMethod::Lora;
        config.steps = 1;
        JobWorld good;
        ASSERT_EQ(runFresh(config, good).result, "done");
        const std::string before =
            fileBytes(good.events.of<CheckpointEvent>().back().path + "/unet.safetensors");
        config.steps = 2;
        config.optimizer.learningRate = kRuinousRate;
        JobWorld world;
        const OutcomeEvent outcome = runAgain(config, world);
        EXPECT_EQ(outcome.result, "failed") << method;
        EXPECT_EQ(outcome.code, 3);
        for (const char* part : {"step 2", "finite", "learning rate", "bf16"})
            EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.kept.find("step 1"), std::string::npos) << outcome.kept;
        EXPECT_FALSE(fs::exists(checkpointOf(config, 2)));
        EXPECT_TRUE(fileBytes(checkpointOf(config, 1) + "/unet.safetensors") == before);
    }
}

TEST(TrainFailures, nameTheStepWhoseLossIsNotFinite) {
    for (const bool accumulates : {false, true}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("infinite-loss"));
        config.optimizer.accumulationSteps = accumulates ? 2 : 1;
        config.steps = 1;
        JobWorld good;
        ASSERT_EQ(runFresh(config, good).result, "done");
        config.steps = 9;
        config.loss.noiseOffset = kRuinousRate; // noise beyond fp32
        JobWorld world;
        const OutcomeEvent outcome = runAgain(config, world);
        EXPECT_EQ(outcome.code, 3);
        EXPECT_NE(outcome.message.find("step 2"), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.message.find("lower the learning rate"), std::string::npos) << outcome.message;
        EXPECT_NE(outcome.kept.find("step 1"), std::string::npos) << outcome.kept;
    }
}

/// Stops a run behind its first step, which fails nothing yet.
OutcomeEvent runFirstStep(const TrainConfig& config) {
    JobWorld world;
    StoppingSink sink(world.control);
    return runTrainJob(config, makeRun(config), sink, world.control, world.pictures, world.writer,
                       world.options);
}

/// Where nothing was learned yet, its rate is not what spoils the numbers.
TEST(TrainFailures, nameFp16WhereNoStepInItWasFinite) {
    for (const bool learned : {false, true}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("beyond-fp16"));
        config.precision = Precision::Fp16;
        config.output.checkpointEverySteps = 15;
        config.steps = 15;
        JobWorld world;
        if (learned) {
            ASSERT_EQ(runFresh(config, world).result, "done"); // an overflow or some are usual
        }
        config.loss.noiseOffset = kRuinousRate;
        config.steps = 40;
        if (!learned) {
            ASSERT_EQ(runFirstStep(config).result, "cancelled"); // it may be interrupted in between
        }
        JobWorld again;
        const OutcomeEvent outcome = runAgain(config, again);
        EXPECT_EQ(causeOf(outcome.code, outcome.message),
                  learned ? FailureCause::Diverged : FailureCause::BeyondFp16);
        const char* when = learned ? "at step 36" : "none of the first 22 steps";
        EXPECT_NE(outcome.message.find(when), std::string::npos) << outcome.message;
        EXPECT_EQ(outcome.message.find("learning rate") != std::string::npos, learned) << outcome.message;
    }
}

/// Does something behind each step.
class StepSink : public EventList {
public:
    explicit StepSink(std::function<void()> act)
        : m_act(std::move(act)) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        if (std::holds_alternative<StepEvent>(event)) m_act();
    }

private:
    std::function<void()> m_act;
};

/// Its result would be the model that it began with.
TEST(TrainFailures, nameFp16WhereAShortRunWasNotFiniteAtAll) {
    for (const int64_t steps : {1, 8, 20}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("short-beyond-fp16"));
        config.precision = Precision::Fp16;
        config.loss.noiseOffset = kRuinousRate;
        config.steps = steps;
        JobWorld world;
        const OutcomeEvent outcome = runFresh(config, world);
        EXPECT_EQ(outcome.result, "failed");
        EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::BeyondFp16) << outcome.message;
        const bool mayFit = outcome.message.find("more --steps") != std::string::npos;
        EXPECT_EQ(mayFit, steps < 16) << outcome.message; // its loss scale, which is halved step by step
        EXPECT_EQ(world.events.of<StepEvent>().size(), static_cast<size_t>(steps));
        EXPECT_TRUE(world.events.of<CheckpointEvent>().empty()); // it may begin anew in another format
        EXPECT_FALSE(fs::exists(config.output.runDir + "/result"));
    }
}

/// Interrupted, or ended early to be kept as it is.
TEST(TrainFailures, nameFp16WhereWhatIsLeftOfAShortRunWasNotFiniteEither) {
    for (const bool kept : {false, true}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("rest-beyond-fp16"));
        config.precision = Precision::Fp16;
        config.loss.noiseOffset = kRuinousRate;
        config.steps = 8;
        ASSERT_EQ(runFirstStep(config).result, "cancelled");
        JobWorld world;
        world.control.finish = kept;
        const OutcomeEvent outcome = runAgain(config, world);
        EXPECT_EQ(outcome.result, "failed");
        EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::BeyondFp16) << outcome.message;
        const char* when = kept ? "not finite in the first step" : "finite in none of the first 8 steps";
        EXPECT_NE(outcome.message.find(when), std::string::npos) << outcome.message;
        EXPECT_FALSE(fs::exists(config.output.runDir + "/result"));
    }
}

/// It may begin anew in another format, which a checkpoint would keep it from.
TEST(TrainFailures, saveNothingOfAShortRunInFp16ThatIsEndedEarly) {
    TrainConfig config = tinyDreamBooth(scratchFolder("ended-beyond-fp16"));
    config.precision = Precision::Fp16;
    config.loss.noiseOffset = kRuinousRate;
    config.output.checkpointEverySteps = 100;
    config.steps = 8;
    JobWorld world;
    StepSink sink([&world] { world.control.finish = true; });
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    EXPECT_EQ(outcome.result, "failed");
    EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::BeyondFp16) << outcome.message;
    EXPECT_EQ(sink.of<StepEvent>().size(), 1U);
    EXPECT_TRUE(sink.of<CheckpointEvent>().empty());
    EXPECT_FALSE(fs::exists(checkpointOf(config, 1)));
    EXPECT_FALSE(fs::exists(config.output.runDir + "/result"));
}

/// Weights that give nothing finite any more would be the newest, and resumes would begin with them.
TEST(TrainFailures, keepTheCheckpointBeforeStepsThatAreNotFinite) {
    for (const int64_t steps : {40, 8}) { // in midst of it, and at the last step
        TrainConfig config = tinyDreamBooth(scratchFolder("spoiled-steps"));
        config.precision = Precision::Fp16;
        config.steps = 2;
        JobWorld good;
        ASSERT_EQ(runFresh(config, good).result, "done");
        config.loss.noiseOffset = kRuinousRate;
        config.output.checkpointEverySteps = 1;
        config.steps = steps;
        JobWorld world;
        const OutcomeEvent outcome = runAgain(config, world);
        EXPECT_EQ(causeOf(outcome.code, outcome.message), FailureCause::Diverged) << outcome.message;
        EXPECT_NE(outcome.kept.find("step 2"), std::string::npos) << outcome.kept;
        EXPECT_TRUE(world.events.of<CheckpointEvent>().empty());
    }
}

/// Asks for a checkpoint when the first step is done, and for a pause until that is written if told to.
class SaveAfterFirst : public EventList {
public:
    explicit SaveAfterFirst(TrainControl& control, bool pauses = false)
        : m_control(control)
        , m_pauses(pauses) {}
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* step = std::get_if<StepEvent>(&event);
        if (step != nullptr && step->step == 1) {
            m_control.paused = m_pauses;
            m_control.saveNow = true;
        }
        if (std::holds_alternative<CheckpointEvent>(event)) m_control.paused = false;
    }

private:
    TrainControl& m_control;
    bool m_pauses;
};

/// A few overflows until the loss scale fits.
TEST(TrainFailures, saveWhatWasAskedForWithTheNextStepOfUse) {
    TrainConfig config = tinyDreamBooth(scratchFolder("overflows"));
    config.precision = Precision::Fp16;
    config.loss.noiseOffset = 10.0;
    config.output.checkpointEverySteps = 100;
    config.steps = 30;
    JobWorld world;
    SaveAfterFirst sink(world.control);
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto steps = sink.of<StepEvent>();
    const auto ofUse = std::find_if(steps.begin(), steps.end(), [](const StepEvent& step) {
        return std::isfinite(step.gradientNorm.value_or(0.0));
    });
    ASSERT_NE(ofUse, steps.end());
    ASSERT_GT(ofUse->step, 1);
    const auto saved = sink.of<CheckpointEvent>();
    ASSERT_EQ(saved.size(), 2U);
    EXPECT_EQ(saved[0].step, ofUse->step);
    EXPECT_EQ(saved[1].step, config.steps);

    config = inFolder(config, scratchFolder("overflows-stopped"));
    JobWorld stopped;
    StoppingSink stopping(stopped.control);
    ASSERT_EQ(runTrainJob(config, makeRun(config), stopping, stopped.control, stopped.pictures,
                          stopped.writer, stopped.options)
                  .result,
              "cancelled");
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 1))); // whoever stops loses nothing
}

/// No better step comes while it lasts, and the machine may be about to sleep.
TEST(TrainFailures, saveInAPauseWhateverTheLastStepWas) {
    TrainConfig config = tinyDreamBooth(scratchFolder("overflows-paused"));
    config.precision = Precision::Fp16;
    config.loss.noiseOffset = 10.0;
    config.output.checkpointEverySteps = 100;
    config.steps = 30;
    JobWorld world;
    SaveAfterFirst sink(world.control, /*pauses=*/true);
    std::jthread goesOn([&world](const std::stop_token& ends) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!ends.stop_requested() && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        world.control.paused = false;
    });
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_FALSE(std::isfinite(sink.of<StepEvent>().front().gradientNorm.value_or(0.0)));
    const auto saved = sink.of<CheckpointEvent>();
    ASSERT_FALSE(saved.empty());
    EXPECT_EQ(saved.front().step, 1);
}

TEST(TensorFiles, refuseNumbersThatAreNotFinite) {
    const std::string path = scratchFolder("not-finite") + "/file.safetensors";
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity()})
        for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
            at::Tensor tensor = at::zeros({5, 7}, type);
            tensor[3][2] = bad;
            const auto written = writeTensorFile(path, TensorListSource({{"weight", tensor}}));
            ASSERT_FALSE(written);
            EXPECT_EQ(written.error().code, ErrorCode::BadInput);
            EXPECT_NE(written.error().text().find("weight"), std::string::npos);
            EXPECT_FALSE(fs::exists(path));
        }
    // What fp16 cannot hold would be infinite in the file.
    const at::Tensor large = at::full({3}, 1e6);
    EXPECT_FALSE(writeTensorFile(path, TensorListSource({{"weight", large}}, DataType::F16)));
    EXPECT_TRUE(
        writeTensorFile(path, TensorListSource({{"weight", large}, {"codes", at::zeros({2}, at::kByte)}})));
    EXPECT_TRUE(writeTensorFile(path, TensorListSource({{"empty", at::zeros({0})}})));
}

/// Calls `act` when a state is announced.
class StateSink : public EventSink {
public:
    StateSink(std::string state, std::function<void()> act)
        : m_state(std::move(state))
        , m_act(std::move(act)) {}
    void emit(const Event& event) override {
        list.emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && state->state == m_state) m_act();
    }
    EventList list;

private:
    std::string m_state;
    std::function<void()> m_act;
};

TEST(TrainFailures, giveTheMemoryOfAFailedPreviewBack) {
    const std::string root = scratchFolder("failed-preview");
    TrainConfig config = tinyDreamBooth(root);
    config.model = root + "/model";
    fs::copy(fixture("tiny-sd1"), config.model, fs::copy_options::recursive);
    config.steps = 2;
    config.output.previewEverySteps = 1;
    // The autoencoder's file is damaged once training has begun, so the preview finds a text encoder only.
    const std::string file = config.model + "/vae/diffusion_pytorch_model.safetensors";
    StateSink sink("sampling", [&] { fs::resize_file(file, 1000); });
    JobWorld world;
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "failed"); // the result needs the autoencoder
    ASSERT_TRUE(warnsOf(sink.list, "")) << "the preview did not fail";
    const auto memory = sink.list.of<MemoryEvent>();
    ASSERT_EQ(memory.size(), 2U);
    EXPECT_EQ(memory[1].ram.parameterBytes, memory[0].ram.parameterBytes);
}

TEST(TrainFailures, goOnBesideAnOldCheckpointThatCannotBeRemoved) {
    TrainConfig config = tinyDreamBooth(scratchFolder("old-checkpoint"));
    config.output.keepCheckpoints = 2;
    const RunFolder run = makeRun(config);
    // Its name leaves no room for that of something unfinished, under which checkpoints go.
    const std::string old = run.checkpointsDir() + "/step-" + std::string(245, '0');
    StateSink sink("saving", [&] {
        if (fs::exists(old)) return;
        fs::create_directories(old);
        std::ofstream(old + "/unet.safetensors") << "weights";
        ASSERT_TRUE(writeManifest(old, {}).ok());
    });
    JobWorld world;
    const OutcomeEvent outcome =
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(sink.list, "cannot remove an old checkpoint"));
    EXPECT_TRUE(fs::exists(old));
    EXPECT_TRUE(verifyCheckpoint(checkpointOf(config, 4)).ok());
}

TEST(TrainFailures, haveAResultBesideOptimizerStatesThatCannotBeRemoved) {
    TrainConfig config = tinyDreamBooth(scratchFolder("old-states"));
    config.output.keepOptimizerState = false;
    const std::string states = checkpointOf(config, 2) + "/optimizer-unet.safetensors";
    int results = 0;
    StateSink sink("saving", [&] {
        if (sink.list.of<StateEvent>().back().detail != "result") return;
        ++results;
        fs::remove(states);
        fs::create_directories(states + "/in the way"); // nobody removes a folder for a file
    });
    JobWorld world;
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(results, 1);
    EXPECT_TRUE(warnsOf(sink.list, "cannot remove old optimizer states"));
    EXPECT_FALSE(fs::exists(checkpointOf(config, 4) + "/optimizer-unet.safetensors")); // the others go
}

TEST(TrainFailures, goOnWhenAPreviewLacksTheMemoryForAverages) {
    const std::string root = scratchFolder("no-memory");
    TrainConfig config = tinyDreamBooth(root);
    config.optimizer.emaDecay = 0.9;
    config.steps = 3;
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");
    config.output.previewEverySteps = 2;
    FailOnce& memory = FailingAllocator::installed().any;
    StateSink sink("sampling", [&] { memory.arm(1); }); // the next tensors are the averages' originals
    JobWorld world;
    const OutcomeEvent outcome = runTrainJob(config, makeRun(config), sink, world.control, world.pictures,
                                             world.writer, world.options);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(sink.list, "making the previews of step 2: there is not enough memory"));
    EXPECT_TRUE(warnsOf(sink.list, "close other programs, or train without previews")); // it was RAM
    EXPECT_FALSE(warnsOf(sink.list, "\n"));                                             // no stack trace
    expectEqualFolders(checkpointOf(config, 3), root + "/straight/run/checkpoints/step-000003");
}

} // namespace
} // namespace homebooth::core::testing

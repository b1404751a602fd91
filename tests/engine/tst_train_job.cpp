// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole training runs on tiny models: what they leave, and what is asked of them on the way.
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/base/model/model_writer.h"
#include "core/base/plan/training/train_plan.h"

#include "finished_training.h"

#include <chrono>

namespace homebooth::core::testing {
namespace {

TEST(TrainJob, leavesAModelThatOpens) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("full"));
    JobWorld world;
    const OutcomeEvent outcome = finished(config, world);
    ASSERT_EQ(outcome.resultPaths.size(), 2U);
    for (const std::string& path : outcome.resultPaths) {
        const auto model = openModel(path);
        EXPECT_TRUE(model) << model.error().text();
    }
    EXPECT_EQ(world.events.of<StepEvent>().size(), 4U);
    EXPECT_EQ(world.events.of<CheckpointEvent>().size(), 2U);
    EXPECT_GT(world.events.of<MemoryEvent>().front().ram.parameterBytes, 0);
    EXPECT_GT(outcome.measured.residentBytes, 0);
    const auto states = world.events.of<StateEvent>();
    EXPECT_EQ(states.front().state, "loading");
    std::vector<std::string> told; // after what is prepared it is the model that takes its time
    for (const StateEvent& state : states)
        if (state.detail == "texts" || state.detail == "model" || state.state == "training")
            if (told.empty() || told.back() != state.state) told.push_back(state.state);
    EXPECT_EQ(told, (std::vector<std::string>{"caching", "loading", "training"}));
}

int64_t bytesIn(const std::string& folder) {
    int64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
    return bytes;
}

/// A copy of a model with a safety checker in both formats.
std::string withSafetyChecker(const std::string& model, const std::string& folder) {
    fs::copy(fixture(model), folder, fs::copy_options::recursive);
    fs::create_directory(folder + "/safety_checker");
    for (const char* name : {"model.safetensors", "pytorch_model.bin"})
        std::ofstream(folder + "/safety_checker/" + name) << std::string(200'000, 'w');
    std::string index = readText(folder + "/model_index.json");
    const size_t key = index.find("\"safety_checker\"");
    const size_t end = index.find(']', key);
    index.replace(key, end + 1 - key,
                  R"("safety_checker": ["stable_diffusion", "StableDiffusionSafetyChecker"])");
    std::ofstream(folder + "/model_index.json") << index;
    return folder;
}

/// Which a run that begins without the room for it would find out at its end.
TEST(TrainJob, leavesAResultOfTheSizeThatWasPlanned) {
    const std::string root = scratchFolder("result-size");
    for (const std::string model : {"tiny-sd1", "tiny-sdxl", "checked"}) {
        TrainConfig config = tinyDreamBooth(root + "/" + model);
        config.model = model == "checked" ? withSafetyChecker("tiny-sd1", root + "/model") : fixture(model);
        config.steps = 1;
        const auto plan = planTraining(config, *openModel(config.model), {false, 0, int64_t{1} << 45});
        ASSERT_TRUE(plan) << plan.error().text();
        (void)finished(config);
        const int64_t written = bytesIn(config.output.runDir + "/result");
        EXPECT_LE(written, plan->resultBytes) << model;
        EXPECT_GE(written, plan->resultBytes * 9 / 10) << model;
    }
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
    const auto isOfIt = [](const Event& event) {
        const auto* warning = std::get_if<WarningEvent>(&event);
        return warning != nullptr && warning->code == "prompt-truncated";
    };
    const auto isStep = [](const Event& event) { return std::holds_alternative<StepEvent>(event); };
    for (const bool textLearns : {false, true}) {
        TrainConfig config = tinyDreamBooth(scratchFolder("long-caption"));
        config.steps = 1;
        config.trainTextEncoder = textLearns;
        for (int word = 0; word < 100; ++word) config.data.instancePrompt += " dog";
        JobWorld world;
        ASSERT_EQ(runFresh(config, world).result, "done");
        const std::vector<Event>& events = world.events.events;
        EXPECT_EQ(std::count_if(events.begin(), events.end(), isOfIt), 1);
        const auto told = std::find_if(events.begin(), events.end(), isOfIt);
        const auto step = std::find_if(events.begin(), events.end(), isStep);
        ASSERT_LT(told - events.begin(), step - events.begin()); // before anything is learned
        EXPECT_LT(std::get<WarningEvent>(*told).message.size(), 250U);
    }
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
    const OutcomeEvent outcome = finished(config);
    const auto lora = openLora(outcome.resultPaths.front());
    ASSERT_TRUE(lora) << lora.error().text();
    const auto model = openModel(config.model);
    ASSERT_TRUE(model);
    EXPECT_TRUE(checkLoraFits(*lora, *model));
    for (const auto& [key, value] :
         std::map<std::string, std::string>{{"modelspec.title", "a photo of sks dog"},
                                            {"ss_sd_model_name", "tiny-sd1"},
                                            {"ss_steps", "4"},
                                            {"ss_learning_rate", "0.001"},
                                            {"ss_num_train_images", "3"},
                                            {"ss_tag_frequency", R"({"photos":{"a photo of sks dog":3}})"}})
        EXPECT_EQ(lora->metadata.at(key), value) << key;
    // Only the adapters are in the checkpoint.
    EXPECT_LT(fs::file_size(checkpointOf(config, 4) + "/unet.safetensors"),
              fs::file_size(fixture("tiny-sd1/unet/diffusion_pytorch_model.safetensors")) / 2);
}

/// What its base says of itself does not hold for it, but for the licence.
TEST(TrainJob, leavesAResultThatSaysWhatItIs) {
    const std::string root = scratchFolder("card");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 1;
    config.model = root + "/base";
    fs::copy(fixture("tiny-sd1"), config.model, fs::copy_options::recursive);
    std::ofstream(config.model + "/README.md") << "---\nlicense: openrail\n---\nA model of cats.\n";
    std::ofstream(config.model + "/LICENSE.md") << "terms";
    const OutcomeEvent outcome = finished(config);
    const std::string card = readText(outcome.resultPaths.front() + "/README.md");
    for (const char* part : {"license: openrail\n", "base_model: \"base\"\n", "    a photo of sks dog\n",
                             "1 step ", "instance_prompt: \"a photo of sks dog\"\n", "64 x 64 pixels"})
        EXPECT_NE(card.find(part), std::string::npos) << part << " in " << card;
    for (const std::string& part : {std::string("cats"), root})
        EXPECT_EQ(card.find(part), std::string::npos) << part << " in " << card;
    EXPECT_EQ(readText(outcome.resultPaths.front() + "/LICENSE.md"), "terms");
    for (const std::string& path : outcome.resultPaths) {
        const auto model = openModel(path);
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_EQ(model->metadata.at("modelspec.license"), "openrail") << path;
        EXPECT_EQ(model->metadata.at("modelspec.trigger_phrase"), "a photo of sks dog") << path;
    }
    config.method = TrainMethod::Lora;
    config.lora.rank = 2;
    const auto lora = openLora(finished(inFolder(config, root + "/lora")).resultPaths.front());
    ASSERT_TRUE(lora) << lora.error().text();
    EXPECT_EQ(lora->metadata.at("modelspec.license"), "openrail");
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

TEST(TrainJob, obeysWhatIsAskedForDuringAPreview) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("asked-meanwhile"));
    JobWorld world;
    world.control.sampleNow = true;
    struct StopOncePreviewed : EventList {
        explicit StopOncePreviewed(TrainControl& given)
            : control(given) {}
        void emit(const Event& event) override {
            EventList::emit(event);
            if (std::holds_alternative<PreviewEvent>(event)) control.stop.request();
        }
        TrainControl& control;
    } sink(world.control);
    EXPECT_EQ(
        runTrainJob(config, makeRun(config), sink, world.control, world.pictures, world.writer, world.options)
            .result,
        "cancelled");
    EXPECT_TRUE(sink.of<StepEvent>().empty()); // not after one more
}

TEST(TrainJob, waitsWhilePaused) {
    TrainConfig config = tinyDreamBooth(scratchFolder("paused"));
    config.steps = 1;
    JobWorld world;
    world.control.paused = true;
    struct GoOnOnceSaved : EventSink {
        explicit GoOnOnceSaved(TrainControl& given)
            : control(given) {}
        void emit(const Event& event) override {
            const auto* state = std::get_if<StateEvent>(&event);
            if (state == nullptr || state->state != "paused") return;
            control.paused = ++timesPaused < 2;
            control.saveNow = control.paused.load();
        }
        TrainControl& control;
        int timesPaused = 0; // again after saving
    } sink(world.control);
    const RunFolder run = makeRun(config);
    EXPECT_EQ(
        runTrainJob(config, run, sink, world.control, world.pictures, world.writer, world.options).result,
        "done");
    EXPECT_FALSE(world.control.paused); // it said so before its only step
}

TEST(TrainJob, saysAfterSavingThatItLearns) {
    TrainConfig config = tinyDreamBooth(scratchFolder("says"));
    config.steps = 3;
    config.output.checkpointEverySteps = 1;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    std::string state;
    for (const Event& event : world.events.events) {
        if (const auto* said = std::get_if<StateEvent>(&event)) state = said->state;
        if (std::holds_alternative<StepEvent>(event)) {
            EXPECT_EQ(state, "training");
        }
    }
}

TEST(TrainJob, writesPreviews) {
    TrainConfig config = tinyDreamBooth(scratchFolder("previews"));
    config.steps = 3; // of which the last one has some in any case
    config.output.previewEverySteps = 2;
    config.output.previewCount = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto previews = world.events.of<PreviewEvent>();
    ASSERT_EQ(previews.size(), 4U);
    EXPECT_EQ(previews.back().step, 3);
    for (const PreviewEvent& preview : previews) EXPECT_TRUE(fs::exists(preview.path));
}

TEST(TrainJob, measuresTheStepOfAOneStepRun) {
    TrainConfig config = tinyDreamBooth(scratchFolder("one-step"));
    config.steps = 1;
    const OutcomeEvent outcome = finished(config);
    EXPECT_GT(outcome.measured.stepSeconds, 0.0);
}

} // namespace
} // namespace homebooth::core::testing

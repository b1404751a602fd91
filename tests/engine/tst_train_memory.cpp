// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs whose memory changes on the way: they go on from the same step, say so, and end with the same bytes.
#include "core/base/system/memory_facts.h"
#include "core/engine/data/listed_pictures.h"
#include "core/engine/data/picture_counts.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/training/model_bundle.h"

#include "failing_once.h"
#include "training_support.h"

#include <fstream>
#include <functional>
#include <new>

namespace homebooth::core::testing {
namespace {

/// Does something when a step has ended.
class SteppedEvents : public EventSink {
public:
    void emit(const Event& event) override {
        list.emit(event);
        if (const auto* step = std::get_if<StepEvent>(&event); step != nullptr && afterStep)
            afterStep(step->step);
    }
    EventList list;
    std::function<void(int64_t)> afterStep;
};

TrainConfig smallBf16(const std::string& root, int64_t resolution) {
    TrainConfig config = tinyDreamBooth(root);
    config.data.resolutionPixels = resolution;
    config.precision = Precision::Bf16;
    config.optimizer.kind = OptimizerKind::AdamW8bit;
    config.steps = 6;
    config.output.checkpointEverySteps = 6;
    return config;
}

OutcomeEvent runWith(const TrainConfig& config, EventSink& events) {
    JobWorld world;
    const RunFolder run = makeRun(config);
    return runTrainJob(config, run, events, world.control, world.pictures, world.writer, world.options);
}

class TrainMemory : public ::testing::Test {
protected:
    static void SetUpTestSuite() { FailingAllocator::installed(); }
    static FailOnce& allocations() { return FailingAllocator::installed().deviceTier; }
    void TearDown() override {
        allocations().arm(0);
        limitDeviceTier(0);
    }
};

TEST_F(TrainMemory, plansOnceMoreWhenTheFirstStepsAreMeasured) {
    const TrainConfig config = smallBf16(scratchFolder("measured"), 64);
    EventList events;
    ASSERT_EQ(runWith(config, events).result, "done");
    const auto plans = events.of<PlanEvent>();
    ASSERT_EQ(plans.size(), 2U);
    EXPECT_NE(plans.front().decisions.front().text.find("as the run begins"), std::string::npos);
    EXPECT_GT(plans.back().predicted.stepSeconds, 0.0);
    EXPECT_GT(plans.back().predicted.ramBytes, 0);
    EXPECT_NE(plans.back().decisions.front().text.find("measured"), std::string::npos);
    EXPECT_EQ(events.of<WarningEvent>().size(), 0U);
}

TEST_F(TrainMemory, countsStepsAndNotThePreviewsBetweenThem) {
    const std::string root = scratchFolder("previews");
    TrainConfig plain = smallBf16(root + "/a", 256);
    plain.steps = 3;
    TrainConfig previewing = smallBf16(root + "/b", 256);
    previewing.data.instanceDir = plain.data.instanceDir;
    previewing.steps = 3;
    previewing.output.previewEverySteps = 1;
    EventList events;
    const OutcomeEvent steps = runWith(plain, events);
    const OutcomeEvent both = runWith(previewing, events);
    ASSERT_EQ(steps.result, "done") << steps.message;
    ASSERT_EQ(both.result, "done") << both.message;
    EXPECT_EQ(events.of<PreviewEvent>().size(), 3U);
    EXPECT_GT(steps.measured.deviceBytes, 0);
    EXPECT_EQ(both.measured.deviceBytes, steps.measured.deviceBytes);
}

TEST_F(TrainMemory, goesOnWhenTheDeviceBecomesSmallerOnTheWay) {
    const std::string root = scratchFolder("shrinking");
    TrainConfig roomy = smallBf16(root + "/a", 256);
    roomy.memory.deviceBytes = int64_t{1} << 30;
    EventList undisturbed;
    ASSERT_EQ(runWith(roomy, undisturbed).result, "done");

    TrainConfig shrinking = smallBf16(root + "/b", 256);
    shrinking.data.instanceDir = roomy.data.instanceDir;
    shrinking.memory.deviceBytes = int64_t{1} << 30;
    SteppedEvents events;
    events.afterStep = [&](int64_t step) {
        if (step == 2) { // below what it takes now, above the least
            const int64_t held = tierUse(Tier::Device).currentBytes;
            const int64_t peak = tierUse(Tier::Device).peakBytes;
            shrinking.memory.deviceBytes = held + (peak - held) * 7 / 10;
        }
    };
    const OutcomeEvent outcome = runWith(shrinking, events);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(events.list, "memory ran out")) << "the user is told";
    EXPECT_EQ(events.list.of<StepEvent>().size(), 6U); // none is done twice
    ASSERT_GE(events.list.of<PlanEvent>().size(), 2U);
    EXPECT_LT(events.list.of<PlanEvent>().back().predicted.deviceBytes,
              undisturbed.of<PlanEvent>().back().predicted.deviceBytes);
    expectEqualFolders(checkpointOf(shrinking, 6), checkpointOf(roomy, 6));
}

/// Tells a run, while it makes a preview, that there is no memory left.
class NoRoomForPreviews : public EventSink {
public:
    NoRoomForPreviews() = default;
    ~NoRoomForPreviews() { ::unsetenv(kRamLimitVariable); }
    NoRoomForPreviews(const NoRoomForPreviews&) = delete;
    NoRoomForPreviews& operator=(const NoRoomForPreviews&) = delete;
    void emit(const Event& event) override {
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr) return;
        if (state->state == "sampling")
            ::setenv(kRamLimitVariable, "1", 1);
        else
            ::unsetenv(kRamLimitVariable);
    }
};

/// A processor is refused no memory, and its process would be killed.
TEST_F(TrainMemory, decodesPreviewsInTilesWhereItIsShort) {
    for (const int64_t resolution : {64, 128}) { // a tile has 64 pixels
        TrainConfig config = tinyDreamBooth(scratchFolder("tiled-previews"));
        config.data.resolutionPixels = resolution;
        config.steps = 2;
        config.output.previewEverySteps = 2;
        const auto previewWith = [&](EventSink& events, const std::string& name) {
            const TrainConfig own = inFolder(config, scratchFolder(name));
            EXPECT_EQ(runWith(own, events).result, "done");
            return fileBytes(own.output.runDir + "/samples/step-000002-00.png");
        };
        EventList plenty;
        const std::string whole = previewWith(plenty, "tiled-previews-whole");
        NoRoomForPreviews none;
        const std::string tiled = previewWith(none, "tiled-previews-short");
        ASSERT_FALSE(whole.empty());
        EXPECT_EQ(tiled.size(), whole.size());
        EXPECT_EQ(tiled == whole, resolution == 64);
    }
}

/// Does something when a checkpoint has been written, or a validation has ended.
class SavedEvents : public EventSink {
public:
    void emit(const Event& event) override {
        list.emit(event);
        const auto* saved = std::get_if<CheckpointEvent>(&event);
        if (saved != nullptr && afterSave) afterSave(saved->step);
        const auto* validated = std::get_if<ValidationEvent>(&event);
        if (validated != nullptr && afterValidation) afterValidation(validated->step);
    }
    EventList list;
    std::function<void(int64_t)> afterSave;
    std::function<void(int64_t)> afterValidation;
};

TEST_F(TrainMemory, goesOnWhenAValidationLacksIt) {
    const std::string root = scratchFolder("validation");
    TrainConfig plain = tinyDataset(root); // saves and validates at steps 2 and 4
    plain.data.validationShare = 0.34;
    plain.optimizer.emaDecay = 0.9;
    int64_t count = 0; // allocations of the validation at step 2
    SavedEvents straight;
    straight.afterSave = [&](int64_t) { allocations().restartCount(); };
    straight.afterValidation = [&](int64_t step) { count = step == 2 ? allocations().counted() : count; };
    ASSERT_EQ(runWith(plain, straight).result, "done");
    ASSERT_GT(count, 100);
    for (const int64_t nth :
         {int64_t{1}, count / 2, count * 3 / 4}) { // for the averages, and amid the pictures
        const TrainConfig config = inFolder(plain, root + "/" + std::to_string(nth));
        SavedEvents events;
        events.afterSave = [&](int64_t step) { allocations().arm(step == 2 ? nth : 0); };
        const OutcomeEvent outcome = runWith(config, events);
        ASSERT_EQ(outcome.result, "done") << "allocation " << nth << ": " << outcome.message;
        const auto warnings = events.list.of<WarningEvent>();
        ASSERT_EQ(warnings.size(), 1U) << nth;
        EXPECT_EQ(warnings.front().code, "validation-failed");
        EXPECT_NE(warnings.front().message.find("step 2"), std::string::npos) << warnings.front().message;
        const auto points = events.list.of<ValidationEvent>();
        ASSERT_EQ(points.size(), 2U);
        EXPECT_EQ(points.back().step, 4);
        EXPECT_EQ(points.back().loss, straight.list.of<ValidationEvent>().back().loss);
        expectEqualFolders(checkpointOf(config, 4), checkpointOf(plain, 4));
    }
}

/// What a run says that its latents and encoded captions take is what they take.
/// @param known  whether a look at the folders tells as much
void expectPlannedAsHeld(const TrainConfig& config, bool known) {
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const int64_t held = world.events.of<MemoryEvent>().back().ram.cacheBytes;
    EXPECT_GT(held, 0);
    for (const PlanEvent& plan : world.events.of<PlanEvent>()) {
        const auto told = std::find_if(plan.decisions.begin(), plan.decisions.end(),
                                       [](const auto& one) { return one.code == kPicturesInRam; });
        ASSERT_NE(told, plan.decisions.end());
        EXPECT_EQ(static_cast<int64_t>(told->facts.at("heldBytes")), held);
    }
    const ModelSource model = *openModel(config.model);
    const PictureCounts counts = countPictures(config, model, world.pictures);
    const int64_t foreseen = heldPictureBytes(counts, config, model);
    EXPECT_GE(foreseen, held);
    if (known) {
        EXPECT_EQ(foreseen, held);
    }
}

TEST_F(TrainMemory, countsTheLatentsAndCaptionsThatStayInIt) {
    const std::string root = scratchFolder("held");
    TrainConfig pictures = tinyDataset(root + "/pictures", 60);
    pictures.data.flip = true;
    pictures.data.validationShare = 0.1;
    pictures.data.captionDropout = 0.1;
    pictures.data.startResolutionPixels = 32;
    pictures.data.startSteps = 1;
    pictures.steps = 2;
    expectPlannedAsHeld(pictures, /*known=*/pictures.data.framing == FramingMode::Crop);
    TrainConfig photos = tinyDreamBooth(root + "/photos");
    photos.model = fixture("tiny-sdxl");
    photos.memory.policy = PlacementPolicy::Cpu;
    photos.data.classPrompt = "a dog";
    photos.data.classDir = root + "/classes";
    photos.data.classImageCount = 2;
    photos.precision = Precision::Bf16;
    photos.steps = 2;
    photos.data.captionDropout = 0.5; // zeros, of which nothing is held
    expectPlannedAsHeld(photos, /*known=*/true);
    photos.data.captionDropout = 0.0;
    photos = inFolder(photos, root + "/text");
    photos.model = fixture("tiny-sd1");
    photos.trainTextEncoder = true; // captions are tokens then
    expectPlannedAsHeld(photos, /*known=*/true);
}

int64_t trainedIn(const PictureCounts& counts) {
    int64_t pictures = 0;
    for (const auto& [size, count] : counts.trained) pictures += count;
    return pictures;
}

TEST_F(TrainMemory, countsWhatIsListedInPlaceOfAFolder) {
    const std::string root = scratchFolder("listed");
    TrainConfig config = tinyDreamBooth(root); // of three photos
    const ModelSource model = *openModel(config.model);
    const std::string list = root + "/list.jsonl";
    std::ofstream(list) << R"({"file_name":")" << config.data.instanceDir << R"(/photo0.ppm"})"
                        << "\n\n"
                        << R"({"file_name":")" << config.data.instanceDir
                        << R"(/photo2.ppm","text":"at night"})";
    const auto listed = readListedPictures(list, config.data.instancePrompt);
    ASSERT_TRUE(listed.ok()) << listed.error().text();
    ASSERT_EQ(listed->size(), 2U);
    EXPECT_EQ(listed->front().captions, std::vector<std::string>{"a photo of sks dog"});
    EXPECT_EQ(listed->back().captions, std::vector<std::string>{"at night"});
    PpmSource pictures;
    EXPECT_EQ(trainedIn(countPictures(config, model, pictures)), 3);
    PictureCounts counts = countPictures(config, model, pictures, &*listed);
    EXPECT_EQ(trainedIn(counts), 2);
    EXPECT_EQ(counts.texts, 2);
    config.mode = TrainMode::Dataset; // of several subjects
    config.data.datasetDir = config.data.instanceDir;
    counts = countPictures(config, model, pictures, &*listed);
    EXPECT_EQ(trainedIn(counts), 2);
    EXPECT_EQ(counts.texts, 2);
    std::ofstream(list) << R"({"file_name":"photo0.ppm"})";
    const auto refused = readListedPictures(list, "");
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().text().find("line 1"), std::string::npos) << refused.error().text();
}

/// All of so much.
HeldPictures allHeld(int64_t bytes) {
    return {{}, bytes, bytes, 0};
}

/// Which are no part of what steps may take.
TEST_F(TrainMemory, isLeftToLatentsAndCaptionsByTheSteps) {
    const TrainConfig config = tinyDataset(scratchFolder("left"));
    const RunFolder run = makeRun(config);
    JobWorld world;
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    const auto model = ModelBundle::open(job);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_TRUE((*model)->planSteps({allHeld(int64_t{1} << 20)}));
    const auto refused = (*model)->planSteps({allHeld(int64_t{1} << 60)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
    EXPECT_EQ(refused.error().message.find("--text"), std::string::npos) << refused.error().message;
}

/// Which is less once a checkpoint is there.
TEST_F(TrainMemory, thatRanOutIsAnsweredWithWhatMayStillChange) {
    for (const bool begun : {false, true}) {
        TrainConfig config = smallBf16(scratchFolder(begun ? "ran-out-later" : "ran-out-early"), 64);
        config.output.checkpointEverySteps = begun ? 1 : 6;
        SteppedEvents events;
        events.afterStep = [](int64_t step) {
            if (step == 2) throw std::bad_alloc();
        };
        const OutcomeEvent outcome = runWith(config, events);
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::OutOfResources)) << outcome.message;
        const auto names = [&outcome](const char* option) {
            return outcome.message.find(option) != std::string::npos;
        };
        EXPECT_TRUE(names("--ram") && names("--swap FOLDER")) << outcome.message;
        EXPECT_EQ(names("--method lora") && names("--resolution"), !begun) << outcome.message;
        EXPECT_EQ(names("--method lora") || names("--resolution"), !begun) << outcome.message;
    }
}

TEST_F(TrainMemory, survivesAnyAllocationThatFailsOnce) {
    const std::string root = scratchFolder("fails-once");
    TrainConfig plain = smallBf16(root + "/plain", 64);
    plain.steps = 3;
    int64_t begin = 0;
    SteppedEvents counting;
    counting.afterStep = [&](int64_t step) {
        if (step == 1) allocations().restartCount();
        if (step == 2) begin = allocations().counted();
    };
    ASSERT_EQ(runWith(plain, counting).result, "done");
    ASSERT_GT(begin, 100); // allocations of the second step
    const int64_t stride = std::max<int64_t>(begin / 8, 1);
    for (int64_t nth = 1; nth < begin; nth += stride) {
        TrainConfig config = smallBf16(root + "/" + std::to_string(nth), 64);
        config.data.instanceDir = plain.data.instanceDir;
        config.steps = 3;
        SteppedEvents events;
        events.afterStep = [&](int64_t step) {
            if (step == 1) allocations().arm(nth);
        };
        const OutcomeEvent outcome = runWith(config, events);
        ASSERT_TRUE(allocations().struck()) << nth;
        ASSERT_EQ(outcome.result, "done") << "allocation " << nth << ": " << outcome.message;
        EXPECT_TRUE(warnsOf(events.list, "memory ran out")) << nth;
        expectEqualFolders(checkpointOf(config, 3), checkpointOf(plain, 3));
    }
}

} // namespace
} // namespace homebooth::core::testing

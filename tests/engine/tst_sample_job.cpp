// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Generation as a job: files, events, outcomes.
#include "core/base/config/step_spacing.h"
#include "core/base/model/model_hash.h"
#include "core/base/model/model_writer.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/text/prompt_syntax.h"
#include "sample_job_fixture.h"

#include <chrono>

namespace homebooth::core {
namespace {

using namespace sampling_test;

TEST_F(SampleJob, writesEachPictureWithItsParameters) {
    config.count = 3;
    config.batchSize = 2;
    const OutcomeEvent outcome = run();
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(outcome.code, 0);
    ASSERT_EQ(outcome.resultPaths.size(), 3U);
    EXPECT_EQ(fs::path(outcome.resultPaths[0]).filename(), "00000-11.png");
    EXPECT_EQ(fs::path(outcome.resultPaths[2]).filename(), "00002-13.png");
    const auto facts = parseGenerationParameters(picture("00001-12.png").text.at("parameters"));
    EXPECT_EQ(facts.prompt, config.prompt);
    EXPECT_EQ(facts.negativePrompt, config.negativePrompt);
    EXPECT_EQ(facts.seed, 12U);
    EXPECT_EQ(facts.sampler, "Euler");
    EXPECT_EQ(facts.widthPixels, 64);
    EXPECT_EQ(facts.model, "tiny-sd1");
    EXPECT_EQ(facts.modelHash.size(), 10U);
    EXPECT_GT(outcome.measured.stepSeconds, 0.0);
    EXPECT_GT(outcome.measured.residentBytes, 0);
}

TEST_F(SampleJob, neverReplacesAFile) {
    std::ofstream(folder() / "00000-11.png") << "mine";
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(pictures.files.begin()->first, (folder() / "00001-11.png").string());
}

TEST_F(SampleJob, keepsTheModelBetweenJobs) {
    ASSERT_EQ(run().result, "done");
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 1);
    config.precision = Precision::Bf16;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 2);
    EXPECT_EQ(picture("00000-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
}

TEST_F(SampleJob, aModelThatWasWrittenOverInPlaceIsReadAgain) {
    const fs::path model = folder() / "own";
    fs::copy(fixturePath("tiny-sd1"), model, fs::copy_options::recursive);
    config.model = model.string();
    ASSERT_EQ(run().result, "done");
    const fs::path weights = model / "unet/diffusion_pytorch_model.safetensors";
    const auto folderTime = fs::last_write_time(model / "unet");
    fs::last_write_time(weights, fs::last_write_time(weights) + std::chrono::seconds(1));
    ASSERT_EQ(fs::last_write_time(model / "unet"), folderTime);
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 2);
}

TEST_F(SampleJob, aModelThatDoesNotSayHowItPredictsIsTriedBothWays) {
    const fs::path model = folder() / "silent";
    fs::copy(fixturePath("tiny-sd1"), model, fs::copy_options::recursive);
    fs::remove_all(model / "scheduler");
    config.model = model.string();
    ASSERT_EQ(run().result, "done");
    config.predictionType = "epsilon"; // as is assumed
    ASSERT_EQ(run().result, "done");
    config.predictionType = "v_prediction";
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00000-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
    EXPECT_NE(picture("00000-11.png").picture.rgb, picture("00002-11.png").picture.rgb);
    config.predictionType = "noise";
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
}

TEST_F(SampleJob, anotherPredictionThanTheModelsIsTakenWhereItIsAskedFor) {
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings("model"), 0);
    config.predictionType = "v_prediction";
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00000-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
    EXPECT_EQ(warnings("model"), 1);
}

TEST_F(SampleJob, noiseAloneIsBegunWithWhereItIsAskedFor) {
    config.predictionType = "v_prediction";
    ASSERT_EQ(run().result, "done");
    config.zeroTerminalSnr = true; // of the same model, which is opened again
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00000-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
    config.sampler = SamplerKind::Pndm;
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
    config.sampler = SamplerKind::Ddim;
    ASSERT_EQ(run().result, "done");
    config.predictionType = "epsilon"; // of noise alone nothing is to be predicted
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
}

TEST_F(SampleJob, picturesTellOfTheModelsOwnSpacing) {
    const fs::path model = folder() / "karras";
    fs::copy(fixturePath("tiny-sd1"), model, fs::copy_options::recursive);
    auto scheduler = readJson("tiny-sd1/scheduler/scheduler_config.json");
    scheduler["use_karras_sigmas"] = true;
    std::ofstream(model / "scheduler/scheduler_config.json") << scheduler.dump();
    const auto spacing = [this](const char* name) {
        return parseGenerationParameters(picture(name).text.at("parameters")).scheduleType;
    };
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(spacing("00000-11.png"), "Uniform");
    config.karrasSigmas = true;
    ASSERT_EQ(run().result, "done");
    config.model = model.string();
    config.karrasSigmas = false;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(spacing("00002-11.png"), "Karras");
    EXPECT_EQ(picture("00002-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
    config.sampler = SamplerKind::Ddim; // which has one spacing alone
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(spacing("00003-11.png"), "Automatic");
}

TEST_F(SampleJob, picturesTellOfTrailingSteps) {
    ASSERT_EQ(run().result, "done");
    config.stepSpacing = StepSpacing::Trailing;
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00000-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
    EXPECT_EQ(factsOf("00001-11.png").scheduleType, "SGM Uniform");
    config.karrasSigmas = true;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(factsOf("00002-11.png").scheduleType, "Karras");
    config.sampler = SamplerKind::Lcm;
    config.karrasSigmas = false;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(factsOf("00003-11.png").scheduleType, "Automatic");
    for (const char* name : {"00001-11.png", "00002-11.png"}) EXPECT_TRUE(usedTrailingSteps(factsOf(name)));
    for (const char* name : {"00000-11.png", "00003-11.png"}) EXPECT_FALSE(usedTrailingSteps(factsOf(name)));
    const fs::path model = folder() / "trailing";
    fs::copy(fixturePath("tiny-sd1"), model, fs::copy_options::recursive);
    auto scheduler = readJson("tiny-sd1/scheduler/scheduler_config.json");
    scheduler["timestep_spacing"] = "trailing";
    std::ofstream(model / "scheduler/scheduler_config.json") << scheduler.dump();
    config.model = model.string();
    config.sampler = SamplerKind::Euler;
    config.stepSpacing = StepSpacing::Model; // which is the same
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(factsOf("00004-11.png").scheduleType, "SGM Uniform");
    EXPECT_EQ(picture("00004-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
}

TEST_F(SampleJob, ofFewStepsItSaysWhatTheirModelsNeed) {
    config.guidanceScale = 1.0;
    config.count = 2;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kFewSteps), 1);
    EXPECT_NE(events.of<WarningEvent>().back().message.find("--spacing trailing"), std::string::npos);
    config.stepSpacing = StepSpacing::Trailing;
    ASSERT_EQ(run().result, "done");
    config.stepSpacing = StepSpacing::Model;
    config.guidanceScale = 5.0;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kFewSteps), 1);
}

TEST_F(SampleJob, aSingleFileIsReadAgainWhereWhatLiesBesideItChanged) {
    const auto model = openPictureModel(fixturePath("tiny-sd1"));
    ASSERT_TRUE(model);
    config.model = (folder() / "own.v1.safetensors").string();
    ASSERT_TRUE(writeSingleFile(*model, config.model));
    const fs::path beside = folder() / "own.v1.yaml";
    ASSERT_EQ(run().result, "done");
    std::ofstream(beside) << "parameterization: v\n";
    for (int job = 0; job < 2; ++job) ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 2);
    fs::last_write_time(beside, fs::last_write_time(beside) + std::chrono::seconds(1));
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 3);
    fs::remove(beside);
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 4);
}

TEST_F(SampleJob, progressRisesToItsTotal) {
    config.count = 3;
    config.batchSize = 2;
    ASSERT_EQ(run().result, "done");
    int64_t last = -1;
    for (const StateEvent& state : events.of<StateEvent>()) {
        if (state.state != "sampling") continue;
        EXPECT_GE(state.done, last);
        last = state.done;
        EXPECT_EQ(state.total, 3 * (config.steps + 1));
    }
    EXPECT_EQ(last, 3 * (config.steps + 1));
}

TEST_F(SampleJob, previewsAreShownAndTidiedUp) {
    config.previewEverySteps = 1;
    const auto twoDaysAgo = fs::file_time_type::clock::now() - std::chrono::hours(48);
    const fs::path others = folder() / ".preview-99999999-4.png"; // perhaps of another machine's job
    std::ofstream(others) << "png";
    for (const char* name : {".preview-0.png", ".preview-99999999-3.png"}) { // of jobs that were killed
        std::ofstream(folder() / name) << "png";
        fs::last_write_time(folder() / name, twoDaysAgo);
    }
    ASSERT_EQ(run().result, "done");
    EXPECT_TRUE(fs::remove(others));
    const auto previews = events.of<PreviewEvent>();
    ASSERT_EQ(previews.size(), 3U); // after steps 1 and 2, and the picture itself
    EXPECT_EQ(previews.back().path, (folder() / "00000-11.png").string());
    int files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder())) ++files;
    EXPECT_EQ(files, 1);
}

TEST_F(SampleJob, cancellingKeepsWhatIsThere) {
    class StopAfterFirst : public Events {
    public:
        explicit StopAfterFirst(CancelToken token)
            : m_token(std::move(token)) {}
        void emit(const Event& event) override {
            Events::emit(event);
            if (std::holds_alternative<PreviewEvent>(event)) m_token.request();
        }

    private:
        CancelToken m_token;
    } stopping(cancel);
    config.count = 5;
    const OutcomeEvent outcome = session.run(config, stopping, cancel);
    EXPECT_EQ(outcome.result, "cancelled");
    EXPECT_EQ(outcome.code, 5);
    EXPECT_EQ(outcome.resultPaths.size(), 1U);
    EXPECT_NE(outcome.kept.find("1 of 5"), std::string::npos);
}

TEST_F(SampleJob, failuresSayWhatTheyAre) {
    config.model = "/nowhere";
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
    config.model = fixturePath("tiny-sd1");
    config.widthPixels = 63;
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::Usage));
    config.widthPixels = 0;
    config.clipSkip = 99;
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::Usage));
    config.clipSkip = 0;
    config.initImage = "missing.png";
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
    config.initImage.clear();
    config.loras = {{fixturePath("tiny-sd1/unet/diffusion_pytorch_model.safetensors"), 1.0}};
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
    config.loras.clear();
    EXPECT_EQ(run().result, "done"); // the session stays usable
}

TEST_F(SampleJob, aFinishedPictureWaitsForRoomOnTheDisk) {
    pictures.full = 1;
    EXPECT_EQ(run().result, "done"); // room came
    EXPECT_EQ(events.states(kWaitsForRoom), 1);
    EXPECT_EQ(pictures.files.size(), 1U);
    class StopsWaiting : public Events {
    public:
        explicit StopsWaiting(CancelToken token)
            : m_token(std::move(token)) {}
        void emit(const Event& event) override {
            Events::emit(event);
            if (states(kWaitsForRoom) > 0) m_token.request();
        }

    private:
        CancelToken m_token;
    } stopping(cancel);
    pictures.full = 1;
    const OutcomeEvent full = session.run(config, stopping, cancel);
    EXPECT_EQ(full.code, static_cast<int>(ErrorCode::OutOfResources)); // and not only stopped: one is lost
    EXPECT_NE(full.kept.find("0 of 1"), std::string::npos);
}

TEST_F(SampleJob, aFinishedPictureGoesToAFolderWithRoom) {
    SampleShare share;
    class MovesOnce : public Events {
    public:
        MovesOnce(PictureFolder folder, std::string to)
            : m_folder(std::move(folder))
            , m_to(std::move(to)) {}
        void emit(const Event& event) override {
            Events::emit(event);
            if (states(kWaitsForRoom) == 1) m_folder.move(m_to);
        }

    private:
        PictureFolder m_folder;
        std::string m_to;
    } moving(share.folder, (folder() / "other" / "disk").string());
    pictures.full = 2; // the other one, too, which is told as well
    config.count = 2;
    const OutcomeEvent outcome = session.run(config, moving, cancel, share);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(moving.states(kWaitsForRoom), 2);
    ASSERT_EQ(outcome.resultPaths.size(), 2U);
    for (const std::string& path : outcome.resultPaths) {
        EXPECT_EQ(fs::path(path).parent_path(), folder() / "other" / "disk");
        EXPECT_TRUE(fs::exists(path));
    }
    // One that it was told before its first picture, and that cannot be one.
    share.folder.move(outcome.resultPaths[0] + "/below");
    MovesOnce back(share.folder, (folder() / "other").string());
    EXPECT_EQ(session.run(config, back, cancel, share).result, "done");
    EXPECT_EQ(back.states(kWaitsForRoom), 1);
}

TEST_F(SampleJob, startPicturesGiveTheSize) {
    config.initImage = "start.png";
    config.steps = 4;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00000-11.png").picture.widthPixels, 48);
    const auto facts = parseGenerationParameters(picture("00000-11.png").text.at("parameters"));
    EXPECT_EQ(facts.strength, config.strength);
}

TEST_F(SampleJob, photosToStartFromShrinkToTheModelsArea) {
    config.initImage = "start.png";
    config.steps = 4;
    pictures.start = {8000, 6000};
    ASSERT_EQ(run().result, "done");
    const Picture& whole = picture("00000-11.png").picture; // the tiny model's own side is 64
    EXPECT_EQ(whole.widthPixels, 72);
    EXPECT_EQ(whole.heightPixels, 56);
    config.widthPixels = 96;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00001-11.png").picture.heightPixels, 72);
}

TEST_F(SampleJob, aSideThatAPictureGivesIsPlannedFor) {
    pictures.start = {100, 400};
    config.initImage = "start.png";
    config.widthPixels = 128;
    const auto taken = [this](int64_t height) {
        SampleConfig sized = config;
        sized.heightPixels = height;
        sized.deviceBytes = 0;
        const MachineLimits host{false, 0, int64_t{1} << 40};
        return totalBytes(planSampling(sized, *openModel(config.model), host)->tier);
    };
    ASSERT_GT(taken(512), taken(64)); // the shape's, and the model's own
    config.deviceBytes = taken(64);
    for (const int64_t count : {1, 2}) { // once more with the model there
        ASSERT_EQ(run().result, "done");
        EXPECT_EQ(warnings(kVaeTiling), count);
    }
    EXPECT_EQ(picture("00000-11.png").picture.heightPixels, 512);
    config.deviceBytes = taken(512);
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kVaeTiling), 2);
}

TEST_F(SampleJob, aPictureThatIsTooLongForItsOtherSideIsRefusedBeforeLoading) {
    pictures.start = {100, 8000};
    config.initImage = "start.png";
    config.widthPixels = 128;
    const OutcomeEvent refused = run();
    EXPECT_EQ(refused.code, static_cast<int>(ErrorCode::Usage));
    for (const char* part : {"--width", "128 x 10240", "100 x 8000"})
        EXPECT_NE(refused.message.find(part), std::string::npos) << refused.message;
    EXPECT_EQ(events.states("loading"), 0);
    config.heightPixels = 64; // it is cut
    EXPECT_EQ(run().result, "done");
}

TEST_F(SampleJob, whatOtherProgramsDoWithPromptsIsWarnedOf) {
    config.prompt = "a photo of ((sks dog)) (small:1.2), <cat-toy>";
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kPromptSyntax), 0);
    config.prompt = "(masterpiece:1.2), sks dog <lora:dog:0.8> BREAK a hat";
    config.negativePrompt = "[ugly|grey]";
    config.count = 2;
    ASSERT_EQ(run().result, "done"); // with all of it as words
    EXPECT_EQ(warnings(kPromptSyntax), 3);
    std::string told;
    for (const WarningEvent& warning : events.of<WarningEvent>()) told.append(warning.message).append("\n");
    for (const char* part : {"\"<lora:dog:0.8>\"", "--lora FILE:WEIGHT", "\"BREAK\"", "\"[ugly|grey]\""})
        EXPECT_NE(told.find(part), std::string::npos) << told;
    config.guidanceScale = 1.0; // without the negative prompt
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kPromptSyntax), 5);
}

TEST_F(SampleJob, bracketsWeighWords) {
    ASSERT_EQ(run().result, "done");
    const auto plain = picture("00000-11.png").picture.rgb;
    config.prompt = "a (photo:1.0) of sks dog";
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00001-11.png").picture.rgb, plain);
    config.prompt = "a photo of sks (dog:1.4)";
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00002-11.png").picture.rgb, plain);
    EXPECT_EQ(factsOf("00002-11.png").prompt, config.prompt); // as it was typed
    EXPECT_TRUE(events.of<WarningEvent>().empty());
}

TEST_F(SampleJob, namesAModelAsItsFolderOrItsFile) {
    const fs::path model = folder() / "tiny-1.5";
    fs::copy(fixturePath("tiny-sd1"), model, fs::copy_options::recursive);
    config.model = model.string() + "/";
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(parseGenerationParameters(picture("00000-11.png").text.at("parameters")).model, "tiny-1.5");
    EXPECT_EQ(modelName(model.string()), "tiny-1.5");
    EXPECT_EQ(modelName(model.string() + "/."), "tiny-1.5");
    EXPECT_EQ(modelName((folder() / "tiny-1.5.safetensors").string()), "tiny-1.5");
    EXPECT_EQ(modelName("/runs/robot-7/result/model"), "robot-7"); // all of them have one name
    EXPECT_EQ(modelName("/runs/robot-7/result/model.safetensors"), "robot-7");
    EXPECT_EQ(modelName("/runs/robot-7/result/lora.safetensors"), "robot-7");
    EXPECT_EQ(modelName("/runs/robot-7/result/robot.safetensors"), "robot");
    EXPECT_EQ(modelName("/result/model"), "model");
}

TEST_F(SampleJob, makesPicturesOfSdxl) {
    config.model = fixturePath("tiny-sdxl");
    config.count = 2;
    const OutcomeEvent outcome = run();
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const GenerationParameters facts = factsOf("00001-12.png");
    EXPECT_EQ(facts.prompt, config.prompt);
    EXPECT_EQ(facts.negativePrompt, config.negativePrompt);
    EXPECT_EQ(facts.model, "tiny-sdxl");
    EXPECT_EQ(facts.widthPixels, 64);
    EXPECT_EQ(facts.clipSkip, 0);
    config.clipSkip = 1;
    config.count = 1;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(factsOf("00001-11.png").clipSkip, 2); // others count the layer that is never used
    EXPECT_NE(picture("00001-11.png").picture.rgb, picture("00000-11.png").picture.rgb);
    config.clipSkip = 2;
    const OutcomeEvent tooMany = run();
    EXPECT_EQ(tooMany.code, static_cast<int>(ErrorCode::Usage));
    EXPECT_NE(tooMany.message.find("expected 0 to 1 "), std::string::npos) << tooMany.message;
    EXPECT_EQ(events.states("loading"), 1);
}

TEST_F(SampleJob, aSmallDeviceGivesTheSamePictures) {
    config.model = fixturePath("tiny-sdxl");
    ASSERT_EQ(run().result, "done");
    const ModelSource model = *openModel(config.model);
    const MachineLimits host{false, 0, int64_t{1} << 40};
    config.deviceBytes = totalBytes(planSampling(config, model, host)->tier) - 1;
    const auto plan = planSampling(config, model, host);
    ASSERT_TRUE(plan) << plan.error().text();
    ASSERT_TRUE(plan->placement.streamsText);
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00001-11.png").picture.rgb, picture("00000-11.png").picture.rgb);
    EXPECT_EQ(events.states("loading"), 1); // its parts have moved
    EXPECT_EQ(warnings(kVaeTiling), 0);
}

TEST_F(SampleJob, aModelThatStreamsIsToldOfOnce) {
    config.model = fixturePath("tiny-sdxl");
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kModelStreams), 0);
    config.deviceBytes = 1;
    for (int job = 0; job < 2; ++job) ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kModelStreams), 1);
    config.deviceBytes = 0;
    ASSERT_EQ(run().result, "done");
    config.deviceBytes = 1;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kModelStreams), 2);
}

TEST_F(SampleJob, whatFitsNowhereIsMadeInTilesWithAWarning) {
    config.model = fixturePath("tiny-sdxl");
    config.deviceBytes = 1;
    ASSERT_EQ(run().result, "done"); // no larger than a tile
    EXPECT_EQ(warnings(kVaeTiling), 0);
    config.widthPixels = config.heightPixels = 128;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kVaeTiling), 1);
    config.vaeTiling = true; // as asked for
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings(kVaeTiling), 1);
    EXPECT_EQ(picture("00001-11.png").picture.rgb, picture("00002-11.png").picture.rgb);
    config.vaeTiling = false;
    config.deviceBytes = 0;
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00003-11.png").picture.rgb, picture("00002-11.png").picture.rgb);
}

/// Weights that fp16 does not hold, and those whose products it does not hold.
TEST_F(SampleJob, whatFp16DoesNotHoldIsMadeInBf16) {
    for (const double value : {kLargestInFp16, 1e6}) {
        const fs::path model = folder() / ("model-" + std::to_string(value));
        fs::copy(fixturePath("tiny-sd1"), model, fs::copy_options::recursive);
        fillTensor(model / "unet/diffusion_pytorch_model.safetensors", "conv_in.weight", value);
        config.model = model.string();
        config.precision = Precision::Fp16;
        config.count = 2;
        pictures.files.clear();
        events.all.clear();
        const OutcomeEvent outcome = run();
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(warnings("bf16-instead"), 1);
        EXPECT_EQ(events.states("loading"), 2);
        ASSERT_EQ(run().result, "done"); // the next job knows it
        config.precision = Precision::Bf16;
        ASSERT_EQ(run().result, "done");
        EXPECT_EQ(warnings("bf16-instead"), 1);
        EXPECT_EQ(events.states("loading"), 2);
        ASSERT_EQ(pictures.files.size(), 6U);
        for (const auto& [path, made] : pictures.files) {
            const bool first = fs::path(path).stem().string().ends_with("-11");
            EXPECT_EQ(made.picture.rgb, picture(first ? "00000-11.png" : "00001-12.png").picture.rgb) << path;
            EXPECT_EQ(parseGenerationParameters(made.text.at("parameters")).modelHash.size(), 10U) << path;
        }
        for (const auto& [path, made] : pictures.files) fs::remove(path);
    }
}

TEST_F(SampleJob, whatFp16HoldsStaysInFp16) {
    config.precision = Precision::Fp16;
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(warnings("bf16-instead"), 0);
    EXPECT_EQ(events.states("loading"), 1);
}

} // namespace
} // namespace homebooth::core

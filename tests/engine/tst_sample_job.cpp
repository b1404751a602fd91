// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Generation as a job: files, events, outcomes; and LoRAs that come and go without a trace.
#include "core/base/files/sha256.h"
#include "core/base/formats/safetensors_writer.h"
#include "core/base/plan/sample_plan.h"
#include "core/base/text/generation_parameters.h"
#include "core/engine/sampling/lora_merge.h"
#include "core/engine/sampling/picture_facts.h"
#include "core/engine/sampling/sample_job.h"
#include "sampling_support.h"
#include "tests/base/support/torch_writer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace homebooth::core {
namespace {

using namespace sampling_test;
namespace fs = std::filesystem;

/// Pictures in memory; leaves a small file behind, so that names count as taken.
class MemoryPictures : public PictureSource, public PictureWriter {
public:
    struct Written {
        Picture picture;
        std::map<std::string, std::string> text;
    };

    Result<std::vector<std::string>> list(const std::string&) override { return std::vector<std::string>{}; }
    bool isPictureName(const std::string&) const override { return false; }
    Result<PictureSize> size(const std::string& path) override {
        if (path != "start.png") return badInput("no such picture", path);
        return start;
    }
    Result<Picture> load(const std::string&, PictureSize size) override {
        Picture picture{size.widthPixels, size.heightPixels, {}};
        picture.rgb.assign(static_cast<size_t>(3 * size.widthPixels * size.heightPixels), 200);
        return picture;
    }
    Result<void> write(const std::string& path, const Picture& picture,
                       const std::map<std::string, std::string>& text) override {
        if (full) return Error{ErrorCode::OutOfResources, "the disk is full", path};
        std::ofstream(path) << "png";
        files[path] = {picture, text};
        return {};
    }

    std::map<std::string, Written> files;
    bool full = false;
    PictureSize start{48, 40}; ///< of start.png
};

class Events : public EventSink {
public:
    void emit(const Event& event) override { all.push_back(event); }

    template <class Kind>
    [[nodiscard]] std::vector<Kind> of() const {
        std::vector<Kind> found;
        for (const Event& event : all)
            if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
        return found;
    }
    [[nodiscard]] int64_t states(const std::string& name) const {
        int64_t count = 0;
        for (const StateEvent& state : of<StateEvent>()) count += state.state == name ? 1 : 0;
        return count;
    }

    std::vector<Event> all;
};

class SampleJob : public ::testing::Test {
protected:
    void SetUp() override {
        const char* scratch = std::getenv("HOMEBOOTH_TEST_DIR");
        const fs::path base = scratch != nullptr ? fs::path(scratch) : fs::temp_directory_path();
        m_folder = base / ::testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
        config.model = fixturePath("tiny-sd1");
        config.prompt = "a photo of sks dog";
        config.negativePrompt = "blurry";
        config.steps = 3;
        config.sampler = SamplerKind::Euler;
        config.seed = 11;
        config.threads = 1;
        config.outputDir = m_folder.string();
    }
    void TearDown() override { fs::remove_all(m_folder); }

    OutcomeEvent run() { return session.run(config, events, cancel); }
    [[nodiscard]] const MemoryPictures::Written& picture(const std::string& name) {
        return pictures.files.at((m_folder / name).string());
    }
    [[nodiscard]] GenerationParameters factsOf(const std::string& name) {
        return parseGenerationParameters(picture(name).text.at("parameters"));
    }
    [[nodiscard]] int64_t warnings(const std::string& code) const {
        int64_t count = 0;
        for (const WarningEvent& warning : events.of<WarningEvent>()) count += warning.code == code ? 1 : 0;
        return count;
    }
    [[nodiscard]] fs::path folder() const { return m_folder; }

    SampleConfig config;
    MemoryPictures pictures;
    Events events;
    CancelToken cancel;
    SampleSession session{pictures, pictures};

private:
    fs::path m_folder;
};

/// A kohya LoRA for one layer of tiny-sd1's UNet.
std::string writeTinyLora(const fs::path& folder, float value) {
    return writeSquareLora(
        folder, {{"lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q", 8}}, value);
}

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
    ASSERT_EQ(run().result, "done");
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
    pictures.full = true;
    const OutcomeEvent full = run();
    EXPECT_EQ(full.code, static_cast<int>(ErrorCode::OutOfResources));
    EXPECT_NE(full.kept.find("0 of 1"), std::string::npos);
    pictures.full = false;
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

TEST_F(SampleJob, aLoraThatWasReplacedIsReadAgain) {
    config.loras = {{writeTinyLora(folder(), 0.8F), 1.0}};
    ASSERT_EQ(run().result, "done");
    writeTinyLora(folder(), 0.4F);
    ASSERT_EQ(run().result, "done");
    config.loras = {{(folder() / "tiny.safetensors").string(), 1.0}};
    SampleSession fresh{pictures, pictures};
    ASSERT_EQ(fresh.run(config, events, cancel).result, "done");
    EXPECT_NE(picture("00001-11.png").picture.rgb, picture("00000-11.png").picture.rgb);
    EXPECT_EQ(picture("00001-11.png").picture.rgb, picture("00002-11.png").picture.rgb);
}

TEST_F(SampleJob, textualInversionsCountWhereAPromptNamesThem) {
    ASSERT_EQ(run().result, "done");
    config.embeddings = {fixturePath("embeddings/moon-dog.pt"), fixturePath("embeddings/one.bin")};
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.of<WarningEvent>().size(), 2U); // no prompt names them
    const auto& plain = picture("00000-11.png").picture.rgb;
    EXPECT_EQ(picture("00001-11.png").picture.rgb, plain);
    config.negativePrompt = "blurry, Moon-Dog";
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00002-11.png").picture.rgb, plain);
    const auto facts = parseGenerationParameters(picture("00002-11.png").text.at("parameters"));
    ASSERT_EQ(facts.embeddingHashes.size(), 1U);
    EXPECT_EQ(facts.embeddingHashes[0].first, "moon-dog");
    config.embeddings.clear();
    config.negativePrompt = "blurry";
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00003-11.png").picture.rgb, plain);
}

TEST_F(SampleJob, textualInversionsOfOtherModelsAreRefused) {
    config.embeddings = {fixturePath("embeddings/xl.safetensors")};
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
    EXPECT_EQ(events.states("loading"), 0); // before minutes of loading
    config.embeddings.clear();
    EXPECT_EQ(run().result, "done");
}

TEST_F(SampleJob, lorasChangePicturesAndLeaveNoTrace) {
    const std::string lora = writeTinyLora(folder(), 0.8F);
    ASSERT_EQ(run().result, "done");
    config.loras = {{lora, 1.0}};
    ASSERT_EQ(run().result, "done");
    config.loras.clear();
    ASSERT_EQ(run().result, "done");
    const auto& plain = picture("00000-11.png").picture.rgb;
    EXPECT_NE(picture("00001-11.png").picture.rgb, plain);
    EXPECT_EQ(picture("00002-11.png").picture.rgb, plain);
    const auto facts = parseGenerationParameters(picture("00001-11.png").text.at("parameters"));
    ASSERT_EQ(facts.loraHashes.size(), 1U);
    EXPECT_EQ(facts.loraHashes[0].first, "tiny");
    EXPECT_EQ(facts.loraHashes[0].second.size(), 12U);
    ASSERT_EQ(facts.loraWeights.size(), 1U);
    EXPECT_EQ(facts.loraWeights[0], (std::pair<std::string, double>("tiny", 1.0)));
    EXPECT_EQ(events.states("loading"), 1);
}

TEST_F(SampleJob, aLoraAddsItsScaledProduct) {
    const std::string path = writeTinyLora(folder(), 0.5F);
    auto model = GenerationModel::load(*openModel(config.model), {});
    ASSERT_TRUE(model);
    UNetModel unet((*model)->source().unet, {});
    ASSERT_TRUE(loadParameters(unet.component().store(), *(*model)->source().unetTensors));
    ParameterStore& store = unet.component().store();
    const auto id = store.find("down_blocks.0.attentions.0.transformer_blocks.0.attn1.to_q.weight");
    const at::Tensor before = store.parameter(id).clone();
    const auto changed =
        mergeLoras({*openLora(path)}, {{path, 0.5}}, "unet", *(*model)->source().unetTensors, store);
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->size(), 1U);
    // 0.5 (weight) * 1 / 2 (alpha over rank) * 2 * 0.5 * 0.5 (the product of two constant halves)
    EXPECT_LT((store.parameter(id) - before - 0.125).abs().max().item<float>(), 1e-6F);
}

TEST_F(SampleJob, aLoraThatIsNotFiniteIsNamed) {
    const std::string path = writeTinyLora(folder(), std::numeric_limits<float>::quiet_NaN());
    config.loras = {{path, 1.0}};
    const OutcomeEvent outcome = run();
    EXPECT_EQ(outcome.code, 3);
    for (const std::string& part : {path, std::string("attn1_to_q.lora_"), std::string("NaN")})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
}

TEST_F(SampleJob, theHashOfALoraIsOfItsTensorsOrOfAnotherKindOfFile) {
    const std::string path = writeTinyLora(folder(), 0.8F);
    const std::string bytes = testing::readText(path);
    const size_t tensorBytes = (2 * 8 + 8 * 2 + 1) * sizeof(float);
    const auto hash = loraHash(path);
    ASSERT_TRUE(hash) << hash.error().text();
    EXPECT_EQ(*hash, sha256Text(bytes.substr(bytes.size() - tensorBytes)).substr(0, 12));
    const std::string saved = test::torchSaved(*openLora(path)->tensors);
    const std::string torch = (folder() / "tiny.pt").string();
    std::ofstream(torch, std::ios::binary) << saved;
    config.loras = {{torch, 1.0}};
    const OutcomeEvent outcome = run();
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto facts = parseGenerationParameters(picture("00000-11.png").text.at("parameters"));
    ASSERT_EQ(facts.loraHashes.size(), 1U);
    EXPECT_EQ(facts.loraHashes[0].second, sha256Text(saved).substr(0, 12));
    std::ofstream(torch, std::ios::binary) << std::string(8, '\xff') << "{";
    const auto damaged = loraHash(torch);
    ASSERT_FALSE(damaged);
    EXPECT_NE(damaged.error().message.find("damaged or cut off"), std::string::npos)
        << damaged.error().text();
}

TEST_F(SampleJob, aLoraThatIsGoneIsFoundBeforeTheModelIsLoaded) {
    const std::string path = (folder() / "gone.safetensors").string();
    config.loras = {{path, 1.0}};
    for (const int64_t loaded : {0, 1}) { // and with the model there, too
        const OutcomeEvent outcome = run();
        EXPECT_EQ(outcome.code, 3);
        for (const std::string& part : {path, std::string("it does not exist")})
            EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
        EXPECT_EQ(events.states("loading"), loaded);
        config.loras.clear();
        ASSERT_EQ(run().result, "done");
        config.loras = {{path, 1.0}};
    }
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
}

TEST_F(SampleJob, aRequestToStopEndsAddingLoras) {
    auto model = GenerationModel::load(*openModel(config.model), {});
    ASSERT_TRUE(model);
    const std::vector<LoraReference> loras = {{writeTinyLora(folder(), 0.5F), 1.0}};
    cancel.request();
    const auto added = (*model)->setLoras(loras, cancel);
    ASSERT_TRUE(added) << added.error().text();
    EXPECT_FALSE(*added);
    EXPECT_TRUE((*model)->loras().empty());
    const auto skipped = (*model)->setClipSkip(1, cancel);
    ASSERT_TRUE(skipped) << skipped.error().text();
    EXPECT_FALSE(*skipped);
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

TEST_F(SampleJob, lorasOfSdxlChangeEachPartAndLeaveNoTrace) {
    config.model = fixturePath("tiny-sdxl");
    config.clipSkip = 1; // whose encoders are others than those of the negative prompt
    ASSERT_EQ(run().result, "done");
    std::set<std::vector<uint8_t>> different{picture("00000-11.png").picture.rgb};
    for (const auto& module : kXlModules) {
        config.loras = {{writeSquareLora(folder(), {module}, 2.0F), 1.0}};
        const OutcomeEvent outcome = run();
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        different.insert(pictures.files.at(outcome.resultPaths.at(0)).picture.rgb);
    }
    EXPECT_EQ(different.size(), 1 + kXlModules.size());
    config.loras.clear();
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00004-11.png").picture.rgb, picture("00000-11.png").picture.rgb);
}

/// A textual inversion for both text encoders of tiny-sdxl.
std::string writeXlEmbedding(const fs::path& folder) {
    const std::vector<TensorInfo> tensors = {makeTensorInfo("clip_l", DataType::F32, {2, 4}),
                                             makeTensorInfo("clip_g", DataType::F32, {2, 6})};
    const std::string path = (folder / "star.safetensors").string();
    auto writer = SafetensorsWriter::create(path, tensors);
    if (!writer) throw std::runtime_error(writer.error().text());
    for (const TensorInfo& info : tensors) {
        const std::vector<float> values(static_cast<size_t>(info.elementCount()), 2.0F);
        const auto written = writer->write(info.name, std::as_bytes(std::span(values)));
        if (!written) throw std::runtime_error(written.error().text());
    }
    if (const auto done = writer->commit(); !done) throw std::runtime_error(done.error().text());
    return path;
}

TEST_F(SampleJob, textualInversionsOfSdxlCountWhereAPromptNamesThem) {
    config.model = fixturePath("tiny-sdxl");
    config.prompt = "a star on a hill";
    ASSERT_EQ(run().result, "done");
    config.embeddings = {writeXlEmbedding(folder())};
    const OutcomeEvent outcome = run();
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_NE(picture("00001-11.png").picture.rgb, picture("00000-11.png").picture.rgb);
    ASSERT_EQ(factsOf("00001-11.png").embeddingHashes.size(), 1U);
    EXPECT_EQ(factsOf("00001-11.png").embeddingHashes[0].first, "star");
    EXPECT_EQ(warnings("embedding-unnamed"), 0);
    config.embeddings.clear();
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(picture("00002-11.png").picture.rgb, picture("00000-11.png").picture.rgb);
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

} // namespace
} // namespace homebooth::core

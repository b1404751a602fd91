// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The pieces of training one by one: order, captions, buckets, loss, caches, autoencoder gradients, state.
#include "core/engine/training/cache_bound.h"
#include "core/engine/training/captions.h"
#include "core/engine/training/component_hash.h"
#include "core/engine/training/diffusion_loss.h"
#include "core/engine/training/latent_cache.h"
#include "core/engine/training/model_bundle.h"
#include "core/engine/training/preview_prompts.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/run_state.h"
#include "core/engine/training/sample_order.h"
#include "core/engine/training/scratch_result.h"
#include "core/engine/training/step_random.h"
#include "core/engine/training/tensor_files.h"
#include "core/engine/training/vae_loss.h"

#include "training_support.h"

#include <torch/csrc/autograd/autograd.h>

#include <set>

namespace homebooth::core::testing {
namespace {

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

TEST(StepRandom, differsByEveryArgument) {
    std::set<uint64_t> seen;
    for (const uint64_t seed : {0, 1})
        for (const DrawPurpose purpose : {DrawPurpose::Noise, DrawPurpose::Timesteps})
            for (const uint64_t first : {0, 1, 2})
                for (const uint64_t second : {0, 1}) seen.insert(mixedSeed(seed, purpose, first, second));
    EXPECT_EQ(seen.size(), 24U);
    EXPECT_TRUE(at::equal(drawNormal({4, 3}, 7), drawNormal({4, 3}, 7)));
    EXPECT_FALSE(at::equal(drawNormal({4, 3}, 7), drawNormal({4, 3}, 8)));
}

TEST(StepRandom, permutesEveryNumberOnce) {
    std::vector<int64_t> order = permutation(100, 3);
    EXPECT_NE(order, permutation(100, 4));
    std::sort(order.begin(), order.end());
    for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(SampleOrder, takesEverySampleOnceAnEpoch) {
    SampleOrder order(5, std::vector<int64_t>(7, 0));
    for (int epoch = 0; epoch < 3; ++epoch) {
        EXPECT_EQ(order.epoch(), epoch);
        std::set<int64_t> seen;
        for (int i = 0; i < 7; ++i) seen.insert(order.next(1).front());
        EXPECT_EQ(seen.size(), 7U);
    }
}

TEST(SampleOrder, goesOnInTheMiddleOfAnEpoch) {
    const std::vector<int64_t> buckets = {0, 0, 1, 0, 1, 1, 0, 0, 0};
    SampleOrder whole(9, buckets);
    std::vector<std::vector<int64_t>> expected;
    for (int i = 0; i < 20; ++i) expected.push_back(whole.next(2));
    for (const int cut : {1, 5, 13}) {
        SampleOrder first(9, buckets);
        for (int i = 0; i < cut; ++i) EXPECT_EQ(first.next(2), expected[static_cast<size_t>(i)]);
        SampleOrder second(9, buckets);
        second.restore(first.cursor(), false);
        for (int i = cut; i < 20; ++i) EXPECT_EQ(second.next(2), expected[static_cast<size_t>(i)]) << cut;
    }
}

TEST(SampleOrder, keepsBatchesWithinOneBucket) {
    const std::vector<int64_t> buckets = {0, 1, 0, 1, 1};
    SampleOrder order(1, buckets);
    std::set<int64_t> used;
    for (int i = 0; i < 40; ++i) {
        const std::vector<int64_t> batch = order.next(3);
        for (const int64_t sample : batch)
            EXPECT_EQ(buckets[static_cast<size_t>(sample)], buckets[static_cast<size_t>(batch.front())]);
        used.insert(buckets[static_cast<size_t>(batch.front())]);
    }
    EXPECT_EQ(used.size(), 2U);
}

TEST(SampleOrder, beginsAFreshEpochWhenTheDataChanged) {
    SampleOrder before(2, std::vector<int64_t>(3, 0));
    for (int i = 0; i < 4; ++i) static_cast<void>(before.next(1));
    SampleOrder after(2, std::vector<int64_t>(5, 0));
    after.restore(before.cursor(), true);
    std::set<int64_t> seen;
    for (int i = 0; i < 5; ++i) seen.insert(after.next(1).front());
    EXPECT_EQ(seen.size(), 5U);
}

TEST(Captions, comeFromMetadata) {
    const std::string folder = scratchFolder("captions-metadata");
    writeText(folder + "/metadata.jsonl",
              "{\"file_name\":\"a.ppm\",\"text\":\"one\",\"texts\":[\"x\",\" y \"]}\n\n"
              "{\"file_name\":\"b.ppm\",\"text\":\"two\"}\n");
    PpmSource pictures;
    const auto found = readCaptions(folder, pictures);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].captions, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ((*found)[1].captions, (std::vector<std::string>{"two"}));
    EXPECT_EQ((*found)[1].path, folder + "/b.ppm");
}

TEST(Captions, takeNamesThatBeginWithDots) {
    const std::string folder = scratchFolder("captions-dots");
    writeText(folder + "/metadata.jsonl", "{\"file_name\":\"..a.ppm\",\"text\":\"one\"}\n");
    PpmSource pictures;
    const auto found = readCaptions(folder, pictures);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(found->front().path, folder + "/..a.ppm");
}

TEST(Captions, refuseLinesThatNameNothing) {
    for (const char* line :
         {"{", "[]", "{\"file_name\":\"a.ppm\"}", "{\"text\":\"one\"}", "{\"file_name\":5,\"text\":\"x\"}",
          "{\"file_name\":\"../a.ppm\",\"text\":\"x\"}", "{\"file_name\":\"/a.ppm\",\"text\":\"x\"}"}) {
        const std::string folder = scratchFolder("captions-broken");
        writeText(folder + "/metadata.jsonl",
                  std::string("{\"file_name\":\"ok.ppm\",\"text\":\"one\"}\n") + line + "\n");
        PpmSource pictures;
        const auto found = readCaptions(folder, pictures);
        ASSERT_FALSE(found) << line;
        EXPECT_NE(found.error().text().find("line 2"), std::string::npos) << found.error().text();
    }
}

TEST(Captions, lieBesideThePictures) {
    const std::string folder = scratchFolder("captions-beside");
    writePpm(folder + "/a.ppm", patternPicture(0));
    writePpm(folder + "/b.ppm", patternPicture(1));
    writeText(folder + "/a.txt", "a red apple\n");
    PpmSource pictures;
    const auto incomplete = readCaptions(folder, pictures);
    ASSERT_FALSE(incomplete);
    EXPECT_NE(incomplete.error().text().find("b.ppm"), std::string::npos);
    writeText(folder + "/b.txt", "");
    const auto found = readCaptions(folder, pictures);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ((*found)[0].captions.front(), "a red apple");
    EXPECT_EQ((*found)[1].captions.front(), "");
}

TEST(Captions, ofPhotosStandInForTheSentence) {
    const std::string folder = scratchFolder("captions-photos");
    for (const char* name : {"/a.ppm", "/b.ppm", "/c.ppm"}) writePpm(folder + name, patternPicture(0));
    writeText(folder + "/b.txt", " ohwx toy on a shelf \n");
    writeText(folder + "/c.txt", "\n");
    PpmSource pictures;
    const auto found = readPhotos(folder, "a photo of ohwx toy", pictures);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ((*found)[0].captions, std::vector<std::string>{"a photo of ohwx toy"});
    EXPECT_EQ((*found)[1].captions, std::vector<std::string>{"ohwx toy on a shelf"});
    EXPECT_EQ((*found)[2].captions, std::vector<std::string>{"a photo of ohwx toy"});
}

TEST(TrainingSize, keepsTheShapeInBuckets) {
    EXPECT_EQ(trainingSize({1000, 400}, 512, FramingMode::Crop, 64), (PictureSize{512, 512}));
    EXPECT_EQ(trainingSize({1000, 1000}, 512, FramingMode::Buckets, 64), (PictureSize{512, 512}));
    for (const PictureSize original : {PictureSize{3000, 2000}, {2000, 3000}, {5000, 400}, {1, 1}}) {
        const PictureSize size = trainingSize(original, 512, FramingMode::Buckets, 64);
        EXPECT_EQ(size.widthPixels % 64, 0);
        EXPECT_EQ(size.heightPixels % 64, 0);
        EXPECT_LE(size.widthPixels * size.heightPixels, 512 * 512);
        EXPECT_EQ(size.widthPixels > size.heightPixels, original.widthPixels > original.heightPixels);
    }
}

TEST(DiffusionLoss, weighsInstanceAndClassHalves) {
    const at::Tensor target = drawNormal({5, 2, 3, 3}, 1);
    const at::Tensor prediction = drawNormal({5, 2, 3, 3}, 2).requires_grad_(true);
    DiffusionLossOptions options;
    options.priorCount = 2;
    options.priorWeight = 0.7;
    options.gradientFactor = 3.0;
    options.weights = at::tensor({0.5, 1.0, 2.0, 1.5, 0.25}, at::kFloat);
    const DiffusionLoss actual = diffusionLoss(prediction.detach(), target, options);

    const at::Tensor errors = (prediction - target).square().mean({1, 2, 3}) * options.weights;
    const at::Tensor loss = errors.slice(0, 0, 3).mean() + 0.7 * errors.slice(0, 3).mean();
    const at::Tensor gradient = torch::autograd::grad({3.0 * loss}, {prediction}).front();
    EXPECT_NEAR(actual.loss, loss.item<double>(), 1e-6);
    EXPECT_TRUE(at::allclose(actual.gradient, gradient, 1e-5, 1e-7));
}

TEST(DiffusionLoss, staysInTheTypeOfThePrediction) {
    const at::Tensor prediction = drawNormal({2, 2, 3, 3}, 1).to(at::kBFloat16);
    const DiffusionLoss loss = diffusionLoss(prediction, drawNormal({2, 2, 3, 3}, 2), {});
    EXPECT_EQ(loss.gradient.scalar_type(), at::kBFloat16);
    EXPECT_GT(loss.loss, 0.0);
}

TEST(VaeLoss, givesTheGradientOfItsLoss) {
    const at::Tensor moments = drawNormal({2, 8, 4, 4}, 5).requires_grad_(true);
    const at::Tensor noise = drawNormal({2, 4, 4, 4}, 6);
    const at::Tensor incoming = drawNormal({2, 4, 4, 4}, 7);
    constexpr double kKl = 0.3;
    const PosteriorDraw draw = drawPosterior(moments, noise);
    const at::Tensor actual = posteriorGradient(draw, incoming, kKl);

    const std::vector<at::Tensor> parts = moments.chunk(2, 1);
    const at::Tensor latents = parts[0] + (0.5 * parts[1]).exp() * noise;
    const at::Tensor kl = 0.5 * (parts[0].square() + parts[1].exp() - 1.0 - parts[1]).mean();
    const at::Tensor loss = (latents * incoming).sum() + kKl * kl;
    const at::Tensor expected = torch::autograd::grad({loss}, {moments}).front();
    EXPECT_TRUE(at::allclose(draw.latents, latents, 1e-6, 1e-6));
    EXPECT_NEAR(klDivergence(draw), kl.item<double>(), 1e-6);
    EXPECT_TRUE(at::allclose(actual, expected, 1e-5, 1e-6));
}

TEST(VaeLoss, vanishesForAPerfectPicture) {
    const at::Tensor pixels = drawNormal({1, 3, 8, 8}, 3);
    EXPECT_EQ(vaeReconstructionLoss(pixels, pixels, {}, 1.0).loss, 0.0);
    EXPECT_GT(vaeReconstructionLoss(pixels + 0.1, pixels, {}, 1.0).loss, 0.1);
}

TEST(LatentCache, keepsMeanAndVarianceByContent) {
    const std::string folder = scratchFolder("latents");
    LatentCache cache(folder, "vae-a");
    TrainingSample sample;
    sample.contentHash = "abc";
    sample.size = {64, 64};
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2).square()};
    const std::string key = cache.key(sample, false);
    EXPECT_FALSE(cache.read(key).has_value());
    cache.write(key, latents);
    cache.flush();
    const auto found = LatentCache(folder, "vae-a").read(key);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(at::equal(found->mean, latents.mean));
    EXPECT_TRUE(at::equal(found->variance, latents.variance));

    EXPECT_NE(cache.key(sample, true), key);
    EXPECT_NE(LatentCache(folder, "vae-b").key(sample, false), key);
    sample.size = {64, 128};
    EXPECT_NE(cache.key(sample, false), key);
}

TEST(LatentCache, makesNothingOfDamagedFiles) {
    const std::string folder = scratchFolder("latents-damaged");
    LatentCache cache(folder, "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2).square()};
    cache.write("k", latents);
    cache.flush();
    const std::string path = fs::directory_iterator(folder + "/vae")->path().string();
    const std::string whole = fileBytes(path);
    for (const size_t length : {size_t{0}, size_t{7}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(path, std::ios::binary).write(whole.data(), static_cast<long>(length));
        EXPECT_FALSE(LatentCache(folder, "vae").read("k").has_value()) << length;
    }
    std::ofstream(path, std::ios::binary) << whole;
    EXPECT_TRUE(LatentCache(folder, "vae").read("k").has_value());
}

TEST(LatentCache, doesWithoutADisk) {
    LatentCache cache("/proc/no-such-folder", "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2)};
    cache.write("k", latents);
    cache.flush();
    EXPECT_FALSE(cache.keeps());
    // Whoever counted on the disk did not hold them.
    const auto found = cache.read("k");
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(at::equal(found->mean, latents.mean));
    EXPECT_FALSE(LatentCache("/proc/no-such-folder", "vae").read("k").has_value());
}

TEST(LatentCache, keepsTheSamePictureOnce) {
    const std::string folder = scratchFolder("latents-twice");
    LatentCache cache(folder, "vae");
    const PictureLatents latents{drawNormal({4, 8, 8}, 1), drawNormal({4, 8, 8}, 2).square()};
    cache.write("k", latents);
    cache.write("k", latents);
    EXPECT_TRUE(cache.read("k").has_value()); // also while it waits for its pack
    cache.flush();
    EXPECT_TRUE(cache.keeps());
    EXPECT_TRUE(LatentCache(folder, "vae").read("k").has_value());
}

TEST(LatentCache, replacesWhatCannotBeRead) {
    const std::string folder = scratchFolder("latents-replaced");
    const at::Tensor mean = drawNormal({4, 8, 8}, 1);
    fs::create_directories(folder + "/vae");
    ASSERT_TRUE(writeTensorFile(folder + "/vae/old.safetensors", TensorListSource({{"k.mean", mean}})));
    LatentCache cache(folder, "vae");
    EXPECT_FALSE(cache.read("k").has_value()); // there is no variance
    cache.write("k", {mean, mean.square()});
    cache.flush();
    EXPECT_TRUE(cache.read("k").has_value());
}

TEST(CacheBound, dropsWhatWasUsedLongestAgo) {
    const std::string folder = scratchFolder("cache-bound");
    const auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 5; ++i) {
        const std::string path = folder + "/part" + std::to_string(i % 2) + "/file" + std::to_string(i);
        fs::create_directories(fs::path(path).parent_path());
        std::ofstream(path) << std::string(100, 'x');
        fs::last_write_time(path, now - std::chrono::hours(10 - i));
    }
    const auto exists = [&](int i) {
        return fs::exists(folder + "/part" + std::to_string(i % 2) + "/file" + std::to_string(i));
    };
    EXPECT_EQ(boundCache(folder, 500, now), 0);
    markUsed(folder + "/part0/file0");
    EXPECT_EQ(boundCache(folder, 250, now), 300);
    EXPECT_EQ((std::vector{exists(0), exists(1), exists(2), exists(3), exists(4)}),
              (std::vector{true, false, false, false, true}));
    // What the running job uses stays, even if it takes more than all of it may.
    EXPECT_EQ(boundCache(folder, 0, now), 100);
    EXPECT_TRUE(exists(0));
    EXPECT_EQ(boundCache(folder + "/nothing", 0, now), 0);
}

TEST(ActivationBudget, staysWithinRoomAndBudget) {
    const int64_t free = activationBudget({1000, 500}, 0, 0);
    EXPECT_GT(free, 0);
    EXPECT_LT(free, 1000);
    EXPECT_EQ(activationBudget({1000, 500}, 5000, 0), free);     // more than there is
    EXPECT_EQ(activationBudget({1000, 500}, 1000, 0), free / 2); // half of the budget is used already
    EXPECT_EQ(activationBudget({1000, 500}, 400, 0), 0);
    EXPECT_EQ(activationBudget({1500, 500}, 0, 500), free);
    EXPECT_EQ(activationBudget({1000, 0}, 0, 2000), 0);
    EXPECT_GT(roomOn(at::kCPU).freeBytes, 0);
    EXPECT_GT(roomOn(at::kCPU).usedBytes, 0);
}

TEST(Results, replaceEarlierOnesOrLeaveThemAlone) {
    const std::string root = scratchFolder("replace");
    const std::string path = root + "/model";
    fs::create_directories(path);
    writeText(path + "/text", "earlier");
    EXPECT_FALSE(replaceWith(root + "/missing", path));
    EXPECT_EQ(fileBytes(path + "/text"), "earlier");
    fs::create_directories(root + "/made");
    writeText(root + "/made/text", "later");
    ASSERT_TRUE(replaceWith(root + "/made", path));
    EXPECT_EQ(fileBytes(path + "/text"), "later");
    writeText(root + "/made", "first");
    ASSERT_TRUE(replaceWith(root + "/made", root + "/file"));
    EXPECT_EQ(fileBytes(root + "/file"), "first");
    EXPECT_EQ(std::distance(fs::directory_iterator(root), fs::directory_iterator()), 2);
}

TEST(Results, passOverFoldersThatCannotBeEntered) {
    const std::string root = scratchFolder("looping");
    fs::create_directories(root + "/config");
    fs::create_symlink("unet", root + "/config/unet");
    writeText(root + "/config/model_index.json", "{}");
    VaeConfig config;
    const auto written =
        writeVaeResult(root + "/config", root + "/result", config, TensorListSource({{"w", at::zeros({2})}}));
    ASSERT_TRUE(written) << written.error().text();
    EXPECT_TRUE(fs::exists(*written + "/model_index.json"));
}

/// Requests a stop when the first tensor is read.
class StoppingSource : public TensorSource {
public:
    explicit StoppingSource(const TensorSource& whole)
        : m_whole(whole) {}
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_whole.tensors(); }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override { return m_whole.find(name); }
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override {
        ++reads;
        cancel.request();
        return m_whole.read(name, destination);
    }
    mutable int reads = 0;
    CancelToken cancel;

private:
    const TensorSource& m_whole;
};

TEST(ComponentHash, endsBetweenTensorsWhenAsked) {
    const TensorListSource tensors({{"a", at::ones({3})}, {"b", at::ones({4})}});
    const auto whole = componentHash(tensors, "config");
    ASSERT_TRUE(whole && whole->has_value());
    const StoppingSource stopping(tensors);
    const auto stopped = componentHash(stopping, "config", stopping.cancel);
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(stopped->has_value());
    EXPECT_EQ(stopping.reads, 1);
    EXPECT_EQ(*componentHash(StoppingSource(tensors), "config"), *whole); // another token's request
}

TEST(ModelBundle, isNoneAfterARequestToStop) {
    const TrainConfig config = tinyDreamBooth(scratchFolder("stopped-bundle"));
    const RunFolder run = makeRun(config);
    JobWorld world;
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    const auto bundle = ModelBundle::make(job);
    ASSERT_TRUE(bundle && *bundle != nullptr);
    world.control.stop.request();
    EXPECT_EQ((*bundle)->vae().value(), nullptr);
    EXPECT_EQ((*bundle)->textEncoder().value(), nullptr);
    EXPECT_EQ((*bundle)->vaeHash().value(), "");
    EXPECT_EQ((*bundle)->textEncoderHash().value(), "");
    const auto stopped = ModelBundle::make(job);
    ASSERT_TRUE(stopped) << stopped.error().text();
    EXPECT_EQ(stopped->get(), nullptr);
    // A step that runs already gets what it needs: it is ended, not broken off.
    (*bundle)->endPreparation();
    EXPECT_NE((*bundle)->textEncoder().value(), nullptr);
}

TEST(RunState, comesBackFromItsText) {
    RunState state;
    state.step = 12;
    state.cursors = {{7, 1, {3, 4}}, {9, 0, {18}}};
    state.dataHash = "abc";
    state.flow.scaler.scale = 1024.0;
    state.flow.scaler.goodSteps = 5;
    state.flow.skippedSteps = 2;
    state.flow.statesBegin = 6;
    state.threads = 3;
    const auto read = parseRunState(toJson(state), "state.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->step, 12);
    EXPECT_EQ(read->cursors, state.cursors);
    EXPECT_EQ(read->dataHash, "abc");
    EXPECT_EQ(read->flow.scaler.scale, 1024.0);
    EXPECT_EQ(read->flow.scaler.goodSteps, 5);
    EXPECT_EQ(read->flow.skippedSteps, 2);
    EXPECT_EQ(read->flow.statesBegin, 6);
    EXPECT_EQ(read->threads, 3);
    for (const char* text : {"", "{}", "[1]", "{\"format\":99}", "{\"format\":1,\"step\":\"x\"}"})
        EXPECT_FALSE(parseRunState(text, "state.json")) << text;
}

TEST(PreviewPrompts, takeWhatIsThere) {
    TrainConfig config;
    config.output.previewCount = 3;
    config.seed = 5;
    config.data.instancePrompt = "a photo of sks dog";
    EXPECT_EQ(previewPrompts(config, {})[2].text, "a photo of sks dog");
    EXPECT_EQ(previewPrompts(config, {})[2].seed, 7U);
    config.output.previewPrompt = "a cat | a dog";
    EXPECT_EQ(previewPrompts(config, {})[0].text, "a cat");
    EXPECT_EQ(previewPrompts(config, {})[1].text, "a dog");
    EXPECT_EQ(previewPrompts(config, {})[2].text, "a cat");
}

} // namespace
} // namespace homebooth::core::testing

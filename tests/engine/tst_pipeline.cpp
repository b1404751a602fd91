// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Finished pictures: those of diffusers with the same seed in fp32, and what a user relies on beside that.
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/pixels.h"
#include "sampling_support.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <cmath>

namespace homebooth::core {
namespace {

using namespace sampling_test;
using nlohmann::json;

constexpr double kLatentTolerance = 1e-4; // greatest error over greatest value
constexpr int kPixelTolerance = 1;        // of 255

std::unique_ptr<GenerationModel> loadTiny(const std::string& name, GenerationModel::Options options = {}) {
    auto source = openModel(fixturePath(name));
    if (!source) throw std::runtime_error(source.error().text());
    auto model = GenerationModel::load(std::move(*source), options);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

const json& about() {
    static const json value = readJson("pictures/cases.json");
    return value;
}

std::vector<std::string> caseNames() {
    std::vector<std::string> names;
    for (const auto& [name, value] : about().at("cases").items()) names.push_back(name);
    return names;
}

GenerationRequest plainRequest() {
    GenerationRequest request;
    request.prompt = about().at("prompt").get<std::string>();
    request.negativePrompt = about().at("negative_prompt").get<std::string>();
    request.guidanceScale = about().at("guidance_scale").get<double>();
    request.steps = about().at("steps").get<int64_t>();
    request.seeds = {about().at("seed").get<uint64_t>()};
    request.sampler = SamplerKind::Ddim;
    request.widthPixels = about().at("width").get<int64_t>();
    request.heightPixels = about().at("height").get<int64_t>();
    return request;
}

SamplerKind samplerOf(const json& one) {
    const bool stochastic = one.at("keys").value("algorithm_type", "") == "sde-dpmsolver++";
    return stochastic ? SamplerKind::DpmPlusPlus2MSde : *samplerOfClass(one.at("class").get<std::string>());
}

GenerationResult generate(GenerationModel& model, const GenerationRequest& request,
                          const GenerationListener& listener = {}) {
    auto result = model.pipeline().generate(request, listener, CancelToken());
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

at::Tensor bytesOf(const Picture& picture) {
    return at::tensor(at::ArrayRef<uint8_t>(picture.rgb), at::kByte)
        .reshape({picture.heightPixels, picture.widthPixels, 3});
}

/// @param expected  of all bytes, or as the fixture holds them
int greatestDifference(const Picture& picture, const at::Tensor& expected) {
    const at::Tensor found = testing::asHeld(bytesOf(picture), expected);
    const at::Tensor difference = found.to(at::kInt) - expected.to(at::kInt);
    return difference.abs().max().item<int>();
}

class Pictures : public ::testing::TestWithParam<std::string> {};

TEST_P(Pictures, areThoseOfDiffusers) {
    at::set_num_threads(1);
    const json& one = about().at("cases").at(GetParam());
    const TensorGroup tensors(openTensors("pictures/pictures.safetensors"), GetParam() + "/");
    GenerationModel::Options options;
    options.clipSkip = one.value("clip_skip", 0);
    const auto model = loadTiny(one.at("model").get<std::string>(), options);
    GenerationRequest request = plainRequest();
    request.sampler = samplerOf(one);
    request.karrasSigmas = one.at("keys").value("use_karras_sigmas", false);
    if (tensors.has("input/image")) {
        request.initPixels = tensors["input/image"];
        request.strength = one.at("strength").get<double>();
        request.widthPixels = request.heightPixels = 0;
    }
    const GenerationResult result = generate(*model, request);
    EXPECT_LT(relativeError(result.latents, tensors["latents/final"]), kLatentTolerance);
    ASSERT_EQ(result.pictures.size(), 1U);
    EXPECT_LE(greatestDifference(result.pictures[0], tensors["picture_uint8"]), kPixelTolerance);
}

INSTANTIATE_TEST_SUITE_P(Cases, Pictures, ::testing::ValuesIn(caseNames()));

class Pipeline : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        at::set_num_threads(1);
        s_model = loadTiny("tiny-sd1");
    }
    static void TearDownTestSuite() { s_model.reset(); }
    static GenerationModel& model() { return *s_model; }

private:
    static inline std::unique_ptr<GenerationModel> s_model;
};

TEST_F(Pipeline, theSameSeedGivesTheSameBytes) {
    GenerationRequest request = plainRequest();
    request.sampler = SamplerKind::EulerAncestral;
    EXPECT_EQ(generate(model(), request).pictures[0].rgb, generate(model(), request).pictures[0].rgb);
    const Picture first = generate(model(), request).pictures[0];
    request.seeds = {7};
    EXPECT_NE(generate(model(), request).pictures[0].rgb, first.rgb);
}

TEST_F(Pipeline, aPictureDoesNotDependOnItsBatch) {
    GenerationRequest request = plainRequest();
    request.sampler = SamplerKind::DpmPlusPlus2MSde;
    request.seeds = {5, 6, 7};
    const GenerationResult batch = generate(model(), request);
    ASSERT_EQ(batch.pictures.size(), 3U);
    request.seeds = {6};
    const GenerationResult alone = generate(model(), request);
    EXPECT_LT(relativeError(batch.latents.slice(0, 1, 2), alone.latents), 1e-5);
    EXPECT_LE(greatestDifference(batch.pictures[1], bytesOf(alone.pictures[0])), kPixelTolerance);
}

TEST_F(Pipeline, anySizeDivisibleByEightWorks) {
    GenerationRequest request = plainRequest();
    request.steps = 2;
    for (const auto& [width, height] : {std::pair{8, 8}, {8, 72}, {104, 24}, {64, 64}}) {
        request.widthPixels = width;
        request.heightPixels = height;
        const GenerationResult result = generate(model(), request);
        EXPECT_EQ(result.pictures[0].widthPixels, width);
        EXPECT_EQ(result.pictures[0].heightPixels, height);
    }
}

TEST_F(Pipeline, withoutASizeTheModelsOwnIsTaken) {
    GenerationRequest request = plainRequest();
    request.steps = 1;
    request.widthPixels = request.heightPixels = 0;
    EXPECT_EQ(generate(model(), request).pictures[0].widthPixels, 64); // 8 latents of 8 pixels
}

TEST_F(Pipeline, impossibleRequestsAreRefused) {
    const auto refused = [&](auto change) {
        GenerationRequest request = plainRequest();
        change(request);
        const auto result = model().pipeline().generate(request, {}, CancelToken());
        return !result && result.error().code == ErrorCode::Usage;
    };
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.widthPixels = 65; }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.heightPixels = -8; }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.widthPixels = int64_t{1} << 40; }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.steps = 0; }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.steps = -1; }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.steps = 1'000'000'000'000; }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.guidanceScale = std::nan(""); }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.seeds.clear(); }));
    EXPECT_TRUE(refused([](GenerationRequest& r) { r.karrasSigmas = true; })); // DDIM has none
}

TEST_F(Pipeline, guidanceOfOneLeavesTheNegativePromptOut) {
    GenerationRequest request = plainRequest();
    request.guidanceScale = 1.0;
    const GenerationResult first = generate(model(), request);
    request.negativePrompt = "something else";
    EXPECT_EQ(generate(model(), request).pictures[0].rgb, first.pictures[0].rgb);
    request.guidanceScale = 2.0;
    EXPECT_NE(generate(model(), request).pictures[0].rgb, first.pictures[0].rgb);
}

TEST_F(Pipeline, bracketsWeighWordsWhereTheyAreAskedTo) {
    const auto latentsOf = [](const std::string& prompt, const std::string& negative, bool weighs) {
        GenerationRequest request = plainRequest();
        request.steps = 2;
        request.prompt = prompt;
        request.negativePrompt = negative;
        request.weighsWords = weighs;
        return generate(model(), request).latents;
    };
    const at::Tensor plain = latentsOf("a photo of a dog", "blurry", false);
    EXPECT_TRUE(at::equal(latentsOf("a photo of a dog", "blurry", true), plain));
    EXPECT_TRUE(at::equal(latentsOf("a (photo of:1.0) a dog", "(blurry:1)", true), plain));
    const at::Tensor weighed = latentsOf("a photo of a (dog:1.5)", "blurry", true);
    EXPECT_FALSE(at::equal(weighed, plain));
    EXPECT_FALSE(at::equal(latentsOf("a photo of a [dog]", "blurry", true), weighed));
    EXPECT_FALSE(at::equal(latentsOf("a photo of a dog", "((blurry))", true), plain));
    // Read as it stands, a bracket is a word: that is how captions are learned.
    const at::Tensor words = latentsOf("a photo of a (dog:1.5)", "blurry", false);
    EXPECT_FALSE(at::equal(words, weighed));
    EXPECT_TRUE(at::equal(latentsOf("a photo of a \\(dog:1.5\\)", "blurry", true), words));
    EXPECT_TRUE(at::equal(latentsOf("a [photo|picture] of a dog", "", true),
                          latentsOf("a [photo|picture] of a dog", "", false)));
}

TEST_F(Pipeline, bracketsAreNoTokens) {
    GenerationRequest request = plainRequest();
    request.steps = 1;
    request.weighsWords = true;
    int64_t warned = 0;
    GenerationListener listener;
    listener.warning = [&warned](const std::string&, const std::string& message) {
        ++warned;
        EXPECT_NE(message.find(" 76 tokens"), std::string::npos) << message;
    };
    request.prompt.clear();
    for (int index = 0; index < 75; ++index) request.prompt += index % 2 == 0 ? "(a:1.2) " : "a ";
    static_cast<void>(generate(model(), request, listener));
    EXPECT_EQ(warned, 0);
    request.prompt += "(a:1.2)";
    static_cast<void>(generate(model(), request, listener));
    EXPECT_EQ(warned, 1);
}

TEST_F(Pipeline, longPromptsAreCutWithAWarning) {
    GenerationRequest request = plainRequest();
    std::string words;
    for (int index = 0; index < 5000; ++index) words += "a ";
    request.prompt = words;
    request.steps = 1;
    std::vector<std::string> codes;
    GenerationListener listener;
    listener.warning = [&](const std::string& code, const std::string&) { codes.push_back(code); };
    static_cast<void>(generate(model(), request, listener));
    EXPECT_EQ(codes, std::vector<std::string>{"prompt-truncated"});
}

TEST_F(Pipeline, cancellingEndsWithoutPictures) {
    GenerationRequest request = plainRequest();
    request.steps = 50;
    const CancelToken cancel;
    int64_t last = 0;
    GenerationListener listener;
    listener.progress = [&](int64_t done, int64_t) {
        last = done;
        if (done == 3) cancel.request();
    };
    const auto result = model().pipeline().generate(request, listener, cancel);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->cancelled);
    EXPECT_TRUE(result->pictures.empty());
    EXPECT_EQ(last, 3);
    request.steps = 1;
    EXPECT_FALSE(generate(model(), request).cancelled); // the parts stay usable
}

TEST_F(Pipeline, previewsComeWhenAskedFor) {
    GenerationRequest request = plainRequest();
    request.steps = 6;
    request.previewEverySteps = 2;
    std::vector<int64_t> steps;
    int64_t width = 0;
    GenerationListener listener;
    listener.preview = [&](int64_t step, const std::vector<Picture>& pictures) {
        steps.push_back(step);
        width = pictures.at(0).widthPixels;
    };
    const GenerationResult first = generate(model(), request, listener);
    EXPECT_EQ(steps, (std::vector<int64_t>{2, 4})); // the last step is the picture itself
    EXPECT_EQ(width, request.widthPixels / 8);
    request.previewQuality = PreviewQuality::Decoded;
    const GenerationResult second = generate(model(), request, listener);
    EXPECT_EQ(width, request.widthPixels);
    request.previewEverySteps = 0;
    EXPECT_EQ(first.pictures[0].rgb, generate(model(), request).pictures[0].rgb); // looking changes nothing
    EXPECT_EQ(first.pictures[0].rgb, second.pictures[0].rgb);
}

TEST_F(Pipeline, strengthDecidesHowMuchOfThePictureStays) {
    GenerationRequest request = plainRequest();
    request.steps = 20;
    request.guidanceScale = 1.0;
    request.initPixels = at::linspace(-1, 1, 72).reshape({1, 1, 1, 72}).expand({1, 3, 40, 72});
    at::Tensor latents[2];
    const double strengths[2] = {0.05, 1.0};
    for (int index = 0; index < 2; ++index) {
        request.strength = strengths[index];
        latents[index] = generate(model(), request).latents;
    }
    request.strength = 0.05;
    request.seeds = {1};
    const at::Tensor weak = generate(model(), request).latents;
    request.strength = 1.0;
    const at::Tensor strong = generate(model(), request).latents;
    EXPECT_LT((weak - latents[0]).abs().mean().item<float>(),
              (strong - latents[1]).abs().mean().item<float>());
}

TEST_F(Pipeline, startPicturesAreScaledToTheSizeAskedFor) {
    GenerationRequest request = plainRequest();
    Picture picture;
    picture.widthPixels = 100;
    picture.heightPixels = 30;
    picture.rgb.assign(3 * 100 * 30, 128);
    request.initPixels = pixelsOf(picture);
    EXPECT_EQ(generate(model(), request).pictures[0].widthPixels, request.widthPixels);
    request.widthPixels = request.heightPixels = 0;
    const GenerationResult own = generate(model(), request);
    EXPECT_EQ(own.widthPixels, 96);
    EXPECT_EQ(own.heightPixels, 24);
}

TEST_F(Pipeline, slicingAndTilingKeepThePicture) {
    GenerationRequest request = plainRequest();
    request.seeds = {1, 2};
    request.vaeSlicing = false;
    const GenerationResult whole = generate(model(), request);
    request.vaeSlicing = true;
    const GenerationResult sliced = generate(model(), request);
    EXPECT_LE(greatestDifference(sliced.pictures[1], bytesOf(whole.pictures[1])), kPixelTolerance);
    request.vaeTiling = true;
    EXPECT_EQ(generate(model(), request).pictures[0].widthPixels, request.widthPixels);
}

TEST_F(Pipeline, nanWeightsAreNamedInsteadOfDrawn) {
    auto source = openModel(fixturePath("tiny-sd1"));
    UNetModel unet(source->unet, {});
    std::vector<std::unique_ptr<TextEncoder>> encoders;
    encoders.push_back(std::make_unique<TextEncoder>(source->text.config, ParameterStore::Options()));
    TextEncoders text(std::move(encoders));
    VaeModel vae(source->vae, {});
    for (Component* part : {&unet.component(), &text.first().component(), vae.encoder(), vae.decoder()})
        for (size_t block = 0; block < part->schedule().blocks().size(); ++block)
            for (size_t index = 0; index < part->schedule().blocks()[block].parameters.size(); ++index)
                part->store().parameter({static_cast<int>(block), static_cast<int>(index)}).fill_(NAN);
    const std::vector<ClipTokenizer> tokenizers = {
        *ClipTokenizer::loadFolder(fixturePath("tiny-sd1/tokenizer"))};
    GenerationPipeline pipeline(
        {unet, text, vae, tokenizers, stableDiffusionSchedulerConfig(PredictionType::Epsilon)});
    const auto result = pipeline.generate(plainRequest(), {}, CancelToken());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::BadInput);
}

TEST_F(Pipeline, loweredPrecisionStaysNearTheFullOne) {
    const GenerationRequest request = plainRequest();
    const at::Tensor exact = generate(model(), request).latents;
    GenerationModel::Options options;
    options.type = at::kBFloat16;
    const auto lowered = loadTiny("tiny-sd1", options);
    const at::Tensor near = generate(*lowered, request).latents;
    EXPECT_GT(relativeError(near, exact), 0.0);
    EXPECT_LT(relativeError(near, exact), 0.2);
}

TEST(PixelsTest, picturesComeBackFromPixels) {
    Picture picture;
    picture.widthPixels = 16;
    picture.heightPixels = 16;
    for (int value = 0; value < 3 * 256; ++value) picture.rgb.push_back(static_cast<uint8_t>(value * 7));
    EXPECT_EQ(picturesOf(pixelsOf(picture)).at(0).rgb, picture.rgb);
}

TEST(PixelsTest, valuesBeyondTheRangeAreCut) {
    const at::Tensor pixels = at::tensor({-5.0F, 0.0F, 5.0F}).reshape({1, 3, 1, 1});
    EXPECT_EQ(picturesOf(pixels).at(0).rgb, (std::vector<uint8_t>{0, 128, 255}));
}

TEST(PreviewProjectionTest, learnsALinearMap) {
    const at::Tensor latents = at::randn({1, 4, 16, 16});
    const at::Tensor map = at::randn({3, 4, 1, 1}) * 0.1;
    const at::Tensor small = at::conv2d(latents, map) + 0.05;
    const at::Tensor pixels = small.repeat_interleave(8, 2).repeat_interleave(8, 3);
    PreviewProjection projection;
    EXPECT_FALSE(projection.ready());
    projection.learn(latents, pixels);
    EXPECT_LT((projection.project(latents) - small.clamp(-1, 1)).abs().max().item<float>(), 1e-2F);
}

TEST(PreviewProjectionTest, flatLatentsGiveNoInfinities) {
    PreviewProjection projection;
    projection.learn(at::zeros({1, 4, 4, 4}), at::zeros({1, 3, 32, 32}));
    EXPECT_TRUE(projection.project(at::randn({1, 4, 4, 4})).isfinite().all().item<bool>());
}

} // namespace
} // namespace homebooth::core

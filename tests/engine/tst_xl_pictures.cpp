// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of SDXL: those of diffusers from the same noise, and what differs from the first models.
#include "core/engine/sampling/generation_model.h"
#include "core/engine/sampling/pixels.h"
#include "core/engine/schedulers/sampler.h"
#include "sampling_support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace homebooth::core {
namespace {

using namespace sampling_test;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kLatentTolerance = 1e-4; // greatest error over greatest value
constexpr int kPixelTolerance = 1;        // of 255

std::unique_ptr<GenerationModel> loadFrom(const std::string& path, GenerationModel::Options options = {}) {
    auto source = openModel(path);
    if (!source) throw std::runtime_error(source.error().text());
    auto model = GenerationModel::load(std::move(*source), options);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

const json& about() {
    static const json value = readJson("xl/expected.json");
    return value;
}

GenerationRequest plainRequest() {
    GenerationRequest request;
    request.prompt = about().at("prompts").at(0).get<std::string>();
    request.guidanceScale = about().at("guidance_scale").get<double>();
    request.steps = about().at("steps").get<int64_t>();
    request.sampler = SamplerKind::Euler; // the model's own
    request.seeds = {5};
    request.widthPixels = 40;
    request.heightPixels = 32;
    return request;
}

GenerationResult generate(GenerationModel& model, const GenerationRequest& request,
                          const GenerationListener& listener = {}) {
    auto result = model.pipeline().generate(request, listener, CancelToken());
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

int greatestDifference(const Picture& a, const Picture& b) {
    const auto bytes = [](const Picture& picture) {
        return at::tensor(at::ArrayRef<uint8_t>(picture.rgb), at::kByte).to(at::kInt);
    };
    return (bytes(a) - bytes(b)).abs().max().item<int>();
}

/// The tiny model with other words in one of its files. @returns its folder
std::string changed(const std::string& name, const std::string& file, const char* key, const json& value) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path folder = (root != nullptr ? fs::path(root) : fs::temp_directory_path()) / name;
    fs::remove_all(folder);
    fs::copy(fixturePath("tiny-sdxl"), folder, fs::copy_options::recursive);
    json words = readJson("tiny-sdxl/" + file);
    words[key] = value;
    std::ofstream(folder / file) << words.dump();
    return folder.string();
}

struct Case {
    const char* name;
    uint64_t seed; ///< of the first latents, in the script that made the fixtures
};

class XlPicturesOfDiffusers : public ::testing::TestWithParam<Case> {};

TEST_P(XlPicturesOfDiffusers, areMadeFromTheSameNoise) {
    const auto [name, seed] = GetParam();
    const TensorGroup tensors(openTensors("xl/expected.safetensors"), "picture/" + std::string(name) + "/");
    const json& one = about().at("pictures").at(name);
    GenerationRequest request = plainRequest();
    if (one.at("negative_prompt").is_string())
        request.negativePrompt = one.at("negative_prompt").get<std::string>();
    request.widthPixels = one.at("width").get<int64_t>();
    request.heightPixels = one.at("height").get<int64_t>();
    request.seeds = {seed};
    const at::Tensor start = tensors["input/latents"];
    SeededNoise noise(request.seeds);
    ASSERT_TRUE(at::equal(noise.draw(start.sizes()), start));
    const auto model = loadFrom(fixturePath("tiny-sdxl"));
    const GenerationResult result = generate(*model, request);
    EXPECT_LT(relativeError(result.latents, tensors["trajectory"][-1]), kLatentTolerance);
    ASSERT_EQ(result.pictures.size(), 1U);
    const at::Tensor expected = tensors["picture_uint8"].flatten();
    Picture held;
    held.rgb.assign(expected.const_data_ptr<uint8_t>(),
                    expected.const_data_ptr<uint8_t>() + expected.numel());
    ASSERT_EQ(result.pictures[0].rgb.size(), held.rgb.size());
    EXPECT_LE(greatestDifference(result.pictures[0], held), kPixelTolerance);
}

INSTANTIATE_TEST_SUITE_P(Cases, XlPicturesOfDiffusers,
                         ::testing::Values(Case{"negative", 8100}, Case{"zeros", 8101}));

class XlPictures : public ::testing::Test {
protected:
    static void SetUpTestSuite() { s_model = loadFrom(fixturePath("tiny-sdxl")); }
    static void TearDownTestSuite() { s_model.reset(); }
    static GenerationModel& model() { return *s_model; }

private:
    static inline std::unique_ptr<GenerationModel> s_model;
};

TEST_F(XlPictures, doNotDependOnTheirBatch) {
    GenerationRequest request = plainRequest();
    request.negativePrompt = "blurry";
    request.seeds = {5, 6, 7};
    const GenerationResult batch = generate(model(), request);
    request.seeds = {6};
    const GenerationResult alone = generate(model(), request);
    EXPECT_LT(relativeError(batch.latents.slice(0, 1, 2), alone.latents), kLatentTolerance);
}

TEST_F(XlPictures, haveTheModelsOwnSize) {
    GenerationRequest request = plainRequest();
    request.widthPixels = request.heightPixels = 0;
    EXPECT_EQ(generate(model(), request).widthPixels, 64); // 8 latents of 8 pixels
}

TEST_F(XlPictures, zerosStandForNoNegativePromptWhereTheModelSaysSo) {
    const at::Tensor zeros = generate(model(), plainRequest()).latents;
    const auto encoded =
        loadFrom(changed("encoded-empty", "model_index.json", "force_zeros_for_empty_prompt", false));
    const at::Tensor empty = generate(*encoded, plainRequest()).latents;
    EXPECT_FALSE(at::equal(empty, zeros));
    GenerationRequest named = plainRequest();
    named.negativePrompt = "blurry";
    EXPECT_TRUE(at::equal(generate(*encoded, named).latents, generate(model(), named).latents));
}

/// Pipelines of the first models set it to 1 whatever their file says; SDXL's do not.
TEST_F(XlPictures, areMadeWithTheSchedulersOwnOffset) {
    const auto other = loadFrom(changed("no-offset", "scheduler/scheduler_config.json", "steps_offset", 0));
    EXPECT_FALSE(
        at::equal(generate(*other, plainRequest()).latents, generate(model(), plainRequest()).latents));
}

TEST_F(XlPictures, leaveLayersOutForThePromptAlone) {
    const GenerationRequest request = plainRequest();
    const at::Tensor plain = generate(model(), request).latents;
    ASSERT_TRUE(model().setClipSkip(1));
    EXPECT_FALSE(at::equal(generate(model(), request).latents, plain));
    const auto tooMany = model().setClipSkip(2);
    ASSERT_FALSE(tooMany);
    EXPECT_EQ(tooMany.error().code, ErrorCode::Usage);
    EXPECT_NE(tooMany.error().message.find("expected 0 to 1 "), std::string::npos) << tooMany.error().message;
    ASSERT_TRUE(model().setClipSkip(0));
    EXPECT_TRUE(at::equal(generate(model(), request).latents, plain));
}

TEST_F(XlPictures, warnOnceOfAPromptThatBothTokenizersCut) {
    GenerationRequest request = plainRequest();
    for (int index = 0; index < 100; ++index) request.prompt += " dog";
    request.negativePrompt = request.prompt;
    request.steps = 1;
    std::vector<std::string> messages;
    GenerationListener listener;
    listener.warning = [&](const std::string&, const std::string& message) { messages.push_back(message); };
    static_cast<void>(generate(model(), request, listener));
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_NE(messages[0], messages[1]); // one for each prompt
}

TEST_F(XlPictures, startFromAPicture) {
    GenerationRequest request = plainRequest();
    request.steps = 20;
    request.guidanceScale = 1.0;
    request.initPixels = at::linspace(-1, 1, 40).reshape({1, 1, 1, 40}).expand({1, 3, 32, 40});
    const auto apart = [&](double strength) {
        request.strength = strength;
        request.seeds = {1};
        const at::Tensor one = generate(model(), request).latents;
        request.seeds = {2};
        return (generate(model(), request).latents - one).abs().mean().item<double>();
    };
    EXPECT_LT(apart(0.05), apart(1.0));
}

TEST_F(XlPictures, arePreviewed) {
    GenerationRequest request = plainRequest();
    request.previewEverySteps = 2;
    std::vector<int64_t> widths;
    GenerationListener listener;
    listener.preview = [&](int64_t, const std::vector<Picture>& pictures) {
        widths.push_back(pictures.at(0).widthPixels);
    };
    static_cast<void>(generate(model(), request, listener));
    EXPECT_EQ(widths, std::vector<int64_t>{request.widthPixels / 8});
}

TEST_F(XlPictures, ofLowerPrecisionAreNear) {
    GenerationModel::Options options;
    options.type = at::kBFloat16;
    const auto lowered = loadFrom(fixturePath("tiny-sdxl"), options);
    GenerationRequest request = plainRequest();
    request.guidanceScale = 1.0; // more of it makes more of rounding
    const at::Tensor exact = generate(model(), request).latents;
    const at::Tensor near = generate(*lowered, request).latents;
    EXPECT_GT(relativeError(near, exact), 0.0);
    EXPECT_LT(relativeError(near, exact), 0.2);
}

} // namespace
} // namespace homebooth::core

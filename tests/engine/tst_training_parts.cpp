// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The pieces of training one by one: losses, budgets, results, hashes, state.
#include "core/base/text/generation_parameters.h"
#include "core/base/text/prompt_weights.h"
#include "core/engine/data/preview_prompts.h"
#include "core/engine/io/tensor_files.h"
#include "core/engine/learning/diffusion_loss.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/learning/vae_loss.h"
#include "core/engine/training/component_hash.h"
#include "core/engine/training/model_bundle.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/run_state.h"
#include "core/engine/training/scratch_result.h"

#include "training_support.h"

#include <array>
#include <cstdint>
#include <torch/csrc/autograd/autograd.h>

namespace homebooth::core::testing {
namespace {

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
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

/// As one that another user has made.
TEST(Results, standBesideAnEarlierOneThatCannotBeRemoved) {
    const std::string root = scratchFolder("stuck");
    const std::string path = root + "/model";
    for (const std::string& folder : {path, path + ".old", root + "/made"}) {
        fs::create_directories(folder);
        writeText(folder + "/text", folder);
    }
    fs::permissions(path + ".old", fs::perms::owner_read | fs::perms::owner_exec);
    std::error_code code;
    if (fs::remove(path + ".old/text", code)) GTEST_SKIP() << "root may remove any file";
    writeText(root + "/mine.old", "no result");
    const auto replaced = replaceWith(root + "/made", path);
    const auto left = earlierResultsIn(root);
    fs::permissions(path + ".old", fs::perms::owner_all);
    ASSERT_TRUE(replaced) << replaced.error().text();
    EXPECT_EQ(fileBytes(path + "/text"), root + "/made");
    EXPECT_EQ(left, std::vector<std::string>{path + ".old"});
}

TEST(Results, passOverFoldersThatCannotBeEntered) {
    const std::string root = scratchFolder("looping");
    fs::create_directories(root + "/config");
    fs::create_symlink("unet", root + "/config/unet");
    writeText(root + "/config/model_index.json", "{}");
    VaeConfig config;
    writeText(root + "/secret", "private");
    fs::create_symlink(root + "/secret", root + "/config/LICENSE");
    LeftAside leftAside;
    const auto small = smallFilesOf(root + "/config", leftAside);
    ASSERT_TRUE(small) << small.error().text();
    EXPECT_FALSE(small->contains("LICENSE"));
    EXPECT_TRUE(leftAside.contains("LICENSE"));
    const auto written =
        writeVaeResult(*small, root + "/result", config, TensorListSource({{"w", at::zeros({2})}}));
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
    EXPECT_EQ((*bundle)->textEncoders().value(), nullptr);
    EXPECT_EQ((*bundle)->vaeHash().value(), "");
    EXPECT_EQ((*bundle)->textEncoderHash().value(), "");
    const auto stopped = ModelBundle::make(job);
    ASSERT_TRUE(stopped) << stopped.error().text();
    EXPECT_EQ(stopped->get(), nullptr);
    // A step that runs already gets what it needs: it is ended, not broken off.
    (*bundle)->endPreparation();
    EXPECT_NE((*bundle)->textEncoders().value(), nullptr);
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

TEST(RunState, whatItLacksIsNamedInWords) {
    RunState state;
    state.cursors = {{7, 1, {3, 4}}};
    std::string text = toJson(state);
    text.replace(text.find("\"positions\""), 11, "\"places\"");
    const auto read = parseRunState(text, "state.json");
    ASSERT_FALSE(read);
    const std::string& said = read.error().message;
    EXPECT_EQ(said.find("exception"), std::string::npos) << said;
    for (const char* words : {"written: key 'positions' not found; ", "folder away and resume"})
        EXPECT_NE(said.find(words), std::string::npos) << said;
}

TEST(RunState, countsThatNoRunReachesAreRefused) {
    RunState whole;
    whole.step = 12;
    whole.cursors = {{7, 1, {3, 4}}};
    ASSERT_TRUE(parseRunState(toJson(whole), "state.json"));
    for (const int64_t number : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
        std::array<RunState, 4> states{whole, whole, whole, whole};
        states[0].step = number;
        states[1].cursors[0].drawn = number;
        states[2].cursors[0].generation = number;
        states[3].cursors[0].positions[1] = number;
        for (const RunState& state : states) {
            const auto read = parseRunState(toJson(state), "state.json");
            ASSERT_FALSE(read) << toJson(state);
            EXPECT_NE(read.error().message.find("is not what was written"), std::string::npos)
                << read.error().text();
        }
    }
}

TEST(PreviewPrompts, takeWhatIsThere) {
    TrainConfig config;
    config.output.previewCount = 3;
    config.seed = 5;
    config.data.instancePrompt = "a photo of sks dog";
    EXPECT_EQ(previewPrompts(config, {})[2].text, "a photo of sks dog");
    EXPECT_EQ(previewPrompts(config, {})[2].seed, 7U);
    config.data.instancePrompt = "a photo of sks dog | studio";
    EXPECT_EQ(previewPrompts(config, {})[0].text, "a photo of sks dog | studio"); // as it is learned
    config.output.previewPrompt = "\t| a cat | a dog\t";
    EXPECT_EQ(previewPrompts(config, {})[0].text, "a cat");
    EXPECT_EQ(previewPrompts(config, {})[1].text, "a dog");
    EXPECT_EQ(previewPrompts(config, {})[2].text, "a cat");
}

TEST(PreviewPrompts, asTextsOfPicturesWeighNothing) {
    GenerationRequest request;
    request.seeds = {7};
    for (const char* words : {"hatsune_miku_(vocaloid), [smile] :)", "a \\(b\\) \\", "a hat"}) {
        request.prompt = words;
        request.negativePrompt = words;
        const GenerationParameters told = parseGenerationParameters(previewParameters(request));
        const std::vector<PromptPiece> whole{{words, 1.0}};
        EXPECT_EQ(promptPieces(told.prompt), whole) << words;
        EXPECT_EQ(promptPieces(told.negativePrompt), whole) << words;
    }
    request.prompt = "a (hat)";
    request.weighsWords = true;
    EXPECT_EQ(parseGenerationParameters(previewParameters(request)).prompt, "a (hat)");
}

} // namespace
} // namespace homebooth::core::testing

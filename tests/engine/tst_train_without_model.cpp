// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Trainings whose model's folder is gone when the result is written: that is whole all the same, and the
// same as with the folder.
#include "gone_folder.h"
#include "language_support.h"

namespace homebooth::core::testing {
namespace {

constexpr const char* kIndex =
    R"({"_class_name": "StableDiffusionPipeline", "feature_extractor": ["transformers", "CLIPImageProcessor"],
        "safety_checker": ["stable_diffusion", "StableDiffusionSafetyChecker"],
        "scheduler": ["diffusers", "PNDMScheduler"], "text_encoder": ["transformers", "CLIPTextModel"],
        "tokenizer": ["transformers", "CLIPTokenizer"], "unet": ["diffusers", "UNet2DConditionModel"],
        "vae": ["diffusers", "AutoencoderKL"]})";

void put(const std::string& path, std::string_view text) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

void expectFiles(const std::string& folder, std::initializer_list<const char*> names) {
    for (const char* name : names) EXPECT_TRUE(fs::exists(folder + "/" + name)) << folder << "/" << name;
}

TEST(TrainWithoutModel, leavesAWholeLanguageModel) {
    const std::string root = scratchFolder("gone-language");
    const TrainConfig config = tinyLanguage(root);
    for (const char* name : {"LICENSE.md", "generation_config.json", "chat_template.jinja"})
        put(config.model + "/" + name, "{}");
    JobWorld world;
    ASSERT_EQ(runFresh(inFolder(config, root + "/there"), world).result, "done");
    const OutcomeEvent outcome = runLosing(config.model, config);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    expectEqualFolders(outcome.resultPaths.front(), root + "/there/run/result/model");
    expectFiles(outcome.resultPaths.front(),
                {"tokenizer.json", "LICENSE.md", "generation_config.json", "chat_template.jinja"});
}

/// At once, not when the result is written; who saves no model does without it.
TEST(TrainWithoutModel, namesWhatCannotGoAlong) {
    TrainConfig config = tinyLanguage(scratchFolder("gone-licence"));
    put(config.model + "/LICENSE.md", "terms");
    fs::permissions(config.model + "/LICENSE.md", fs::perms::none);
    if (std::ifstream(config.model + "/LICENSE.md")) GTEST_SKIP() << "root may read any file";
    JobWorld world;
    const OutcomeEvent refused = runFresh(config, world);
    EXPECT_EQ(refused.code, static_cast<int>(ErrorCode::BadInput));
    EXPECT_NE(refused.message.find("LICENSE.md"), std::string::npos) << refused.message;
    EXPECT_TRUE(world.events.of<StepEvent>().empty());
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    JobWorld lora;
    const OutcomeEvent outcome = runFresh(inFolder(config, config.model + "-lora"), lora);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

/// Whoever made the folder would have a file of the user's published.
TEST(TrainWithoutModel, takesNothingAlongThatALinkLeadsTo) {
    const std::string root = scratchFolder("linked-licence");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 1;
    config.model = root + "/model";
    fs::copy(fixture("tiny-sd1"), config.model, fs::copy_options::recursive);
    put(root + "/secret", "private");
    fs::create_symlink(root + "/secret", config.model + "/LICENSE.txt");
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_FALSE(fs::exists(outcome.resultPaths.front() + "/LICENSE.txt"));
    EXPECT_TRUE(warnsOf(world.events, "LICENSE.txt (a link leads out of the model's folder)"));
}

TEST(TrainWithoutModel, leavesAWholeModelForPictures) {
    const std::string root = scratchFolder("gone-pictures");
    TrainConfig config = tinyDreamBooth(root);
    config.model = root + "/model";
    fs::copy(fixture("tiny-sd1"), config.model, fs::copy_options::recursive);
    put(config.model + "/model_index.json", kIndex);
    for (const char* name :
         {"LICENSE.md", "training_defaults.json", "safety_checker/config.json",
          "safety_checker/model.safetensors", "feature_extractor/preprocessor_config.json"})
        put(config.model + "/" + name, "{}");
    JobWorld world;
    ASSERT_EQ(runFresh(inFolder(config, root + "/there"), world).result, "done");
    const OutcomeEvent outcome = runLosing(config.model, config);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    expectEqualFolders(outcome.resultPaths.front(), root + "/there/run/result/model");
    expectFiles(outcome.resultPaths.front(),
                {"LICENSE.md", "training_defaults.json", "safety_checker/model.safetensors",
                 "feature_extractor/preprocessor_config.json", "tokenizer/vocab.json"});
}

} // namespace
} // namespace homebooth::core::testing

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRAs of a session: they come and go without a trace, and what they are is told.
#include "core/base/files/sha256.h"
#include "core/engine/sampling/lora_merge.h"
#include "core/engine/sampling/picture_facts.h"
#include "sample_job_fixture.h"
#include "tests/base/support/torch_writer.h"

#include <limits>
#include <set>

namespace homebooth::core {
namespace {

using namespace sampling_test;

/// A kohya LoRA for one layer of tiny-sd1's UNet.
std::string writeTinyLora(const fs::path& folder, float value) {
    return writeSquareLora(
        folder, {{"lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_to_q", 8}}, value);
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

TEST_F(SampleJob, anotherClipSkipNeedsNoLoraOfTheJobBefore) {
    config.loras = {{writeTinyLora(folder(), 0.8F), 1.0}};
    ASSERT_EQ(run().result, "done");
    fs::remove(config.loras[0].file);
    config.loras.clear();
    config.clipSkip = 1;
    const OutcomeEvent outcome = run();
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    SampleSession fresh{pictures, pictures};
    ASSERT_EQ(fresh.run(config, events, cancel).result, "done");
    EXPECT_EQ(picture("00001-11.png").picture.rgb, picture("00002-11.png").picture.rgb);
}

/// The layers that come with it were not there when the LoRAs were added.
TEST_F(SampleJob, anotherClipSkipKeepsTheLorasOfItsJob) {
    config.model = fixturePath("tiny-sdxl");
    config.loras = {{writeSquareLora(folder(), {kXlModules[1], kXlModules[2]}, 2.0F), 1.0}};
    config.clipSkip = 0;
    ASSERT_EQ(run().result, "done");
    config.clipSkip = 1;
    ASSERT_EQ(run().result, "done");
    SampleSession fresh{pictures, pictures};
    ASSERT_EQ(fresh.run(config, events, cancel).result, "done");
    EXPECT_EQ(picture("00001-11.png").picture.rgb, picture("00002-11.png").picture.rgb);
    config.loras.clear();
    ASSERT_EQ(run().result, "done");
    EXPECT_NE(picture("00003-11.png").picture.rgb, picture("00001-11.png").picture.rgb);
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

} // namespace
} // namespace homebooth::core

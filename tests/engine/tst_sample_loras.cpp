// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRAs and textual inversions of a session: they come and go without a trace, and what they are is
// told.
#include "core/base/files/sha256.h"
#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/model_hash.h"
#include "core/engine/sampling/lora_merge.h"
#include "sample_job_fixture.h"
#include "tests/base/support/torch_writer.h"

#include <limits>
#include <set>
#include <span>

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

TEST_F(SampleJob, theLoraOfARunIsCalledAsTheRun) {
    const fs::path result = folder() / "robot-7" / "result";
    fs::create_directories(result);
    fs::rename(writeTinyLora(folder(), 0.8F), result / "lora.safetensors");
    config.loras = {{(result / "lora.safetensors").string(), 0.5}};
    const OutcomeEvent outcome = run();
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const std::string text = picture("00000-11.png").text.at("parameters");
    EXPECT_TRUE(text.starts_with(config.prompt + " <lora:robot-7:0.5>")) << text;
    const auto facts = parseGenerationParameters(text);
    EXPECT_EQ(facts.prompt, config.prompt);
    ASSERT_EQ(facts.loraHashes.size(), 1U);
    EXPECT_EQ(facts.loraHashes[0].first, "robot-7");
    EXPECT_EQ(facts.loraHashes[0].second, loraHash(config.loras[0].file).value());
    ASSERT_EQ(facts.loraWeights.size(), 1U);
    EXPECT_EQ(facts.loraWeights[0], (std::pair<std::string, double>("robot-7", 0.5)));
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

/// A copy of tiny-sd1 that does not say how it predicts.
std::string silentModel(const fs::path& path) {
    fs::create_directories(path.parent_path());
    fs::copy(fixturePath("tiny-sd1"), path, fs::copy_options::recursive);
    fs::remove_all(path / "scheduler");
    return path.string();
}

/// As a training that was told so leaves it: one that changes no number.
std::string writeToldLora(const fs::path& folder, const std::string& model, bool zeroTerminalSnr) {
    const LoraFile lora = openLora(writeTinyLora(folder, 0.0F)).value();
    TrainConfig told;
    told.model = model;
    told.loss.predictionType = "v_prediction";
    told.loss.zeroTerminalSnr = zeroTerminalSnr;
    LoraDescription description;
    noteToldPrediction(told, *openModel(model), description);
    const std::string path = (folder / (zeroTerminalSnr ? "zero.safetensors" : "told.safetensors")).string();
    const auto written = writeLora(path, LoraFormat::Kohya, lora.modules, *lora.tensors, description);
    if (!written) throw std::runtime_error(written.error().text());
    return path;
}

TEST_F(SampleJob, aLoraSaysWhatItsTrainingWasToldOfASilentModel) {
    config.model = silentModel(folder() / "silent");
    const auto made = [this] {
        const OutcomeEvent outcome = run();
        if (outcome.result != "done") throw std::runtime_error(outcome.message);
        return pictures.files.at(outcome.resultPaths.front()).picture.rgb;
    };
    const std::vector<uint8_t> assumed = made();
    config.predictionType = "v_prediction";
    const std::vector<uint8_t> velocity = made();
    config.zeroTerminalSnr = true;
    const std::vector<uint8_t> fromNoise = made();
    config.predictionType.clear();
    config.zeroTerminalSnr = false;
    ASSERT_NE(assumed, velocity);
    ASSERT_NE(velocity, fromNoise);
    const LoraReference told{writeToldLora(folder(), config.model, false), 1.0};
    const LoraReference zero{writeToldLora(folder(), config.model, true), 1.0};
    config.loras = {told};
    EXPECT_EQ(made(), velocity);
    config.loras = {zero};
    EXPECT_EQ(made(), fromNoise);
    config.loras.clear();
    EXPECT_EQ(made(), assumed);
    config.loras = {told};
    config.predictionType = "epsilon"; // asked for
    EXPECT_EQ(made(), assumed);
    config.predictionType.clear();
    config.model = silentModel(folder() / "another");
    EXPECT_EQ(made(), assumed);
    fs::create_directories(folder() / "elsewhere");
    fs::copy(fixturePath("tiny-sd1"), folder() / "elsewhere" / "silent", fs::copy_options::recursive);
    config.model = (folder() / "elsewhere" / "silent").string(); // which says it
    const std::vector<uint8_t> with = made();
    config.loras.clear();
    EXPECT_EQ(made(), with);
}

/// A LoRA whose products are beyond fp16 in the first block with attention.
std::string writeLoudLora(const fs::path& folder) {
    const std::string block = "lora_unet_down_blocks_0_attentions_0_transformer_blocks_0_attn1_";
    return writeSquareLora(folder, {{block + "to_v", 8}, {block + "to_out_0", 8}}, 1.0F);
}

TEST_F(SampleJob, aLoraThatFp16DoesNotHoldLeavesTheModelInFp16) {
    config.precision = Precision::Fp16;
    config.loras = {{writeLoudLora(folder()), 3e4}};
    for (int job = 0; job < 2; ++job) ASSERT_EQ(run().result, "done"); // the second one knows it
    ASSERT_EQ(warnings("bf16-for-additions"), 1);
    EXPECT_EQ(warnings("bf16-instead"), 0); // it is not the model alone
    EXPECT_EQ(events.states("loading"), 2);
    config.loras.clear();
    ASSERT_EQ(run().result, "done");
    EXPECT_EQ(events.states("loading"), 3); // in fp16, as in a fresh session
    EXPECT_EQ(warnings("bf16-for-additions") + warnings("bf16-instead"), 1);
    SampleSession fresh{pictures, pictures};
    ASSERT_EQ(fresh.run(config, events, cancel).result, "done");
    EXPECT_EQ(picture("00002-11.png").picture.rgb, picture("00003-11.png").picture.rgb);
}

TEST_F(SampleJob, aLoraIsNamedWhereItsPicturesAreNotFinite) {
    config.precision = Precision::Bf16;
    config.loras = {{writeLoudLora(folder()), 3e38}};
    const OutcomeEvent outcome = run();
    EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::BadInput));
    for (const std::string& part : {config.loras[0].file, std::string("less weight"), std::string("finite")})
        EXPECT_NE(outcome.message.find(part), std::string::npos) << outcome.message;
    EXPECT_EQ(outcome.message.find("copy of the model"), std::string::npos) << outcome.message;
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

TEST_F(SampleJob, bracketsWeighTextualInversions) {
    config.embeddings = {fixturePath("embeddings/moon-dog.pt")};
    std::vector<std::vector<uint8_t>> made;
    for (const char* prompt : {"a moon-dog", "a (Moon-Dog:1.0)", "a (moon-dog:1.5)", "a moon-(dog)"}) {
        config.prompt = prompt;
        ASSERT_EQ(run().result, "done");
        const std::string name = "0000" + std::to_string(made.size()) + "-11.png";
        made.push_back(picture(name).picture.rgb);
        EXPECT_EQ(factsOf(name).embeddingHashes.size(), made.size() < 4 ? 1U : 0U) << prompt;
    }
    EXPECT_EQ(made[1], made[0]);
    EXPECT_NE(made[2], made[0]);
    EXPECT_EQ(warnings("embedding-unnamed"), 1); // of the last one, whose pieces are words of their own
}

TEST_F(SampleJob, textualInversionsOfOtherModelsAreRefused) {
    config.embeddings = {fixturePath("embeddings/xl.safetensors")};
    EXPECT_EQ(run().code, static_cast<int>(ErrorCode::BadInput));
    EXPECT_EQ(events.states("loading"), 0); // before minutes of loading
    config.embeddings.clear();
    EXPECT_EQ(run().result, "done");
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

} // namespace
} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole trainings of language models: they learn, stop and go on to the same bytes, under other placements,
// too, and leave folders that open again.
#include "core/base/plan/generation/text_memory.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/learned_texts.h"
#include "core/engine/learning/language_step.h"

#include "finished_training.h"
#include "language_support.h"

namespace homebooth::core::testing {
namespace {

std::vector<double> lossesOf(const EventList& events) {
    std::vector<double> losses;
    for (const StepEvent& step : events.of<StepEvent>()) losses.push_back(step.loss);
    return losses;
}

/// What the first plan of a run says of its texts.
std::map<std::string, double> textsIn(const EventList& events) {
    const PlanEvent first = events.of<PlanEvent>().front();
    for (const PlanDecision& one : first.decisions)
        if (one.code == kTextsLearned) return one.facts;
    ADD_FAILURE() << "the plan tells nothing of the texts";
    return {};
}

/// GPT-2's own end token, which a small vocabulary lacks.
std::string withForeignEnd() {
    std::string json = kSmallGpt2;
    const std::string own = R"("eos_token_id":2)";
    json.replace(json.find(own), own.size(), R"("eos_token_id":50256)");
    return json;
}

/// A tokenizer that begins texts with nothing and names nothing that ends them.
void takeNamelessTokenizer(const std::string& model) {
    fs::remove(model + "/tokenizer.json");
    for (const char* name : {"vocab.json", "merges.txt"})
        fs::copy_file(fixture("language/tokenizer/parts/") + name, model + "/" + name);
}

TEST(TrainLanguage, learnsTextsAndLeavesAModel) {
    TrainConfig config = tinyLanguage(scratchFolder("language-learns"));
    config.steps = 60;
    config.optimizer.learningRate = 3e-3;
    config.output.checkpointEverySteps = 60;
    JobWorld world;
    const OutcomeEvent outcome = finished(config, world);
    const std::vector<double> losses = lossesOf(world.events);
    ASSERT_EQ(losses.size(), 60U);
    EXPECT_NEAR(losses.front(), std::log(360.0), 0.5); // it knew nothing
    EXPECT_LT(losses.back(), 0.6 * losses.front());
    ASSERT_EQ(outcome.resultPaths.size(), 1U);
    const auto model = openModel(outcome.resultPaths.front());
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_TRUE(model->language);
    EXPECT_EQ(model->language->config.layerCount, 3);
    EXPECT_TRUE(fs::exists(outcome.resultPaths.front() + "/tokenizer.json"));
}

/// Which config.json does not tell of.
TEST(TrainLanguage, learnsAHeadThatIsNotTheTable) {
    const std::string root = scratchFolder("language-head");
    TrainConfig config = tinyLanguage(root);
    config.model = withOtherHead(config.model, root + "/other");
    JobWorld world;
    const OutcomeEvent outcome = finished(config, world);
    EXPECT_TRUE(warnsOf(world.events, "lm_head.weight"));
    const auto before = openModel(config.model);
    const auto after = openModel(outcome.resultPaths.front());
    ASSERT_TRUE(before && after);
    EXPECT_FALSE(after->language->config.tiedHead);
    EXPECT_TRUE(after->deviations.empty()); // config.json tells of it now
    EXPECT_NE(after->language->json.find(R"("tie_word_embeddings": false)"), std::string::npos);
    for (const char* name : {"lm_head.weight", "model.decoder.embed_tokens.weight"}) {
        const auto learned = readExact(*after->language->tensors, *after->language->tensors->find(name));
        const auto begun = readExact(*before->language->tensors, *before->language->tensors->find(name));
        ASSERT_TRUE(learned && begun);
        EXPECT_FALSE(at::equal(*learned, *begun)) << name;
        EXPECT_TRUE(at::allclose(*learned, *begun, 0.1, 0.02)) << name;
    }
    config.steps = 6;
    JobWorld second;
    EXPECT_EQ(runAgain(config, second).result, "done");
    EXPECT_FALSE(warnsOf(second.events, "lm_head.weight"));
}

TEST(TrainLanguage, goesOnToTheSameBytesUnderAnotherPlacement) {
    const std::string root = scratchFolder("language-resumes");
    TrainConfig config = tinyLanguage(root);
    config.output.previewEverySteps = 2; // of which it makes no pictures
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");
    TrainConfig part = config;
    part.steps = 2;
    JobWorld first;
    ASSERT_EQ(runFresh(part, first).result, "done");
    config.memory.policy = PlacementPolicy::Cpu;
    JobWorld second;
    const OutcomeEvent outcome = runAgain(config, second);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(second.events.of<ResumedEvent>().front().fromStep, 2);
    const auto states = second.events.of<StateEvent>();
    EXPECT_EQ(
        std::count_if(states.begin(), states.end(), [](const auto& one) { return one.state == "sampling"; }),
        1); // of step 4: none is missed of step 2
    expectEqualFolders(checkpointOf(config, 4), root + "/straight/run/checkpoints/step-000004");
    expectEqualFolders(config.output.runDir + "/result/model", root + "/straight/run/result/model");
}

TEST(TrainLanguage, learnsALoraBesideIntegers) {
    for (const auto& [json, ownHead] : {std::pair(kSmallOpt, false), std::pair(kSmallGpt2, false),
                                        std::pair(kSmallBloom, false), std::pair(kSmallGpt2, true)}) {
        const std::string root = scratchFolder("language-lora");
        TrainConfig config = tinyLanguage(root, json);
        if (ownHead) config.model = withOtherHead(config.model, root + "/other");
        config.method = TrainMethod::Lora;
        config.lora.rank = 4;
        config.quantization = Quantization::Int8;
        config.precision = Precision::Bf16;
        const OutcomeEvent outcome = finished(config);
        const auto model = openModel(config.model);
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_EQ(model->language->config.tiedHead, !ownHead);
        const auto lora = openLanguageLora(outcome.resultPaths.front(), *model->language);
        ASSERT_TRUE(lora) << lora.error().text();
        EXPECT_EQ(lora->rank, 4);
        const size_t modules = json == kSmallOpt ? 6 : 4;
        EXPECT_EQ(lora->tensors->tensors().size(), 3 * modules * 2);
    }
}

TEST(TrainLanguage, holdsTextsOut) {
    TrainConfig config = tinyLanguage(scratchFolder("language-held-out"));
    config.data.validationShare = 0.2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto validations = world.events.of<ValidationEvent>();
    ASSERT_EQ(validations.size(), 3U); // before the first step, too
    EXPECT_GT(validations.front().loss, 1.0);
}

TEST(TrainLanguage, stepsAlikeWhetherABatchComesAtOnceOrNot) {
    const std::string root = scratchFolder("language-accumulates");
    TrainConfig config = tinyLanguage(root);
    JobWorld whole;
    ASSERT_EQ(runFresh(inFolder(config, root + "/whole"), whole).result, "done");
    config.batchSize = 1;
    config.optimizer.accumulationSteps = 2;
    JobWorld parts;
    ASSERT_EQ(runFresh(config, parts).result, "done");
    const std::vector<double> expected = lossesOf(whole.events);
    const std::vector<double> found = lossesOf(parts.events);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t step = 0; step < found.size(); ++step) EXPECT_NEAR(found[step], expected[step], 1e-4);
}

/// Of which the run knows what they really take.
TEST(TrainLanguage, plansWithItsTexts) {
    TrainConfig config = tinyLanguage(scratchFolder("language-plans"));
    config.steps = 1;
    JobWorld few;
    ASSERT_EQ(runFresh(config, few).result, "done");
    std::string tale;
    for (int i = 0; i < 100'000; ++i) tale += "The dog number " + std::to_string(i) + " sat on the moon.\n";
    std::ofstream(config.data.textPath + "/long.txt") << tale;
    JobWorld many;
    ASSERT_EQ(runFresh(inFolder(config, config.output.runDir + "-more"), many).result, "done");
    const int64_t held = many.events.of<MemoryEvent>().back().ram.cacheBytes;
    EXPECT_GT(held, int64_t{1} << 20);
    const auto told = many.events.of<PlanEvent>().front().decisions;
    EXPECT_TRUE(std::any_of(told.begin(), told.end(), [&](const PlanDecision& one) {
        return one.code == kTextsInRam && one.facts.at("textBytes") == static_cast<double>(held);
    }));
    const int64_t more = many.events.of<PlanEvent>().front().predicted.ramBytes -
                         few.events.of<PlanEvent>().front().predicted.ramBytes;
    EXPECT_NEAR(static_cast<double>(more), static_cast<double>(held), 0.1 * static_cast<double>(held));
}

TEST(TrainLanguage, tellsHowMuchOfItsTextsItLearns) {
    TrainConfig config = tinyLanguage(scratchFolder("language-tells"));
    config.data.validationShare = 0.2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto facts = textsIn(world.events);
    const double windows = facts.at("windows");
    EXPECT_GT(windows, 10.0);
    EXPECT_NEAR(facts.at("heldOutWindows"), 0.2 * (windows + facts.at("heldOutWindows")), 1.0);
    EXPECT_NEAR(facts.at("textTokens"), 24.0 * (windows + facts.at("heldOutWindows")), 24.0);
    EXPECT_EQ(facts.at("epochSteps"), std::ceil(windows / 2.0)); // of two windows each
    EXPECT_EQ(facts.at("epochs"), 4.0 * 2.0 / windows);
}

TEST(TrainLanguage, putsTheTokenizersEndBehindTextsWhereConfigNamesNone) {
    const std::string root = scratchFolder("language-ends");
    const std::string json = withForeignEnd();
    TrainConfig config = tinyLanguage(root, json.c_str());
    takeNamelessTokenizer(config.model);
    JobWorld together;
    ASSERT_EQ(runFresh(inFolder(config, root + "/together"), together).result, "done");
    std::ofstream(config.model + "/special_tokens_map.json") << R"({"eos_token": "</s>"})";
    std::ofstream(config.model + "/generation_config.json") << R"({"eos_token_id": 50256})";
    JobWorld ended;
    const OutcomeEvent outcome = runFresh(config, ended);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(textsIn(ended.events).at("textTokens"), textsIn(together.events).at("textTokens") + 3.0);
    EXPECT_FALSE(warnsOf(ended.events, "run together"));
    const auto result = openModel(outcome.resultPaths.front()); // it says what its texts end with
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->language->config.eosTokenId, 2);
    const auto ends = endTokens(*result->language);
    ASSERT_TRUE(ends) << ends.error().text();
    EXPECT_EQ(*ends, std::vector<int64_t>{2});
}

/// Where config.json names no end, and generation_config.json another than the tokenizer.
TEST(TrainLanguage, putsBehindTextsWhatEndsThemWhenItWrites) {
    const std::string root = scratchFolder("language-generation-ends");
    const std::string json = withForeignEnd();
    const TrainConfig config = tinyLanguage(root, json.c_str());
    takeNamelessTokenizer(config.model);
    std::ofstream(config.model + "/special_tokens_map.json") << R"({"eos_token": "</s>"})";
    std::ofstream(config.model + "/generation_config.json") << R"({"eos_token_id": 3})";
    const OutcomeEvent outcome = finished(config);
    const auto result = openModel(outcome.resultPaths.front());
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->language->config.eosTokenId, 3);
}

TEST(TrainLanguage, tellsOnceOfTextsThatRunTogether) {
    const std::string root = scratchFolder("language-together");
    const std::string json = withForeignEnd();
    TrainConfig config = tinyLanguage(root, json.c_str());
    takeNamelessTokenizer(config.model);
    JobWorld first;
    ASSERT_EQ(runFresh(config, first).result, "done");
    const auto warnings = first.events.of<WarningEvent>();
    EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                            [](const WarningEvent& one) { return one.code == "texts-run-together"; }),
              1);
    EXPECT_TRUE(warnsOf(first.events, "the 3 texts run together"));
    config.steps = 6;
    JobWorld second;
    ASSERT_EQ(runAgain(config, second).result, "done");
    EXPECT_FALSE(warnsOf(second.events, "run together"));
    config.data.textPath += "/tale.txt"; // one text needs no border
    JobWorld alone;
    ASSERT_EQ(runFresh(inFolder(config, root + "/alone"), alone).result, "done");
    EXPECT_FALSE(warnsOf(alone.events, "run together"));
}

TEST(TrainLanguage, namesTheContextWhereMemoryLacks) {
    TrainConfig config = tinyLanguage(scratchFolder("language-lacks"));
    config.memory.ramBytes = int64_t{8} << 20;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::OutOfResources));
    EXPECT_NE(outcome.message.find("--context"), std::string::npos) << outcome.message;
    EXPECT_EQ(outcome.message.find("take fewer texts"), std::string::npos) << outcome.message; // they are few
    EXPECT_EQ(outcome.message.find("--resolution"), std::string::npos) << outcome.message;
}

/// A run in the folder of its texts, as from within that: its journal is no text.
TEST(TrainLanguage, learnsNothingOfRunsAmongItsTexts) {
    const std::string root = scratchFolder("language-within");
    TrainConfig config = tinyLanguage(root);
    JobWorld apart;
    ASSERT_EQ(runFresh(inFolder(config, root + "/apart"), apart).result, "done");
    config.output.runDir = config.data.textPath + "/run";
    config.steps = 2;
    JobWorld first;
    const OutcomeEvent begun = runFresh(config, first);
    ASSERT_EQ(begun.result, "done") << begun.message;
    EXPECT_TRUE(warnsOf(first.events, "left out of the texts: 1 folder of a run or model (run)"));
    std::ofstream(config.output.runDir + "/events.jsonl") << "{\"v\": 1}\n";
    config.steps = 4;
    JobWorld second;
    const OutcomeEvent outcome = runAgain(config, second);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_FALSE(warnsOf(second.events, "left out")); // it was told
    expectEqualFolders(config.output.runDir + "/result/model", root + "/apart/run/result/model");
}

TEST(TrainLanguage, tellsOnceOfFilesThatItDoesNotRead) {
    TrainConfig config = tinyLanguage(scratchFolder("language-left-out"));
    JobWorld plain;
    ASSERT_EQ(runFresh(config, plain).result, "done");
    EXPECT_FALSE(warnsOf(plain.events, "left out"));
    for (const char* name : {"/a.html", "/b.rst"}) std::ofstream(config.data.textPath + name) << "no";
    JobWorld world;
    ASSERT_EQ(runFresh(inFolder(config, config.output.runDir + "-more"), world).result, "done");
    const auto warnings = world.events.of<WarningEvent>();
    EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                            [](const WarningEvent& one) { return one.code == "texts-left-out"; }),
              1);
    EXPECT_TRUE(warnsOf(world.events, "2 files of other kinds (such as a.html)"));
}

/// As nearly all of them name some.
TEST(TrainLanguage, tellsOnceOfDropoutThatItDoesNotApply) {
    TrainConfig config = tinyLanguage(scratchFolder("language-dropout"));
    config.steps = 2;
    JobWorld first;
    ASSERT_EQ(runFresh(config, first).result, "done");
    const auto warnings = first.events.of<WarningEvent>();
    EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                            [](const WarningEvent& one) { return one.code == "dropout-not-applied"; }),
              1);
    EXPECT_TRUE(warnsOf(first.events, R"("dropout": 0.1)"));
    config.steps = 4;
    JobWorld second;
    ASSERT_EQ(runAgain(config, second).result, "done");
    EXPECT_FALSE(warnsOf(second.events, "dropout"));
    JobWorld without;
    config = tinyLanguage(scratchFolder("language-no-dropout"), kSmallBloom);
    ASSERT_EQ(runFresh(config, without).result, "done");
    EXPECT_FALSE(warnsOf(without.events, "dropout"));
}

TEST(TrainLanguage, refusesWhatItCannotLearnFrom) {
    const std::string root = scratchFolder("language-refuses");
    TrainConfig config = tinyLanguage(root);
    TrainConfig pictures = config;
    pictures.model = fixture("tiny-sd1");
    pictures.output.runDir = root + "/pictures";
    JobWorld first;
    const OutcomeEvent ofPictures = runFresh(pictures, first);
    EXPECT_EQ(ofPictures.code, static_cast<int>(ErrorCode::BadInput));
    EXPECT_NE(ofPictures.message.find("expected a language model"), std::string::npos) << ofPictures.message;
    config.data.contextTokens = 65;
    JobWorld second;
    const OutcomeEvent tooLong = runFresh(config, second);
    EXPECT_NE(tooLong.message.find("--context from 1 to 64"), std::string::npos) << tooLong.message;
}

} // namespace
} // namespace homebooth::core::testing

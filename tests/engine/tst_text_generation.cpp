// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A language model that writes: token by token what transformers computes at once, the same wherever weights
// are and beside whatever other texts, and ends where it should.
#include "core/base/plan/generation/generate_plan.h"
#include "core/base/text/unicode.h"
#include "core/engine/io/exact_tensor.h"
#include "core/engine/writing/generate_job.h"
#include "core/engine/writing/language_lora_merge.h"
#include "core/engine/writing/text_generation.h"
#include "core/engine/writing/text_tail.h"

#include "language_support.h"

#include <map>
#include <set>

namespace homebooth::core::testing {
namespace {

LanguagePart openPart(const std::string& path) {
    auto source = openModel(path);
    if (!source) throw std::runtime_error(source.error().text());
    return std::move(*source->language);
}

std::unique_ptr<LanguageModel> loaded(const LanguagePart& part, const LanguageModel::Options& options = {}) {
    auto model = LanguageModel::load(part, options);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

LanguageModel::Options streamed(std::vector<bool> resident = {}) {
    LanguageModel::Options options;
    options.streams = true;
    options.resident = std::move(resident);
    return options;
}

class WritingModel : public ::testing::TestWithParam<const char*> {
protected:
    LanguagePart m_part = openPart(fixture(std::string("language/") + GetParam()));
    std::shared_ptr<SafetensorsReader> m_expected =
        openTensors(fixture(std::string("language/") + GetParam() + "/expected.safetensors"));

    /// What transformers says behind the second of its texts.
    [[nodiscard]] at::Tensor expected() const {
        return *readExact(*m_expected, *m_expected->find("last_logits"));
    }
    [[nodiscard]] at::Tensor tokens() const {
        const TensorInfo* info = m_expected->find("tokens");
        at::Tensor all = at::empty(info->shape, at::kLong);
        const auto bytes = std::span(static_cast<std::byte*>(all.data_ptr()), all.nbytes());
        if (!m_expected->read("tokens", bytes)) throw std::runtime_error("tokens cannot be read");
        return all.narrow(0, 1, 1);
    }
    /// Logits behind the text when it comes in pieces of so many tokens, the last one shorter.
    [[nodiscard]] at::Tensor inPieces(LanguageModel& model, int64_t count) const {
        const at::Tensor text = tokens();
        model.makeRoom(1, text.size(1));
        at::Tensor logits;
        for (int64_t begin = 0; begin < text.size(1); begin += count)
            logits = model.next(text.narrow(1, begin, std::min(count, text.size(1) - begin)));
        return logits[0];
    }
};

TEST_P(WritingModel, saysWhatTransformersSays) {
    const auto model = loaded(m_part);
    for (const int64_t count : {9, 1, 4})
        EXPECT_LT(relativeError(inPieces(*model, count), expected().to(at::kDouble)), 2e-5) << count;
}

/// Entry by entry what the table says, from the last to the first.
TEST_P(WritingModel, saysWhatAHeadOfItsOwnSays) {
    const std::string root = scratchFolder(std::string("text-generation-head-") + GetParam());
    const LanguagePart part =
        openPart(withOtherHead(fixture(std::string("language/") + GetParam()), root + "/model"));
    EXPECT_FALSE(part.config.tiedHead);
    const at::Tensor turned = expected().flip(0).to(at::kDouble);
    const at::Tensor found = inPieces(*loaded(part), 4);
    EXPECT_LT(relativeError(found, turned), 2e-5);
    LanguageModel::Options other = streamed();
    EXPECT_TRUE(at::equal(inPieces(*loaded(part, other), 4), found));
    other.quantization = Quantization::Int8;
    EXPECT_LT(relativeError(inPieces(*loaded(part, other), 4), turned), 0.05);
}

TEST_P(WritingModel, isTheSameWhereverBlocksAre) {
    const at::Tensor resident = inPieces(*loaded(m_part), 4);
    EXPECT_TRUE(at::equal(inPieces(*loaded(m_part, streamed()), 4), resident));
    EXPECT_TRUE(at::equal(inPieces(*loaded(m_part, streamed({true, false, true})), 4), resident));
    LanguageModel::Options small = streamed();
    small.quantization = Quantization::Int8;
    const at::Tensor integers = inPieces(*loaded(m_part, small), 4);
    small.streams = false;
    EXPECT_TRUE(at::equal(inPieces(*loaded(m_part, small), 4), integers));
    const double error = relativeError(integers, resident.to(at::kDouble));
    EXPECT_LT(error, 0.05);
    EXPECT_GT(error, 0.0);
}

TEST_P(WritingModel, computesEachTextAsIfItWereAlone) {
    const auto model = loaded(m_part);
    const at::Tensor text = tokens();
    const at::Tensor expectedOfThis = inPieces(*model, 8);
    const at::Tensor last = text.narrow(1, 8, 1);
    model->makeRoom(3, text.size(1));
    (void)model->next(text.narrow(1, 0, 8));
    model->repeat(3);
    const at::Tensor three = model->next(at::cat({last + 1, last, last + 2}));
    EXPECT_TRUE(at::equal(three[1], expectedOfThis));
    EXPECT_FALSE(at::equal(three[0], expectedOfThis));
    // A text that ends leaves its place to the last one, with what that has said.
    model->shorten(7);
    model->repeat(1);
    (void)model->next(text.narrow(1, 7, 1));
    const at::Tensor alone = model->next(last)[0];
    model->shorten(7);
    model->repeat(3);
    (void)model->next(at::cat({last + 1, last + 2, text.narrow(1, 7, 1)}));
    model->drop(0);
    EXPECT_EQ(model->texts(), 2);
    const at::Tensor two = model->next(at::cat({last, last}));
    EXPECT_TRUE(at::equal(two[0], alone));
    EXPECT_FALSE(at::equal(two[1], alone));
}

INSTANTIATE_TEST_SUITE_P(Families, WritingModel, ::testing::Values("opt", "opt_narrow", "gpt2", "bloom"),
                         [](const auto& one) { return std::string(one.param); });

class TextGeneration : public ::testing::Test {
protected:
    std::string m_root = scratchFolder(std::string("text-generation-") +
                                       ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::string m_folder = makeLanguageModel(m_root + "/model");
    LanguagePart m_part = openPart(m_folder);
    ByteLevelTokenizer m_tokenizer = *ByteLevelTokenizer::loadFolder(m_folder);

    struct Written {
        std::vector<std::string> texts;
        std::vector<std::string> ends;
        std::vector<int64_t> tokens;
        friend bool operator==(const Written&, const Written&) = default;
    };

    [[nodiscard]] TextRequest request() const {
        TextRequest request;
        request.prompt = *promptTokens("The dog", m_tokenizer, m_part.config);
        request.tokens = 12;
        request.choice.temperature = 1.5;
        request.count = 5;
        request.seed = 3;
        request.endTokens = *endTokens(m_part);
        return request;
    }

    [[nodiscard]] GenerateConfig job() const {
        GenerateConfig config;
        config.model = m_folder;
        config.prompt = "The dog";
        config.tokens = 10;
        config.count = 3;
        return config;
    }

    [[nodiscard]] int64_t likeliestBehind(const std::string& prompt) const {
        const std::vector<int64_t> ids = *promptTokens(prompt, m_tokenizer, m_part.config);
        const auto model = loaded(m_part);
        model->makeRoom(1, 64);
        return model->next(at::tensor(ids, at::kLong).unsqueeze(0)).argmax().item<int64_t>();
    }

    /// One text, of the likeliest token each time.
    [[nodiscard]] GenerateConfig likeliestAlone() const {
        GenerateConfig config = job();
        config.temperature = 0.0;
        config.count = 1;
        return config;
    }

    static std::string endedBy(const GenerateConfig& config) {
        EventList events;
        const OutcomeEvent outcome = runGenerateJob(config, at::kCPU, events, {});
        EXPECT_EQ(outcome.result, "done") << outcome.message;
        return events.of<TextEvent>().back().endedBy;
    }

    /// The folder of a LoRA that changes much.
    [[nodiscard]] std::string savedLora() const {
        const std::string module = "model.decoder.layers.0.self_attn.v_proj";
        LanguageLora lora;
        lora.rank = 2;
        lora.alpha = 2.0;
        lora.tensors = std::make_shared<TensorListSource>(
            std::vector<NamedTensor>{{module + ".lora_down.weight", at::arange(64).view({2, 32}) / 64.0},
                                     {module + ".lora_up.weight", at::arange(64).view({32, 2}) / 64.0}});
        std::string folder = m_root + "/lora";
        EXPECT_TRUE(writeLanguageLora(lora, m_part.config.family, folder));
        return folder;
    }

    /// What a job writes, each text behind its number.
    static std::string textsOf(const GenerateConfig& config) {
        EventList events;
        const OutcomeEvent outcome = runGenerateJob(config, at::kCPU, events, {});
        EXPECT_EQ(outcome.result, "done") << outcome.message;
        std::map<int64_t, std::string> texts;
        for (const TextEvent& text : events.of<TextEvent>()) texts[text.index] += text.text;
        std::string all;
        for (const auto& [index, text] : texts) all += std::to_string(index) + text;
        return all;
    }

    Written write(LanguageModel& model, const TextRequest& request) const {
        Written written;
        const auto count = static_cast<size_t>(request.count);
        written.texts.resize(count);
        written.ends.resize(count);
        written.tokens.resize(count);
        const auto hear = [&written](const TextEvent& event) {
            const auto index = static_cast<size_t>(event.index);
            EXPECT_TRUE(written.ends.at(index).empty()) << "a text went on behind its end";
            EXPECT_TRUE(isUtf8(event.text));
            written.texts[index] += event.text;
            written.ends[index] = event.endedBy;
            written.tokens[index] = event.tokens;
        };
        const auto done = writeTexts(model, m_tokenizer, request, hear);
        EXPECT_TRUE(done && *done);
        return written;
    }
};

TEST_F(TextGeneration, isTheSameBesideOtherTextsAsAlone) {
    const auto model = loaded(m_part);
    TextRequest wanted = request();
    const Written alone = write(*model, wanted);
    for (const int64_t atATime : {2, 3, 5, 16}) {
        wanted.textsAtATime = atATime;
        EXPECT_EQ(write(*model, wanted), alone) << atATime;
    }
    EXPECT_EQ(write(*loaded(m_part, streamed()), wanted), alone);
    EXPECT_EQ(std::set<std::string>(alone.texts.begin(), alone.texts.end()).size(), 5U);
    wanted.seed = 5; // text i has the seed + i
    wanted.count = 1;
    EXPECT_EQ(write(*model, wanted).texts[0], alone.texts[2]);
}

/// Some end earlier than others.
TEST_F(TextGeneration, endsEachTextByItself) {
    const auto model = loaded(m_part);
    TextRequest wanted = request();
    wanted.count = 12;
    wanted.tokens = 40;
    wanted.stop = "e";
    const Written alone = write(*model, wanted);
    wanted.textsAtATime = 12;
    EXPECT_EQ(write(*model, wanted), alone);
    std::set<int64_t> lengths;
    for (size_t index = 0; index < alone.texts.size(); ++index) {
        EXPECT_EQ(alone.texts[index].find('e'), std::string::npos);
        if (alone.ends[index] == "stop") lengths.insert(alone.tokens[index]);
    }
    EXPECT_GT(lengths.size(), 1U);
}

TEST_F(TextGeneration, endsWhereItIsAskedTo) {
    const auto model = loaded(m_part);
    TextRequest wanted = request();
    wanted.count = 1;
    wanted.choice.temperature = 0.0;
    const Written first = write(*model, wanted);
    EXPECT_EQ(first.ends[0], "tokens");
    EXPECT_EQ(first.tokens[0], 12);
    wanted.tokens = 1000; // more than the context has
    const Written full = write(*model, wanted);
    EXPECT_EQ(full.ends[0], "context-full");
    EXPECT_EQ(full.tokens[0], m_part.config.maxPositions - std::ssize(wanted.prompt));
    EXPECT_TRUE(full.texts[0].starts_with(first.texts[0]));
    wanted.tokens = full.tokens[0];
    EXPECT_EQ(write(*model, wanted).ends[0], "tokens");
}

TEST_F(TextGeneration, endsWithTheTokenThatEndsTexts) {
    TextRequest wanted = request();
    wanted.count = 1;
    wanted.choice.temperature = 0.0;
    std::vector<int64_t> ids = wanted.prompt;
    const auto model = loaded(m_part);
    model->makeRoom(1, 64);
    const int64_t next = model->next(at::tensor(ids, at::kLong).unsqueeze(0)).argmax().item<int64_t>();
    wanted.endTokens = {next == 7 ? 8 : 7, next};
    const Written written = write(*model, wanted);
    EXPECT_EQ(written.ends[0], "end-token");
    EXPECT_EQ(written.tokens[0], 0);
    EXPECT_EQ(written.texts[0], "");
    wanted.endTokens = {};
    EXPECT_GT(write(*model, wanted).tokens[0], 0);
}

/// What a job ends with comes from the folder.
TEST_F(TextGeneration, aJobEndsWithTheTokensOfGenerationConfig) {
    const GenerateConfig config = likeliestAlone();
    EXPECT_EQ(endedBy(config), "tokens");
    const int64_t next = likeliestBehind(config.prompt);
    std::ofstream(m_folder + "/generation_config.json") << R"({"eos_token_id": [)" << next << ", 2]}";
    EXPECT_EQ(endedBy(config), "end-token");
    std::ofstream(m_folder + "/generation_config.json") << R"({"eos_token_id": "</s>"})";
    EventList events;
    const OutcomeEvent refused = runGenerateJob(config, at::kCPU, events, {});
    EXPECT_EQ(refused.code, static_cast<int>(ErrorCode::BadInput));
    EXPECT_NE(refused.message.find("generation_config.json"), std::string::npos) << refused.message;
}

/// Any of them, where generation_config.json names none.
TEST_F(TextGeneration, aJobEndsWithEachTokenOfConfig) {
    const GenerateConfig config = likeliestAlone();
    const int64_t next = likeliestBehind(config.prompt);
    std::string json = kSmallOpt;
    const std::string own = R"("eos_token_id":2)";
    json.replace(json.find(own), own.size(), R"("eos_token_id":[2,50256,)" + std::to_string(next) + "]");
    std::ofstream(m_folder + "/config.json") << json;
    EXPECT_EQ(endedBy(config), "end-token");
}

/// And where neither configuration names a token of the vocabulary, the tokenizer's own.
TEST_F(TextGeneration, aJobEndsWithTheTokenOfTheTokenizer) {
    std::string json = kSmallOpt;
    const std::string own = R"("eos_token_id":2)";
    json.replace(json.find(own), own.size(), R"("eos_token_id":50256)");
    std::ofstream(m_folder + "/config.json") << json;
    const GenerateConfig config = likeliestAlone();
    EXPECT_EQ(endedBy(config), "tokens");
    const int64_t next = likeliestBehind(config.prompt);
    std::ofstream(m_folder + "/tokenizer_config.json")
        << R"({"eos_token": "<end>", "added_tokens_decoder": {")" << next << R"(": {"content": "<end>"}}})";
    EXPECT_EQ(endedBy(config), "end-token");
}

TEST_F(TextGeneration, stopsOnRequestAndKeepsWhatWasSaid) {
    const auto model = loaded(m_part);
    TextRequest wanted = request();
    wanted.tokens = 40;
    const Written whole = write(*model, wanted);
    const CancelToken cancel;
    std::string text;
    std::string end;
    const auto hear = [&](const TextEvent& event) {
        if (event.index > 0) ADD_FAILURE() << "a second text was begun";
        text += event.text;
        end = event.endedBy;
        if (event.tokens >= 5) cancel.request();
    };
    const auto done = writeTexts(*model, m_tokenizer, wanted, hear, cancel);
    ASSERT_TRUE(done);
    EXPECT_FALSE(*done);
    EXPECT_EQ(end, "cancelled");
    EXPECT_FALSE(text.empty());
    EXPECT_LT(text.size(), whole.texts[0].size());
}

/// Of a long prompt that alone may take minutes.
TEST_F(TextGeneration, stopsOnRequestWhileItReadsThePrompt) {
    for (const LanguageModel::Options& options : {LanguageModel::Options{}, streamed()}) {
        const auto model = loaded(m_part, options);
        const Written whole = write(*model, request());
        const CancelToken cancel;
        cancel.request();
        const auto hear = [](const TextEvent&) { ADD_FAILURE() << "no text was begun"; };
        const auto done = writeTexts(*model, m_tokenizer, request(), hear, cancel);
        ASSERT_TRUE(done);
        EXPECT_FALSE(*done);
        EXPECT_EQ(model->length(), 0); // its blocks were not all gone through
        EXPECT_EQ(write(*model, request()), whole);
    }
}

TEST_F(TextGeneration, beginsWithWhatTheTokenizerPutsInFront) {
    const auto tokens = promptTokens("The dog", m_tokenizer, m_part.config);
    ASSERT_TRUE(tokens);
    EXPECT_EQ(tokens->front(), m_tokenizer.startToken());
    EXPECT_EQ(std::ssize(*tokens), 1 + std::ssize(m_tokenizer.encode("The dog")));
    EXPECT_EQ(*promptTokens("", m_tokenizer, m_part.config), std::vector<int64_t>{m_tokenizer.startToken()});
}

TEST_F(TextGeneration, refusesPromptsThatCannotBe) {
    const std::string tooLong(70, '#');
    const auto refused = promptTokens(tooLong, m_tokenizer, m_part.config);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("63 tokens at most"), std::string::npos) << refused.error().text();
    LanguageConfig small = m_part.config;
    small.vocabularySize = 10;
    EXPECT_FALSE(promptTokens("dog", m_tokenizer, small));
    // GPT-2's tokenizer puts nothing in front.
    const auto bare = ByteLevelTokenizer::loadFolder(fixture("language/tokenizer/parts"));
    ASSERT_TRUE(bare);
    if (bare->startToken() >= 0) GTEST_SKIP() << "this tokenizer begins texts";
    LanguageConfig without = m_part.config;
    EXPECT_EQ(*promptTokens("", *bare, without), std::vector<int64_t>{without.bosTokenId});
    without.bosTokenId = without.eosTokenId = -1;
    EXPECT_EQ(*promptTokens("", *bare, without), std::vector<int64_t>{bare->endToken()});
    const std::string nameless = scratchFolder("text-generation-nameless");
    for (const char* name : {"vocab.json", "merges.txt"})
        fs::copy_file(fixture("language/tokenizer/parts/") + name, nameless + "/" + name);
    const auto endless = ByteLevelTokenizer::loadFolder(nameless);
    ASSERT_TRUE(endless && endless->endToken() < 0);
    EXPECT_FALSE(promptTokens("", *endless, without));
}

TEST_F(TextGeneration, addsLorasToTheWeights) {
    const std::string module = "model.decoder.layers.1.fc1";
    const at::Tensor down = at::randn({2, 32});
    const at::Tensor up = at::randn({64, 2});
    LanguageLora lora;
    lora.rank = 2;
    lora.alpha = 4.0;
    lora.tensors = std::make_shared<TensorListSource>(
        std::vector<NamedTensor>{{module + ".lora_down.weight", down}, {module + ".lora_up.weight", up}});
    const auto model = loaded(m_part, streamed());
    ParameterStore& store = model->component().store();
    const at::Tensor weight = store.parameter(store.find(module + ".weight"));
    const at::Tensor before = weight.clone();
    ASSERT_TRUE(mergeLanguageLoras({lora, lora}, {0.5, 0.25}, m_part, store));
    EXPECT_TRUE(at::allclose(weight, before + 1.5 * up.matmul(down), 1e-5, 1e-5));
    LanguageLora other = lora;
    other.tensors = std::make_shared<TensorListSource>(std::vector<NamedTensor>{
        {"somewhere.else.lora_down.weight", down}, {"somewhere.else.lora_up.weight", up}});
    EXPECT_FALSE(mergeLanguageLoras({other}, {1.0}, m_part, store));
}

TEST_F(TextGeneration, takesLorasAsTheyAreSaved) {
    const std::string lora = savedLora();
    GenerateConfig config = job();
    const std::string plain = textsOf(config);
    config.loras = {{lora, 0.0}};
    EXPECT_EQ(textsOf(config), plain);
    config.loras = {{lora, 1.0}};
    const std::string whole = textsOf(config);
    EXPECT_NE(whole, plain);
    config.loras = {{lora, 0.25}, {lora, 0.75}};
    EXPECT_EQ(textsOf(config), whole);
}

TEST_F(TextGeneration, putsLorasBesideAHeadOfItsOwn) {
    const std::string lora = savedLora();
    GenerateConfig config = job();
    const std::string ofTheTable = textsOf(config);
    config.model = withOtherHead(m_folder, m_root + "/other");
    const std::string plain = textsOf(config);
    EXPECT_NE(plain, ofTheTable);
    config.loras = {{lora, 1.0}};
    EXPECT_NE(textsOf(config), plain);
    EventList events;
    ASSERT_EQ(runGenerateJob(config, at::kCPU, events, {}).result, "done");
    EXPECT_TRUE(warnsOf(events, "lm_head.weight"));
}

TEST_F(TextGeneration, givesTheSameTextsInTheRoomThatItIsLeft) {
    std::string deep = kSmallOpt;
    deep.replace(deep.find("\"num_hidden_layers\":3"), 21, "\"num_hidden_layers\":12");
    GenerateConfig plain = job();
    plain.model = makeLanguageModel(m_root + "/deep", deep.c_str());
    const LanguageConfig model = openPart(plain.model).config;
    const std::string expected = textsOf(plain);
    const MachineLimits ram{.ramBytes = int64_t{64} << 30};
    const int64_t prompt = std::ssize(request().prompt);
    const auto whole = planGenerating(plain, model, prompt, ram);
    ASSERT_TRUE(whole) << whole.error().text();
    EXPECT_FALSE(whole->streams);
    GenerateConfig tight = plain;
    tight.deviceBytes = totalBytes(whole->tier) - 1;
    const auto plan = planGenerating(tight, model, prompt, ram);
    ASSERT_TRUE(plan) << plan.error().text();
    EXPECT_TRUE(plan->streams);
    EXPECT_GT(plan->textsAtATime, 1);
    EXPECT_LE(totalBytes(plan->tier), tight.deviceBytes);
    EXPECT_EQ(textsOf(tight), expected);
    GenerateConfig home = plain;
    home.policy = PlacementPolicy::Cpu;
    EXPECT_EQ(textsOf(home), expected);
    GenerateConfig other = plain;
    other.seed = 1;
    EXPECT_NE(textsOf(other), expected);
}

/// Of a large vocabulary they take more than keys and values do.
TEST(TextGenerationPlan, countsTheLogitsOfEveryTextThatIsWrittenAtATime) {
    LanguageConfig model;
    model.vocabularySize = 250'880;
    GenerateConfig config;
    config.policy = PlacementPolicy::Cpu;
    const int64_t prompt = 10;
    const MachineLimits ram{.ramBytes = int64_t{64} << 30};
    const auto planOf = [&](int64_t count, int64_t deviceBytes) {
        config.count = count;
        config.deviceBytes = deviceBytes;
        return planGenerating(config, model, prompt, ram);
    };
    const auto one = planOf(1, int64_t{32} << 30);
    const auto all = planOf(16, int64_t{32} << 30);
    ASSERT_TRUE(one && all);
    ASSERT_EQ(all->textsAtATime, 16);
    const int64_t keptOfEach = one->tier.cacheBytes + 2 * model.vocabularySize * 4;
    const int64_t least = totalBytes(one->tier) + 15 * keptOfEach;
    EXPECT_GE(totalBytes(all->tier), least);
    const auto tight = planOf(16, totalBytes(all->tier) - 1);
    ASSERT_TRUE(tight) << tight.error().text();
    EXPECT_EQ(tight->textsAtATime, 15);
    EXPECT_LE(totalBytes(tight->tier), config.deviceBytes);
}

TEST_F(TextGeneration, saysInWordsWhatItCannotDo) {
    const auto messageOf = [](const std::string& model, int64_t deviceBytes) {
        GenerateConfig config;
        config.model = model;
        config.deviceBytes = deviceBytes;
        EventList events;
        const OutcomeEvent outcome = runGenerateJob(config, at::kCPU, events, {});
        EXPECT_EQ(outcome.result, "failed");
        return std::to_string(outcome.code) + " " + outcome.message;
    };
    const std::string pictures = messageOf(fixture("tiny-sd1"), 0);
    EXPECT_TRUE(pictures.starts_with("3 ")) << pictures;
    EXPECT_NE(pictures.find("homebooth-engine sample"), std::string::npos) << pictures;
    const std::string small = messageOf(m_folder, 1000);
    EXPECT_TRUE(small.starts_with("4 ")) << small;
    EXPECT_NE(small.find("of device memory"), std::string::npos) << small;
}

TEST(TextTail, holdsBackCharactersThatAreNotWhole) {
    TextTail tail("");
    EXPECT_EQ(tail.add("a\xF0\x9F"), "a");
    EXPECT_EQ(tail.add("\x90"), "");
    EXPECT_EQ(tail.add("\xB6z"), "\xF0\x9F\x90\xB6z");
    EXPECT_EQ(tail.add("\xC3"), "");
    EXPECT_EQ(tail.flush(), "\xEF\xBF\xBD");
    EXPECT_EQ(tail.add("\x80\xFF."), "\xEF\xBF\xBD\xEF\xBF\xBD."); // never a character
}

TEST(TextTail, endsBeforeTheWordsThatEndIt) {
    TextTail tail("\n\nEnd");
    EXPECT_EQ(tail.add("one\n"), "one");
    EXPECT_EQ(tail.add("\n"), "");
    EXPECT_EQ(tail.add("Else"), "\n\nElse"); // "E" began it
    EXPECT_EQ(tail.add("\n\n\nEn"), "\n");
    EXPECT_FALSE(tail.stopped());
    EXPECT_EQ(tail.add("d more"), "");
    EXPECT_TRUE(tail.stopped());
    EXPECT_EQ(tail.add("and more"), "");
    EXPECT_EQ(tail.flush(), "");
}

} // namespace
} // namespace homebooth::core::testing

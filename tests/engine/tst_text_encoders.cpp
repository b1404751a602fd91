// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SDXL's two text encoders as one, against diffusers: tokens, hidden states and pooled text.
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/model_tokenizer.h"
#include "core/engine/models/picture_frame.h"
#include "core/engine/models/text_encoders.h"
#include "sampling_support.h"

#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace homebooth::core {
namespace {

using namespace sampling_test;

constexpr double kTolerance = 1e-5; // greatest error over greatest value

class XlTexts : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = openModel(fixturePath("tiny-sdxl"));
        ASSERT_TRUE(opened) << opened.error().text();
        m_model = std::move(*opened);
    }
    [[nodiscard]] const ModelSource& model() const { return m_model; }
    [[nodiscard]] std::unique_ptr<TextEncoders> encoders(int64_t clipSkip = 0,
                                                         ClipInput input = ClipInput::Tokens) const {
        const std::vector<const TextPart*> parts = m_model.textParts();
        std::vector<std::unique_ptr<TextEncoder>> made;
        for (size_t part = 0; part < parts.size(); ++part) {
            made.push_back(std::make_unique<TextEncoder>(parts[part]->config,
                                                         textSchedule(m_model, part, clipSkip, input),
                                                         ParameterStore::Options()));
            const auto read = loadParameters(made.back()->component().store(), *parts[part]->tensors);
            if (!read) throw std::runtime_error(read.error().text());
        }
        return std::make_unique<TextEncoders>(std::move(made));
    }
    /// Of both tokenizers. @param group  "prompts/" or "negative/"
    [[nodiscard]] std::vector<at::Tensor> ids(const std::string& group) const {
        return {m_expected[group + "ids"], m_expected[group + "ids_2"]};
    }
    [[nodiscard]] at::Tensor expected(const std::string& name) const { return m_expected[name]; }

    ModelSource m_model;

private:
    const c10::NoGradGuard m_noGradients;
    const TensorGroup m_expected{openTensors("xl/expected.safetensors"), ""};
};

TEST_F(XlTexts, areCutIntoTheTokensOfBothTokenizers) {
    const auto tokenizers = loadTokenizers(model());
    ASSERT_TRUE(tokenizers) << tokenizers.error().text();
    ASSERT_EQ(tokenizers->size(), 2U);
    const auto prompts = readJson("xl/expected.json").at("prompts").get<std::vector<std::string>>();
    for (size_t part = 0; part < 2; ++part)
        for (size_t index = 0; index < prompts.size(); ++index) {
            const at::Tensor found = at::tensor((*tokenizers)[part].encode(prompts[index]), at::kLong);
            EXPECT_TRUE(at::equal(found, ids("prompts/")[part][static_cast<int64_t>(index)]))
                << prompts[index] << ", tokenizer " << part;
        }
    EXPECT_FALSE(at::equal(ids("prompts/")[0], ids("prompts/")[1])); // they pad with different tokens
}

TEST_F(XlTexts, areEncodedAsByDiffusers) {
    for (const std::string group : {"prompts/", "negative/"}) {
        const TextCondition found = encoders()->encode(ids(group));
        EXPECT_LE(relativeError(found.context, expected(group + "embeds")), kTolerance) << group;
        EXPECT_LE(relativeError(found.pooled, expected(group + "pooled")), kTolerance) << group;
    }
}

TEST_F(XlTexts, leaveMoreLayersOutWithAClipSkip) {
    ASSERT_EQ(mostClipSkip(model()), 1); // of three layers one is left out in any case, and one must be there
    const TextCondition found = encoders(1)->encode(ids("prompts/"));
    EXPECT_LE(relativeError(found.context, expected("prompts/clip_skip_1/embeds")), kTolerance);
    EXPECT_LE(relativeError(found.pooled, expected("prompts/clip_skip_1/pooled")), kTolerance);
    EXPECT_GT(relativeError(found.context, expected("prompts/embeds")), 0.01);
}

/// A placeholder's vector that is a token's own gives what that token gives, the end of the text included.
TEST_F(XlTexts, vectorsStandForTokens) {
    const std::unique_ptr<TextEncoders> both = encoders(0, ClipInput::TokensAndVectors);
    constexpr int64_t kPlace = 2;
    std::vector<at::Tensor> changed;
    std::vector<at::Tensor> vectors;
    for (size_t part = 0; part < both->count(); ++part) {
        const ParameterStore& store = both->at(part).component().store();
        const at::Tensor table = store.parameter(store.find("text_model.embeddings.token_embedding.weight"));
        changed.push_back(ids("prompts/")[part].clone());
        const auto tokens = changed.back().slice(1, kPlace, kPlace + 1); // [3, 1]
        vectors.push_back(table.index_select(0, tokens.reshape({-1})).clone());
        tokens.copy_((at::arange(3, at::kLong) + table.size(0)).unsqueeze(1));
    }
    const TextCondition found = both->encode(changed, vectors);
    const TextCondition plain = both->encode(ids("prompts/"));
    EXPECT_TRUE(at::equal(found.context, plain.context));
    EXPECT_TRUE(at::equal(found.pooled, plain.pooled));
}

/// Configurations of older files do not name the end token and mean the greatest one; newer ones name theirs.
TEST_F(XlTexts, endWhereTheConfigurationSays) {
    const at::Tensor tokens = ids("prompts/")[1];
    const int64_t end = tokens.max().item<int64_t>();
    const auto pooledWith = [&](int64_t endToken, const at::Tensor& second) {
        m_model.secondText->config.eosTokenId = endToken;
        return encoders(0, ClipInput::TokensAndVectors)
            ->encode(std::vector<at::Tensor>{ids("prompts/")[0], second})
            .pooled;
    };
    const at::Tensor unnamed = pooledWith(2, tokens);
    EXPECT_TRUE(at::equal(pooledWith(end, tokens), unnamed));
    // The first of several, as where a tokenizer pads with it.
    EXPECT_TRUE(at::equal(pooledWith(end, tokens.masked_fill(tokens.eq(0), end)), unnamed));
    const int64_t other = tokens[0][2].item<int64_t>();
    const at::Tensor earlier = pooledWith(other, tokens)[0];
    EXPECT_FALSE(at::equal(earlier, unnamed[0]));
    // Nothing behind the end counts.
    at::Tensor cut = tokens.clone();
    cut[0].slice(0, 3).fill_(0);
    EXPECT_TRUE(at::allclose(pooledWith(other, cut)[0], earlier));
}

/// As A1111 weighs them: the states times the weights, and the whole text's mean as it was, of each encoder
/// for itself.
TEST_F(XlTexts, areWeighedForEachEncoder) {
    const std::unique_ptr<TextEncoders> both = encoders();
    const std::vector<at::Tensor> tokens = ids("prompts/");
    const int64_t texts = tokens[0].size(0);
    at::Tensor weights = at::ones({texts, tokens[0].size(1)});
    weights.slice(1, 1, 3).fill_(1.5);
    weights.slice(1, 4, 5).fill_(0.0);
    const TextCondition plain = both->encode(tokens);
    const TextCondition found = both->encode(tokens, {}, std::vector<at::Tensor>{weights, weights});
    EXPECT_TRUE(at::equal(found.pooled, plain.pooled));
    int64_t begin = 0;
    for (size_t part = 0; part < both->count(); ++part) {
        const int64_t width = both->at(part).config().hiddenSize;
        for (int64_t text = 0; text < texts; ++text) {
            const at::Tensor own = plain.context[text].slice(1, begin, begin + width).to(at::kDouble);
            const at::Tensor times = own * weights[text].to(at::kDouble).unsqueeze(1);
            const at::Tensor expected = times * (own.mean() / times.mean());
            const at::Tensor weighed = found.context[text].slice(1, begin, begin + width).to(at::kDouble);
            EXPECT_LE(relativeError(weighed, expected), kTolerance) << part << ", text " << text;
            EXPECT_NEAR(weighed.mean().item<double>(), own.mean().item<double>(), 1e-6);
        }
        begin += width;
    }
    EXPECT_GT(relativeError(found.context, plain.context), 0.01);
}

TEST_F(XlTexts, ofWeightsThatAreAllAlikeStayAsTheyAre) {
    const std::unique_ptr<TextEncoders> both = encoders();
    const std::vector<at::Tensor> tokens = ids("prompts/");
    const std::vector<at::Tensor> weights(2, at::ones(tokens[0].sizes()));
    const at::Tensor plain = both->encode(tokens).context;
    EXPECT_TRUE(at::equal(both->encode(tokens, {}, weights).context, plain));
    EXPECT_THROW(static_cast<void>(both->encode(tokens, {}, std::span(weights).first(1))), c10::Error);
}

TEST(WeighedStates, keepTheirTypeAndStayFinite) {
    const at::Tensor half = at::tensor({1.0F, 2.0F, 3.0F, 6.0F}).reshape({1, 2, 2}).to(at::kHalf);
    const at::Tensor more = weighed(half, at::tensor({1.0F, 2.0F}).unsqueeze(0));
    EXPECT_EQ(more.scalar_type(), at::kHalf);
    // Means of 3 before and 21 / 4 then: times 4 / 7.
    const at::Tensor expected = at::tensor({1.0F, 2.0F, 6.0F, 12.0F}).reshape({1, 2, 2}) * (4.0F / 7.0F);
    EXPECT_LE(relativeError(more.to(at::kFloat), expected), 1e-3);
    const at::Tensor opposed = at::tensor({1.0F, -0.5F}).reshape({1, 2, 1});
    const at::Tensor balanced = weighed(opposed, at::tensor({1.0F, 2.0F}).unsqueeze(0)); // a mean of zero
    EXPECT_TRUE(at::equal(balanced, at::tensor({1.0F, -1.0F}).reshape({1, 2, 1})));
}

TEST_F(XlTexts, needTokensForEachEncoder) {
    const std::unique_ptr<TextEncoders> both = encoders();
    const std::vector<at::Tensor> one = {ids("prompts/").front()};
    EXPECT_THROW(static_cast<void>(both->encode(one)), c10::Error);
    EXPECT_THROW(static_cast<void>(both->encode(ids("prompts/"), one)), c10::Error);
}

TEST_F(XlTexts, ofOneEncoderHaveNoPooledText) {
    const auto first = openModel(fixturePath("tiny-sd1"));
    ASSERT_TRUE(first) << first.error().text();
    std::vector<std::unique_ptr<TextEncoder>> made;
    made.push_back(
        std::make_unique<TextEncoder>(first->text.config, textSchedule(*first), ParameterStore::Options()));
    initialiseParameters(made.front()->component().store(), 1);
    TextEncoders alone(std::move(made));
    const TextCondition found = alone.encode(std::vector<at::Tensor>{at::zeros({2, 77}, at::kLong)});
    EXPECT_EQ(found.context.sizes(), (std::vector<int64_t>{2, 77, first->text.config.hiddenSize}));
    EXPECT_FALSE(found.pooled.defined());
}

TEST(TimeIds, standInDiffusersOrder) {
    const at::Tensor ids = timeIdsOf({480, 640, 16, 24, 512, 384});
    EXPECT_TRUE(at::equal(ids, at::tensor({480.0F, 640.0F, 16.0F, 24.0F, 512.0F, 384.0F})));
    EXPECT_EQ(ids.numel(), UNetConfig::kTimeIds);
}

} // namespace
} // namespace homebooth::core

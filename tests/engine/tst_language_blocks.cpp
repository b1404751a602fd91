// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Language models against transformers (tests/reference/make_language_fixtures.py): logits, loss, gradients
// of every parameter; and texts that come in pieces against texts as a whole.
#include "core/base/arch/language_layout.h"
#include "core/base/model/model_open.h"
#include "core/engine/learning/token_loss.h"

#include "model_check.h"

namespace homebooth::core::testing {
namespace {

class LanguageBlocks : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const std::string folder = fixture(std::string("language/") + GetParam());
        auto model = openModel(folder);
        ASSERT_TRUE(model) << model.error().text();
        m_model = std::move(*model->language);
        m_reference = std::make_unique<Reference>(openTensors(folder + "/expected.safetensors"), "");
        m_tokens = (*m_reference)["tokens"];
    }

    [[nodiscard]] std::unique_ptr<Component> made(LanguageUse use) const {
        auto component = std::make_unique<Component>(
            languageSchedule(m_model.config, m_model.config.maxPositions, use), ParameterStore::Options());
        const auto loaded = loadParameters(component->store(), *m_model.tensors, {});
        if (!loaded) throw std::runtime_error(loaded.error().text());
        return component;
    }

    static at::Tensor logitsOf(const std::vector<at::Tensor>& outputs) {
        return at::matmul(outputs[0], outputs[1].t());
    }

    LanguagePart m_model;
    std::unique_ptr<Reference> m_reference;
    at::Tensor m_tokens;
};

TEST_P(LanguageBlocks, havePredictionsOfTransformers) {
    const auto component = made(LanguageUse::Whole);
    const at::Tensor logits = logitsOf(component->executor().run({m_tokens}));
    const at::Tensor first = (*m_reference)["logits"];
    EXPECT_LE(heldError(logits[0], first), kOutputTolerance);
    EXPECT_LE(relativeError(logits[1][-1], (*m_reference)["last_logits"]), kOutputTolerance);
}

TEST_P(LanguageBlocks, haveGradientsOfTransformers) {
    const auto component = made(LanguageUse::Whole);
    const int64_t length = m_tokens.size(1) - 1;
    const at::Tensor seen = m_tokens.slice(1, 0, length).contiguous();
    const at::Tensor targets = m_tokens.slice(1, 1).contiguous();
    for (const Recompute recompute : {Recompute::Always, Recompute::CheapParts, Recompute::Never}) {
        Executor& executor = component->executor();
        for (size_t block = 0; block < component->schedule().blocks().size(); ++block)
            executor.setRecompute(static_cast<int>(block), recompute);
        ModelGradients found;
        const std::vector<at::Tensor> outputs = executor.forward({seen}, {false}, 0);
        const TokenLoss loss = tokenLoss(outputs[0], outputs[1], targets);
        EXPECT_NEAR(loss.loss, (*m_reference)["loss"].item<double>(), 1e-5);
        static_cast<void>(executor.backward(
            {loss.hiddenGradient, loss.tableGradient}, [&](ParameterId id, const at::Tensor& gradient) {
                found.parameters[component->store().spec(id).name] = gradient.clone();
            }));
        expectGradients(found, component->schedule(), *m_reference);
    }
}

TEST_P(LanguageBlocks, goOnBehindWhatIsKept) {
    const auto whole = made(LanguageUse::Whole);
    const at::Tensor expected = logitsOf(whole->executor().run({m_tokens}));
    const auto following = made(LanguageUse::Following);
    const LanguageConfig& config = m_model.config;
    const at::Tensor none =
        at::zeros({m_tokens.size(0), config.headCount, 0, config.hiddenSize / config.headCount});
    std::vector<at::Tensor> past(static_cast<size_t>(2 * config.layerCount), none);
    int64_t place = 0;
    for (const int64_t count : {4, 1, 3, 1}) { // several tokens behind others, too
        std::vector<at::Tensor> inputs = {m_tokens.slice(1, place, place + count).contiguous(),
                                          at::tensor(place, at::kLong)};
        inputs.insert(inputs.end(), past.begin(), past.end());
        const std::vector<at::Tensor> outputs = following->executor().run(inputs);
        EXPECT_LE(relativeError(logitsOf(outputs), expected.slice(1, place, place + count)),
                  kOutputTolerance);
        for (size_t one = 0; one < past.size(); ++one) past[one] = at::cat({past[one], outputs[one + 2]}, 2);
        place += count;
    }
    EXPECT_EQ(place, m_tokens.size(1));
}

INSTANTIATE_TEST_SUITE_P(Families, LanguageBlocks, ::testing::Values("opt", "opt_narrow", "gpt2", "bloom"));

} // namespace
} // namespace homebooth::core::testing

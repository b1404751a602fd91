// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The CLIP text encoder against transformers: hidden states, skipped layers, gradients.
#include "core/engine/models/model_components.h"
#include "tests/engine/model_check.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

ClipConfig configOf(const std::string& folder) {
    const auto config = ClipConfig::fromJson(readText(folder + "/config.json"));
    if (!config) throw std::runtime_error(config.error().text());
    return *config;
}

class TinyTextEncoder : public ::testing::TestWithParam<const char*> {
protected:
    TinyTextEncoder()
        : m_folder(fixture(std::string(GetParam()) + "/text_encoder"))
        , m_model(configOf(m_folder), ParameterStore::Options{})
        , m_reference(openTensors(fixture("text/" + std::string(GetParam()) + ".safetensors")), "") {
        load(m_model.component(), m_folder + "/model.safetensors");
    }

    /// Against a tensor of the reference, of which some numbers are held.
    double errorOf(const at::Tensor& value, const std::string& name) const {
        const at::Tensor expected = m_reference[name];
        return heldError(value, expected);
    }

    std::string m_folder;
    TextEncoder m_model;
    Reference m_reference;
};

} // namespace

TEST_P(TinyTextEncoder, equalsTransformersLayerByLayer) {
    const at::Tensor ids = m_reference["input/input_ids"];
    const auto values = traceValues(m_model.component(), {ids});
    EXPECT_LE(errorOf(values.at("embeddings"), "hidden/0"), kOutputTolerance);
    for (int64_t layer = 0; layer < m_model.config().layerCount; ++layer) {
        const std::string name = "text_model.encoder.layers." + std::to_string(layer);
        EXPECT_LE(errorOf(values.at(name), "hidden/" + std::to_string(layer + 1)), kOutputTolerance) << name;
    }
    EXPECT_LE(errorOf(m_model.encode(ids), "last_hidden_state"), kOutputTolerance);
}

TEST_P(TinyTextEncoder, leavesLayersOutLikeDiffusers) {
    for (const int64_t skip : {1, 2}) {
        TextEncoder shorter(m_model.config(), {}, skip);
        load(shorter.component(), m_folder + "/model.safetensors");
        EXPECT_LE(
            errorOf(shorter.encode(m_reference["input/input_ids"]), "clip_skip/" + std::to_string(skip)),
            kOutputTolerance)
            << skip << " skipped";
    }
}

TEST_P(TinyTextEncoder, hasTransformersGradients) {
    const at::Tensor ids = m_reference["input/input_ids"];
    ModelGradients gradients =
        differentiateModel(m_model.component(), {ids}, m_reference["target"], Recompute::Always);
    at::Tensor& tokens = gradients.parameters.at("text_model.embeddings.token_embedding.weight");
    const at::Tensor used = std::get<0>(at::_unique(ids)); // the reference holds the rows of these alone
    EXPECT_EQ(tokens.index_fill(0, used, 0.0).count_nonzero().item<int64_t>(), 0);
    tokens = tokens.index_select(0, used);
    expectGradients(gradients, m_model.component().schedule(), m_reference);
}

TEST_P(TinyTextEncoder, recomputationChangesNoByte) {
    const std::vector<at::Tensor> inputs{m_reference["input/input_ids"]};
    expectEqualBytes(
        differentiateModel(m_model.component(), inputs, m_reference["target"], Recompute::Always),
        differentiateModel(m_model.component(), inputs, m_reference["target"], Recompute::Never));
}

TEST_P(TinyTextEncoder, refusesMoreTokensThanPositions) {
    const at::Tensor ids = at::zeros({1, m_model.config().maxPositions + 1}, at::kLong);
    EXPECT_THROW(static_cast<void>(m_model.encode(ids)), c10::Error);
}

INSTANTIATE_TEST_SUITE_P(Models, TinyTextEncoder, ::testing::Values("tiny-sd1", "tiny-sd2"));

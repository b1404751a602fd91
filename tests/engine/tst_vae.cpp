// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The autoencoder against diffusers: both halves, gradients, slicing and tiling.
#include "core/engine/io/weights.h"
#include "core/engine/models/vae_model.h"
#include "tests/engine/model_check.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr int64_t kTilePixels = 32; // as the reference used

VaeConfig configOf(const std::string& folder) {
    const auto config = VaeConfig::fromJson(readText(folder + "/config.json"));
    if (!config) throw std::runtime_error(config.error().text());
    return *config;
}

class TinyVae : public ::testing::TestWithParam<const char*> {
protected:
    TinyVae()
        : m_folder(fixture(std::string(GetParam()) + "/vae"))
        , m_model(configOf(m_folder), ParameterStore::Options{})
        , m_tensors(openTensors(fixture("vae/" + std::string(GetParam()) + ".safetensors"))) {
        load(*m_model.encoder(), m_folder + "/diffusion_pytorch_model.safetensors");
        load(*m_model.decoder(), m_folder + "/diffusion_pytorch_model.safetensors");
    }

    std::string m_folder;
    VaeModel m_model;
    std::shared_ptr<SafetensorsReader> m_tensors;
};

} // namespace

TEST_P(TinyVae, encodesLikeDiffusers) {
    const Reference reference(m_tensors, "encode/");
    const at::Tensor image = reference["input/image"];
    expectValues(*m_model.encoder(), {image}, reference);
    const VaePosterior posterior = m_model.encode(image);
    EXPECT_LE(relativeError(posterior.mean, reference["mean"]), kOutputTolerance);
    EXPECT_LE(relativeError(posterior.logVariance, reference["logvar"]), kOutputTolerance);
    const at::Tensor latents = m_model.scaled(posterior.sample(reference["noise"]));
    EXPECT_LE(relativeError(latents, reference["latents"]), kOutputTolerance);
    EXPECT_LE(relativeError(m_model.unscaled(latents), posterior.sample(reference["noise"])),
              kOutputTolerance);
}

TEST_P(TinyVae, decodesLikeDiffusers) {
    const Reference reference(m_tensors, "decode/");
    const at::Tensor latents = m_model.unscaled(reference["input/latents"]);
    expectValues(*m_model.decoder(), {latents}, reference);
    EXPECT_LE(relativeError(m_model.decode(latents), reference["image"]), kOutputTolerance);
}

TEST_P(TinyVae, hasDiffusersGradients) {
    const Reference encode(m_tensors, "encode/");
    const ModelGradients encoded =
        differentiateModel(*m_model.encoder(), {encode["input/image"]}, encode["target"], Recompute::Always);
    expectGradients(encoded, m_model.encoder()->schedule(), encode);
    EXPECT_LE(heldError(encoded.inputs[0], encode["input_gradient/image"]), kGradientTolerance);

    const Reference decode(m_tensors, "decode/");
    const at::Tensor latents = m_model.unscaled(decode["input/latents"]);
    const ModelGradients decoded =
        differentiateModel(*m_model.decoder(), {latents}, decode["target"], Recompute::Always);
    expectGradients(decoded, m_model.decoder()->schedule(), decode);
    EXPECT_LE(heldError(decoded.inputs[0] / m_model.config().scalingFactor, decode["input_gradient/latents"]),
              kGradientTolerance);
}

TEST_P(TinyVae, recomputationChangesNoByte) {
    const Reference reference(m_tensors, "encode/");
    const std::vector<at::Tensor> inputs{reference["input/image"]};
    expectEqualBytes(differentiateModel(*m_model.encoder(), inputs, reference["target"], Recompute::Always),
                     differentiateModel(*m_model.encoder(), inputs, reference["target"], Recompute::Never));
}

TEST_P(TinyVae, blendsTilesLikeDiffusers) {
    const Reference reference(m_tensors, "tiling/");
    const VaeMemory memory{.slicing = false, .tiling = true, .tilePixels = kTilePixels};
    const at::Tensor latents = m_model.unscaled(reference["input/latents"]);
    EXPECT_LE(heldError(m_model.decode(latents, memory), reference["image"]), kOutputTolerance);
    const VaePosterior posterior = m_model.encode(reference["input/image"], memory);
    const at::Tensor mean = reference["moments"].chunk(2, 1)[0];
    EXPECT_LE(relativeError(posterior.mean, mean), kOutputTolerance);
}

TEST_P(TinyVae, slicesGiveWhatTheBatchGives) {
    const at::Tensor latents = at::randn({3, m_model.config().latentChannels, 4, 6});
    const at::Tensor together = m_model.decode(latents);
    EXPECT_LE(relativeError(m_model.decode(latents, {.slicing = true}), together), kOutputTolerance);
}

TEST_P(TinyVae, oneHalfNeedsNoOther) {
    VaeModel decoder(m_model.config(), {}, VaeModel::Part::Decoder);
    EXPECT_EQ(decoder.encoder(), nullptr);
    EXPECT_THROW(static_cast<void>(decoder.encode(at::zeros({1, 3, 8, 8}))), c10::Error);
    load(*decoder.decoder(), m_folder + "/diffusion_pytorch_model.safetensors");
    const at::Tensor latents = at::randn({1, m_model.config().latentChannels, 4, 4});
    EXPECT_TRUE(at::equal(decoder.decode(latents), m_model.decode(latents)));
}

TEST(VaeType, avoidsFp16WhereItOverflows) {
    VaeConfig config;
    config.forceUpcast = true;
    EXPECT_EQ(safeVaeType(config, at::kHalf), at::kFloat);
    EXPECT_EQ(safeVaeType(config, at::kBFloat16), at::kBFloat16);
    config.forceUpcast = false;
    EXPECT_EQ(safeVaeType(config, at::kHalf), at::kHalf);
}

/// In bf16, with channels and pixels for which sampling convolves by tiles that round more.
TEST(Vae, encodesForTheCacheAsPreciselyAsItTrains) {
    at::manual_seed(3);
    VaeConfig config;
    config.blockOutChannels = {32, 32};
    ParameterStore::Options options;
    options.type = at::kBFloat16;
    VaeModel vae(config, options);
    for (Component* half : {vae.encoder(), vae.decoder()}) initialiseParameters(half->store(), 5);
    const auto asInTraining = [](Component& half, const at::Tensor& x) {
        const at::Tensor result = half.executor().forward({x}, {false}, 0).front();
        half.executor().discard();
        return result;
    };
    const at::Tensor pixels = at::rand({1, 3, 64, 48}).to(at::kBFloat16);
    EXPECT_TRUE(
        at::equal(vae.encoder()->executor().run({pixels}).front(), asInTraining(*vae.encoder(), pixels)));
    const at::Tensor latents = at::randn({1, 4, 32, 24}).to(at::kBFloat16);
    EXPECT_FALSE(at::equal(vae.decoder()->executor().run({latents}).front(),
                           asInTraining(*vae.decoder(), latents))); // pictures are made the faster way
}

INSTANTIATE_TEST_SUITE_P(Models, TinyVae, ::testing::Values("tiny-sd1", "tiny-sd2"));

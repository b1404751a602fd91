// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of models whose weights are kept as integers: near those of the whole ones, the same bytes
// wherever blocks are, LoRAs added to what the file has, and half of the memory.
#include "core/base/arch/unet_layout.h"
#include "core/engine/io/exact_tensor.h"
#include "core/engine/io/parameter_place.h"
#include "core/engine/nn/stored_weight.h"
#include "core/engine/sampling/generation_model.h"
#include "sampling_support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace homebooth::core {
namespace {

using namespace sampling_test;
namespace fs = std::filesystem;

std::unique_ptr<GenerationModel> load(const std::string& name, Quantization quantization,
                                      const SamplePlacement& placement = {}) {
    auto source = openModel(fixturePath(name));
    if (!source) throw std::runtime_error(source.error().text());
    GenerationModel::Options options;
    options.quantization = quantization;
    options.placement = placement;
    auto model = GenerationModel::load(std::move(*source), options);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

at::Tensor latentsOf(GenerationModel& model) {
    GenerationRequest request;
    request.prompt = "a photo of sks dog";
    request.steps = 3;
    request.sampler = SamplerKind::Ddim;
    request.guidanceScale = 1.0; // guidance multiplies differences
    request.seeds = {3};
    auto result = model.pipeline().generate(request, {}, CancelToken());
    if (!result) throw std::runtime_error(result.error().text());
    return result->latents;
}

class QuantizedPictures : public ::testing::TestWithParam<const char*> {};

TEST_P(QuantizedPictures, areNearThoseOfTheWholeModel) {
    const at::Tensor whole = latentsOf(*load(GetParam(), Quantization::None));
    const at::Tensor found = latentsOf(*load(GetParam(), Quantization::Int8));
    const double error = relativeError(found, whole.to(at::kDouble));
    std::printf("%s: %.4f of the greatest latent\n", GetParam(), error);
    EXPECT_LT(error, 0.05);
    EXPECT_GT(error, 0.0);
}

TEST_P(QuantizedPictures, areTheSameWhereverBlocksAre) {
    const at::Tensor expected = latentsOf(*load(GetParam(), Quantization::Int8));
    const auto model = load(GetParam(), Quantization::Int8, {true, true, {}, false});
    EXPECT_TRUE(at::equal(latentsOf(*model), expected));
    model->place({});
    EXPECT_TRUE(at::equal(latentsOf(*model), expected));
}

INSTANTIATE_TEST_SUITE_P(models, QuantizedPictures, ::testing::Values("tiny-sd1", "tiny-sd2", "tiny-sdxl"),
                         [](const auto& test) { return std::string(test.param).substr(5); });

/// A UNet that was read from a fixture.
class LoadedUNet {
public:
    explicit LoadedUNet(Quantization quantization, at::ScalarType type = at::kFloat)
        : m_source(*openModel(fixturePath("tiny-sd1")))
        , m_unet(m_source.unet, frozenSchedule(unetSchedule(m_source.unet), quantization), ofType(type)) {
        const auto loaded = loadParameters(store(), *m_source.unetTensors);
        if (!loaded) throw std::runtime_error(loaded.error().text());
    }

    [[nodiscard]] ParameterStore& store() { return m_unet.component().store(); }
    [[nodiscard]] at::Tensor inFile(const std::string& name) const {
        return *readExact(*m_source.unetTensors, *m_source.unetTensors->find(name));
    }

private:
    static ParameterStore::Options ofType(at::ScalarType type) {
        ParameterStore::Options options;
        options.type = type;
        return options;
    }

    ModelSource m_source;
    UNetModel m_unet;
};

TEST(QuantizedWeights, areThoseOfTheFile) {
    LoadedUNet unet(Quantization::Int8, at::kBFloat16);
    int weights = 0;
    for (const BlockSpec& block : unet.store().schedule().blocks())
        for (const ParameterSpec& spec : block.parameters) {
            if (spec.storage != StorageType::Int8) continue;
            const StoredWeight expected = quantized(unet.inFile(spec.name));
            const at::Tensor values = unet.store().parameter(unet.store().find(spec.name));
            const at::Tensor scales = unet.store().parameter(unet.store().find(scaleName(spec.name)));
            EXPECT_TRUE(at::equal(values, expected.values)) << spec.name;
            EXPECT_TRUE(at::equal(scales, expected.scales)) << spec.name;
            ++weights;
        }
    EXPECT_GT(weights, 50);
}

/// Whoever saves them writes what other programs read.
TEST(QuantizedWeights, leaveTheStoreWhole) {
    LoadedUNet unet(Quantization::Int8, at::kBFloat16);
    const StoreTensorSource source({&unet.store()}, std::nullopt);
    const std::string name = "mid_block.resnets.0.conv1.weight";
    EXPECT_EQ(source.find(scaleName(name)), nullptr);
    ASSERT_NE(source.find(name), nullptr);
    EXPECT_EQ(source.find(name)->type, DataType::BF16);
    const at::Tensor whole = *readExact(source, *source.find(name));
    const at::Tensor inFile = unet.inFile(name);
    const at::Tensor bound = inFile.abs().flatten(1).amax(1).view({-1, 1, 1, 1}) / 127;
    EXPECT_TRUE((whole - inFile).abs().le(bound).all().item<bool>());
}

TEST(QuantizedWeights, areDrawnFromScratchLikeWholeOnes) {
    LoadedUNet integers(Quantization::Int8);
    LoadedUNet whole(Quantization::None);
    initialiseParameters(integers.store(), 4);
    initialiseParameters(whole.store(), 4);
    const std::string name = "mid_block.resnets.0.conv1.weight";
    const StoredWeight expected = quantized(whole.store().parameter(whole.store().find(name)));
    EXPECT_TRUE(at::equal(integers.store().parameter(integers.store().find(name)), expected.values));
    EXPECT_TRUE(
        at::equal(integers.store().parameter(integers.store().find(scaleName(name))), expected.scales));
}

TEST(QuantizedLoras, areAddedToTheWeightsOfTheFile) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const fs::path folder =
        (root != nullptr ? fs::path(root) : fs::temp_directory_path()) / "quantized-loras";
    fs::create_directories(folder);
    const std::string path =
        writeSquareLora(folder, {{"lora_unet_mid_block_attentions_0_proj_in", 16}}, 0.5F);
    const auto model = load("tiny-sd1", Quantization::Int8);
    const at::Tensor before = latentsOf(*model);
    ASSERT_TRUE(model->setLoras({{path, 1.0}}));
    const at::Tensor with = latentsOf(*model);
    EXPECT_FALSE(at::equal(with, before));
    ASSERT_TRUE(model->setLoras({{path, 0.5}, {path, 0.5}})); // in parts, and rounded once
    EXPECT_TRUE(at::equal(latentsOf(*model), with));
    ASSERT_TRUE(model->setLoras({}));
    EXPECT_TRUE(at::equal(latentsOf(*model), before));
    fs::remove_all(folder);
}

} // namespace
} // namespace homebooth::core

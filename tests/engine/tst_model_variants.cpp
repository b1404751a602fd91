// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Configuration values that the tiny models of SD 1.x and 2.x lack, against diffusers: outputs and gradients.
#include "core/engine/models/model_components.h"
#include "core/engine/models/vae_model.h"
#include "tests/engine/model_check.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

template <class Config>
Config configOf(const std::string& name) {
    const auto config = Config::fromJson(readText(fixture("variants/" + name + ".json")));
    if (!config) throw std::runtime_error(config.error().text());
    return *config;
}

void fill(Component& component, const Reference& reference) {
    const auto whole = [](int64_t count) { return count; };
    ParameterStore& store = component.store();
    for (const auto& [name, values] : cutByParameters(reference["weights"], component.schedule(), whole))
        store.parameter(store.find(name)).copy_(values);
}

/// Output and gradients with both ways of keeping activations.
void expectEqualToReference(Component& component, const std::vector<at::Tensor>& inputs,
                            const Reference& reference) {
    const at::Tensor target = reference["target"];
    const ModelGradients gradients = differentiateModel(component, inputs, target, Recompute::Always);
    EXPECT_LE(relativeError(gradients.output, reference["sample"]), kOutputTolerance);
    expectGradients(gradients, component.schedule(), reference);
    expectEqualBytes(gradients, differentiateModel(component, inputs, target, Recompute::Never));
}

class UNetVariant : public ::testing::TestWithParam<const char*> {};
class VaeVariant : public ::testing::TestWithParam<const char*> {};

} // namespace

/// SDXL's: sizes and the pooled text beside the timestep.
TEST(TinyXlUNet, equalsDiffusers) {
    const std::string folder = fixture("tiny-sdxl/unet");
    const auto config = UNetConfig::fromJson(readText(folder + "/config.json"));
    ASSERT_TRUE(config.ok()) << config.error().text();
    UNetModel model(*config, ParameterStore::Options{});
    load(model.component(), folder + "/diffusion_pytorch_model.safetensors");
    const Reference reference(openTensors(fixture("xl/unet.safetensors")), "");
    const std::vector<at::Tensor> inputs{reference["input/sample"], reference["input/timestep"],
                                         reference["input/encoder_hidden_states"],
                                         reference["input/text_embeds"], reference["input/time_ids"]};
    EXPECT_LE(relativeError(model.predict(inputs[0], inputs[1], inputs[2], inputs[3], inputs[4]),
                            reference["sample"]),
              kOutputTolerance);
    expectEqualToReference(model.component(), inputs, reference);
    const ModelGradients gradients =
        differentiateModel(model.component(), inputs, reference["target"], Recompute::Always);
    for (const auto& [index, name] :
         {std::pair{0, "sample"}, std::pair{2, "encoder_hidden_states"}, std::pair{3, "text_embeds"}})
        EXPECT_LE(relativeError(gradients.inputs[static_cast<size_t>(index)],
                                reference[std::string("input_gradient/") + name]),
                  kGradientTolerance)
            << name;
}

TEST_P(UNetVariant, equalsDiffusers) {
    const Reference reference(openTensors(fixture("variants/" + std::string(GetParam()) + ".safetensors")),
                              "");
    UNetModel model(configOf<UNetConfig>(GetParam()), ParameterStore::Options{});
    fill(model.component(), reference);
    const std::vector<at::Tensor> inputs{reference["input/sample"], reference["input/timestep"],
                                         reference["input/encoder_hidden_states"]};
    expectEqualToReference(model.component(), inputs, reference);
}

TEST_P(VaeVariant, equalsDiffusers) {
    const auto file = openTensors(fixture("variants/" + std::string(GetParam()) + ".safetensors"));
    VaeModel model(configOf<VaeConfig>(GetParam()), ParameterStore::Options{});
    const Reference encode(file, "encode/");
    fill(*model.encoder(), encode);
    expectEqualToReference(*model.encoder(), {encode["input/image"]}, encode);
    const Reference decode(file, "decode/");
    fill(*model.decoder(), decode);
    expectEqualToReference(*model.decoder(), {decode["input/latents"]}, decode);
}

INSTANTIATE_TEST_SUITE_P(Models, UNetVariant,
                         ::testing::Values("unet_unusual", "unet_no_mid", "unet_far_padding"));
INSTANTIATE_TEST_SUITE_P(Models, VaeVariant, ::testing::Values("vae_bare", "vae_single"));

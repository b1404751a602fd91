// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The UNet against diffusers: every block's output, every gradient, with and without recomputation.
#include "core/engine/models/model_components.h"
#include "tests/engine/model_check.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

UNetConfig configOf(const std::string& folder) {
    const auto config = UNetConfig::fromJson(readText(folder + "/config.json"));
    if (!config) throw std::runtime_error(config.error().text());
    return *config;
}

std::vector<at::Tensor> inputsOf(const Reference& reference) {
    return {reference["input/sample"], reference["input/timestep"], reference["input/encoder_hidden_states"]};
}

/// The tiny models with the structure of SD 1.x and SD 2.x.
class TinyUNet : public ::testing::TestWithParam<const char*> {
protected:
    TinyUNet()
        : m_folder(fixture(std::string(GetParam()) + "/unet"))
        , m_model(configOf(m_folder), ParameterStore::Options{})
        , m_tensors(openTensors(fixture("unet/" + std::string(GetParam()) + ".safetensors"))) {
        load(m_model.component(), m_folder + "/diffusion_pytorch_model.safetensors");
    }

    std::string m_folder;
    UNetModel m_model;
    std::shared_ptr<SafetensorsReader> m_tensors;
};

} // namespace

TEST_P(TinyUNet, equalsDiffusersBlockByBlockAtAnySize) {
    for (const char* name : {"even/", "uneven/", "odd/"}) {
        SCOPED_TRACE(name);
        const Reference reference(m_tensors, name);
        expectValues(m_model.component(), inputsOf(reference), reference);
        const at::Tensor prediction = m_model.predict(reference["input/sample"], reference["input/timestep"],
                                                      reference["input/encoder_hidden_states"]);
        EXPECT_LE(relativeError(prediction, reference["sample"]), kOutputTolerance);
    }
}

TEST_P(TinyUNet, hasDiffusersGradients) {
    const Reference reference(m_tensors, "uneven/");
    const ModelGradients gradients =
        differentiateModel(m_model.component(), inputsOf(reference), reference["target"], Recompute::Always);
    expectGradients(gradients, m_model.component().schedule(), reference);
    EXPECT_LE(heldError(gradients.inputs[0], reference["input_gradient/sample"]), kGradientTolerance);
    EXPECT_LE(heldError(gradients.inputs[2], reference["input_gradient/encoder_hidden_states"]),
              kGradientTolerance);
}

TEST_P(TinyUNet, recomputationChangesNoByte) {
    const Reference reference(m_tensors, "uneven/");
    const std::vector<at::Tensor> inputs = inputsOf(reference);
    const ModelGradients recomputed =
        differentiateModel(m_model.component(), inputs, reference["target"], Recompute::Always);
    m_model.component().executor().setWorthKeeping(1); // all products of a model this small
    for (const Recompute other : {Recompute::CheapParts, Recompute::Never})
        expectEqualBytes(recomputed,
                         differentiateModel(m_model.component(), inputs, reference["target"], other));
    EXPECT_TRUE(at::equal(recomputed.output, m_model.component().executor().run(inputs).front()));
}

TEST_P(TinyUNet, oneTimestepServesTheWholeBatch) {
    const Reference reference(m_tensors, "uneven/");
    const at::Tensor sample = reference["input/sample"];
    const at::Tensor context = reference["input/encoder_hidden_states"];
    const at::Tensor single = m_model.predict(sample, at::scalar_tensor(500, at::kLong), context);
    const at::Tensor each = m_model.predict(sample, at::full({sample.size(0)}, 500.0), context);
    EXPECT_TRUE(at::equal(single, each));
}

TEST_P(TinyUNet, staysNearItselfInNarrowTypes) {
    // 8 and 11 bits of precision through some forty layers
    const std::map<at::ScalarType, double> tolerances{{at::kBFloat16, 0.1}, {at::kHalf, 0.02}};
    const Reference reference(m_tensors, "even/");
    for (const auto& [type, tolerance] : tolerances) {
        SCOPED_TRACE(c10::toString(type));
        UNetModel narrow(m_model.config(), {.type = type});
        load(narrow.component(), m_folder + "/diffusion_pytorch_model.safetensors");
        const at::Tensor prediction = narrow.predict(reference["input/sample"], reference["input/timestep"],
                                                     reference["input/encoder_hidden_states"]);
        EXPECT_EQ(prediction.scalar_type(), type);
        EXPECT_LE(relativeError(prediction, reference["sample"]), tolerance);
    }
}

TEST_P(TinyUNet, trainsInNarrowTypesWithoutALossOfBytes) {
    const Reference reference(m_tensors, "uneven/");
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        SCOPED_TRACE(c10::toString(type));
        UNetModel narrow(m_model.config(), {.type = type});
        load(narrow.component(), m_folder + "/diffusion_pytorch_model.safetensors");
        std::vector<at::Tensor> inputs = inputsOf(reference);
        for (at::Tensor& input : inputs) input = narrow.component().prepared(input);
        const at::Tensor target = reference["target"].to(type);
        const ModelGradients recomputed =
            differentiateModel(narrow.component(), inputs, target, Recompute::Always);
        narrow.component().executor().setWorthKeeping(1);
        for (const Recompute other : {Recompute::CheapParts, Recompute::Never})
            expectEqualBytes(recomputed, differentiateModel(narrow.component(), inputs, target, other));
        for (const auto& [name, gradient] : recomputed.parameters)
            EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, TinyUNet, ::testing::Values("tiny-sd1", "tiny-sd2"));

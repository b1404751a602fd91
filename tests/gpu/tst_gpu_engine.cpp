// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the engine on a GPU: the executor over a tiny UNet, optimizers, attention.
#include "core/engine/models/model_components.h"
#include "core/engine/nn/attention.h"
#include "core/engine/optim/gradient_norm.h"
#include "core/engine/optim/optimizer.h"
#include "core/engine/optim/rounding.h"
#include "kernels/reduce/sum_of_squares.h"
#include "tests/gpu/gpu_support.h"

#include <torch/csrc/autograd/autograd.h>

namespace homebooth::core::testing {
namespace {

UNetConfig configOf(const std::string& model) {
    const auto config = UNetConfig::fromJson(readText(fixture(model + "/unet/config.json")));
    if (!config) throw std::runtime_error(config.error().text());
    return *config;
}

class UNetOnTheGpu : public OnTheGpu, public ::testing::WithParamInterface<const char*> {};

/// Forward and backward of the fixture's case `uneven` on the GPU.
ModelGradients differentiateOnGpu(UNetModel& model, const Reference& reference, Recompute recompute) {
    const std::vector<at::Tensor> inputs{reference["input/sample"].to(kGpu),
                                         reference["input/timestep"].to(kGpu),
                                         reference["input/encoder_hidden_states"].to(kGpu)};
    return differentiateModel(model.component(), inputs, reference["target"].to(kGpu), recompute);
}

TEST_P(UNetOnTheGpu, hasDiffusersOutputAndGradients) {
    const std::string name = GetParam();
    UNetModel model(configOf(name), {.device = kGpu});
    load(model.component(), fixture(name + "/unet/diffusion_pytorch_model.safetensors"));
    const Reference reference(openTensors(fixture("unet/" + name + ".safetensors")), "uneven/");
    const std::map<std::string, at::Tensor> held = heldGradients(reference, model.component().schedule());
    const double floor = kGpuGradientFloor * normOf(held);
    for (const Recompute recompute : {Recompute::Always, Recompute::Never}) {
        const ModelGradients found = differentiateOnGpu(model, reference, recompute);
        EXPECT_TRUE(found.output.is_cuda());
        EXPECT_LE(relativeError(found.output.cpu(), reference["sample"]), kGpuOutputTolerance);
        ASSERT_EQ(found.parameters.size(), held.size());
        for (const auto& [key, gradient] : found.parameters) {
            const at::Tensor wanted = held.at(key).to(at::kDouble);
            const double error =
                (asHeld(gradient.cpu(), wanted).to(at::kDouble) - wanted).norm().item<double>();
            EXPECT_LE(error, kGpuGradientTolerance * wanted.norm().item<double>() + floor) << key;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, UNetOnTheGpu, ::testing::Values("tiny-sd1", "tiny-sd2"));

/// One matrix, one kernel, one row: three steps on `device`, then the parameters.
std::vector<at::Tensor> optimizedOn(at::Device device, at::ScalarType type, const OptimizerConfig& config) {
    BlockSpec block;
    block.kind = "loose";
    block.parameters = {{.name = "matrix", .shape = {70, 71}},
                        {.name = "kernel", .shape = {24, 20, 3, 3}},
                        {.name = "row", .shape = {17}}};
    Schedule schedule;
    schedule.add(block, {}, {});
    ParameterStore store(schedule, {.type = type, .device = device});
    at::manual_seed(3);
    std::vector<at::Tensor> gradients;
    for (int i = 0; i < 3; ++i) {
        at::Tensor parameter = store.parameter({0, i});
        parameter.copy_(at::randn(parameter.sizes()));
        gradients.push_back(at::randn(parameter.sizes()).to(type).to(device));
    }
    const auto optimizer = makeOptimizer(config, store, 7);
    for (int64_t step = 1; step <= 3; ++step) {
        optimizer->beginStep(step, 1e-3);
        for (int i = 0; i < 3; ++i) optimizer->update({0, i}, gradients[static_cast<size_t>(i)], 0.5);
    }
    std::vector<at::Tensor> result;
    for (int i = 0; i < 3; ++i) result.push_back(store.parameter({0, i}).cpu().contiguous());
    return result;
}

using OptimizersOnTheGpu = OnTheGpu;

TEST_F(OptimizersOnTheGpu, adamWGivesTheBytesOfTheCpu) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const StateType states : {StateType::Fp32, StateType::Bf16}) {
            OptimizerConfig config;
            config.states = states;
            const auto expected = optimizedOn(at::kCPU, type, config);
            const auto found = optimizedOn(kGpu, type, config);
            for (size_t i = 0; i < expected.size(); ++i)
                EXPECT_TRUE(at::equal(found[i], expected[i])) << c10::toString(type) << ", parameter " << i;
        }
}

TEST_F(OptimizersOnTheGpu, adamW8bitGivesTheBytesOfTheCpu) {
    OptimizerConfig config;
    config.kind = OptimizerKind::AdamW8bit;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
        const auto expected = optimizedOn(at::kCPU, type, config);
        const auto found = optimizedOn(kGpu, type, config);
        for (size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(at::equal(found[i], expected[i])) << c10::toString(type) << ", parameter " << i;
    }
}

TEST_F(OptimizersOnTheGpu, adafactorGivesTheBytesOfTheCpu) {
    OptimizerConfig config;
    config.kind = OptimizerKind::Adafactor;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
        for (const MasterWeights master : {MasterWeights::None, MasterWeights::Fp32}) {
            config.master = master;
            const auto expected = optimizedOn(at::kCPU, type, config);
            const auto found = optimizedOn(kGpu, type, config);
            for (size_t i = 0; i < expected.size(); ++i)
                EXPECT_TRUE(at::equal(found[i], expected[i])) << c10::toString(type) << ", parameter " << i;
        }
}

/// Also of a gradient that comes in pieces.
TEST_F(OptimizersOnTheGpu, normsAreThoseOfTheCpu) {
    at::manual_seed(4);
    const at::Tensor exact = at::randn({70'001}) * at::exp(2.0 * at::randn({70'001}));
    constexpr int64_t kPiece = 4 * kernels::kSumBlock;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
        const at::Tensor here = exact.to(type);
        const at::Tensor there = here.to(kGpu);
        const double expected = squaredNorm(here);
        EXPECT_EQ(squaredNorm(there), expected) << c10::toString(type);
        const double first = squaredNorm(there.narrow(0, 0, kPiece));
        EXPECT_EQ(squaredNorm(there.narrow(0, kPiece, there.numel() - kPiece), first), expected)
            << c10::toString(type);
    }
}

/// Of all parameters of a model together, some of which lie in RAM.
TEST_F(OptimizersOnTheGpu, sumsOfNormsAreThoseOfTheCpu) {
    at::manual_seed(6);
    SquaredNorms expected;
    SquaredNorms found;
    int64_t count = 1;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kFloat, at::kBFloat16}) {
        const at::Tensor here = (at::randn({count}) * at::exp(2.0 * at::randn({count}))).to(type);
        expected.add(here);
        found.add(type == at::kHalf ? here : here.to(kGpu));
        count = 7 * count + kernels::kSumBlock; // up to some dozens of blocks
    }
    EXPECT_EQ(found.sum(), expected.sum());
}

/// Changes that are small enough, and others.
TEST_F(OptimizersOnTheGpu, adafactorBoundsChangesAsTheCpuDoes) {
    BlockSpec block;
    block.kind = "loose";
    block.parameters = {{.name = "matrix", .shape = {70, 71}}, {.name = "row", .shape = {17}}};
    Schedule schedule;
    schedule.add(block, {}, {});
    OptimizerConfig config;
    config.kind = OptimizerKind::Adafactor;
    const auto updated = [&](at::Device device) {
        ParameterStore store(schedule, {.type = at::kFloat, .device = device});
        at::manual_seed(8);
        for (int i = 0; i < 2; ++i) store.parameter({0, i}).fill_(1.0);
        const auto optimizer = makeOptimizer(config, store, 7);
        for (int64_t step = 1; step <= 6; ++step) {
            optimizer->beginStep(step, 1e-2);
            const double size = step % 2 == 0 ? 1e-3 : 1e3; // beside what the states remember
            for (int i = 0; i < 2; ++i) {
                const at::Tensor drawn = at::randn(store.parameter({0, i}).sizes()) * size;
                optimizer->update({0, i}, drawn.to(device), 1.0);
            }
        }
        return std::vector<at::Tensor>{store.parameter({0, 0}).cpu(), store.parameter({0, 1}).cpu()};
    };
    const auto expected = updated(at::kCPU);
    const auto found = updated(kGpu);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
}

TEST_F(OptimizersOnTheGpu, stochasticRoundingGivesTheBytesOfTheCpu) {
    at::manual_seed(3);
    const at::Tensor exact = at::randn({70, 71});
    const kernels::RandomStream random{7, 3, 5};
    for (const at::ScalarType type : {at::kBFloat16, at::kHalf}) {
        const at::Tensor expected = at::zeros({70, 71}, type);
        const at::Tensor found = expected.to(kGpu);
        storeRounded(expected, exact, random);
        storeRounded(found, exact.to(kGpu), random);
        EXPECT_TRUE(at::equal(found.cpu(), expected)) << c10::toString(type);
    }
}

class AttentionOnTheGpu : public OnTheGpu {
protected:
    /// Output and gradients of q, k and v, for inputs of `type` on `device`.
    static std::vector<at::Tensor> attended(at::Device device, at::ScalarType type, int64_t headSize,
                                            bool causal) {
        constexpr int64_t kHeads = 2;
        constexpr int64_t kQueries = 96;
        const int64_t keys = causal ? kQueries : 77;
        at::manual_seed(5);
        std::vector<at::Tensor> leaves;
        for (const int64_t tokens : {kQueries, keys, keys}) {
            const at::Tensor drawn = at::randn({2, tokens, kHeads * headSize}).to(type);
            leaves.push_back(drawn.to(device).requires_grad_(true));
        }
        const at::Tensor direction = at::randn({2, kQueries, kHeads * headSize}).to(type).to(device);
        const at::Tensor output =
            attend(leaves[0], leaves[1], leaves[2], {.heads = kHeads, .causal = causal});
        std::vector<at::Tensor> result = torch::autograd::grad({output}, leaves, {direction});
        result.insert(result.begin(), output.detach());
        return result;
    }
};

TEST_F(AttentionOnTheGpu, equalsTheCpuInFp32ForEveryHeadSize) {
    for (const int64_t headSize : {40, 64, 80, 160, 512})
        for (const bool causal : {false, true}) {
            const auto expected = attended(at::kCPU, at::kFloat, headSize, causal);
            const auto found = attended(kGpu, at::kFloat, headSize, causal);
            for (size_t i = 0; i < expected.size(); ++i)
                EXPECT_LE(normError(found[i], expected[i]), 1e-5) << headSize << ", result " << i;
        }
}

TEST_F(AttentionOnTheGpu, staysNearFp32InSixteenBits) {
    for (const int64_t headSize : {40, 64, 160}) {
        const auto wide = attended(at::kCPU, at::kFloat, headSize, false);
        for (const auto& [type, tolerance] :
             std::map<at::ScalarType, double>{{at::kBFloat16, 3e-2}, {at::kHalf, 5e-3}}) {
            const auto found = attended(kGpu, type, headSize, false);
            for (size_t i = 0; i < wide.size(); ++i)
                EXPECT_LE(normError(found[i], wide[i]), tolerance) << c10::toString(type) << ", result " << i;
        }
    }
}

} // namespace
} // namespace homebooth::core::testing

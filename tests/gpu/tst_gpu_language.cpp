// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Language models on a GPU: the loss and gradients of the CPU, and the same bytes wherever parameters lie.
#include "core/engine/io/precision.h"
#include "core/engine/learning/language_step.h"
#include "core/engine/learning/token_loss.h"
#include "core/engine/planning/trial_step.h"
#include "tests/engine/small_language_model.h"
#include "tests/gpu/gpu_support.h"

namespace homebooth::core::testing {
namespace {

constexpr int64_t kSteps = 3;

ModelSource smallModel(LanguageFamily family) {
    ModelSource model;
    model.language.emplace();
    model.language->config = smallLanguageModel(family);
    return model;
}

TrainConfig configOf(Precision precision) {
    TrainConfig config;
    config.mode = TrainMode::Language;
    config.data.contextTokens = 40;
    config.batchSize = 2;
    config.precision = precision;
    config.optimizer.learningRate = 1e-3;
    return config;
}

/// The parameters after a few steps, by name.
std::map<std::string, at::Tensor> trained(LanguageFamily family, const TrainConfig& config, at::Device device,
                                          const StepPlacement& placement) {
    const ModelSource model = smallModel(family);
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    store.device = device;
    auto trial = TrialStep::make(config, model, store, placement);
    if (!trial) throw std::runtime_error(trial.error().text());
    for (int64_t step = 1; step <= kSteps; ++step) {
        at::manual_seed(static_cast<uint64_t>(step)); // batches are drawn
        (*trial)->run(step);
    }
    std::map<std::string, at::Tensor> found;
    for (const NamedTensor& one : (*trial)->learner().resultTensors(0))
        found[one.name] = one.tensor.cpu().clone();
    return found;
}

using Language = OnTheGpu;

TEST_F(Language, learnsWhatTheCpuLearns) {
    for (const LanguageFamily family : {LanguageFamily::Opt, LanguageFamily::Gpt2, LanguageFamily::Bloom}) {
        TrainConfig config = configOf(Precision::Fp32);
        config.optimizer.epsilon = 1e-3; // gradients of nothing but rounding stay small
        const auto expected = trained(family, config, at::kCPU, {});
        for (const auto& [name, tensor] : trained(family, config, kGpu, {}))
            EXPECT_TRUE(at::allclose(tensor, expected.at(name), 1e-2, 1e-5))
                << familyName(family) << " " << name;
    }
}

TEST_F(Language, hasTheSameBytesWhereverParametersLie) {
    StepPlacement streamed;
    streamed.streaming.emplace();
    for (const LanguageFamily family : {LanguageFamily::Opt, LanguageFamily::Bloom}) {
        const TrainConfig config = configOf(Precision::Bf16);
        const auto resident = trained(family, config, kGpu, {});
        for (const auto& [name, tensor] : trained(family, config, kGpu, streamed))
            EXPECT_TRUE(at::equal(tensor, resident.at(name))) << familyName(family) << " " << name;
    }
}

TEST_F(Language, hasTheLossOfTheCpu) {
    at::manual_seed(1);
    const at::Tensor hidden = at::randn({2, 40, 64});
    const at::Tensor table = at::randn({500, 64});
    const at::Tensor targets = at::randint(500, {2, 40}, at::kLong);
    TokenLossOptions options;
    options.sliceBytes = 500 * 4 * 13; // several slices
    const TokenLoss here = tokenLoss(hidden, table, targets, options);
    const TokenLoss there = tokenLoss(hidden.to(kGpu), table.to(kGpu), targets.to(kGpu), options);
    EXPECT_NEAR(there.loss, here.loss, 1e-4);
    EXPECT_LE(normError(there.hiddenGradient, here.hiddenGradient), kGpuGradientTolerance);
    EXPECT_LE(normError(there.tableGradient, here.tableGradient), kGpuGradientTolerance);
}

} // namespace
} // namespace homebooth::core::testing

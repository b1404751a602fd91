// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Five steps of training on a GPU against the same five steps in diffusers: loss, gradient norm, final
// weights.
#include "core/base/model/configs/scheduler_config.h"
#include "core/engine/learning/denoising_step.h"
#include "tests/gpu/gpu_support.h"
#include "tests/gpu/training_steps.h"

namespace homebooth::core::testing {
namespace {

constexpr double kTrajectoryTolerance = 1e-3; // fp32; on the CPU it is 1e-4

template <class T>
T valueOf(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

using TrainingOnTheGpu = OnTheGpu;

TEST_F(TrainingOnTheGpu, isThatOfDiffusers) {
    const std::string model = fixture("tiny-sd1");
    TrainConfig config;
    config.optimizer.learningRate = 1e-3;
    config.optimizer.maxGradientNorm = 1.0;
    UNetModel unet(valueOf(UNetConfig::fromJson(readText(model + "/unet/config.json"))), {.device = kGpu});
    load(unet.component(), model + "/unet/diffusion_pytorch_model.safetensors");
    const SchedulerConfig scheduler = valueOf(
        parseSchedulerConfig(readText(model + "/scheduler/scheduler_config.json"), "scheduler_config.json"));
    const NoiseSchedule schedule = valueOf(NoiseSchedule::make(valueOf(resolveForTraining(scheduler))));
    Learner learner(config, {{"unet", &unet.component(), config.optimizer.learningRate}});
    DenoisingStep denoise(config, unet, nullptr, schedule);

    const TrainingSteps steps;
    const TrainingReference& expected = steps.found();
    const at::Tensor losses = expected["loss"];
    const at::Tensor norms = expected["gradient_norm"];
    for (int64_t step = 0; step < TrainingSteps::kCount; ++step) {
        learner.beginStep(step + 1);
        const double loss = denoise.run(steps.batch(step), learner);
        const StepOutcome outcome = learner.endStep();
        const double wanted = losses[step].item<double>();
        EXPECT_NEAR(loss, wanted, kTrajectoryTolerance * wanted) << "step " << step;
        ASSERT_TRUE(outcome.gradientNorm.has_value());
        const double wantedNorm = norms[step].item<double>();
        EXPECT_NEAR(*outcome.gradientNorm, wantedNorm, kTrajectoryTolerance * wantedNorm) << "step " << step;
    }
    const TensorsByName results = expected.results("unet");
    const std::vector<NamedTensor> found = learner.resultTensors(0);
    EXPECT_EQ(found.size(), results.size());
    EXPECT_GT(results.size(), 10U);
    for (const NamedTensor& tensor : found) {
        const auto wanted = results.find(tensor.name);
        ASSERT_NE(wanted, results.end()) << tensor.name;
        EXPECT_LE(normError(asHeld(tensor.tensor, wanted->second), wanted->second), kTrajectoryTolerance)
            << tensor.name;
    }
}

} // namespace
} // namespace homebooth::core::testing

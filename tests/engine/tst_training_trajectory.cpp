// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Five steps of training against the same five steps in diffusers: loss, gradient norm and final weights; and
// that micro-steps give the gradient of one batch.
#include "core/engine/learning/denoising_step.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/training/model_bundle.h"

#include "training_reference.h"
#include "training_support.h"

#include <ATen/Parallel.h>

#include <cmath>
#include <map>
#include <set>

namespace homebooth::core::testing {
namespace {

constexpr double kTrajectoryTolerance = 1e-4;

at::Tensor readTensor(const TensorSource& source, const std::string& name) {
    auto tensor = readWholeTensor(source, name);
    if (!tensor) throw std::runtime_error(tensor.error().text());
    return *tensor;
}

struct Case {
    std::string name;
    std::string model;
    bool trainsText = false;
    bool lora = false;
    bool convolutions = false;
    bool prior = true;
    double minSnrGamma = 0.0;
    int64_t rank = 4;
    double alpha = 4.0;
};

std::ostream& operator<<(std::ostream& stream, const Case& value) {
    return stream << value.name;
}

TrainConfig configOf(const Case& which, const std::string& root) {
    TrainConfig config;
    config.model = fixture(which.model);
    config.method = which.lora ? TrainMethod::Lora : TrainMethod::Full;
    config.trainTextEncoder = which.trainsText;
    config.steps = 5;
    config.lora.rank = which.rank;
    config.lora.alpha = which.alpha;
    config.lora.convolutions = which.convolutions;
    config.optimizer.learningRate = 1e-3;
    config.optimizer.maxGradientNorm = 1.0;
    config.loss.minSnrGamma = which.minSnrGamma;
    config.output.runDir = root + "/run";
    return config;
}

class TrainingTrajectory : public ::testing::TestWithParam<Case> {};

/// Puts the fixture's start values of adapters into the stores.
void loadInitial(Learner& learner, const TrainingReference& expected) {
    for (size_t part = 0; part < learner.partCount(); ++part) {
        ParameterStore& store = learner.part(part).component->store();
        for (const auto& [name, start] : expected.starts(learner.part(part).name)) {
            const ParameterId id = store.find(name);
            ASSERT_GE(id.block, 0) << name;
            store.parameter(id).copy_(start);
        }
    }
}

/// Checks that a part has learned each of these parameters, once, and no others.
void compareFinal(const Learner& learner, size_t part, const TensorsByName& expected, bool lora) {
    std::set<std::string> compared;
    for (const NamedTensor& tensor : learner.resultTensors(part)) {
        if (lora && tensor.name.find(".lora_") == std::string::npos) continue; // frozen
        const auto wanted = expected.find(tensor.name);
        ASSERT_NE(wanted, expected.end()) << tensor.name;
        EXPECT_TRUE(compared.insert(tensor.name).second) << tensor.name << " is there twice";
        const at::Tensor held = asHeld(tensor.tensor, wanted->second);
        // Key biases have a gradient of mathematically zero: Adam turns its noise into full-size steps.
        if (tensor.name.ends_with("k_proj.bias")) continue;
        const at::Tensor reference = wanted->second.to(at::kDouble);
        const double error = (held.to(at::kDouble) - reference).norm().item<double>();
        EXPECT_LE(error, kTrajectoryTolerance * reference.norm().item<double>() + 1e-9) << tensor.name;
    }
    EXPECT_EQ(compared.size(), expected.size());
    EXPECT_GT(compared.size(), 10U);
}

/// What the prompts of a model's cases are, and what its text encoder makes of them before it is trained.
struct Prompts {
    explicit Prompts(const std::string& model)
        : file(openTensors(fixture("training/text_" + model + ".safetensors")))
        , tokens(readTensor(*file, "input_ids"))
        , context(readTensor(*file, "encoder_hidden_states")) {}

    std::shared_ptr<SafetensorsReader> file;
    at::Tensor tokens;
    at::Tensor context;
};

/// The batch of a step of the fixture, counted from 0.
DenoisingBatch batchOf(const TrainingReference& expected, const Prompts& prompts, int64_t step, bool prior) {
    const std::string prefix = "step/" + std::to_string(step) + "/";
    DenoisingBatch batch;
    batch.latents = expected[prefix + "latents"];
    batch.noise = expected[prefix + "noise"];
    batch.timesteps = expected[prefix + "timesteps"];
    batch.tokens = prompts.tokens;
    batch.context = prompts.context;
    batch.priorCount = prior ? 2 : 0;
    return batch;
}

/// Takes `steps` steps, each with the reference's loss and gradient norm.
void expectSteps(const Case& which, int64_t steps, const TrainingReference& expected, DenoisingStep& denoise,
                 Learner& learner) {
    const Prompts prompts(which.model);
    const at::Tensor losses = expected["loss"];
    const at::Tensor norms = expected["gradient_norm"];
    for (int64_t step = 1; step <= steps; ++step) {
        learner.beginStep(step);
        const double loss = denoise.run(batchOf(expected, prompts, step - 1, which.prior), learner);
        const StepOutcome outcome = learner.endStep();
        const double wanted = losses[step - 1].item<double>();
        EXPECT_NEAR(loss, wanted, kTrajectoryTolerance * wanted) << "step " << step;
        ASSERT_TRUE(outcome.gradientNorm.has_value());
        const double wantedNorm = norms[step - 1].item<double>();
        EXPECT_NEAR(*outcome.gradientNorm, wantedNorm, kTrajectoryTolerance * wantedNorm) << "step " << step;
    }
}

TEST_P(TrainingTrajectory, isThatOfDiffusers) {
    const Case& which = GetParam();
    at::set_num_threads(1);
    const std::string root = scratchFolder("trajectory-" + which.name);
    const TrainConfig config = configOf(which, root);
    const RunFolder run = makeRun(config);
    JobWorld world;
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    auto model = ModelBundle::make(job);
    ASSERT_TRUE(model) << model.error().text();
    std::vector<LearningPart> parts = {
        {"unet", &(*model)->unet().component(), config.optimizer.learningRate}};
    TextEncoder* text = nullptr;
    if (which.trainsText) {
        text = &(*(*model)->textEncoders())->first();
        parts.push_back({"text_encoder", &text->component(), config.optimizer.learningRate});
    }
    Learner learner(config, parts);
    DenoisingStep denoise(config, (*model)->unet(), text, (*model)->noiseSchedule());
    const TrainingReference expected(which.name);
    ASSERT_EQ(expected.isLora(), which.lora);
    if (which.lora) loadInitial(learner, expected);
    expectSteps(which, config.steps, expected, denoise, learner);
    // Of a whole model with its text encoder the fixture leaves the UNet out.
    for (size_t part = which.trainsText && !which.lora ? 1 : 0; part < learner.partCount(); ++part)
        compareFinal(learner, part, expected.results(learner.part(part).name), which.lora);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TrainingTrajectory,
    ::testing::Values(Case{.name = "sd1", .model = "tiny-sd1"},
                      Case{.name = "sd1_text", .model = "tiny-sd1", .trainsText = true},
                      Case{.name = "sd2", .model = "tiny-sd2", .prior = false, .minSnrGamma = 5.0},
                      Case{.name = "sd1_lora", .model = "tiny-sd1", .lora = true},
                      Case{.name = "sd1_lora_convolution",
                           .model = "tiny-sd1",
                           .lora = true,
                           .convolutions = true,
                           .rank = 2,
                           .alpha = 1.0},
                      Case{.name = "sd1_lora_text", .model = "tiny-sd1", .trainsText = true, .lora = true}),
    [](const auto& which) { return which.param.name; });

using Moments = std::map<std::string, at::Tensor>;

/// The first moments of both networks after one step over `batch`, cut into micro-steps.
Moments momentsAfter(const DenoisingBatch& batch, int64_t microSteps, const std::string& root) {
    TrainConfig config = tinyDreamBooth(root);
    config.trainTextEncoder = true;
    config.optimizer.accumulationSteps = microSteps;
    const RunFolder run = makeRun(config);
    JobWorld world;
    const JobContext job{config,         run,          world.events, world.control,
                         world.pictures, world.writer, world.options};
    const auto model = ModelBundle::make(job).value();
    TextEncoder* text = &(*model->textEncoders())->first();
    Learner learner(config,
                    {{"unet", &model->unet().component(), 1e-3}, {"text_encoder", &text->component(), 1e-3}});
    DenoisingStep denoise(config, model->unet(), text, model->noiseSchedule());
    learner.beginStep(1);
    for (int64_t micro = 0; micro < microSteps; ++micro) {
        const int64_t size = batch.latents.size(0) / microSteps;
        DenoisingBatch part = batch;
        for (at::Tensor* tensor : {&part.latents, &part.noise, &part.timesteps, &part.tokens})
            *tensor = tensor->slice(0, micro * size, (micro + 1) * size);
        static_cast<void>(denoise.run(part, learner));
    }
    static_cast<void>(learner.endStep());
    EXPECT_TRUE(learner.save(run.path()));
    Moments moments;
    for (const char* file : {"/optimizer-unet.safetensors", "/optimizer-text_encoder.safetensors"}) {
        const auto states = openTensors(run.path() + file);
        for (const TensorInfo& info : states->tensors())
            if (info.name.ends_with(".exp_avg")) // a tenth of the gradient after one step
                moments[info.name] = readTensor(*states, info.name).to(at::kDouble);
    }
    return moments;
}

TEST(Accumulation, isTheGradientOfTheLargerBatch) {
    at::set_num_threads(1);
    const std::string root = scratchFolder("accumulation");
    DenoisingBatch batch;
    batch.latents = drawNormal({2, 4, 8, 8}, 1);
    batch.noise = drawNormal({2, 4, 8, 8}, 2);
    batch.timesteps = drawIntegers(2, 1000, 3);
    batch.tokens = drawIntegers(77, 1000, 4).reshape({1, 77}).expand({2, 77});
    const Moments whole = momentsAfter(batch, 1, root + "/1");
    const Moments cut = momentsAfter(batch, 2, root + "/2");
    double squares = 0.0;
    for (const auto& [name, moment] : whole) squares += moment.square().sum().item<double>();
    for (const auto& [name, moment] : whole) {
        const double error = (cut.at(name) - moment).norm().item<double>();
        EXPECT_LE(error, 1e-4 * moment.norm().item<double>() + 1e-6 * std::sqrt(squares)) << name;
    }
    EXPECT_GT(whole.size(), 100U);
}

} // namespace
} // namespace homebooth::core::testing

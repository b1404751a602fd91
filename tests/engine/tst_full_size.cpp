// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SD 1.5, SD 2.1 and SDXL at full size against diffusers in fp32: text encoders, autoencoder, UNet, every
// gradient, and one step of AdamW, of SDXL for some parameters. tests/reference/full_size.py draws the
// weights and computes what is expected while the test runs; both go when a model is done. Text encoders,
// autoencoder and UNet are in memory one after another. Needs 18 GiB of disk and 14 GiB of memory.
#include "core/base/arch/unet_layout.h"
#include "core/base/model/configs/scheduler_config.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/engine/learning/denoising_step.h"
#include "core/engine/models/text_encoders.h"
#include "core/engine/models/vae_model.h"

#include "model_check.h"

#include <ATen/Parallel.h>

#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <thread>

namespace homebooth::core::testing {
namespace {

namespace fs = std::filesystem;

constexpr double kOwnTolerance = 1e-2;    // of a gradient's own norm, however small beside the others
constexpr double kWeightTolerance = 1e-4; // of a parameter's norm after the step
constexpr double kUpdateTolerance =
    5e-2;                              // of the norm of its change: Adam turns rounding noise into full steps
constexpr double kLearningRate = 1e-4; // as in full_size.py

std::string quoted(const fs::path& path) {
    std::string text = "'";
    for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

/// The Python of the reference side: what the set-up installed, or another one that the environment names.
fs::path referencePython() {
    const char* other = std::getenv("HOMEBOOTH_REFERENCE_PYTHON");
    return other != nullptr ? other : HOMEBOOTH_REFERENCE_PYTHON;
}

template <class T>
T valueOf(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

struct FullModel {
    const char* name; ///< in tests/configs
    const char* type; ///< of its files
    uintmax_t diskGibibytes;
};

/// A model and what diffusers computes with it, on disk for as long as this lives.
class ReferenceRun {
public:
    explicit ReferenceRun(const FullModel& model)
        : m_folder(fs::absolute(fs::path(std::getenv("HOMEBOOTH_TEST_DIR")) / model.name)) {
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
        const fs::path source = HOMEBOOTH_SOURCE_DIR;
        const std::string command =
            quoted(referencePython()) + " " + quoted(source / "tests/reference/full_size.py") + " " +
            quoted(source / "tests/configs" / model.name) + " " + quoted(m_folder) + " --store " + model.type;
        const int status = std::system(command.c_str());
        m_succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    ~ReferenceRun() {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    ReferenceRun(const ReferenceRun&) = delete;
    ReferenceRun& operator=(const ReferenceRun&) = delete;

    [[nodiscard]] bool succeeded() const { return m_succeeded; }
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder / name).string(); }
    [[nodiscard]] ModelSource model() const { return valueOf(openModel(path("model"))); }
    [[nodiscard]] Reference values(const std::string& part) const {
        return {openTensors(path("reference.safetensors")), part + "/"};
    }

private:
    fs::path m_folder;
    bool m_succeeded = false;
};

void load(Component& component, const TensorSource& source) {
    static_cast<void>(valueOf(loadParameters(component.store(), source)));
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).norm().item<double>();
}

double lengthOf(const at::Tensor& tensor) {
    return tensor.to(at::kDouble).norm().item<double>();
}

void expectNear(const std::string& what, const at::Tensor& found, const at::Tensor& expected) {
    const double error = relativeError(found, expected);
    EXPECT_LE(error, kOutputTolerance) << what;
    std::printf("%s: %.2e of the greatest value\n", what.c_str(), error);
}

std::vector<at::Tensor> unetInputs(const Reference& expected) {
    std::vector<at::Tensor> inputs = {expected["noisy"], expected["timestep"].to(at::kFloat)};
    for (const char* told : {"encoder_hidden_states", "text_embeds", "time_ids"})
        if (expected.has(told)) inputs.push_back(expected[told]);
    return inputs;
}

/// What the UNet is told of a text: hidden states after the final norm or, of SDXL, behind the last layer but
/// one of each encoder, and what the second says of the text as a whole.
void expectTextEncoders(const ReferenceRun& run, const ModelSource& model) {
    SCOPED_TRACE("text encoders");
    const std::vector<const TextPart*> parts = model.textParts();
    const std::string hidden = parts.size() == 1 ? "last_hidden_state" : "hidden_before_last";
    std::vector<std::unique_ptr<TextEncoder>> made;
    std::vector<at::Tensor> ids;
    for (size_t part = 0; part < parts.size(); ++part) {
        const std::string group = part == 0 ? "text" : "text_2";
        const Reference expected = run.values(group);
        ids.push_back(expected["input_ids"]);
        made.push_back(std::make_unique<TextEncoder>(parts[part]->config, textSchedule(model, part),
                                                     ParameterStore::Options{}));
        load(made.back()->component(), *parts[part]->tensors);
        expectNear(group + ", hidden states", made.back()->encode(ids.back()), expected[hidden]);
    }
    const Reference told = run.values("unet");
    const TextCondition found = TextEncoders(std::move(made)).encode(ids);
    expectNear("context", found.context, told["encoder_hidden_states"]);
    ASSERT_EQ(found.pooled.defined(), told.has("text_embeds"));
    if (found.pooled.defined()) expectNear("pooled text", found.pooled, told["text_embeds"]);
}

void expectAutoencoder(const ReferenceRun& run, const ModelSource& model) {
    SCOPED_TRACE("autoencoder");
    const Reference expected = run.values("vae");
    VaeModel vae(model.vae, ParameterStore::Options{});
    load(*vae.encoder(), *model.vaeTensors);
    load(*vae.decoder(), *model.vaeTensors);
    expectNear("decoded", vae.decode(vae.unscaled(expected["latents"])), expected["decoded"]);
    expectNear("encoded", vae.encode(expected["image"]).mean, expected["moments"].chunk(2, 1)[0]);
}

/// Forward and backward; each gradient is compared when it arrives and then dropped.
void expectOutputAndGradients(const ReferenceRun& run, const ModelSource& model) {
    SCOPED_TRACE("UNet");
    UNetModel unet(model.unet, ParameterStore::Options{});
    load(unet.component(), *model.unetTensors);
    const Reference expected = run.values("unet");
    const Reference gradients(openTensors(run.path("gradients.safetensors")), "");
    const double floor = kGradientFloor * expected["gradient_norm"].item<double>();
    Executor& executor = unet.component().executor();
    const std::vector<at::Tensor> inputs = unetInputs(expected);
    const at::Tensor output = executor.forward(inputs, std::vector<bool>(inputs.size(), false), 0).front();
    expectNear("UNet output", output, expected["sample"]);
    const at::Tensor gradOutput = (output - expected["target"]) * (2.0 / static_cast<double>(output.numel()));
    size_t compared = 0;
    double worst = 0.0;
    double worstOfOwn = 0.0;
    static_cast<void>(executor.backward({gradOutput}, [&](ParameterId id, const at::Tensor& gradient) {
        const std::string& name = unet.component().store().spec(id).name;
        const at::Tensor wanted = gradients[name];
        const double length = lengthOf(wanted);
        const double allowed = kGradientTolerance * length + floor;
        const double error = distance(gradient, wanted);
        EXPECT_LE(error, allowed) << name;
        EXPECT_LE(error, kOwnTolerance * length) << name << ", of its own norm";
        worst = std::max(worst, error / allowed);
        worstOfOwn = std::max(worstOfOwn, error / length);
        ++compared;
    }));
    EXPECT_EQ(compared, gradients.names("").size());
    std::printf("worst of %zu gradients: %.3f of what is allowed, %.2e of its own norm\n", compared, worst,
                worstOfOwn);
}

/// Compares every parameter after the step, and how far it moved.
void expectUpdatedWeights(const ReferenceRun& run, const ParameterStore& store) {
    const Reference before(openTensors(run.path("model/unet/diffusion_pytorch_model.safetensors")), "");
    const Reference after(openTensors(run.path("updated.safetensors")), "");
    size_t compared = 0;
    double worst = 0.0;
    for (const std::string& name : after.names("")) {
        const at::Tensor found = store.parameter(store.find(name)).contiguous();
        const at::Tensor wanted = after[name];
        const double error = distance(found, wanted);
        const double change = distance(wanted, before[name]);
        EXPECT_LE(error, kWeightTolerance * lengthOf(wanted)) << name;
        EXPECT_LE(error, kUpdateTolerance * change) << name << ", its change";
        worst = std::max(worst, error / change);
        ++compared;
    }
    EXPECT_GT(compared, 0U);
    std::printf("worst of %zu updates: %.2e of the change\n", compared, worst);
}

/// Those learn whose values after the step are known: of SDXL some, since the states of all would not fit.
Schedule learningSchedule(const ReferenceRun& run, const ModelSource& model) {
    const Reference updated(openTensors(run.path("updated.safetensors")), "");
    Schedule schedule = unetSchedule(model.unet);
    for (BlockSpec& block : schedule.blocks())
        for (ParameterSpec& parameter : block.parameters) parameter.trainable = updated.has(parameter.name);
    return schedule;
}

void expectTrainingStep(const ReferenceRun& run, const ModelSource& model) {
    SCOPED_TRACE("training step");
    const Reference expected = run.values("unet");
    UNetModel unet(model.unet, learningSchedule(run, model), ParameterStore::Options{});
    load(unet.component(), *model.unetTensors);
    SchedulerConfig scheduler = valueOf(parseSchedulerConfig(model.schedulerJson, "scheduler_config.json"));
    if (!scheduler.predictionType) scheduler.predictionType = PredictionType::Epsilon;
    const NoiseSchedule schedule = valueOf(NoiseSchedule::make(valueOf(resolveForTraining(scheduler))));
    TrainConfig config;
    config.optimizer.learningRate = kLearningRate;
    DenoisingBatch batch;
    batch.latents = expected["latents"];
    batch.noise = expected["noise"];
    batch.timesteps = expected["timestep"];
    batch.context = expected["encoder_hidden_states"];
    if (model.unet.textTimeEmbedding) {
        batch.pooledText = expected["text_embeds"];
        batch.timeIds = expected["time_ids"];
    }
    Learner learner(config, {{"unet", &unet.component(), kLearningRate}});
    DenoisingStep denoise(config, unet, nullptr, schedule);
    learner.beginStep(1);
    const double loss = denoise.run(batch, learner);
    static_cast<void>(learner.endStep());
    const double wanted = expected["loss"].item<double>();
    EXPECT_NEAR(loss, wanted, kGradientTolerance * wanted);
    std::printf("loss: %.2e of its value\n", std::abs(loss - wanted) / wanted);
    expectUpdatedWeights(run, unet.component().store());
}

class FullSize : public ::testing::TestWithParam<FullModel> {
protected:
    void SetUp() override {
        if (!fs::exists(referencePython()))
            GTEST_SKIP() << "the reference side's Python is not installed (" << referencePython().string()
                         << "); installer/test --all installs it";
        at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
        const uintmax_t needed = GetParam().diskGibibytes;
        ASSERT_GE(fs::space(std::getenv("HOMEBOOTH_TEST_DIR")).available >> 30, needed)
            << needed << " GiB of disk are needed for a model and its gradients";
    }
    void TearDown() override { at::set_num_threads(1); }
};

TEST_P(FullSize, computesAndTrainsLikeDiffusers) {
    const ReferenceRun run(GetParam());
    ASSERT_TRUE(run.succeeded()) << "tests/reference/full_size.py failed; its message stands above";
    const ModelSource model = run.model();
    expectTextEncoders(run, model);
    expectAutoencoder(run, model);
    expectOutputAndGradients(run, model);
    expectTrainingStep(run, model);
}

INSTANTIATE_TEST_SUITE_P(Models, FullSize,
                         ::testing::Values(FullModel{"sd15", "fp32", 12}, FullModel{"sd21-768", "fp32", 12},
                                           FullModel{"sdxl-base", "fp16", 18}),
                         [](const auto& which) {
                             const std::string name = which.param.name;
                             return name.substr(0, name.find('-'));
                         });

} // namespace
} // namespace homebooth::core::testing

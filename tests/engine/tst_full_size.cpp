// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SD 1.5 and SD 2.1 at full size against diffusers in fp32: text encoder, autoencoder, UNet, every gradient,
// and one step of AdamW. tests/reference/full_size.py draws the weights and computes what is expected while
// the test runs; both go when a model is done. Needs 12 GiB of disk and 14 GiB of memory.
#include "core/base/model/scheduler_config.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/training/denoising_step.h"

#include "model_check.h"

#include <ATen/Parallel.h>

#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <thread>

namespace homebooth::core::testing {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kDiskBytes = uintmax_t{12} << 30;
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

/// A model and what diffusers computes with it, on disk for as long as this lives.
class ReferenceRun {
public:
    explicit ReferenceRun(const std::string& model)
        : m_folder(fs::absolute(fs::path(std::getenv("HOMEBOOTH_TEST_DIR")) / model)) {
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
        const fs::path source = HOMEBOOTH_SOURCE_DIR;
        const std::string command =
            quoted(referencePython()) + " " + quoted(source / "tests/reference/full_size.py") + " " +
            quoted(source / "tests/configs" / model) + " " + quoted(m_folder) + " --store fp32";
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
    [[nodiscard]] std::string configuration(const std::string& part) const {
        return readText(path("model/" + part + "/config.json"));
    }
    [[nodiscard]] Reference values(const std::string& part) const {
        return {openTensors(path("reference.safetensors")), part + "/"};
    }

private:
    fs::path m_folder;
    bool m_succeeded = false;
};

template <class T>
T valueOf(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).norm().item<double>();
}

double lengthOf(const at::Tensor& tensor) {
    return tensor.to(at::kDouble).norm().item<double>();
}

void expectTextEncoder(const ReferenceRun& run) {
    SCOPED_TRACE("text encoder");
    const Reference expected = run.values("text");
    TextEncoder encoder(valueOf(ClipConfig::fromJson(run.configuration("text_encoder"))),
                        ParameterStore::Options{});
    load(encoder.component(), run.path("model/text_encoder/model.safetensors"));
    EXPECT_LE(relativeError(encoder.encode(expected["input_ids"]), expected["last_hidden_state"]),
              kOutputTolerance);
}

void expectAutoencoder(const ReferenceRun& run) {
    SCOPED_TRACE("autoencoder");
    const Reference expected = run.values("vae");
    VaeModel vae(valueOf(VaeConfig::fromJson(run.configuration("vae"))), ParameterStore::Options{});
    const std::string weights = run.path("model/vae/diffusion_pytorch_model.safetensors");
    load(*vae.encoder(), weights);
    load(*vae.decoder(), weights);
    EXPECT_LE(relativeError(vae.decode(vae.unscaled(expected["latents"])), expected["decoded"]),
              kOutputTolerance);
    const at::Tensor mean = expected["moments"].chunk(2, 1)[0];
    EXPECT_LE(relativeError(vae.encode(expected["image"]).mean, mean), kOutputTolerance);
}

/// Forward and backward; each gradient is compared when it arrives and then dropped.
void expectOutputAndGradients(const ReferenceRun& run, UNetModel& unet) {
    SCOPED_TRACE("UNet");
    const Reference expected = run.values("unet");
    const Reference gradients(openTensors(run.path("gradients.safetensors")), "");
    const double floor = kGradientFloor * expected["gradient_norm"].item<double>();
    Executor& executor = unet.component().executor();
    const at::Tensor output = executor
                                  .forward({expected["noisy"], expected["timestep"].to(at::kFloat),
                                            expected["encoder_hidden_states"]},
                                           {false, false, false}, 0)
                                  .front();
    EXPECT_LE(relativeError(output, expected["sample"]), kOutputTolerance);
    const at::Tensor gradOutput = (output - expected["target"]) * (2.0 / static_cast<double>(output.numel()));
    size_t compared = 0;
    double worst = 0.0;
    static_cast<void>(executor.backward({gradOutput}, [&](ParameterId id, const at::Tensor& gradient) {
        const std::string& name = unet.component().store().spec(id).name;
        const at::Tensor wanted = gradients[name];
        const double allowed = kGradientTolerance * lengthOf(wanted) + floor;
        const double error = distance(gradient, wanted);
        EXPECT_LE(error, allowed) << name;
        worst = std::max(worst, error / allowed);
        ++compared;
    }));
    EXPECT_EQ(compared, gradients.names("").size());
    std::printf("output: %.2e of the greatest value; worst gradient: %.3f of what is allowed\n",
                relativeError(output, expected["sample"]), worst);
}

/// Compares every parameter after the step, and how far it moved.
void expectUpdatedWeights(const ReferenceRun& run, const ParameterStore& store) {
    const Reference before(openTensors(run.path("model/unet/diffusion_pytorch_model.safetensors")), "");
    const Reference after(openTensors(run.path("updated.safetensors")), "");
    size_t compared = 0;
    for (const std::string& name : after.names("")) {
        const at::Tensor found = store.parameter(store.find(name)).contiguous();
        const at::Tensor wanted = after[name];
        const double error = distance(found, wanted);
        EXPECT_LE(error, kWeightTolerance * lengthOf(wanted)) << name;
        EXPECT_LE(error, kUpdateTolerance * distance(wanted, before[name])) << name << ", its change";
        ++compared;
    }
    EXPECT_GT(compared, 0U);
}

void expectTrainingStep(const ReferenceRun& run, UNetModel& unet) {
    SCOPED_TRACE("training step");
    const Reference expected = run.values("unet");
    SchedulerConfig scheduler = valueOf(parseSchedulerConfig(
        readText(run.path("model/scheduler/scheduler_config.json")), "scheduler_config.json"));
    if (!scheduler.predictionType) scheduler.predictionType = PredictionType::Epsilon;
    const NoiseSchedule schedule = valueOf(NoiseSchedule::make(valueOf(resolveForTraining(scheduler))));
    TrainConfig config;
    config.optimizer.learningRate = kLearningRate;
    DenoisingBatch batch;
    batch.latents = expected["latents"];
    batch.noise = expected["noise"];
    batch.timesteps = expected["timestep"];
    batch.context = expected["encoder_hidden_states"];
    Learner learner(config, {{"unet", &unet.component(), kLearningRate}});
    DenoisingStep denoise(config, unet, nullptr, schedule);
    learner.beginStep(1);
    const double loss = denoise.run(batch, learner);
    static_cast<void>(learner.endStep());
    const double wanted = expected["loss"].item<double>();
    EXPECT_NEAR(loss, wanted, kGradientTolerance * wanted);
    expectUpdatedWeights(run, unet.component().store());
}

class FullSize : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!fs::exists(referencePython()))
            GTEST_SKIP() << "the reference side's Python is not installed (" << referencePython().string()
                         << "); installer/test --all installs it";
        at::set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
        ASSERT_GE(fs::space(std::getenv("HOMEBOOTH_TEST_DIR")).available, kDiskBytes)
            << "12 GiB of disk are needed for a model and its gradients";
    }
    void TearDown() override { at::set_num_threads(1); }
};

TEST_P(FullSize, computesAndTrainsLikeDiffusers) {
    const ReferenceRun run(GetParam());
    ASSERT_TRUE(run.succeeded()) << "tests/reference/full_size.py failed; its message stands above";
    expectTextEncoder(run);
    expectAutoencoder(run);
    UNetModel unet(valueOf(UNetConfig::fromJson(run.configuration("unet"))), ParameterStore::Options{});
    load(unet.component(), run.path("model/unet/diffusion_pytorch_model.safetensors"));
    expectOutputAndGradients(run, unet);
    expectTrainingStep(run, unet);
}

INSTANTIATE_TEST_SUITE_P(Models, FullSize, ::testing::Values("sd15", "sd21-768"), [](const auto& which) {
    return std::string(which.param) == "sd15" ? std::string("sd15") : std::string("sd21");
});

} // namespace
} // namespace homebooth::core::testing

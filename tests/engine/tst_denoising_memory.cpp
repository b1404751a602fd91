// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What plans of pictures foretell for denoising, against the same call of the UNet on tensors without memory,
// at full size, and against what pictures of a small model take. Needs no GPU.
#include "core/base/arch/unet_layout.h"
#include "core/base/model/model_open.h"
#include "core/base/plan/generation/forward_sizes.h"
#include "core/base/plan/generation/generation_sizes.h"
#include "core/base/schedule/quantized_weights.h"
#include "core/engine/io/precision.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/models/model_components.h"
#include "core/engine/sampling/generation_model.h"
#include "sampling_support.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace homebooth::core {
namespace {

using namespace sampling_test;

class Metered : public ::testing::Environment {
public:
    void SetUp() override {
        meterHostMemory();
        at::set_num_threads(1);
    }
};
const ::testing::Environment* const kMetered = ::testing::AddGlobalTestEnvironment(new Metered);

struct Case {
    const char* name;
    const char* model;
    Precision precision = Precision::Bf16;
    int64_t sidePixels = 512;
    bool gpu = false;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

SampleConfig configOf(const Case& c) {
    SampleConfig config;
    config.precision = c.precision;
    config.widthPixels = config.heightPixels = c.sidePixels;
    config.threads = 1;
    return config;
}

int64_t foretold(const SampleConfig& config, const ModelSource& model, bool gpu) {
    return GenerationSizes(GenerationNetworks::whole(config, model), config, model, {gpu, gpu})
        .denoisingBytes;
}

/// Of a picture with guidance.
int64_t rehearsed(const Case& c, const ModelSource& model) {
    const c10::NoGradGuard noGradients;
    RehearsedMemory memory(c.gpu ? at::kCUDA : at::kCPU);
    ParameterStore::Options store;
    store.type = scalarTypeOf(c.precision);
    store.device = at::kMeta;
    UNetModel unet(model.unet, frozenSchedule(unetSchedule(model.unet), Quantization::None), store);
    const int64_t side = c.sidePixels / model.vae.downscale();
    const auto here = at::TensorOptions().dtype(store.type).device(at::kMeta);
    const int64_t before = memory.use(Tier::Device).currentBytes;
    memory.restartPeak(Tier::Device);
    const at::Tensor sample = at::empty({2, model.unet.inChannels, side, side}, here);
    const at::Tensor context =
        at::empty({2, model.text.config.maxPositions, model.unet.crossAttentionDim}, here);
    const at::Tensor timestep = at::empty({2}, here.dtype(at::kFloat));
    if (model.unet.textTimeEmbedding)
        static_cast<void>(unet.predict(sample, timestep, context,
                                       at::empty({2, model.unet.pooledTextChannels()}, here),
                                       at::empty({2, UNetConfig::kTimeIds}, here.dtype(at::kFloat))));
    else
        static_cast<void>(unet.predict(sample, timestep, context));
    return memory.use(Tier::Device).peakBytes - before;
}

class Denoising : public ::testing::TestWithParam<Case> {};

/// Above all the convolutions' transformed weights: of SD 1.5 at 512 pixels two thirds of it.
TEST_P(Denoising, isForetoldAsARehearsalTakesIt) {
    constexpr double kMost = 1.2; // of what is rehearsed
    const Case& c = GetParam();
    OpenOptions open;
    open.weightsOptional = true;
    const auto model = openModel(std::string(HOMEBOOTH_SOURCE_DIR) + "/tests/configs/" + c.model, open);
    ASSERT_TRUE(model) << model.error().text();
    const int64_t taken = rehearsed(c, *model);
    const int64_t planned = foretold(configOf(c), *model, c.gpu);
    RecordProperty("foretoldBytes", std::to_string(planned));
    RecordProperty("rehearsedBytes", std::to_string(taken));
    EXPECT_GE(planned, taken);
    EXPECT_LE(static_cast<double>(planned), kMost * static_cast<double>(taken));
}

INSTANTIATE_TEST_SUITE_P(FullSize, Denoising,
                         ::testing::Values(Case{"sd15Bf16", "sd15"},
                                           Case{"sd15Fp16", "sd15", Precision::Fp16},
                                           Case{"sd15Fp32", "sd15", Precision::Fp32},
                                           Case{"sd15Gpu", "sd15", Precision::Fp16, 512, true},
                                           Case{"sd15Large", "sd15", Precision::Bf16, 1024},
                                           Case{"sd15LargeGpu", "sd15", Precision::Bf16, 1024, true},
                                           Case{"sdxlBf16", "sdxl-base", Precision::Bf16, 1024},
                                           Case{"sdxlGpu", "sdxl-base", Precision::Fp16, 1024, true},
                                           Case{"sd21", "sd21-768", Precision::Bf16, 768}),
                         [](const auto& each) { return each.param.name; });

TEST(DenoisingOfASmallModel, takesNoMoreThanIsForetold) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        auto source = openModel(fixturePath("tiny-sd1"));
        ASSERT_TRUE(source) << source.error().text();
        const Case c{"tiny", "tiny-sd1", precision, 256};
        const int64_t planned = foretold(configOf(c), *source, /*gpu=*/false);
        GenerationModel::Options options;
        options.type = scalarTypeOf(precision);
        auto model = GenerationModel::load(std::move(*source), options);
        ASSERT_TRUE(model) << model.error().text();
        GenerationRequest request;
        request.prompt = "a photo of sks dog";
        request.steps = 3;
        request.seeds = {3};
        request.widthPixels = request.heightPixels = c.sidePixels;
        int64_t peak = 0; // before the picture is decoded
        GenerationListener listener;
        listener.progress = [&](int64_t done, int64_t count) {
            if (done + 1 == count) peak = tierUse(Tier::Device).peakBytes;
        };
        static_cast<void>((*model)->pipeline().generate(request, {}, CancelToken())); // what stays
        const int64_t before = tierUse(Tier::Device).currentBytes;
        restartTierPeak(Tier::Device);
        const auto made = (*model)->pipeline().generate(request, listener, CancelToken());
        ASSERT_TRUE(made) << made.error().text();
        ASSERT_GT(peak, before);
        EXPECT_LE(peak - before, planned);
        EXPECT_LE(planned, 2 * (peak - before) + (int64_t{2} << 20));
    }
}

} // namespace
} // namespace homebooth::core

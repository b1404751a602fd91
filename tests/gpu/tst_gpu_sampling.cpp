// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures on a GPU: where parts of the model come from RAM changes no byte of them, and SDXL at its full
// size takes of the card what was planned.
#include "core/base/arch/unet_layout.h"
#include "core/base/model/component_layout.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/engine/sampling/generation_model.h"
#include "core/engine/training/memory_report.h"
#include "tests/gpu/gpu_support.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

/// Small values in fp16 under the names of a layout, made when they are read.
class MadeWeights : public TensorSource {
public:
    explicit MadeWeights(const ComponentLayout& layout) {
        for (const LayoutEntry& entry : layout)
            m_tensors.push_back(makeTensorInfo(entry.name, DataType::F16, entry.shape));
    }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override {
        const auto found = std::find_if(m_tensors.begin(), m_tensors.end(),
                                        [&](const TensorInfo& info) { return info.name == name; });
        return found == m_tensors.end() ? nullptr : &*found;
    }
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override {
        const TensorInfo& info = *find(name);
        const bool ones = info.shape.size() == 1 && name.ends_with("weight"); // of norms
        at::Tensor values = at::full(info.shape, ones ? 1.0 : 0.0, at::kHalf);
        if (info.shape.size() > 1) values = at::randn(info.shape).mul_(0.02).to(at::kHalf);
        std::memcpy(destination.data(), values.const_data_ptr(), destination.size());
        return {};
    }

private:
    std::vector<TensorInfo> m_tensors;
};

ModelSource opened(const std::string& path, const OpenOptions& options = {}) {
    auto source = openModel(path, options);
    if (!source) throw std::runtime_error(source.error().text());
    return std::move(*source);
}

ModelSource fullSize() {
    OpenOptions options;
    options.weightsOptional = true;
    ModelSource model = opened(HOMEBOOTH_SOURCE_DIR "/tests/configs/sdxl-base", options);
    model.unetTensors = std::make_shared<MadeWeights>(unetLayout(model.unet));
    model.vaeTensors = std::make_shared<MadeWeights>(vaeLayout(model.vae));
    model.text.tensors = std::make_shared<MadeWeights>(textEncoderLayout(model.text.config));
    model.secondText->tensors =
        std::make_shared<MadeWeights>(projectingTextEncoderLayout(model.secondText->config));
    // A small vocabulary: the published one may not be here.
    model.text.tokenizerFolder = fixture("tiny-sdxl/tokenizer");
    model.secondText->tokenizerFolder = fixture("tiny-sdxl/tokenizer_2");
    return model;
}

std::unique_ptr<GenerationModel> load(ModelSource source, const GenerationModel::Options& options) {
    auto model = GenerationModel::load(std::move(source), options);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

GenerationResult generate(GenerationModel& model, int64_t steps) {
    GenerationRequest request;
    request.prompt = "a photo of sks dog";
    request.negativePrompt = "blurry";
    request.steps = steps;
    request.seeds = {3};
    auto result = model.pipeline().generate(request, {}, CancelToken());
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

using SamplingOnTheGpu = OnTheGpu;

TEST_F(SamplingOnTheGpu, changesNoByteWithThePlaceOfParts) {
    for (const char* name : {"tiny-sd1", "tiny-sdxl"}) {
        ModelSource source = opened(fixture(name));
        std::vector<bool> half(unetSchedule(source.unet).blocks().size(), false);
        for (size_t block = 0; block < half.size(); block += 2) half[block] = true;
        const GenerationResult onTheCpu = generate(*load(source, {}), 3);
        const auto model = load(std::move(source), {.device = kGpu});
        const GenerationResult expected = generate(*model, 3);
        EXPECT_LE(normError(expected.latents, onTheCpu.latents), 1e-3) << name;
        for (const SamplePlacement& placement :
             {SamplePlacement{true, false, {}, false}, SamplePlacement{true, true, {}, false},
              SamplePlacement{true, true, half, false}}) {
            model->place(placement);
            const GenerationResult found = generate(*model, 3);
            EXPECT_TRUE(at::equal(found.latents, expected.latents)) << name;
            EXPECT_EQ(found.pictures.front().rgb, expected.pictures.front().rgb) << name;
        }
    }
}

TEST_F(SamplingOnTheGpu, takesOfTheCardWhatWasPlannedForSdxl) {
    SampleConfig config;
    config.precision = Precision::Fp16;
    const ModelSource source = fullSize();
    GenerationModel::Options options{.type = at::kHalf, .device = kGpu};
    const auto model = load(source, options);
    for (const int64_t budget : {12 * kGiB, 8 * kGiB, 11 * kGiB / 2, 4 * kGiB}) {
        const auto plan = planSampling(config, source, {true, budget, 64 * kGiB});
        ASSERT_TRUE(plan) << plan.error().text();
        model->place(plan->placement);
        static_cast<void>(generate(*model, 1)); // what libraries take once
        restartDevicePeak(kGpu);
        const auto begin = std::chrono::steady_clock::now();
        static_cast<void>(generate(*model, 4));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        const int64_t peak = memoryPeaks(kGpu).deviceBytes;
        std::cout << "SDXL, fp16, 1024 px, card of " << budget << " bytes: planned " << totalBytes(plan->tier)
                  << ", measured " << peak << "; 4 steps in " << took.count() << " s\n";
        EXPECT_LE(peak, totalBytes(plan->tier) + totalBytes(plan->tier) / 50);
    }
}

} // namespace
} // namespace homebooth::core::testing

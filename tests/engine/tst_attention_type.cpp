// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What attention is computed in on GPUs of all kinds, and that rehearsals count it. Needs no GPU.
#include "core/engine/memory/rehearsed_gpu.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/attention.h"
#include "core/engine/nn/attention_type.h"
#include "core/engine/nn/causal_attention.h"
#include "core/engine/planning/rehearsal.h"
#include "model_check.h"

#include <functional>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kHeads = 8;
constexpr int64_t kTokens = 256;
constexpr int64_t kWidth = 40; // of a head

TEST(AttentionType, isWhatLibTorchMakesNoScoresFor) {
    for (const at::ScalarType type : {at::kFloat, at::kHalf}) {
        EXPECT_EQ(attentionTypeOnGpu(type, true), type);
        EXPECT_EQ(attentionTypeOnGpu(type, false), type);
    }
    EXPECT_EQ(attentionTypeOnGpu(at::kBFloat16, true), at::kBFloat16);
    EXPECT_EQ(attentionTypeOnGpu(at::kBFloat16, false), at::kFloat);
}

TEST(AttentionType, ofACardThatIsNotAtHandHoldsForItsRehearsalAlone) {
    const bool own = gpuTakesBfloat16();
    const at::Tensor here = at::empty({1, 1}, at::kBFloat16);
    const at::ScalarType onHost = attentionType(here);
    for (const bool takes : {true, false}) {
        const RehearsedGpu gpu(takes);
        EXPECT_EQ(gpuTakesBfloat16(), takes);
        EXPECT_EQ(attentionType(here), onHost);
        const RehearsedMemory rehearsed(at::kCUDA);
        const at::Tensor there = at::empty({1, 1}, at::TensorOptions(at::kMeta).dtype(at::kBFloat16));
        EXPECT_EQ(attentionType(there), takes ? at::kBFloat16 : at::kFloat);
        EXPECT_EQ(attentionType(there.to(at::kHalf)), at::kHalf);
    }
    EXPECT_EQ(gpuTakesBfloat16(), own);
}

/// What a rehearsal on a GPU counts of it at most, beyond what comes in.
int64_t peakOf(const std::vector<int64_t>& shape, bool takesBfloat16,
               const std::function<at::Tensor(const at::Tensor&)>& attended) {
    const RehearsedGpu gpu(takesBfloat16);
    const TierScope device(Tier::Device);
    RehearsedMemory memory(at::kCUDA);
    const at::Tensor all = at::empty(shape, at::TensorOptions(at::kMeta).dtype(at::kBFloat16));
    const int64_t given = memory.use(Tier::Device).currentBytes;
    EXPECT_EQ(attended(all).scalar_type(), at::kBFloat16);
    return memory.use(Tier::Device).peakBytes - given;
}

TEST(AttentionType, isCountedWhereABlockAttends) {
    constexpr int64_t kWideBytes = 3 * kHeads * kTokens * kWidth * 4; // queries, keys and values
    const auto plain = [](const at::Tensor& x) { return attend(x, x, x, {.heads = kHeads}); };
    const auto causal = [](const at::Tensor& x) { return attendCausally({x, x, x}, {}, {}, false); };
    const std::vector<int64_t> tokens{1, kTokens, kHeads * kWidth};
    const std::vector<int64_t> byHead{1, kHeads, kTokens, kWidth};
    EXPECT_GE(peakOf(tokens, false, plain), peakOf(tokens, true, plain) + kWideBytes);
    EXPECT_GE(peakOf(byHead, false, causal), peakOf(byHead, true, causal) + kWideBytes);
}

TEST(AttentionType, isCountedInAStep) {
    const auto model = openModel(fixture("tiny-sd1"));
    ASSERT_TRUE(model) << model.error().text();
    TrainConfig config;
    config.precision = Precision::Bf16;
    config.data.resolutionPixels = 512;
    config.memory.device = ComputeDevice::Gpu; // whatever this machine has
    const auto peak = [&](bool takesBfloat16) {
        const RehearsedGpu gpu(takesBfloat16);
        const auto need = rehearseStep(config, *model, {});
        return need ? need->devicePeakBytes : 0;
    };
    EXPECT_GT(peak(true), 0);
    EXPECT_GT(peak(false), peak(true));
}

} // namespace
} // namespace homebooth::core::testing

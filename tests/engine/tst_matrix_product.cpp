// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of 16-bit matrices on a processor that has none: ctest sets ATEN_CPU_CAPABILITY, so that every
// processor counts as one.
#include "core/engine/nn/matrix_product.h"

#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/convolution.h"
#include "core/engine/nn/linear.h"

#include <ATen/Version.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>
#include <vector>

using namespace homebooth::core;

namespace {

constexpr double kRounding = 1.0 / 128; // of bf16, twice

/// Whether two products are the same but for the order of their sums and one rounding.
bool near(const at::Tensor& found, const at::Tensor& expected) {
    const double scale = expected.abs().max().item<double>();
    return at::allclose(found.to(at::kFloat), expected, kRounding, kRounding * scale);
}

class WideProducts : public ::testing::TestWithParam<at::ScalarType> {
protected:
    [[nodiscard]] static at::Tensor drawn(at::IntArrayRef shape) { return at::randn(shape).to(GetParam()); }

    WideProducts() {
        at::manual_seed(1);
        if (at::get_cpu_capability() == "AVX512")
            ADD_FAILURE() << "run by ctest, or with ATEN_CPU_CAPABILITY=avx2";
    }
};

TEST_P(WideProducts, areTakenOf16BitNumbersOnTheHostAlone) {
    EXPECT_TRUE(widensProducts(at::empty({1}, GetParam())));
    EXPECT_FALSE(widensProducts(at::empty({1}, at::kFloat)));
    const auto nothing = at::TensorOptions().dtype(GetParam()).device(at::kMeta);
    {
        const RehearsedMemory ofTheHost;
        EXPECT_TRUE(widensProducts(at::empty({1}, nothing)));
    }
    const RehearsedMemory ofAGpu(at::kCUDA);
    EXPECT_FALSE(widensProducts(at::empty({1}, nothing)));
}

TEST_P(WideProducts, areRoundedOnce) {
    const at::Tensor a = drawn({37, 53});
    const at::Tensor b = drawn({53, 29});
    const at::Tensor expected = at::mm(a.to(at::kFloat), b.to(at::kFloat));
    EXPECT_TRUE(at::equal(matrixProduct(a, b), expected.to(GetParam())));
    const at::Tensor bias = drawn({29});
    at::Tensor out = at::empty({37, 29}, a.options());
    matrixProductInto(out, bias, a, b);
    EXPECT_TRUE(at::equal(out, (expected + bias.to(at::kFloat)).to(GetParam())));
}

TEST_P(WideProducts, areTheSameByStretches) {
    const at::Tensor a = drawn({3001, 700}); // several stretches
    const at::Tensor b = drawn({700, 301});
    EXPECT_TRUE(near(matrixProduct(a, b), at::mm(a.to(at::kFloat), b.to(at::kFloat))));
    const at::Tensor c = drawn({3001, 301});
    EXPECT_TRUE(near(transposedProduct(a, c), at::mm(a.t().to(at::kFloat), c.to(at::kFloat))));
    EXPECT_TRUE(at::equal(transposedProduct(drawn({0, 3}), drawn({0, 2})), at::zeros({3, 2}, GetParam())));
    const at::Tensor pairs = drawn({5, 40, 30});
    const at::Tensor others = drawn({5, 30, 20});
    EXPECT_TRUE(near(pairedProducts(pairs, others), at::bmm(pairs.to(at::kFloat), others.to(at::kFloat))));
}

TEST_P(WideProducts, makeNoWholeCopyOfWhatHasManyRows) {
    constexpr int64_t kRows = 100'000;
    constexpr int64_t kColumns = 320;
    const auto nothing = at::TensorOptions().dtype(GetParam()).device(at::kMeta);
    const RehearsedMemory memory;
    const TierScope onDevice(Tier::Device);
    const at::Tensor a = at::empty({kRows, kColumns}, nothing);
    const at::Tensor b = at::empty({kColumns, kColumns}, nothing);
    const int64_t before = memory.use(Tier::Device).currentBytes;
    const at::Tensor product = matrixProduct(a, b);
    const int64_t copies =
        memory.use(Tier::Device).peakBytes - before - static_cast<int64_t>(product.nbytes());
    EXPECT_GT(copies, 0);
    EXPECT_LT(copies, static_cast<int64_t>(a.nbytes()) / 4);
}

using Layer = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

/// A layer of x, weight and bias against LibTorch's in fp32.
void expectAlike(const Layer& layer, const Layer& reference, const std::vector<at::Tensor>& inputs) {
    std::vector<at::Tensor> narrow;
    std::vector<at::Tensor> wide;
    for (const at::Tensor& input : inputs) {
        narrow.push_back(input.detach().requires_grad_(true));
        wide.push_back(input.detach().to(at::kFloat).requires_grad_(true));
    }
    const at::Tensor y = layer(narrow);
    const at::Tensor expected = reference(wide);
    const at::Tensor gradient = at::randn(y.sizes()).to(y.scalar_type());
    const auto found = torch::autograd::grad({y}, narrow, {gradient});
    const auto gradients = torch::autograd::grad({expected}, wide, {gradient.to(at::kFloat)});
    EXPECT_EQ(y.scalar_type(), inputs.front().scalar_type());
    EXPECT_TRUE(near(y.detach(), expected.detach()));
    for (size_t one = 0; one < found.size(); ++one) {
        EXPECT_EQ(found[one].scalar_type(), inputs.front().scalar_type());
        EXPECT_TRUE(near(found[one], gradients[one])) << one;
    }
}

TEST_P(WideProducts, haveTheGradientsOfALinearLayer) {
    expectAlike([](const auto& in) { return linearProduct(in[0], in[1], in[2]); },
                [](const auto& in) { return at::linear(in[0], in[1], in[2]); },
                {drawn({2, 50, 24}), drawn({16, 24}), drawn({16})});
}

TEST_P(WideProducts, haveTheGradientsOfAConvolution) {
    expectAlike([](const auto& in) { return convolve(in[0], in[1], in[2], 1, 1); },
                [](const auto& in) {
                    return at::conv2d(in[0], in[1], in[2], {1, 1}, {1, 1});
                },
                {drawn({2, 12, 9, 7}), drawn({8, 12, 3, 3}), drawn({8})});
}

TEST_P(WideProducts, areNoWorkBesideTheProduct) {
    const auto nothing = at::TensorOptions().dtype(GetParam()).device(at::kMeta);
    const RehearsedMemory memory;
    const at::Tensor a = at::empty({1000, 64}, nothing);
    const at::Tensor b = at::empty({64, 32}, nothing);
    const int64_t before = memory.work().allocatedBytes;
    const at::Tensor product = matrixProduct(a, b);
    EXPECT_EQ(memory.work().allocatedBytes - before, static_cast<int64_t>(product.nbytes()));
}

INSTANTIATE_TEST_SUITE_P(Types, WideProducts, ::testing::Values(at::kBFloat16, at::kHalf));

} // namespace

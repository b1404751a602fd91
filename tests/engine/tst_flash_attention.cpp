// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Flash attention in bf16 against attention written out in fp64 on the same (rounded) inputs.
#include "core/engine/nn/flash_attention.h"
#include "tests/kernels/told_features.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>

using homebooth::core::flashAttend;
using homebooth::core::flashAttentionServes;
using homebooth::core::KeptProducts;

namespace {

struct Case {
    int64_t batch, heads, queries, keys, headSize;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.batch << "x" << c.heads << " " << c.queries << "x" << c.keys << "x" << c.headSize;
}

at::Tensor writtenOut(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, int64_t heads) {
    const auto split = [&](const at::Tensor& x) {
        return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
    };
    const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(2) / heads));
    const at::Tensor p = at::softmax(at::matmul(split(q), split(k).transpose(2, 3)) * scale, -1);
    return at::matmul(p, split(v)).transpose(1, 2).reshape(q.sizes());
}

struct Inputs {
    at::Tensor q, k, v, direction;
};

Inputs draw(const Case& c, double spread) {
    at::manual_seed(11);
    const auto make = [&](int64_t tokens) {
        return (at::randn({c.batch, tokens, c.heads * c.headSize}) * spread).to(at::kBFloat16);
    };
    return {make(c.queries), make(c.keys), make(c.keys), make(c.queries)};
}

double relativeError(const at::Tensor& found, const at::Tensor& expected) {
    return ((found.to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
}

class FlashAttention : public testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        const at::Tensor x = at::zeros({1, 2, 16}, at::kBFloat16);
        if (!homebooth::kernels::toldFeatures().avx512Bf16)
            GTEST_SKIP() << "this processor has no AVX-512 BF16";
        ASSERT_TRUE(flashAttentionServes(x, x, 1));
    }
};

TEST_P(FlashAttention, equalsAttentionWrittenOut) {
    const Case c = GetParam();
    for (const double spread : {0.3, 3.0}) {
        const Inputs in = draw(c, spread);
        std::vector<at::Tensor> leaves = {in.q.detach().requires_grad_(true),
                                          in.k.detach().requires_grad_(true),
                                          in.v.detach().requires_grad_(true)};
        const at::Tensor found = flashAttend(leaves[0], leaves[1], leaves[2], c.heads);
        const auto gradients = torch::autograd::grad({found}, leaves, {in.direction});
        std::vector<at::Tensor> wide;
        for (const at::Tensor& leaf : leaves)
            wide.push_back(leaf.detach().to(at::kDouble).requires_grad_(true));
        const at::Tensor expected = writtenOut(wide[0], wide[1], wide[2], c.heads);
        const auto wideGradients = torch::autograd::grad({expected}, wide, {in.direction.to(at::kDouble)});
        EXPECT_LT(relativeError(found.detach(), expected.detach()), 6e-3) << spread;
        if (c.keys == 1) continue; // the gradients of q and k are zero then
        for (int i = 0; i < 3; ++i) EXPECT_LT(relativeError(gradients[i], wideGradients[i]), 2e-2) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(shapes, FlashAttention,
                         testing::Values(Case{1, 1, 1, 1, 16}, Case{2, 3, 5, 7, 8}, Case{1, 2, 64, 128, 40},
                                         Case{2, 2, 100, 77, 40}, Case{1, 8, 256, 256, 160},
                                         Case{1, 2, 130, 257, 80}, Case{1, 5, 192, 300, 64},
                                         Case{1, 1, 70, 130, 256}, Case{1, 2, 33, 15, 10}));

TEST_F(FlashAttention, hasTheSameGradientsFromItsKeptResult) {
    const Inputs in = draw({2, 3, 40, KeptProducts::kWorthKeeping, 40}, 1.0);
    KeptProducts products;
    const at::Tensor recorded = flashAttend(in.q, in.k, in.v, 3, &products);
    EXPECT_GT(products.bytes(), static_cast<int64_t>(recorded.nbytes()));
    products.startReplay();
    const auto gradients = [&](KeptProducts* kept) {
        const std::vector<at::Tensor> leaves = {in.q.detach().requires_grad_(true),
                                                in.k.detach().requires_grad_(true),
                                                in.v.detach().requires_grad_(true)};
        const at::Tensor y = flashAttend(leaves[0], leaves[1], leaves[2], 3, kept);
        EXPECT_TRUE(at::equal(y, recorded));
        return torch::autograd::grad({y}, leaves, {in.direction});
    };
    const auto expected = gradients(nullptr);
    const auto found = gradients(&products);
    EXPECT_EQ(products.bytes(), 0);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
}

TEST_F(FlashAttention, doesNotDependOnTheNumberOfThreads) {
    const Inputs in = draw({2, 3, 200, 150, 40}, 1.0);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor one = flashAttend(in.q, in.k, in.v, 3);
    at::set_num_threads(4);
    const at::Tensor four = flashAttend(in.q, in.k, in.v, 3);
    at::set_num_threads(before);
    EXPECT_TRUE(at::equal(one, four));
}

TEST_F(FlashAttention, readsSlicesOfAFusedProjection) {
    const at::Tensor fused = at::randn({2, 50, 3 * 32}).to(at::kBFloat16);
    const auto part = [&](int64_t i) { return fused.slice(2, 32 * i, 32 * (i + 1)); };
    const at::Tensor sliced = flashAttend(part(0), part(1), part(2), 4);
    const at::Tensor copied =
        flashAttend(part(0).contiguous(), part(1).contiguous(), part(2).contiguous(), 4);
    EXPECT_TRUE(at::equal(sliced, copied));
}

TEST_F(FlashAttention, survivesScoresBeyondTheRangeOfExp) {
    const Inputs in = draw({1, 1, 70, 140, 16}, 40.0);
    const at::Tensor found = flashAttend(in.q, in.k, in.v, 1);
    EXPECT_TRUE(at::isfinite(found.to(at::kFloat)).all().item<bool>());
}

TEST_F(FlashAttention, keepsWhatIsNoNumber) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const auto isNan = [](const at::Tensor& x) { return x.isnan().all().item<bool>(); };
    for (const int64_t key : {0, 60, 139}) { // in the first block, in its middle, in the last one
        Inputs in = draw({1, 1, 70, 140, 16}, 1.0);
        in.k[0][key][3] = kNan;
        EXPECT_TRUE(isNan(flashAttend(in.q, in.k, in.v, 1))) << "key " << key;
    }
    Inputs in = draw({1, 1, 70, 140, 16}, 1.0);
    in.q[0][7][3] = kNan; // of one query: its own row alone
    const at::Tensor found = flashAttend(in.q, in.k, in.v, 1);
    EXPECT_TRUE(isNan(found[0][7]));
    EXPECT_EQ(found.isnan().sum().item<int64_t>(), 16);
}

TEST_F(FlashAttention, givesNoFiniteGradientsForWhatIsNoNumber) {
    Inputs in = draw({1, 1, 70, 140, 16}, 1.0);
    in.q[0][7][3] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<at::Tensor> leaves = {in.q.requires_grad_(true), in.k.requires_grad_(true),
                                            in.v.requires_grad_(true)};
    const auto gradients =
        torch::autograd::grad({flashAttend(leaves[0], leaves[1], leaves[2], 1)}, leaves, {in.direction});
    for (size_t i = 0; i < gradients.size(); ++i) EXPECT_TRUE(gradients[i].isnan().any().item<bool>()) << i;
}

} // namespace

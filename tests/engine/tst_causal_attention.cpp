// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Causal attention beside its definition, with distances and without, from the start and behind other tokens.
#include "core/engine/nn/causal_attention.h"

#include "model_check.h"

#include <ATen/Functions.h>

namespace homebooth::core::testing {
namespace {

constexpr double kTolerance = 1e-5;

Projected drawn(int64_t heads, int64_t tokens, int64_t width) {
    at::manual_seed(5);
    const std::vector<int64_t> shape{2, heads, tokens, width};
    return {at::randn(shape), at::randn(shape), at::randn(shape)};
}

/// By the definition, in fp64. Shapes: -> [B, T, heads * d]
at::Tensor defined(const Projected& all, bool distances) {
    const int64_t tokens = all.queries.size(2);
    const double scale = std::sqrt(static_cast<double>(all.queries.size(3)));
    at::Tensor scores =
        at::matmul(all.queries.to(at::kDouble), all.keys.to(at::kDouble).transpose(2, 3)) / scale;
    const at::Tensor places = at::arange(tokens).to(at::kDouble);
    if (distances)
        scores = scores - distanceSlopes(all.queries.size(1)).to(at::kDouble).view({1, -1, 1, 1}) *
                              (places.view({-1, 1}) - places.view({1, -1}));
    const at::Tensor unseen = at::ones({tokens, tokens}, at::kBool).triu(1);
    const at::Tensor shares = at::softmax(scores.masked_fill(unseen, -1e300), -1);
    return at::matmul(shares, all.values.to(at::kDouble)).transpose(1, 2).flatten(2);
}

TEST(CausalAttention, isWhatItsDefinitionSays) {
    for (const bool distances : {false, true})
        for (const int64_t tokens : {1, 7, 300}) {
            const Projected all = drawn(3, tokens, 10);
            EXPECT_LE(relativeError(attendCausally(all, {}, {}, distances), defined(all, distances)),
                      kTolerance)
                << tokens << (distances ? " with distances" : "");
        }
}

TEST(CausalAttention, goesOnBehindTokensAsIfAllCameTogether) {
    constexpr int64_t kTokens = 150;
    const Projected all = drawn(2, kTokens, 8);
    for (const bool distances : {false, true}) {
        const at::Tensor whole = defined(all, distances);
        for (const int64_t now : {1, 4}) {
            const int64_t past = kTokens - now;
            const auto last = [past](const at::Tensor& x) { return x.slice(2, past); };
            const at::Tensor found =
                attendCausally({last(all.queries), last(all.keys), last(all.values)},
                               all.keys.slice(2, 0, past), all.values.slice(2, 0, past), distances);
            EXPECT_LE(relativeError(found, whole.slice(1, past)), kTolerance) << now;
        }
    }
}

TEST(CausalAttention, keepsDistancesExactIn16Bits) {
    constexpr int64_t kTokens = 1500;
    Projected all = drawn(2, kTokens, 8);
    for (at::Tensor* one : {&all.queries, &all.keys, &all.values}) *one = one->to(at::kBFloat16);
    const at::Tensor found = attendCausally(all, {}, {}, /*distances=*/true);
    EXPECT_EQ(found.scalar_type(), at::kBFloat16);
    EXPECT_LE(relativeError(found, defined(all, true)), 0.01);
}

TEST(CausalAttention, differentiatesThroughDistances) {
    const at::AutoGradMode enableGrad(true);
    Projected all = drawn(3, 9, 8);
    Projected wide = all;
    for (at::Tensor* one : {&all.queries, &all.keys, &all.values}) one->requires_grad_(true);
    for (at::Tensor* one : {&wide.queries, &wide.keys, &wide.values})
        *one = one->detach().to(at::kDouble).requires_grad_(true);
    const at::Tensor weights = at::randn({2, 9, 24});
    (attendCausally(all, {}, {}, true) * weights).sum().backward();
    (defined(wide, true) * weights).sum().backward();
    EXPECT_LE(relativeError(all.queries.grad(), wide.queries.grad()), kTolerance);
    EXPECT_LE(relativeError(all.keys.grad(), wide.keys.grad()), kTolerance);
    EXPECT_LE(relativeError(all.values.grad(), wide.values.grad()), kTolerance);
}

TEST(CausalAttention, hasThePublishedSlopes) {
    const auto slopes = [](int64_t heads) { return distanceSlopes(heads).to(at::kDouble); };
    const auto powersOfTwo = [](const std::vector<double>& exponents) {
        return at::exp2(at::tensor(exponents, at::kDouble));
    };
    EXPECT_LE(relativeError(slopes(8), powersOfTwo({-1, -2, -3, -4, -5, -6, -7, -8})), 1e-6);
    // Twelve: those of eight, then every second one of sixteen.
    EXPECT_LE(
        relativeError(slopes(12), powersOfTwo({-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5})),
        1e-6);
}

} // namespace
} // namespace homebooth::core::testing

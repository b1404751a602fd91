// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The loss of predicted tokens: what LibTorch's cross entropy gives under autograd, in slices of any size.
#include "core/engine/learning/token_loss.h"

#include "core/engine/memory/rehearsed_memory.h"

#include "model_check.h"

#include <ATen/Functions.h>

namespace homebooth::core::testing {
namespace {

constexpr int64_t kVocabulary = 37;
constexpr double kTolerance = 1e-5;

struct Asked {
    at::Tensor hidden;
    at::Tensor table;
    at::Tensor targets;
};

Asked drawn(at::ScalarType type) {
    at::manual_seed(3);
    return {at::randn({2, 5, 8}).to(type), at::randn({kVocabulary, 8}).to(type),
            at::randint(kVocabulary, {2, 5}, at::kLong)};
}

struct Expected {
    double loss = 0.0;
    at::Tensor hidden;
    at::Tensor table;
};

Expected byAutograd(const Asked& asked) {
    const at::AutoGradMode enableGrad(true);
    const at::Tensor hidden = asked.hidden.to(at::kDouble).detach().requires_grad_(true);
    const at::Tensor table = asked.table.to(at::kDouble).detach().requires_grad_(true);
    const at::Tensor logits = at::matmul(hidden, table.t()).view({-1, kVocabulary});
    const at::Tensor loss = at::cross_entropy_loss(logits, asked.targets.flatten());
    loss.backward();
    return {loss.item<double>(), hidden.grad(), table.grad()};
}

/// @param rows  of the logits that are there at a time
TokenLossOptions slicesOf(int64_t rows) {
    TokenLossOptions options;
    options.sliceBytes = rows * kVocabulary * 4;
    return options;
}

TEST(TokenLoss, isCrossEntropyWithItsGradientsInSlicesOfAnySize) {
    const Asked asked = drawn(at::kFloat);
    const Expected expected = byAutograd(asked);
    for (const int64_t rows : {1, 3, 9, 10, 100}) {
        const TokenLoss found = tokenLoss(asked.hidden, asked.table, asked.targets, slicesOf(rows));
        EXPECT_NEAR(found.loss, expected.loss, kTolerance) << rows;
        EXPECT_LE(relativeError(found.hiddenGradient, expected.hidden), kTolerance) << rows;
        EXPECT_LE(relativeError(found.tableGradient, expected.table), kTolerance) << rows;
    }
}

TEST(TokenLoss, multipliesGradientsAloneByTheFactor) {
    const Asked asked = drawn(at::kFloat);
    TokenLossOptions options;
    options.gradientFactor = 8.0;
    const TokenLoss plain = tokenLoss(asked.hidden, asked.table, asked.targets);
    const TokenLoss scaled = tokenLoss(asked.hidden, asked.table, asked.targets, options);
    EXPECT_EQ(scaled.loss, plain.loss);
    EXPECT_LE(relativeError(scaled.hiddenGradient, plain.hiddenGradient * 8.0), kTolerance);
    EXPECT_LE(relativeError(scaled.tableGradient, plain.tableGradient * 8.0), kTolerance);
}

TEST(TokenLoss, givesWhatIsAskedForInTheTypesOfTheModel) {
    const Asked asked = drawn(at::kBFloat16);
    TokenLossOptions frozen;
    frozen.tableLearns = false;
    const TokenLoss found = tokenLoss(asked.hidden, asked.table, asked.targets, frozen);
    EXPECT_EQ(found.hiddenGradient.scalar_type(), at::kBFloat16);
    EXPECT_FALSE(found.tableGradient.defined());
    TokenLossOptions lossAlone;
    lossAlone.gradients = false;
    const TokenLoss alone = tokenLoss(asked.hidden, asked.table, asked.targets, lossAlone);
    EXPECT_FALSE(alone.hiddenGradient.defined());
    EXPECT_EQ(alone.loss, found.loss);
    EXPECT_NEAR(alone.loss, byAutograd(asked).loss, 0.02);
    EXPECT_EQ(tokenLoss(asked.hidden, asked.table, asked.targets).tableGradient.scalar_type(), at::kBFloat16);
}

constexpr int64_t kMany = 50'000; // entries, whose gradient is added up in parts
constexpr int64_t kColumns = 96;

Asked ofManyEntries(at::ScalarType type, at::Device device) {
    const at::TensorOptions options = at::TensorOptions().dtype(type).device(device);
    return {at::ones({1, 100, kColumns}, options), at::ones({kMany, kColumns}, options),
            at::ones({1, 100}, options.dtype(at::kLong))};
}

/// @returns  bytes at the peak of a loss in slices of few rows
template <class Memory>
int64_t peakOf(const Asked& asked, const Memory& memory) {
    const int64_t before = memory().currentBytes;
    TokenLossOptions options;
    options.sliceBytes = 1;
    const TokenLoss found = tokenLoss(asked.hidden, asked.table, asked.targets, options);
    return memory().peakBytes - before;
}

TEST(TokenLoss, takesWhatARehearsalForetellsAndNoMoreThanItsTableHas) {
    meterHostMemory();
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        int64_t foretold = 0;
        {
            const RehearsedMemory rehearsed;
            foretold = peakOf(ofManyEntries(type, at::kMeta), [&] { return rehearsed.use(Tier::Device); });
        }
        const Asked asked = ofManyEntries(type, at::kCPU);
        restartTierPeak(Tier::Device);
        const int64_t found = peakOf(asked, [] { return tierUse(Tier::Device); });
        EXPECT_NEAR(static_cast<double>(foretold), static_cast<double>(found), 0.03 * found) << type;
        EXPECT_LT(found, 13 * kMany * kColumns / 2)
            << type; // the sum in fp32, once more in 16 bits, and some
    }
}

TEST(TokenLoss, hasTheSameGradientInPartsOfTheTable) {
    Asked asked = ofManyEntries(at::kFloat, at::kCPU);
    asked.hidden = at::randn_like(asked.hidden);
    asked.table = at::randn_like(asked.table) * 0.1;
    asked.targets = at::randint(kMany, {1, 100}, at::kLong);
    TokenLossOptions sliced;
    sliced.sliceBytes = 1;
    const TokenLoss whole = tokenLoss(asked.hidden, asked.table, asked.targets);
    const TokenLoss parts = tokenLoss(asked.hidden, asked.table, asked.targets, sliced);
    EXPECT_NEAR(parts.loss, whole.loss, kTolerance * whole.loss);
    EXPECT_LE(relativeError(parts.tableGradient, whole.tableGradient.to(at::kDouble)), kTolerance);
    EXPECT_LE(relativeError(parts.hiddenGradient, whole.hiddenGradient.to(at::kDouble)), kTolerance);
}

TEST(TokenLoss, staysFiniteForLogitsBeyondWhatExpTakes) {
    const at::Tensor hidden = at::full({1, 2, 1}, 1000.0);
    const at::Tensor table = at::tensor({1.0F, -1.0F, 0.5F}).view({3, 1});
    const TokenLoss found = tokenLoss(hidden, table, at::tensor({int64_t{0}, int64_t{2}}).view({1, 2}));
    EXPECT_NEAR(found.loss, 250.0, 1e-3); // 0 and 500
    EXPECT_TRUE(at::isfinite(found.hiddenGradient).all().item<bool>());
}

} // namespace
} // namespace homebooth::core::testing

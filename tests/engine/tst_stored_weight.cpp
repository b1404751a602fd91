// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers with weights as integers compute what they do with the same weights made whole, bit by bit, forward
// and backward.
#include "core/base/schedule/quantized_weights.h"
#include "core/engine/nn/convolution.h"
#include "core/engine/nn/integer_product.h"
#include "core/engine/nn/layers.h"
#include "core/engine/nn/linear.h"
#include "core/engine/nn/winograd.h"
#include "tests/kernels/told_features.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>
#include <vector>

using namespace homebooth::core;

namespace {

class StoredWeights : public testing::TestWithParam<at::ScalarType> {
protected:
    void SetUp() override { at::manual_seed(5); }

    [[nodiscard]] static at::Tensor draw(at::IntArrayRef shape) { return at::randn(shape).to(GetParam()); }
    [[nodiscard]] static at::Tensor drawPicture(at::IntArrayRef shape) {
        return draw(shape).contiguous(at::MemoryFormat::ChannelsLast);
    }
    /// As a parameter store keeps it: of convolutions channels-last.
    [[nodiscard]] static StoredWeight drawWeight(at::IntArrayRef shape) {
        StoredWeight weight = quantized(at::randn(shape));
        if (weight.values.dim() == 4)
            weight.values = weight.values.contiguous(at::MemoryFormat::ChannelsLast);
        return weight;
    }
};

bool hasNoIntegerProducts() {
    return !homebooth::kernels::toldFeatures().integerProducts;
}

using Layer =
    std::function<at::Tensor(const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias)>;

/// The output, and gradients of x and bias.
std::vector<at::Tensor> resultsOf(const Layer& layer, const at::Tensor& input, const StoredWeight& weight,
                                  const at::Tensor& offset) {
    const at::Tensor x = input.detach().requires_grad_(true);
    const at::Tensor bias = offset.detach().requires_grad_(true);
    const at::Tensor y = layer(x, weight, bias);
    std::vector<at::Tensor> results = torch::autograd::grad({y.to(at::kFloat).square().sum()}, {x, bias});
    results.push_back(y.detach());
    return results;
}

void expectSameAsWhole(const Layer& layer, const at::Tensor& x, const StoredWeight& weight,
                       const at::Tensor& bias) {
    const auto found = resultsOf(layer, x, weight, bias);
    const auto expected = resultsOf(layer, x, weight.whole(x.scalar_type()), bias);
    for (size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
    EXPECT_GT(expected[0].abs().max().item<double>(), 0.0);
}

TEST_P(StoredWeights, ofLinearLayers) {
    const Layer layer = [](const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias) {
        return linearProduct(x, weight, bias);
    };
    expectSameAsWhole(layer, draw({2, 50, 96}), drawWeight({40, 96}), draw({40}));
}

TEST_P(StoredWeights, ofConvolutions) {
    for (const int64_t kernel : {1, 3, 9}) // the last one LibTorch convolves itself
        for (const int64_t stride : {1, 2}) {
            const Layer layer = [&](const at::Tensor& x, const StoredWeight& weight, const at::Tensor& bias) {
                return convolve(x, weight, bias, kernel / 2, stride);
            };
            expectSameAsWhole(layer, drawPicture({2, 24, 12, 10}), drawWeight({8, 24, kernel, kernel}),
                              draw({8}));
        }
}

TEST_P(StoredWeights, ofConvolutionsWhoseValuesAloneCount) {
    const c10::NoGradGuard noGradients;
    const at::Tensor x = drawPicture({1, 32, 40, 40});
    const StoredWeight weight = drawWeight({32, 32, 3, 3});
    const at::Tensor bias = draw({32});
    const at::Tensor found = convolve(x, weight, bias, 1, 1, ResultUse::ValuesAlone);
    const at::Tensor expected = convolve(x, weight.whole(GetParam()), bias, 1, 1, ResultUse::ValuesAlone);
    EXPECT_TRUE(at::equal(found, expected));
    EXPECT_EQ(winogradServes(x, weight, 1, 1), winogradServes(x, weight.whole(GetParam()), 1, 1));
}

TEST_P(StoredWeights, areNearWhatTheyWereMadeOf) {
    const at::Tensor weight = at::randn({64, 32, 3, 3}).to(GetParam());
    const StoredWeight stored = quantized(weight);
    EXPECT_EQ(stored.values.scalar_type(), at::kChar);
    const at::Tensor error = (stored.whole(at::kFloat) - weight.to(at::kFloat)).abs().flatten(1);
    EXPECT_TRUE(error.le(stored.scales.unsqueeze(1) * 0.501).all().item<bool>());
    EXPECT_EQ(stored.values.abs().flatten(1).amax(1).min().item<int>(), 127);
}

/// Against the product in fp64 of what was quantized, within what rounding of inputs and weights makes of it.
TEST_P(StoredWeights, takeInputsAsIntegers) {
    const c10::NoGradGuard noGradients;
    const at::Tensor x = draw({3, 70, 320}) * at::logspace(-2, 2, 70, 10.0).view({70, 1}).to(GetParam());
    const StoredWeight weight = drawWeight({200, 320});
    const at::Tensor bias = draw({200});
    if (hasNoIntegerProducts()) GTEST_SKIP() << "this processor has no products of integers";
    ASSERT_TRUE(integerProductServes(x, weight));
    const at::Tensor found = integerProduct(x, weight, bias).to(at::kDouble);
    const at::Tensor wide = x.to(at::kDouble).matmul(weight.whole(at::kFloat).to(at::kDouble).t());
    const at::Tensor expected = wide + bias.to(at::kDouble);
    EXPECT_EQ(found.sizes(), expected.sizes());
    const at::Tensor error = (found - expected).norm(2, -1) / expected.norm(2, -1);
    EXPECT_LT(error.max().item<double>(), 0.015);
    EXPECT_GT(error.max().item<double>(), 1e-4); // inputs are rounded indeed
}

/// What does not need rounding is exact: sums of integers are.
TEST(IntegerProducts, areExactForIntegers) {
    const c10::NoGradGuard noGradients;
    at::manual_seed(2);
    const auto drawIntegers = [](at::IntArrayRef shape) {
        at::Tensor values = at::randint(-127, 128, shape, at::kFloat);
        values.select(1, 0).fill_(127.0F); // so that scales are 1
        return values;
    };
    const at::Tensor x = drawIntegers({300, 640});
    const at::Tensor weight = drawIntegers({64, 640});
    const StoredWeight stored = quantized(weight);
    if (hasNoIntegerProducts()) GTEST_SKIP() << "this processor has no products of integers";
    ASSERT_TRUE(integerProductServes(x, stored));
    EXPECT_TRUE(at::equal(stored.scales, at::ones({64})));
    const at::Tensor expected = x.to(at::kDouble).matmul(weight.to(at::kDouble).t()).to(at::kFloat);
    EXPECT_TRUE(at::equal(integerProduct(x, stored, {}), expected));
}

class OneLayer {
public:
    explicit OneLayer(Quantization quantization) {
        BlockSpec block;
        block.name = "attentions.0";
        for (const auto& [name, shape] : std::vector<std::pair<std::string, std::vector<int64_t>>>{
                 {"attentions.0.to_q.weight", {40, 320}}, {"attentions.0.to_q.bias", {40}}}) {
            ParameterSpec parameter;
            parameter.name = name;
            parameter.shape = shape;
            block.parameters.push_back(parameter);
        }
        Schedule schedule;
        schedule.add(block, {}, {});
        m_block = frozenSchedule(std::move(schedule), quantization).blocks().front();
        for (const ParameterSpec& parameter : m_block.parameters) {
            at::Tensor value = at::randn(parameter.shape);
            if (parameter.storage == StorageType::Int8) value = (value * 40).clamp(-127, 127).to(at::kChar);
            m_parameters.push_back(value);
        }
    }

    /// @param exact  as a step of training wants it
    [[nodiscard]] at::Tensor operator()(const at::Tensor& x, bool exact = false) const {
        BlockContext context;
        context.parameters = m_parameters;
        context.exact = exact;
        return Linear(m_block, "to_q")(context, x);
    }
    [[nodiscard]] StoredWeight weight() const { return {m_parameters[0], m_parameters.back()}; }
    [[nodiscard]] const at::Tensor& bias() const { return m_parameters[1]; }

private:
    BlockSpec m_block;
    std::vector<at::Tensor> m_parameters;
};

TEST(IntegerProducts, areTakenByMarkedLayersWhereNothingLearns) {
    at::manual_seed(4);
    const at::Tensor x = at::randn({6, 320});
    const OneLayer marked(Quantization::W8A8);
    const at::Tensor whole = linearProduct(x, marked.weight(), marked.bias());
    EXPECT_TRUE(at::equal(marked(x), whole)); // gradients are recorded
    const c10::NoGradGuard noGradients;
    if (hasNoIntegerProducts()) GTEST_SKIP() << "this processor has no products of integers";
    ASSERT_TRUE(integerProductServes(x, marked.weight()));
    EXPECT_TRUE(at::equal(marked(x), integerProduct(x, marked.weight(), marked.bias())));
    EXPECT_FALSE(at::equal(marked(x), whole));
    EXPECT_TRUE(at::equal(marked(x, true), whole));
    const OneLayer unmarked(Quantization::Int8);
    EXPECT_TRUE(at::equal(unmarked(x), linearProduct(x, unmarked.weight(), unmarked.bias())));
}

/// More rows than fit at a time give what they give alone.
TEST(IntegerProducts, areTakenByStretches) {
    const c10::NoGradGuard noGradients;
    at::manual_seed(2);
    const int64_t outputs = int64_t{1} << 16;
    const at::Tensor x = at::randn({2 * kMostIntegerSums / outputs + 3, 256});
    const StoredWeight weight = quantized(at::randn({outputs, 256}));
    if (hasNoIntegerProducts()) GTEST_SKIP() << "this processor has no products of integers";
    ASSERT_TRUE(integerProductServes(x, weight));
    const at::Tensor all = integerProduct(x, weight, {});
    for (const int64_t row : {int64_t{0}, kMostIntegerSums / outputs, x.size(0) - 1})
        EXPECT_TRUE(at::equal(all.narrow(0, row, 1), integerProduct(x.narrow(0, row, 1), weight, {}))) << row;
}

TEST(IntegerProducts, areForSamplingAlone) {
    const at::Tensor x = at::randn({4, 512});
    EXPECT_FALSE(integerProductServes(x, quantized(at::randn({8, 512}))));
    const c10::NoGradGuard noGradients;
    EXPECT_FALSE(integerProductServes(x, StoredWeight(at::randn({8, 512}))));
    EXPECT_FALSE(integerProductServes(x, quantized(at::randn({8, 32})))); // it would not pay
}

TEST(WholeWeights, areThemselves) {
    const at::Tensor weight = at::randn({4, 4});
    EXPECT_TRUE(StoredWeight(weight).whole(at::kBFloat16).is_same(weight));
}

INSTANTIATE_TEST_SUITE_P(types, StoredWeights, testing::Values(at::kFloat, at::kBFloat16, at::kHalf),
                         [](const auto& test) { return c10::toString(test.param); });

} // namespace

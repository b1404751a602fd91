// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Convolution by matrix products against LibTorch's direct one, in fp64 and fp32.
#include "core/engine/nn/convolution.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <limits>
#include <torch/csrc/autograd/autograd.h>

using homebooth::core::convolve;

namespace {

struct Case {
    int64_t batch, in, out, height, width, kernel, padding, stride;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.batch << "x" << c.in << "->" << c.out << " " << c.height << "x" << c.width << " k"
                  << c.kernel << " p" << c.padding << " s" << c.stride;
}

class Convolution : public testing::TestWithParam<Case> {};

struct Results {
    at::Tensor output;
    std::vector<at::Tensor> gradients; // x, weight, bias
};

template <class Function>
Results differentiate(const Function& function, std::vector<at::Tensor> inputs, const at::Tensor& direction) {
    for (at::Tensor& input : inputs) input = input.detach().requires_grad_(true);
    const at::Tensor output = function(inputs[0], inputs[1], inputs[2]);
    return {output.detach(), torch::autograd::grad({output}, inputs, {direction.to(output.scalar_type())})};
}

/// Greatest error over greatest value.
double relativeError(const at::Tensor& found, const at::Tensor& expected) {
    return ((found.to(at::kDouble) - expected).abs().max() / expected.abs().max()).item<double>();
}

void compare(const Case& c, at::ScalarType type, double tolerance) {
    at::manual_seed(3);
    const auto draw = [&](at::IntArrayRef shape) { return at::randn(shape).to(type); };
    const std::vector<at::Tensor> inputs = {
        draw({c.batch, c.in, c.height, c.width}).contiguous(at::MemoryFormat::ChannelsLast),
        draw({c.out, c.in, c.kernel, c.kernel}).contiguous(at::MemoryFormat::ChannelsLast), draw({c.out})};
    std::vector<at::Tensor> wide;
    for (const at::Tensor& input : inputs) wide.push_back(input.to(at::kDouble));
    const auto reference = [&](const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
        return at::conv2d(x, weight, bias, {c.stride, c.stride}, {c.padding, c.padding});
    };
    const at::Tensor shape = reference(wide[0], wide[1], wide[2]);
    const at::Tensor direction = at::randn(shape.sizes()).to(type).to(at::kDouble);
    const Results expected = differentiate(reference, wide, direction);
    const Results found =
        differentiate([&](const at::Tensor& x, const at::Tensor& weight,
                          const at::Tensor& bias) { return convolve(x, weight, bias, c.padding, c.stride); },
                      inputs, direction);
    EXPECT_LT(relativeError(found.output, expected.output), tolerance);
    for (int i = 0; i < 3; ++i)
        EXPECT_LT(relativeError(found.gradients[i], expected.gradients[i]), tolerance) << "gradient " << i;
}

TEST_P(Convolution, equalsTheDirectOneInFp32) {
    compare(GetParam(), at::kFloat, 1e-5);
}

TEST_P(Convolution, equalsTheDirectOneInBf16) {
    compare(GetParam(), at::kBFloat16, 2e-2);
}

TEST_P(Convolution, equalsTheDirectOneInFp16) {
    compare(GetParam(), at::kHalf, 4e-3);
}

INSTANTIATE_TEST_SUITE_P(
    shapes, Convolution,
    testing::Values(Case{1, 4, 8, 8, 8, 3, 1, 1}, Case{2, 5, 7, 9, 6, 3, 1, 1},
                    Case{3, 70, 33, 5, 7, 3, 1, 1}, Case{2, 8, 16, 9, 9, 3, 1, 2},
                    Case{2, 8, 16, 8, 8, 3, 0, 2}, Case{1, 6, 4, 7, 5, 1, 0, 1}, Case{1, 3, 4, 1, 1, 3, 1, 1},
                    Case{2, 3, 4, 6, 6, 5, 2, 1}, Case{2, 5, 7, 9, 6, 3, 0, 1}, Case{2, 5, 7, 9, 6, 3, 2, 1},
                    Case{1, 19, 5, 7, 9, 4, 1, 1}, Case{2, 17, 90, 8, 11, 2, 0, 2},
                    Case{1, 81, 6, 11, 10, 3, 1, 3}, Case{1, 3, 4, 6, 5, 2, 3, 1},
                    // more columns than one piece holds, so that bands and pieces are used
                    Case{2, 256, 8, 96, 80, 3, 1, 1}, Case{1, 8, 256, 96, 160, 3, 1, 1},
                    Case{1, 256, 8, 160, 150, 3, 1, 2}));

TEST(Convolution, roundsTheInputGradientInBf16OnlyOnce) {
    at::manual_seed(5);
    const auto draw = [](at::IntArrayRef shape) { return at::randn(shape).to(at::kBFloat16); };
    const at::Tensor x = draw({2, 48, 13, 9}).requires_grad_();
    const at::Tensor weight = draw({40, 48, 3, 3});
    const at::Tensor direction = draw({2, 40, 13, 9});
    const at::Tensor found =
        torch::autograd::grad({convolve(x, weight, {}, 1, 1)}, {x}, {direction})[0].to(at::kDouble);
    const at::Tensor wide = x.detach().to(at::kDouble).requires_grad_();
    const at::Tensor expected =
        torch::autograd::grad({at::conv2d(wide, weight.to(at::kDouble), {}, {1, 1}, {1, 1})}, {wide},
                              {direction.to(at::kDouble)})[0];
    const at::Tensor halfUnits = (found - expected).abs() / (expected.abs() + 1e-3) * 256;
    EXPECT_LE(halfUnits.max().item<double>(), 1.1);
}

TEST(Convolution, takesAnyMemoryOrderAndGivesChannelsLast) {
    const at::Tensor x = at::randn({1, 8, 6, 6});
    const at::Tensor weight = at::randn({4, 8, 3, 3});
    const at::Tensor output = convolve(x, weight, {}, 1, 1);
    EXPECT_TRUE(output.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_LT(
        relativeError(output, at::conv2d(x.to(at::kDouble), weight.to(at::kDouble), {}, {1, 1}, {1, 1})),
        1e-5);
}

TEST(Convolution, gradientsAreTheSameWithoutTheValues) {
    using homebooth::core::ResultUse;
    const at::Tensor x = at::randn({2, 8, 9, 7}).requires_grad_();
    const at::Tensor weight = at::randn({4, 8, 3, 3}).requires_grad_();
    const at::Tensor bias = at::randn({4}).requires_grad_();
    const auto gradients = [&](ResultUse use) {
        const at::Tensor y = convolve(x, weight, bias, 1, 2, use);
        const at::Tensor gradient = at::ones_like(y);
        return std::pair(y.sizes().vec(), torch::autograd::grad({y}, {x, weight, bias}, {gradient}));
    };
    const auto [shape, expected] = gradients(ResultUse::Values);
    const auto [otherShape, found] = gradients(ResultUse::GradientsOnly);
    EXPECT_EQ(shape, otherShape);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
}

/// In fp64, which the matrix products do not serve: the way of GPUs.
TEST(Convolution, takesKnownResultsWhereLibTorchConvolves) {
    using homebooth::core::ResultUse;
    at::manual_seed(9);
    const auto leaf = [](at::IntArrayRef shape) { return at::randn(shape, at::kDouble).requires_grad_(); };
    for (const auto& [padding, stride] : {std::pair{1, 1}, {0, 2}, {1, 2}}) {
        const at::Tensor x = leaf({2, 6, 9, 7});
        const at::Tensor weight = leaf({4, 6, 3, 3});
        const at::Tensor bias = leaf({4});
        const at::Tensor whole = at::conv2d(x, weight, bias, {stride, stride}, {padding, padding});
        const at::Tensor direction = at::randn_like(whole);
        const auto expected = torch::autograd::grad({whole}, {x, weight, bias}, {direction});
        const auto check = [&](const at::Tensor& y) {
            const auto found = torch::autograd::grad({y}, {x, weight, bias}, {direction});
            for (size_t i = 0; i < 3; ++i)
                EXPECT_LT(relativeError(found[i], expected[i]), 1e-14) << i << " by stride " << stride;
        };
        const at::Tensor known = at::full_like(whole.detach(), 7.0);
        const at::Tensor y = convolve(x, weight, bias, padding, stride, ResultUse::Values, known);
        EXPECT_TRUE(at::equal(y, known)); // it was not computed again
        check(y);
        check(convolve(x, weight, bias, padding, stride, ResultUse::GradientsOnly));
        check(convolve(x, weight, bias, padding, stride));
    }
}

TEST(Convolution, withoutBiasHasGradientsWhereLibTorchConvolves) {
    const at::Tensor x = at::randn({1, 3, 5, 5}, at::kDouble).requires_grad_();
    const at::Tensor weight = at::randn({2, 3, 3, 3}, at::kDouble).requires_grad_();
    const at::Tensor expected = at::conv2d(x, weight, {}, {1, 1}, {1, 1});
    const at::Tensor y = convolve(x, weight, {}, 1, 1);
    const at::Tensor direction = at::ones_like(y);
    const auto wanted = torch::autograd::grad({expected}, {x, weight}, {direction});
    const auto found = torch::autograd::grad({y}, {x, weight}, {direction});
    for (size_t i = 0; i < 2; ++i) EXPECT_LT(relativeError(found[i], wanted[i]), 1e-14) << i;
}

/// Error norm over norm of the result in fp64, of a convolution whose values alone are wanted.
struct BfloatErrors {
    double alone, direct;
};

BfloatErrors bfloatErrors(at::IntArrayRef input, int64_t outputs) {
    const at::NoGradGuard noGradients;
    at::manual_seed(7);
    const at::Tensor x = at::silu(at::randn(input)).to(at::kBFloat16);
    const at::Tensor weight = at::randn({outputs, input[1], 3, 3}).to(at::kBFloat16);
    const at::Tensor bias = at::randn({outputs}).to(at::kBFloat16);
    const at::Tensor exact =
        at::conv2d(x.to(at::kDouble), weight.to(at::kDouble), bias.to(at::kDouble), {1, 1}, {1, 1});
    const auto error = [&](homebooth::core::ResultUse use) {
        const at::Tensor found = convolve(x, weight, bias, 1, 1, use);
        EXPECT_TRUE(found.is_contiguous(at::MemoryFormat::ChannelsLast));
        return ((found.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
    };
    return {error(homebooth::core::ResultUse::ValuesAlone), error(homebooth::core::ResultUse::Values)};
}

TEST(Convolution, forItsValuesAloneRoundsThreeTimesAsMuchInBf16) {
    // even and odd sizes, several pictures, and more tiles than one piece holds
    for (const std::vector<int64_t>& input :
         {std::vector<int64_t>{2, 48, 20, 16}, {1, 32, 23, 25}, {3, 16, 17, 14}, {1, 640, 72, 70}}) {
        const BfloatErrors errors = bfloatErrors(input, 32);
        EXPECT_LT(errors.alone, 4 * errors.direct) << at::IntArrayRef(input);
        EXPECT_NE(errors.alone, errors.direct) << "not the faster way: " << at::IntArrayRef(input);
    }
}

TEST(Convolution, forItsValuesAloneTakesPicturesOfOnePixelAndOfOneRow) {
    for (const std::vector<int64_t>& input :
         {std::vector<int64_t>{600, 16, 1, 1}, {1, 16, 1, 777}, {3, 32, 300, 1}}) {
        const BfloatErrors errors = bfloatErrors(input, 16);
        EXPECT_LT(errors.alone, 4 * errors.direct) << at::IntArrayRef(input);
    }
}

TEST(Convolution, forItsValuesAloneKeepsWhatIsNotFinite) {
    const at::NoGradGuard noGradients;
    at::Tensor x = at::ones({1, 16, 32, 32}, at::kBFloat16);
    x[0][3][10][20] = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor found = convolve(x, at::ones({16, 16, 3, 3}, at::kBFloat16), {}, 1, 1,
                                      homebooth::core::ResultUse::ValuesAlone);
    EXPECT_TRUE(found[0][0][10][20].isnan().item<bool>());
    EXPECT_FLOAT_EQ(found[0][0][20][10].item<float>(), 144.0f);
}

TEST(Convolution, namesBothShapesWhenTheyDoNotMatch) {
    try {
        (void)convolve(at::randn({1, 3, 4, 4}), at::randn({2, 5, 3, 3}), {}, 1, 1);
        FAIL() << "accepted";
    } catch (const c10::Error& error) {
        EXPECT_NE(std::string(error.what()).find("[2, 5, 3, 3]"), std::string::npos);
    }
}

} // namespace

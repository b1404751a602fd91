// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The fused group normalisation in bf16 against LibTorch's in fp64 on the same (rounded) inputs.
#include "core/engine/nn/normalization.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

using homebooth::core::normalizeGroups;

namespace {

struct Case {
    int64_t batch, channels, groups, height, width;
    bool silu;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.batch << "x" << c.channels << "/" << c.groups << " " << c.height << "x" << c.width
                  << (c.silu ? " silu" : "");
}

class GroupNorm : public testing::TestWithParam<Case> {};

double relativeError(const at::Tensor& found, const at::Tensor& expected) {
    return ((found.to(at::kDouble) - expected).norm() / expected.norm()).item<double>();
}

TEST_P(GroupNorm, equalsTheUnfusedOne) {
    const Case c = GetParam();
    at::manual_seed(5);
    const auto narrow = [](const at::Tensor& x) { return x.to(at::kBFloat16); };
    std::vector<at::Tensor> leaves = {narrow(at::randn({c.batch, c.channels, c.height, c.width}) * 2.0 + 0.7)
                                          .contiguous(at::MemoryFormat::ChannelsLast),
                                      narrow(at::randn({c.channels}) + 1.0), narrow(at::randn({c.channels}))};
    const at::Tensor direction = narrow(at::randn(leaves[0].sizes()));
    std::vector<at::Tensor> wide;
    for (at::Tensor& leaf : leaves) {
        wide.push_back(leaf.to(at::kDouble).requires_grad_(true));
        leaf.requires_grad_(true);
    }
    const at::Tensor found = normalizeGroups(leaves[0], leaves[1], leaves[2], c.groups, 1e-5, c.silu);
    const auto gradients = torch::autograd::grad({found}, leaves, {direction});
    at::Tensor expected = at::group_norm(wide[0], c.groups, wide[1], wide[2], 1e-5);
    if (c.silu) expected = at::silu(expected);
    const auto wideGradients = torch::autograd::grad({expected}, wide, {direction.to(at::kDouble)});
    EXPECT_TRUE(found.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_LT(relativeError(found.detach(), expected.detach()), 4e-3);
    for (int i = 0; i < 3; ++i) EXPECT_LT(relativeError(gradients[i], wideGradients[i]), 6e-3) << i;
}

INSTANTIATE_TEST_SUITE_P(shapes, GroupNorm,
                         testing::Values(Case{1, 32, 32, 4, 4, false}, Case{2, 64, 32, 17, 19, true},
                                         Case{3, 96, 16, 8, 8, true}, Case{1, 320, 32, 33, 31, true},
                                         Case{2, 20, 5, 3, 7, false}));

TEST(GroupNorm, doesNotDependOnTheNumberOfThreads) {
    const at::Tensor x =
        at::randn({2, 64, 40, 40}).to(at::kBFloat16).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor one = at::ones({64}, at::kBFloat16);
    const int before = at::get_num_threads();
    at::set_num_threads(1);
    const at::Tensor alone = normalizeGroups(x, one, one, 32, 1e-5, true);
    at::set_num_threads(4);
    const at::Tensor shared = normalizeGroups(x, one, one, 32, 1e-5, true);
    at::set_num_threads(before);
    EXPECT_TRUE(at::equal(alone, shared));
}

} // namespace

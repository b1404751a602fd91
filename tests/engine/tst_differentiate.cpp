// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Differentiating a block when memory runs out in the midst of it.
#include "core/engine/graph/differentiate.h"

#include "failing_once.h"

#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

namespace homebooth::core::testing {
namespace {

/// Three branches over the same leaves, as an attention has them.
struct Branches {
    BlockLeaves leaves;
    std::vector<at::Tensor> outputs;

    Branches() {
        const at::AutoGradMode recording(true);
        constexpr int64_t kWidth = 32;
        BlockSpec spec;
        for (const char* name : {"q", "k", "v"})
            spec.parameters.push_back({.name = name, .shape = {kWidth, kWidth}, .trainable = true});
        const std::vector<at::Tensor> parameters(3, at::ones({kWidth, kWidth}));
        leaves = makeLeaves(spec, parameters, std::vector<at::Tensor>{at::ones({kWidth, kWidth})}, {true});
        const at::Tensor& x = leaves.inputs[0];
        const auto branch = [&](size_t i) { return at::tanh(at::mm(x, leaves.parameters[i])); };
        outputs = {at::mm(at::softmax(at::mm(branch(0), branch(1)), 1), branch(2)) + x};
    }

    [[nodiscard]] BlockGradients gradients() const {
        return differentiate(leaves, outputs, std::vector<at::Tensor>{at::ones_like(outputs[0])});
    }
};

TEST(Differentiate, GivesBackEverythingWhereverMemoryRunsOut) {
    FailOnce& point = FailingAllocator::installed().any;
    static_cast<void>(Branches().gradients()); // what LibTorch makes once
    const int64_t before = tierUse(Tier::Device).currentBytes;
    int64_t failed = 0;
    bool struck = true;
    for (int64_t number = 2; struck; ++number) { // the first is the gradient that is handed over
        {
            const Branches branches;
            point.arm(number);
            try {
                static_cast<void>(branches.gradients());
            } catch (const c10::Error&) {
                ++failed;
            }
            struck = point.struck();
            point.arm(0);
        }
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, before) << "after call " << number;
    }
    EXPECT_GT(failed, 5);
}

} // namespace
} // namespace homebooth::core::testing

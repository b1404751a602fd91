// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// 8-bit AdamW against the scheme as it was published, which tests/reference/make_8bit_fixture.py follows step
// by step. The last bit of fp32 may differ, and where it lies between two codes, one code. Whatever else
// differs, the map, the size of blocks, rounding or the order of things, is seen after the first steps.
#include "core/engine/optim/adamw8bit.h"
#include "kernels/optim/adamw8bit.h"
#include "tests/engine/model_check.h"
#include "tests/engine/optim_support.h"

namespace homebooth::core {
namespace {

const std::vector<std::vector<int64_t>> kShapes = {{64, 65}, {17, 20}};
constexpr int64_t kSteps = 20;

const OptimizerFixture& fixture() {
    static const OptimizerFixture one("adamw8bit.safetensors");
    return one;
}

/// As the fixture says: one product in fp32.
at::Tensor gradientOf(const std::string& name, int64_t step, const at::Tensor& like) {
    const at::Tensor& factors = fixture()["factors"];
    const at::Tensor index = (at::arange(like.numel(), at::kLong) * 7 + 13 * step).remainder(factors.numel());
    return (fixture()["amplitude." + name] * factors.index_select(0, index)).view(like.sizes());
}

/// The share of codes that differ, none by more than one.
double differingCodes(const at::Tensor& found, const at::Tensor& expected) {
    const at::Tensor apart = (found.to(at::kInt) - expected.to(at::kInt)).abs();
    EXPECT_LE(apart.max().item<int>(), 1);
    return static_cast<double>(apart.count_nonzero().item<int64_t>()) / static_cast<double>(apart.numel());
}

TEST(PublishedAdamW8bit, hasTheSameMaps) {
    for (const bool isSigned : {true, false}) {
        const auto& map = kernels::dynamicMap(isSigned);
        const at::Tensor& expected = fixture()[isSigned ? "map.signed" : "map.unsigned"];
        ASSERT_EQ(expected.numel(), 256);
        for (int64_t code = 0; code < 256; ++code)
            EXPECT_FLOAT_EQ(map[static_cast<size_t>(code)], expected[code].item<float>()) << code;
    }
}

class Trajectory : public ::testing::Test {
protected:
    Schedule m_schedule = looseParameters(kShapes);
    ParameterStore m_store{m_schedule, {}};
    std::unique_ptr<Optimizer> m_optimizer;

    void SetUp() override {
        m_optimizer = makeOptimizer(OptimizerFixture::config(OptimizerKind::AdamW8bit), m_store, 1);
        fixture().fillStart(m_store);
    }

    void expectParameter(const std::string& prefix, ParameterId id) const {
        const std::string& name = m_store.spec(id).name;
        const at::Tensor& expected = fixture()[prefix + "parameter." + name];
        const at::Tensor moved = expected - testing::asHeld(fixture()["start." + name], expected);
        const at::Tensor found = testing::asHeld(m_store.parameter(id), expected);
        const double error = (found - expected).norm().item<double>();
        EXPECT_LT(error / moved.norm().item<double>(), 1e-4) << prefix << name;
    }

    /// @param state  as the optimizer names it: "<parameter>.<what>"
    static void expectState(const std::string& prefix, const std::string& state, const at::Tensor& found) {
        const size_t dot = state.find('.');
        const std::string parameter = state.substr(0, dot);
        std::string what = state.substr(dot + 1);
        const bool isScale = what.ends_with(".absmax");
        if (isScale) what.resize(what.size() - std::string(".absmax").size());
        const at::Tensor& expected = fixture()[prefix + what + "." + parameter + (isScale ? ".absmax" : "")];
        ASSERT_EQ(found.scalar_type(), expected.scalar_type()) << state;
        if (found.scalar_type() == at::kByte)
            EXPECT_LT(differingCodes(found, expected), 1e-3) << prefix << state;
        else
            EXPECT_LT(relativeError(found, expected), 1e-5) << prefix << state;
    }
};

TEST_F(Trajectory, isThePublishedOne) {
    int compared = 0;
    for (int64_t step = 1; step <= kSteps; ++step) {
        m_optimizer->beginStep(step, 1e-2);
        for (const ParameterId id : m_optimizer->trainable())
            m_optimizer->update(id, gradientOf(m_store.spec(id).name, step, m_store.parameter(id)), 1.0);
        if (step != 1 && step != 5 && step != kSteps) continue;
        const std::string prefix = std::to_string(step) + ".";
        for (const ParameterId id : m_optimizer->trainable()) expectParameter(prefix, id);
        for (const NamedTensor& state : m_optimizer->stateTensors()) {
            expectState(prefix, state.name, state.tensor);
            ++compared;
        }
    }
    EXPECT_EQ(compared, 3 * (4 + 2)); // a parameter with codes and scales, one with neither
}

} // namespace
} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Gradients that go home over a link and are used up on a thread of their own, against those that stay.
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/optim/gradient_flow.h"
#include "tests/engine/optim_support.h"

#include <atomic>
#include <future>

namespace homebooth::core {
namespace {

/// The first one goes over the link in several pieces, the last of them ragged.
const std::vector<std::vector<std::vector<int64_t>>> kBlocks = {{{521, 1023}, {7}, {5000}},
                                                                {{64, 3, 3, 3}, {33}}};

Schedule chainOfBlocks() {
    Schedule schedule;
    ValueId value = schedule.addInput({.name = "x", .channels = 1});
    for (size_t block = 0; block < kBlocks.size(); ++block) {
        BlockSpec spec;
        spec.name = "b" + std::to_string(block);
        for (size_t i = 0; i < kBlocks[block].size(); ++i)
            spec.parameters.push_back(
                {.name = spec.name + ".p" + std::to_string(i), .shape = kBlocks[block][i]});
        value = schedule.add(spec, {value}, {{.name = spec.name, .channels = 1}})[0];
    }
    schedule.addOutput(value);
    return schedule;
}

struct Case {
    const char* name;
    OptimizerConfig optimizer;
    GradientFlowOptions flow;
    at::ScalarType type = at::kBFloat16;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

ParameterStore::Options optionsOf(const Case& c, bool streamed, LinkSpeed link = {}) {
    ParameterStore::Options options;
    options.type = c.type;
    options.link = link;
    if (streamed) options.streaming = StreamingOptions{};
    return options;
}

constexpr int64_t kSteps = 3;

/// A store with its optimizer and flow.
struct Bench {
    Schedule schedule = chainOfBlocks();
    ParameterStore store;
    std::unique_ptr<Optimizer> optimizer;
    GradientFlow flow;

    Bench(const Case& c, bool streamed)
        : store(schedule, optionsOf(c, streamed))
        , optimizer(makeOptimizer(c.optimizer, store, 5))
        , flow(c.flow, {optimizer.get()}) {
        at::manual_seed(1);
        for (const ParameterId id : optimizer->trainable()) {
            at::Tensor parameter = store.parameter(id);
            parameter.copy_(at::randn(parameter.sizes()));
        }
    }

    /// Gradients of all parameters, blocks in reverse.
    void micro(uint64_t seed, const at::ScalarType type) {
        at::manual_seed(seed);
        const GradientSink sink = flow.sink(0);
        for (auto block = kBlocks.size(); block-- > 0;)
            for (size_t i = 0; i < kBlocks[block].size(); ++i)
                sink({static_cast<int>(block), static_cast<int>(i)}, at::randn(kBlocks[block][i]).to(type));
    }
    std::vector<std::optional<double>> train(const Case& c) {
        std::vector<std::optional<double>> norms;
        for (int64_t step = 1; step <= kSteps; ++step) {
            const double rate = 1e-2;
            flow.beginStep(step, {&rate, 1});
            for (int64_t part = 0; part < c.flow.accumulationSteps; ++part) {
                micro(static_cast<uint64_t>(10 * step + part), c.type);
                flow.endMicroStep();
            }
            norms.push_back(flow.endStep().gradientNorm);
        }
        return norms;
    }
};

class ReturnedGradients : public ::testing::TestWithParam<Case> {};

TEST_P(ReturnedGradients, doWhatThoseDoThatStay) {
    Bench stay(GetParam(), false);
    Bench back(GetParam(), true);
    EXPECT_EQ(stay.train(GetParam()), back.train(GetParam()));
    for (const ParameterId id : stay.optimizer->trainable())
        EXPECT_TRUE(at::equal(stay.store.parameter(id), back.store.parameter(id)))
            << stay.store.spec(id).name;
    const auto expected = copiedStates(*stay.optimizer);
    const auto found = copiedStates(*back.optimizer);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [name, state] : expected) EXPECT_TRUE(at::equal(state, found.at(name))) << name;
    EXPECT_EQ(stay.flow.resting().peakBytes(Tier::Device), back.flow.resting().peakBytes(Tier::Ram));
    int64_t bytes = 0; // each gradient goes over the link once
    for (const ParameterId id : back.optimizer->trainable())
        bytes += static_cast<int64_t>(back.store.parameter(id).nbytes());
    EXPECT_EQ(back.store.traffic().bytes, kSteps * GetParam().flow.accumulationSteps * bytes);
}

OptimizerConfig optimizerOf(OptimizerKind kind) {
    OptimizerConfig config;
    config.kind = kind;
    return config;
}

INSTANTIATE_TEST_SUITE_P(
    flows, ReturnedGradients,
    ::testing::Values(
        Case{"adamw", optimizerOf(OptimizerKind::AdamW), {}},
        Case{"adamwFp32", optimizerOf(OptimizerKind::AdamW), {}, at::kFloat},
        Case{"eightBit", optimizerOf(OptimizerKind::AdamW8bit), {}},
        Case{"adafactor", optimizerOf(OptimizerKind::Adafactor), {}},
        Case{"accumulated", optimizerOf(OptimizerKind::AdamW), {.accumulationSteps = 3}},
        Case{"clipped", optimizerOf(OptimizerKind::AdamW8bit), {.maxGradientNorm = 0.5}},
        Case{"accumulatedAndClipped",
             optimizerOf(OptimizerKind::AdamW),
             {.accumulationSteps = 2, .maxGradientNorm = 0.5}},
        Case{"accumulatedAdafactor", optimizerOf(OptimizerKind::Adafactor), {.accumulationSteps = 2}},
        Case{"scaled", optimizerOf(OptimizerKind::AdamW), {.lossScaling = true}, at::kHalf}),
    [](const auto& one) { return std::string(one.param.name); });

/// Waits at its first update, and may then fail.
class SlowOptimizer final : public Optimizer {
public:
    explicit SlowOptimizer(ParameterStore& store)
        : Optimizer(store) {}
    void update(ParameterId /*id*/, const at::Tensor& /*gradient*/, double /*scale*/) override {
        if (++updates == 1) mayEnd.get_future().wait();
        if (fails) throw std::runtime_error("no room for the update");
    }
    [[nodiscard]] std::vector<Moment> momentsAt(size_t /*position*/) const override { return {}; }

    std::promise<void> mayEnd;
    std::atomic<int> updates = 0;
    std::atomic<bool> fails = false;
};

/// Two blocks whose gradients are handed over by hand.
struct SlowBench {
    Schedule schedule = chainOfBlocks();
    ParameterStore store;
    SlowOptimizer optimizer;
    GradientFlow flow;

    explicit SlowBench(LinkSpeed link = {})
        : store(schedule, optionsOf(Case{}, true, link))
        , optimizer(store)
        , flow({}, {&optimizer}) {
        const double rate = 1e-2;
        flow.beginStep(1, {&rate, 1});
    }
    void give(ParameterId id) {
        flow.sink(0)(id, at::zeros(kBlocks[static_cast<size_t>(id.block)][static_cast<size_t>(id.index)],
                                   at::kBFloat16));
    }
};

class GradientReturnTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
};

TEST_F(GradientReturnTest, backwardGoesOnWhileTheOptimizerWorks) {
    SlowBench bench;
    bench.give({1, 0});
    bench.give({1, 1});
    bench.give({0, 1}); // of another block, though none of those before is used up
    bench.optimizer.mayEnd.set_value();
    bench.flow.endMicroStep();
    EXPECT_EQ(bench.optimizer.updates.load(), 3);
    (void)bench.flow.endStep();
}

TEST_F(GradientReturnTest, nothingGoesOnBesideALinkThatBlocks) {
    SlowBench bench({.blocking = true});
    bench.optimizer.mayEnd.set_value();
    for (const int index : {0, 1}) {
        bench.give({1, index});
        EXPECT_EQ(bench.optimizer.updates.load(), index + 1); // as soon as it was given
    }
    bench.flow.endMicroStep();
    (void)bench.flow.endStep();
}

TEST_F(GradientReturnTest, anUpdateThatFailsFailsTheStep) {
    SlowBench bench;
    bench.optimizer.fails = true;
    bench.optimizer.mayEnd.set_value();
    const auto wholeStep = [&] {
        for (int round = 0; round < 20; ++round) bench.give({1, 0});
        bench.flow.endMicroStep();
    };
    EXPECT_THROW(wholeStep(), std::runtime_error);
    EXPECT_EQ(bench.optimizer.updates.load(), 1);
    bench.flow.discard();
    bench.optimizer.fails = false;
    bench.give({1, 0});
    bench.flow.endMicroStep();
    EXPECT_EQ(bench.optimizer.updates.load(), 2);
    (void)bench.flow.endStep();
}

TEST_F(GradientReturnTest, aStepThatIsGivenUpLeavesNothingBehind) {
    const TierUse before = tierUse(Tier::Device);
    SlowBench bench;
    bench.give({1, 0});
    for (int round = 0; round < 5; ++round) bench.give({0, 0});
    bench.optimizer.mayEnd.set_value();
    bench.flow.discard();
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before.currentBytes);
}

TEST_F(GradientReturnTest, aRehearsalCountsThePagesOfWhatItStandsFor) {
    for (const at::DeviceType device : {at::kCPU, at::kCUDA}) {
        RehearsedMemory memory(device);
        GradientReturn home;
        home.reserve(at::kMeta);
        EXPECT_EQ(memory.use(Tier::Ram).currentBytes, GradientReturn::landing(device == at::kCUDA).bytes());
    }
}

} // namespace
} // namespace homebooth::core

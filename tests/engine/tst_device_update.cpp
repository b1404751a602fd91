// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates of streamed blocks on the device, to which states come, against those of blocks that stay there.
#include "tests/engine/update_bench.h"

#include <atomic>
#include <future>

namespace homebooth::core {
namespace {

class DeviceUpdates : public ::testing::TestWithParam<UpdateCase> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
};

TEST_P(DeviceUpdates, giveTheBytesOfThoseThatStay) {
    const bool comes = GetParam().optimizer.kind != OptimizerKind::Adafactor && !GetParam().flow.letsRest();
    UpdateBench stays(GetParam(), false);
    stays.train(GetParam(), false);
    for (const bool computes : {false, true}) {
        SCOPED_TRACE(computes ? "from what computes" : "from home");
        UpdateBench visits(GetParam(), true);
        visits.train(GetParam(), computes);
        expectSameBytes(stays, visits, GetParam().name);
        const int64_t gradients = visits.parameterBytes() + (computes ? visits.store.fetchBytes(0) : 0);
        EXPECT_EQ(visits.store.traffic().bytes, kUpdateSteps * GetParam().flow.accumulationSteps *
                                                    (comes ? visits.visitingBytes(computes) : gradients));
        EXPECT_EQ(visits.optimizer->stateBytesIn(Tier::Ram), visits.optimizer->stateBytes());
    }
}

INSTANTIATE_TEST_SUITE_P(
    optimizers, DeviceUpdates,
    ::testing::Values(
        UpdateCase{"adamw", optimizerOf(OptimizerKind::AdamW)},
        UpdateCase{"adamwFp32", optimizerOf(OptimizerKind::AdamW), at::kFloat},
        UpdateCase{"bf16States", optimizerOf(OptimizerKind::AdamW, StateType::Bf16)},
        UpdateCase{"masters", optimizerOf(OptimizerKind::AdamW, StateType::Fp32, MasterWeights::Fp32)},
        UpdateCase{"eightBit", optimizerOf(OptimizerKind::AdamW8bit)},
        UpdateCase{"eightBitMasters",
                   optimizerOf(OptimizerKind::AdamW8bit, StateType::Fp32, MasterWeights::Fp32), at::kHalf},
        UpdateCase{"adafactor", optimizerOf(OptimizerKind::Adafactor)},
        UpdateCase{"clipped", optimizerOf(OptimizerKind::AdamW), at::kFloat, {.maxGradientNorm = 0.5}},
        UpdateCase{
            "accumulated", optimizerOf(OptimizerKind::AdamW8bit), at::kBFloat16, {.accumulationSteps = 2}}),
    [](const auto& one) { return std::string(one.param.name); });

/// Waits at its first update, and may then fail.
class SlowOptimizer final : public Optimizer {
public:
    explicit SlowOptimizer(ParameterStore& store)
        : Optimizer(store) {}
    void update(ParameterId /*id*/, const at::Tensor& /*gradient*/, double /*scale*/) override {}
    [[nodiscard]] bool updatesRanges() const override { return true; }
    [[nodiscard]] std::vector<at::Tensor> touched(ParameterId id, int64_t begin,
                                                  int64_t count) const override {
        return {stretchOf(store().parameter(id), begin, count)};
    }
    void updateCopies(ParameterId /*id*/, const at::Tensor& /*gradient*/, int64_t /*begin*/, double /*scale*/,
                      const std::vector<at::Tensor>& copies, Workers /*workers*/) const override {
        if (++updates == 1) mayEnd.get_future().wait();
        if (fails || updates == failsAt) throw std::runtime_error("the device gave up");
        at::Tensor parameter = copies.front();
        parameter.mul_(0).add_(1); // what is no number stays so
    }
    [[nodiscard]] std::vector<Moment> momentsAt(size_t /*position*/) const override { return {}; }

    mutable std::promise<void> mayEnd;
    mutable std::atomic<int> updates = 0;
    std::atomic<bool> fails = false;
    int failsAt = 0; ///< the so-manieth update; 0: none
};

ParameterStore::Options slowOptions(LinkSpeed link) {
    ParameterStore::Options options = updateOptions(at::kFloat, true);
    options.link = link;
    return options;
}

struct SlowBench {
    Schedule schedule = looseParameters(kUpdateShapes);
    ParameterStore store;
    SlowOptimizer optimizer;
    GradientFlow flow;
    bool computes;

    /// @param inBackward  the block computes as long as this lives
    explicit SlowBench(LinkSpeed link = {}, bool inBackward = false)
        : store(schedule, slowOptions(link))
        , optimizer(store)
        , flow({}, {&optimizer})
        , computes(inBackward) {
        flow.reserve();
        for (const ParameterId id : optimizer.trainable()) {
            at::Tensor parameter = store.parameter(id);
            parameter.zero_();
        }
        beginStep(1);
        if (!computes) return;
        store.beginPass({0});
        (void)store.acquire(0);
    }
    ~SlowBench() {
        if (!computes) return;
        store.release(0);
        store.endPass();
    }
    SlowBench(const SlowBench&) = delete;
    SlowBench& operator=(const SlowBench&) = delete;

    void beginStep(int64_t step) {
        const double rate = 1e-2;
        flow.beginStep(step, {&rate, 1});
    }
    void give(int index) {
        flow.sink(0)({0, index}, at::zeros(kUpdateShapes[static_cast<size_t>(index)], at::kFloat));
    }
    /// What the block that comes next would do to the place of this one.
    void overwritePlace(int index) const {
        if (computes) store.copyInUse({0, index}).fill_(std::numeric_limits<double>::quiet_NaN());
    }
    [[nodiscard]] bool isUpdated(int index) const {
        return at::equal(store.parameter({0, index}), at::ones(kUpdateShapes[static_cast<size_t>(index)]));
    }
};

class DeviceUpdateTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
};

TEST_F(DeviceUpdateTest, backwardGoesOnMeanwhile) {
    SlowBench bench;
    for (const int index : {4, 3, 2, 1, 0}) bench.give(index);
    EXPECT_FALSE(bench.flow.isFinal(0, 0));
    bench.optimizer.mayEnd.set_value();
    bench.flow.endMicroStep();
    EXPECT_TRUE(bench.flow.isFinal(0, 0));
    for (const int index : {4, 3, 2, 1, 0}) EXPECT_TRUE(bench.isUpdated(index)) << index;
    (void)bench.flow.endStep();
}

constexpr int64_t kFirstBytes = int64_t{5003} * 1031 * 4; // of the first parameter, and of its gradient

TEST_F(DeviceUpdateTest, makesRoomForWhatComputesNext) {
    for (const bool computes : {false, true}) {
        SlowBench bench({}, computes);
        const int64_t before = tierUse(Tier::Device).currentBytes;
        bench.give(0);
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, before + (computes ? 2 : 1) * kFirstBytes);
        bench.overwritePlace(0);
        bench.optimizer.mayEnd.set_value();
        bench.flow.waitForRoom(0);
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, before);
        EXPECT_TRUE(bench.isUpdated(0));
        bench.flow.endMicroStep();
        (void)bench.flow.endStep();
    }
}

/// Then parameters come from their home until the step is over.
TEST_F(DeviceUpdateTest, aCopyThatFindsNoMemoryIsDoneWithout) {
    SlowBench bench({}, true);
    const int64_t before = tierUse(Tier::Device).currentBytes;
    const int64_t fetched = bench.store.traffic().bytes;
    at::Tensor first = at::zeros(kUpdateShapes[0], at::kFloat);
    limitDeviceTier(before + kFirstBytes + 1);
    bench.flow.sink(0)({0, 0}, std::exchange(first, {}));
    limitDeviceTier(0);
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before + kFirstBytes);
    bench.give(2);
    bench.optimizer.mayEnd.set_value();
    bench.flow.endMicroStep();
    EXPECT_EQ(bench.flow.refusedCopies(), 1); // it was asked for once
    EXPECT_EQ(bench.store.traffic().bytes - fetched, 2 * (kFirstBytes + 5000 * 4));
    EXPECT_TRUE(bench.isUpdated(0));
    EXPECT_TRUE(bench.isUpdated(2));
    (void)bench.flow.endStep();

    bench.beginStep(2);
    bench.give(0);
    bench.flow.endMicroStep();
    EXPECT_EQ(bench.store.traffic().bytes - fetched, 3 * kFirstBytes + 2 * 5000 * 4);
    EXPECT_EQ(bench.flow.refusedCopies(), 1);
    (void)bench.flow.endStep();
}

TEST_F(DeviceUpdateTest, nothingGoesOnBesideALinkThatBlocks) {
    SlowBench bench({.blocking = true});
    bench.optimizer.mayEnd.set_value();
    bench.give(2);
    EXPECT_TRUE(bench.isUpdated(2)); // as soon as it was given
    bench.flow.endMicroStep();
    (void)bench.flow.endStep();
}

/// Whether the block computes meanwhile, so that its parameters are copied.
class FailingUpdates : public ::testing::TestWithParam<bool> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
};

TEST_P(FailingUpdates, failTheStep) {
    SlowBench bench({}, GetParam());
    bench.optimizer.fails = true;
    bench.optimizer.mayEnd.set_value();
    const auto wholeStep = [&] {
        for (int round = 0; round < 20; ++round) bench.give(0);
        bench.flow.endMicroStep();
    };
    EXPECT_THROW(wholeStep(), std::runtime_error);
    EXPECT_EQ(bench.optimizer.updates.load(), 1);
    EXPECT_FALSE(bench.isUpdated(0));
    bench.flow.discard();
    bench.optimizer.fails = false;
    bench.give(0);
    bench.flow.endMicroStep();
    EXPECT_TRUE(bench.isUpdated(0));
    (void)bench.flow.endStep();
}

/// Pieces before it and behind it are in slots by then.
TEST_P(FailingUpdates, failTheStepAmongOthers) {
    const int64_t before = tierUse(Tier::Device).currentBytes;
    {
        SlowBench bench({}, GetParam());
        const int64_t reserved = tierUse(Tier::Device).currentBytes;
        bench.optimizer.failsAt = 4;
        bench.optimizer.mayEnd.set_value();
        const auto wholeStep = [&] {
            bench.give(2);
            for (int round = 0; round < 3; ++round) bench.give(0);
            bench.flow.endMicroStep();
        };
        EXPECT_THROW(wholeStep(), std::runtime_error);
        EXPECT_EQ(bench.optimizer.updates.load(), 4);
        EXPECT_TRUE(bench.isUpdated(2)); // behind it nothing was done
        EXPECT_FALSE(bench.isUpdated(0));
        bench.flow.discard();
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, reserved);
        bench.give(0);
        bench.flow.endMicroStep();
        EXPECT_TRUE(bench.isUpdated(0));
        (void)bench.flow.endStep();
    }
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before);
}

TEST_P(FailingUpdates, leaveNothingBehindInAStepThatIsGivenUp) {
    const int64_t before = tierUse(Tier::Device).currentBytes;
    {
        SlowBench bench({}, GetParam());
        const int64_t reserved = tierUse(Tier::Device).currentBytes;
        for (int round = 0; round < 5; ++round) bench.give(0);
        bench.optimizer.mayEnd.set_value();
        bench.flow.discard();
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, reserved);
    }
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before);
}

INSTANTIATE_TEST_SUITE_P(parameters, FailingUpdates, ::testing::Bool(),
                         [](const auto& one) { return std::string(one.param ? "copied" : "fromHome"); });

TEST_F(DeviceUpdateTest, takesNoMemoryWhereGradientsRest) {
    const UpdateCase rests{"", optimizerOf(OptimizerKind::AdamW), at::kFloat, {.maxGradientNorm = 0.5}};
    const int64_t before = tierUse(Tier::Device).currentBytes;
    const UpdateBench bench(rests, true);
    const int64_t arena = bench.store.residentBytes();
    EXPECT_LE(tierUse(Tier::Device).currentBytes, before + arena);
}

TEST_F(DeviceUpdateTest, givesItsMemoryBackWhereNothingComesAnyMore) {
    SlowBench bench;
    bench.optimizer.mayEnd.set_value();
    const int64_t reserved = tierUse(Tier::Device).currentBytes;
    bench.store.place(StreamingOptions{}, {});
    bench.flow.reserve();
    EXPECT_LT(tierUse(Tier::Device).currentBytes, reserved);
    bench.store.place(StreamingOptions{.updatesOnDevice = true}, {});
    bench.flow.reserve();
    bench.give(0);
    bench.flow.endMicroStep();
    EXPECT_TRUE(bench.isUpdated(0));
    (void)bench.flow.endStep();
}

} // namespace
} // namespace homebooth::core

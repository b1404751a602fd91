// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Updates of streamed blocks on the device, to which states come, against those of blocks that stay there.
#include "tests/engine/update_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <limits>

namespace homebooth::core {
namespace {

class DeviceUpdates : public ::testing::TestWithParam<UpdateCase> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }

    /// As many as a plan counts with, or a few less: what of a cut parameter comes last may go with the next.
    static void expectCopies(const UpdateBench& bench) {
        const int64_t copies = bench.store.traffic().copies - bench.store.streamTraffic().copies;
        const int64_t expected = kUpdateSteps * bench.flow.visitCopies(0, 0);
        EXPECT_LE(copies, expected);
        EXPECT_GE(copies, expected - 4 * kUpdateSteps);
    }
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
        if (comes && computes) expectCopies(visits);
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

/// Waits at each update until they may end, and may then fail.
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
        const int number = ++updates;
        m_mayEnd.wait();
        if (fails || number == failsAt) throw std::runtime_error("the device gave up");
        at::Tensor parameter = copies.front();
        parameter.mul_(0).add_(1); // what is no number stays so
    }
    [[nodiscard]] std::vector<Moment> momentsAt(size_t /*position*/) const override { return {}; }

    std::promise<void> mayEnd;
    mutable std::atomic<int> updates = 0;
    std::atomic<bool> fails = false;
    int failsAt = 0; ///< the so-manieth update; 0: none

private:
    std::shared_future<void> m_mayEnd = mayEnd.get_future().share();
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
        const int64_t copied = computes ? bench.store.fetchBytes(0) : 0; // of the whole block at once
        EXPECT_EQ(tierUse(Tier::Device).currentBytes, before + kFirstBytes + copied);
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
    for (const int index : {0, 1, 2, 3, 4}) bench.give(index);
    for (const int index : {0, 1, 2, 3, 4}) EXPECT_TRUE(bench.isUpdated(index)) << index;
    bench.flow.endMicroStep();
    (void)bench.flow.endStep();
}

/// A block whose gradient stays for its update, and two whose gradients go home, of a parameter each.
struct MixedBench {
    static constexpr int64_t kElements = 50'000;
    static constexpr int64_t kGradientBytes = 4 * kElements;
    Schedule schedule = threeBlocks();
    ParameterStore store;
    SlowOptimizer optimizer;
    GradientFlow flow;

    explicit MixedBench(LinkSpeed link = {})
        : store(schedule, mixedOptions(link))
        , optimizer(store)
        , flow({}, {&optimizer}) {
        for (const int block : {0, 1, 2}) {
            at::Tensor parameter = store.parameter({block, 0});
            parameter.zero_();
            EXPECT_EQ(optimizer.visitsDevice(block), block == 0);
        }
        flow.reserve();
        const double rate = 1e-2;
        flow.beginStep(1, {&rate, 1});
    }
    void give(int block) { flow.sink(0)({block, 0}, at::zeros({kElements}, at::kFloat)); }
    void endsWith(const std::vector<int>& blocks) {
        flow.endMicroStep();
        (void)flow.endStep();
        for (const int block : blocks)
            EXPECT_TRUE(at::equal(store.parameter({block, 0}), at::ones({kElements}))) << block;
    }

private:
    static Schedule threeBlocks() {
        Schedule schedule;
        for (const char* name : {"visits", "goes", "goesToo"}) {
            BlockSpec block;
            block.kind = "loose";
            ParameterSpec parameter;
            parameter.name = name;
            parameter.shape = {kElements};
            block.parameters.push_back(parameter);
            schedule.add(block, {}, {});
        }
        return schedule;
    }
    static ParameterStore::Options mixedOptions(LinkSpeed link) {
        ParameterStore::Options options = slowOptions(link);
        options.streaming->updatedAtHome = {false, true, true};
        return options;
    }
};

/// Gradients of some blocks go home while states come for those of others: what both have on the device
/// counts together.
TEST_F(DeviceUpdateTest, makesRoomWhicheverWayGradientsGo) {
    MixedBench bench({.bytesPerSecond = 1e6}); // 0.2 s each
    bench.optimizer.mayEnd.set_value();
    const int64_t before = tierUse(Tier::Device).currentBytes;
    for (const int block : {1, 0}) bench.give(block);
    bench.flow.waitForRoom(MixedBench::kGradientBytes);
    EXPECT_LE(tierUse(Tier::Device).currentBytes, before + MixedBench::kGradientBytes);
    bench.flow.waitForRoom(0);
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, before);
    bench.endsWith({0, 1});
}

/// A processor that is busy with what came before keeps nothing on the device that has arrived at home.
TEST_F(DeviceUpdateTest, whatHasArrivedAtHomeMakesRoomBeforeItIsUsed) {
    MixedBench bench;
    const int64_t before = tierUse(Tier::Device).currentBytes;
    for (const int block : {2, 1, 0}) bench.give(block);
    std::promise<void> hasRoom;
    std::future<bool> inTime = std::async(std::launch::async, [&bench, room = hasRoom.get_future()] {
        constexpr std::chrono::seconds kFarTooLong{20};
        const bool found = room.wait_for(kFarTooLong) == std::future_status::ready;
        bench.optimizer.mayEnd.set_value(); // until then nothing is updated, here or there
        return found;
    });
    bench.flow.waitForRoom(MixedBench::kGradientBytes);
    const int64_t there = tierUse(Tier::Device).currentBytes;
    hasRoom.set_value();
    EXPECT_TRUE(inTime.get());
    EXPECT_EQ(there, before + MixedBench::kGradientBytes);
    bench.endsWith({0, 1, 2});
}

/// Small parameters, some of them with other states than others.
struct SmallParameters {
    Schedule schedule = looseParameters({{300, 7}, {3}, {64, 3, 3, 3}, {4096}, {70, 70}, {1}});
    ParameterStore store{schedule, updateOptions(at::kBFloat16, true)};
    std::unique_ptr<Optimizer> optimizer;

    explicit SmallParameters(MasterWeights master)
        : optimizer(makeOptimizer(optimizerOf(OptimizerKind::AdamW8bit, StateType::Fp32, master), store, 5)) {
        for (const NamedTensor& state : optimizer->stateTensors()) {
            at::Tensor target = state.tensor;
            target.copy_(at::randint(0, 200, target.sizes()));
        }
    }
    [[nodiscard]] std::vector<at::Tensor> touched(const UpdateStretch& stretch) const {
        return optimizer->touched({0, stretch.index}, stretch.begin, stretch.count);
    }
};

void carryOut(const std::vector<LinkCopy>& copies) {
    for (const LinkCopy& one : copies) std::memcpy(one.target, one.source, static_cast<size_t>(one.bytes));
}

TEST_F(DeviceUpdateTest, smallParametersOfABlockShareTheirCopies) {
    for (const MasterWeights master : {MasterWeights::None, MasterWeights::Fp32}) {
        const SmallParameters small(master);
        const bool masters = master == MasterWeights::Fp32;
        const UpdatePieces pieces(*small.optimizer, UpdatePieces::kMostBytes);
        ASSERT_EQ(pieces.of(0).size(), 1U);
        const UpdatePiece& piece = pieces.of(0).front();
        ASSERT_EQ(piece.size(), 6U);
        EXPECT_EQ(pieces.copiesOf(0), masters ? 5 : 3);
        const at::Tensor slot = at::full({pieces.slotBytes()}, 77, at::kByte);
        const LandedPiece landed =
            landedIn(slot, *small.optimizer, 0, piece, std::vector<at::Tensor>(piece.size()));
        EXPECT_EQ(landed.coming.all.size(), masters ? 1U : 2U); // states, and parameters that have no masters
        EXPECT_EQ(landed.leaving.all.size(), 2U);
        carryOut(landed.coming.all);
        for (size_t i = 0; i < piece.size(); ++i) {
            const std::vector<at::Tensor> own = small.touched(piece[i]);
            ASSERT_EQ(landed.tensors[i].size(), own.size());
            for (size_t which = 0; which < own.size(); ++which) {
                ASSERT_EQ(landed.tensors[i][which].defined(), own[which].defined());
                if (own[which].defined() && (which > 0 || !masters)) {
                    EXPECT_TRUE(at::equal(landed.tensors[i][which], own[which])) << i << ' ' << which;
                }
                if (own[which].defined())
                    at::Tensor(landed.tensors[i][which]).fill_(static_cast<int64_t>(i + which));
            }
        }
        carryOut(landed.leaving.all);
        for (size_t i = 0; i < piece.size(); ++i) {
            const std::vector<at::Tensor> own = small.touched(piece[i]);
            for (size_t which = 0; which < own.size(); ++which)
                if (own[which].defined()) {
                    EXPECT_TRUE(
                        at::equal(own[which], at::full_like(own[which], static_cast<double>(i + which))));
                }
        }
    }
}

TEST_F(DeviceUpdateTest, piecesHaveEveryElementOnceAndFitTheirSlot) {
    const Schedule schedule = looseParameters(kUpdateShapes);
    ParameterStore store(schedule, updateOptions(at::kBFloat16, true));
    const auto optimizer = makeOptimizer(optimizerOf(OptimizerKind::AdamW8bit), store, 5);
    for (const int64_t most : {int64_t{0}, int64_t{100000}, int64_t{1} << 20, UpdatePieces::kMostBytes}) {
        const UpdatePieces pieces(*optimizer, most);
        EXPECT_LE(pieces.slotBytes(), std::max(most, int64_t{32} << 10));
        std::vector<int64_t> next(kUpdateShapes.size(), 0);
        for (const UpdatePiece& piece : pieces.of(0)) {
            EXPECT_FALSE(piece.empty());
            for (const UpdateStretch& stretch : piece) {
                int64_t& begin = next.at(static_cast<size_t>(stretch.index));
                EXPECT_EQ(stretch.begin, begin);
                EXPECT_EQ(stretch.begin % Optimizer::kRangeUnit, 0);
                begin += stretch.count;
                const int64_t all = store.parameter({0, stretch.index}).numel();
                EXPECT_EQ(stretch.ends, begin == all);
            }
        }
        for (size_t index = 0; index < next.size(); ++index)
            EXPECT_EQ(next[index], store.parameter({0, static_cast<int>(index)}).numel()) << index;
    }
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
            bench.flow.waitForRoom(std::numeric_limits<int64_t>::max() / 2); // nothing: it is on its way
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

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Learning rates and moving averages against diffusers.
#include "core/engine/optim/ema.h"
#include "core/engine/optim/learning_rate.h"
#include "tests/engine/optim_support.h"

namespace homebooth::core {
namespace {

TEST(LearningRate, followsDiffusers) {
    const OptimizerFixture fixture;
    const std::map<std::string, LearningRateSchedule> schedules = {
        {"constant", LearningRateSchedule::Constant},
        {"linear", LearningRateSchedule::Linear},
        {"cosine", LearningRateSchedule::Cosine}};
    for (const auto& [name, schedule] : schedules) {
        for (const int64_t warmup : {0, 5}) {
            const at::Tensor expected = fixture["rate." + name + "." + std::to_string(warmup)];
            for (int64_t step = 1; step <= 20; ++step)
                EXPECT_NEAR(learningRateFactor(schedule, step, 20, warmup), expected[step - 1].item<double>(),
                            1e-15)
                    << name << ", warm-up " << warmup << ", step " << step;
        }
    }
}

TEST(LearningRate, isFiniteAtTheEdges) {
    for (const LearningRateSchedule schedule :
         {LearningRateSchedule::Constant, LearningRateSchedule::Linear, LearningRateSchedule::Cosine}) {
        EXPECT_EQ(learningRateFactor(schedule, 1, 1, 0), 1.0);
        EXPECT_EQ(learningRateFactor(schedule, 1, 3, 3), 0.0);
        EXPECT_GE(learningRateFactor(schedule, 500, 20, 5), 0.0);
    }
}

/// A store whose p0 follows the fixture's AdamW run.
struct Learner {
    OptimizerFixture fixture;
    Schedule schedule = looseParameters(OptimizerFixture::shapes());
    ParameterStore store;
    std::unique_ptr<Optimizer> optimizer;

    explicit Learner(at::ScalarType type)
        : store(schedule, {.type = type}) {
        fixture.fillStart(store);
        optimizer = makeOptimizer(OptimizerFixture::config(OptimizerKind::AdamW), store, 0);
    }
    void step(int64_t number) {
        optimizer->beginStep(number, OptimizerFixture::config(OptimizerKind::AdamW).learningRate);
        for (const ParameterId id : optimizer->trainable())
            optimizer->update(id, fixture.gradient(number - 1, store, id), 1.0);
    }
};

TEST(Ema, followsDiffusers) {
    Learner learner(at::kFloat);
    Ema ema(*learner.optimizer, 0.6, StateMemory::beside(learner.store));
    for (int64_t step = 1; step <= OptimizerFixture::kSteps; ++step) {
        learner.step(step);
        ema.update(step);
        const at::Tensor expected = learner.fixture["ema." + std::to_string(step - 1)];
        EXPECT_LT(relativeError(ema.stateTensors()[0].tensor, expected), 1e-6) << "step " << step;
    }
}

/// On a disk averages have the same bytes, also while they stand for the parameters.
TEST(Ema, isTheSameOnADisk) {
    Learner learner(at::kBFloat16);
    SwappedMemoryOptions options;
    options.folder = ::testing::TempDir();
    options.bytes = 64 << 10;
    options.pageBytes = 4096;
    auto disk = SwappedMemory::create(options);
    ASSERT_TRUE(disk.ok()) << disk.error().text();
    Ema inMemory(*learner.optimizer, 0.9, StateMemory::beside(learner.store));
    Ema onDisk(*learner.optimizer, 0.9, StateMemory::swapped(learner.store, **disk, 0));
    EXPECT_EQ(onDisk.stateBytesIn(Tier::Device), 0);
    for (int64_t step = 1; step <= 3; ++step) {
        learner.step(step);
        inMemory.update(step);
        onDisk.update(step);
    }
    const auto averages = onDisk.stateTensors();
    for (size_t i = 0; i < averages.size(); ++i) {
        const auto held = holdTensor(averages[i], false);
        EXPECT_TRUE(at::equal(averages[i].tensor, inMemory.stateTensors()[i].tensor));
    }
    const at::Tensor before = learner.store.parameter({0, 0}).clone();
    inMemory.swapIn();
    const at::Tensor averaged = learner.store.parameter({0, 0}).clone();
    inMemory.swapOut();
    onDisk.swapIn();
    EXPECT_TRUE(at::equal(learner.store.parameter({0, 0}), averaged));
    onDisk.swapOut();
    EXPECT_TRUE(at::equal(learner.store.parameter({0, 0}), before));
}

TEST(Ema, swapsInAndOutBitForBit) {
    Learner learner(at::kBFloat16);
    Ema ema(*learner.optimizer, 0.9, StateMemory::beside(learner.store));
    for (int64_t step = 1; step <= 3; ++step) {
        learner.step(step);
        ema.update(step);
    }
    const at::Tensor before = learner.store.parameter({0, 0}).clone();
    ema.swapIn();
    EXPECT_TRUE(ema.swappedIn());
    EXPECT_FALSE(at::equal(learner.store.parameter({0, 0}), before));
    EXPECT_TRUE(at::equal(learner.store.parameter({0, 0}), ema.stateTensors()[0].tensor.to(at::kBFloat16)));
    EXPECT_THROW(ema.update(4), c10::Error);
    EXPECT_THROW(ema.swapIn(), c10::Error);
    ema.swapOut();
    EXPECT_FALSE(ema.swappedIn());
    EXPECT_TRUE(at::equal(learner.store.parameter({0, 0}), before));
}

/// Else they would take the room of a step on the device, which a limit holds.
TEST(Ema, keepsWhatItReplacesBesideTheParameters) {
    meterHostMemory();
    constexpr int64_t kSide = 64;
    const Schedule schedule = looseParameters({{kSide, kSide}});
    ParameterStore::Options options;
    options.streaming.emplace();
    ParameterStore store(schedule, options);
    store.parameter({0, 0}).fill_(1.0);
    const auto optimizer = makeOptimizer(OptimizerFixture::config(OptimizerKind::AdamW), store, 0);
    Ema ema(*optimizer, 0.9, StateMemory::beside(store));
    const int64_t device = tierUse(Tier::Device).currentBytes;
    const int64_t ram = tierUse(Tier::Ram).currentBytes;
    ema.swapIn();
    EXPECT_EQ(tierUse(Tier::Device).currentBytes, device);
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes, ram + kSide * kSide * static_cast<int64_t>(sizeof(float)));
    ema.swapOut();
    EXPECT_EQ(tierUse(Tier::Ram).currentBytes, ram);
}

TEST(Ema, savedAveragesContinueBitForBit) {
    Learner learner(at::kFloat);
    Ema whole(*learner.optimizer, 0.9, StateMemory::beside(learner.store));
    learner.step(1);
    whole.update(1);
    std::map<std::string, at::Tensor> saved;
    for (const NamedTensor& state : whole.stateTensors()) saved[state.name] = state.tensor.clone();
    Ema resumed(*learner.optimizer, 0.9, StateMemory::beside(learner.store));
    for (const NamedTensor& state : resumed.stateTensors())
        ASSERT_TRUE(copyState(state, lookupIn(saved)).ok());
    learner.step(2);
    whole.update(2);
    resumed.update(2);
    for (size_t i = 0; i < saved.size(); ++i)
        EXPECT_TRUE(at::equal(whole.stateTensors()[i].tensor, resumed.stateTensors()[i].tensor));
}

} // namespace
} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// RAM beside the device that is too little, or used up altogether: refused with a figure that is enough.
#include "core/base/plan/own_limits.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/engine/planning/held_room.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/tier_kinds.h"
#include "step_plan_support.h"

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr int64_t kMebibyte = int64_t{1} << 20;

class RamBudgets : public StepPlanTest {
protected:
    RamBudgets() {
        m_config.memory.device = ComputeDevice::Cpu; // whatever this machine has
        m_config.data.resolutionPixels = 64;         // parameters count more than activations
        m_config.batchSize = 2;
    }

    /// Refused for want of RAM with a figure that is enough, and no more than that.
    void expectRefusal(StepBudget budget) const {
        const auto refused = plan(budget);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::OutOfResources);
        const int64_t enough = ramNamedIn(refused.error());
        ASSERT_GT(enough, 0) << refused.error().message;
        budget.ramBytes = enough - budget.ramProgramBytes;
        const auto found = plan(budget);
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_TRUE(found->placement.streaming.has_value());
        *budget.ramBytes -= kMebibyte;
        EXPECT_FALSE(plan(budget).ok());
    }
};

TEST_F(RamBudgets, thatAreUsedUpAreRefusedWithWhatIsEnough) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    for (const int64_t left : {int64_t{1000}, int64_t{0}, -kPlenty}) expectRefusal({kPlenty, 0, left});
}

TEST_F(RamBudgets, thatHoldSomeOfTheBlocksAreEnoughWhereOthersStay) {
    const auto resident = plan({kPlenty});
    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto streamed = plan({kPlenty, 0, kPlenty});
    ASSERT_TRUE(resident.ok() && streamed.ok());
    m_config.memory.policy = PlacementPolicy::Auto;
    m_speed.linkBytesPerSecond = 1e7;
    StepBudget budget{resident->need.devicePeakBytes * 8 / 10, 0, kPlenty};
    const auto mixed = plan(budget);
    ASSERT_TRUE(mixed.ok()) << mixed.error().text();
    ASSERT_LT(mixed->need.ramPeakBytes, streamed->need.ramPeakBytes);
    budget.ramBytes = mixed->need.ramPeakBytes;
    const auto found = plan(budget);
    ASSERT_TRUE(found.ok()) << found.error().text();
    EXPECT_TRUE(found->placement.streaming.has_value());
    EXPECT_LE(found->need.ramPeakBytes, *budget.ramBytes);
    EXPECT_LE(found->need.devicePeakBytes, budget.deviceBytes);
    budget.ramBytes = kMebibyte;
    EXPECT_FALSE(plan(budget).ok());
}

TEST_F(RamBudgets, thatTheProgramSharesCountIt) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    StepBudget budget{kPlenty, 0, -5 * kMebibyte};
    budget.ramProgramBytes = 105 * kMebibyte;
    expectRefusal(budget);
    EXPECT_NE(plan(budget).error().message.find("100 MiB may be used"), std::string::npos);
}

TEST_F(RamBudgets, thatTheUserLimitsDoForTheWholeRun) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.memory.deviceBytes = kPlenty / 8;
    StepBudget budget{m_config.memory.deviceBytes, 0, -m_config.memory.deviceBytes};
    budget.partOfRam = true; // as memory_room has it: nothing but what stands for the device
    const int64_t ofSteps = ramNamedIn(plan(budget).error());
    budget.split.limitBytes = kMebibyte;
    const int64_t named = ramNamedIn(plan(budget).error());
    EXPECT_GT(named, ofSteps);
    budget.ramBytes = named - budget.deviceBytes;
    const auto found = plan(budget);
    ASSERT_TRUE(found.ok()) << found.error().text();
    const TierPeaks peaks = tierPeaksOf(found->need);
    StepNeed need;
    need.device = peaks.device;
    need.ram = peaks.ram;
    EXPECT_TRUE(planTraining(m_config, m_model, {false, 0, named}, need).ok());
}

/// The memory that a refusal names where the processor computes, bytes; 0 where it names none.
int64_t leastNamedIn(const Error& refusal) {
    const std::string words = "needs at least ";
    const size_t found = refusal.message.find(words);
    return found == std::string::npos ? 0 : std::stoll(refusal.message.substr(found + words.size())) << 20;
}

/// Texts, latents and encoded captions lie there while pictures and captions are encoded, too, which takes
/// more than the leanest steps.
TEST_F(RamBudgets, thatHoldPicturesDoForEncodingThem) {
    constexpr int64_t kHeld = 100 * kMebibyte;
    const int64_t program = programBytes(/*gpu=*/false);
    m_model.text.config.vocabularySize = 8'000'000; // of an encoder that does not learn
    m_config.method = TrainMethod::Lora;
    m_config.lora.rank = 4;
    m_config.output.previewEverySteps = 0;
    StepBudget budget{kMebibyte / 16, program};
    budget.inRam = true;
    budget = besideHeld(budget, kHeld);
    ASSERT_EQ(budget.heldBytes, kHeld);
    const auto refused = plan(budget);
    ASSERT_FALSE(refused.ok());
    const int64_t named = leastNamedIn(refused.error());
    const int64_t encoding = encodingNeed(m_config, m_model).mostAtOnceBytes();
    EXPECT_GE(named, program + kHeld + encoding) << refused.error().message;
    budget.deviceBytes = named - budget.programBytes;
    const auto found = plan(budget);
    ASSERT_TRUE(found.ok()) << found.error().text();
    ASSERT_LT(found->need.devicePeakBytes, encoding);
    const TierPeaks peaks = tierPeaksOf(found->need);
    StepNeed need;
    need.device = peaks.device;
    need.ram = peaks.ram;
    need.encodingBytes = 0;
    EXPECT_TRUE(hasRoomBeside(m_config, m_model, need, kHeld, /*gpu=*/false, named));
    need.ram.cacheBytes += kHeld;
    const auto whole = planTraining(m_config, m_model, {false, 0, named}, need);
    ASSERT_TRUE(whole.ok()) << whole.error().text();
    constexpr int64_t kPage = 4096;
    const int64_t exactly = whole->event.predicted.ramBytes; // a refusal names whole MiB
    EXPECT_LT(named - exactly, kMebibyte);
    EXPECT_TRUE(planTraining(m_config, m_model, {false, 0, exactly}, need).ok());
    EXPECT_FALSE(planTraining(m_config, m_model, {false, 0, exactly - kPage}, need).ok());
}

/// What stands for the device is a part of the RAM that there is.
class SharedBudgets : public RamBudgets {
protected:
    SharedBudgets() { m_config.memory.policy = PlacementPolicy::Cpu; }

    /// Of so many bytes in all, of which the device may take more than the steps need.
    [[nodiscard]] static StepBudget sharing(int64_t bytes) {
        StepBudget budget{kPlenty, 0, bytes - kPlenty};
        budget.partOfRam = true;
        return budget;
    }
    /// What the leanest steps take of both.
    [[nodiscard]] int64_t leastOf(bool statesOnDisk, bool homesOnDisk) const {
        StepPlacement homes{.streaming = StreamingOptions{}};
        homes.allStatesOnDisk = statesOnDisk;
        homes.streaming->homeOnDisk = homesOnDisk;
        const auto lean = planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes);
        return lean->need.devicePeakBytes + lean->need.ramPeakBytes;
    }
    static int64_t bothOf(const StepPlan& plan) { return plan.need.devicePeakBytes + plan.need.ramPeakBytes; }
};

TEST_F(SharedBudgets, giveRamWhatTheDeviceDoesNotTake) {
    const int64_t least = leastOf(false, false);
    for (const int64_t bytes : {least, least * 11 / 10, 2 * least, kPlenty}) {
        const auto found = plan(sharing(bytes));
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_LE(bothOf(*found), bytes);
    }
    EXPECT_FALSE(plan(sharing(least / 2)).ok());
}

/// Blocks that stay take the same memory: where all of them are too much others are streamed, from a disk.
TEST_F(SharedBudgets, holdWhateverStays) {
    m_config.memory.policy = PlacementPolicy::Auto;
    m_config.memory.swapDir = "somewhere"; // nothing is opened for a plan
    m_config.optimizer.emaDecay = 0.9;
    m_config.optimizer.maxGradientNorm = 1.0;
    const auto resident = plan(sharing(kPlenty));
    ASSERT_TRUE(resident.ok());
    EXPECT_FALSE(resident->placement.streaming.has_value());
    const auto leanest = planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, StepPlacement());
    ASSERT_TRUE(leanest.ok());
    const int64_t most = bothOf(*resident);
    const int64_t leastStaying = bothOf(*leanest);
    ASSERT_LE(leastStaying, most);
    for (const int64_t bytes : {most, (most + leastStaying) / 2, leastStaying}) {
        const auto found = plan(sharing(bytes));
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_LE(bothOf(*found), bytes);
    }
    for (const int64_t bytes : {leastStaying - 1, leastStaying / 2}) { // with states on the disk, if at all
        const auto found = plan(sharing(bytes));
        EXPECT_LE(found.ok() ? bothOf(*found) : 0, bytes);
    }
    EXPECT_FALSE(plan(sharing(leastStaying / 16)).ok()); // less than the parameters take
}

TEST_F(SharedBudgets, sendHomesToADiskWhereBothAreTooMuch) {
    m_config.memory.swapDir = "somewhere"; // nothing is opened for a plan
    m_config.optimizer.emaDecay = 0.9;
    m_config.optimizer.maxGradientNorm = 1.0;
    const int64_t nothingOut = leastOf(false, false);
    const int64_t statesOut = leastOf(true, false);
    const int64_t allOut = leastOf(true, true);
    ASSERT_LT(statesOut, nothingOut);
    ASSERT_LT(allOut, statesOut);
    for (const int64_t bytes : {nothingOut, statesOut, allOut}) {
        const auto found = plan(sharing(bytes));
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_EQ(found->placement.allStatesOnDisk, bytes < nothingOut);
        EXPECT_EQ(found->placement.streaming->homeOnDisk, bytes < statesOut);
        EXPECT_LE(bothOf(*found), bytes);
    }
}

/// No tier lets all stay where it computes; a tier with nothing left is asked for its part.
TEST_F(RamBudgets, thatAreUsedUpAreNotTakenForNone) {
    m_config.memory.policy = PlacementPolicy::Auto;
    const auto resident = plan({kPlenty});
    ASSERT_TRUE(resident.ok()) << resident.error().text();
    EXPECT_TRUE(plan({kPlenty, 0, 0}).ok()); // which needs none
    const int64_t tight = resident->need.devicePeakBytes * 45 / 100;
    const auto alone = plan({tight});
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(ramNamedIn(alone.error()), 0);
    expectRefusal({tight, 0, 0});
}

TEST_F(RamBudgets, thatAreUsedUpAreNamedBesideADeviceThatIsTooSmall) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    const auto refused = plan({1, 0, 0});
    ASSERT_FALSE(refused.ok());
    EXPECT_GT(ramNamedIn(refused.error()), 0) << refused.error().message;
    const auto device = plan({1, 0, kPlenty});
    ASSERT_FALSE(device.ok());
    EXPECT_EQ(ramNamedIn(device.error()), 0) << device.error().message;
}

/// With values in RAM the device is large enough, so RAM is what to ask for.
TEST_F(RamBudgets, thatValuesDoNotFitIntoAreWhatIsRefused) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 256; // values count
    const auto peakWith = [this](bool valuesInRam) {
        StepPlacement homes{.streaming = StreamingOptions{}};
        homes.valuesInRam = valuesInRam;
        return planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes)->need.devicePeakBytes;
    };
    ASSERT_LT(peakWith(true), peakWith(false));
    const int64_t between = (peakWith(true) + peakWith(false)) / 2;
    ASSERT_TRUE(plan({between, 0, kPlenty}).ok());
    expectRefusal({between, 0, 0});
}

/// The device's own figure is told, but other programs' RAM would do as well.
TEST_F(RamBudgets, thatValuesWouldNeedAreToldBesideTheDevices) {
    m_config.memory.policy = PlacementPolicy::Cpu;
    m_config.data.resolutionPixels = 512; // values count more than a block that comes a turn sooner
    const auto needWith = [this](bool valuesInRam, int turnsAhead) {
        StepPlacement homes{.streaming = StreamingOptions{}};
        homes.streaming->prefetchDistance = turnsAhead;
        homes.valuesInRam = valuesInRam;
        return planAlike(m_config, m_model, m_speed, KeptForBackward::Inputs, homes)->need;
    };
    const Rehearsal staying = needWith(false, 1); // the least with values on the device
    const Rehearsal leaving = needWith(true, 2);
    ASSERT_LT(leaving.devicePeakBytes, staying.devicePeakBytes);
    ASSERT_LT(staying.ramPeakBytes, leaving.ramPeakBytes);
    const int64_t device = (staying.devicePeakBytes + leaving.devicePeakBytes) / 2;
    const auto refused = plan({device, 0, (staying.ramPeakBytes + leaving.ramPeakBytes) / 2});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(ramNamedIn(refused.error()), 0) << refused.error().message;
    EXPECT_NE(refused.error().message.find(kMoreRamWouldDo), std::string::npos) << refused.error().message;
    const auto tooSmall = plan({1, 0, kPlenty}); // whatever RAM there is
    ASSERT_FALSE(tooSmall.ok());
    EXPECT_EQ(tooSmall.error().message.find(kMoreRamWouldDo), std::string::npos);
}

} // namespace

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run says of its memory, on the CPU and on a device that stands for a GPU.
#include "core/base/plan/training/train_sizes.h"
#include "core/base/system/memory_facts.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/training/memory_report.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <gtest/gtest.h>

using namespace homebooth::core;

namespace {

const at::Device kGpu(at::kPrivateUse1, 0);
constexpr size_t kAll = 0;
constexpr int64_t kPlenty = int64_t{2} << 30;

/// Allocates nothing and has fixed figures.
class FiguresAlone final : public c10::DeviceAllocator {
public:
    at::DataPtr allocate(size_t) override { return {nullptr, at::Device(at::kPrivateUse1, 0)}; }
    void copy_data(void*, const void*, size_t) const override {}
    bool initialized() override { return true; }
    void emptyCache(c10::MempoolId_t) override {}
    void recordStream(const at::DataPtr&, c10::Stream) override {}
    c10::CachingDeviceAllocator::DeviceStats getDeviceStats(c10::DeviceIndex) override {
        c10::CachingDeviceAllocator::DeviceStats stats;
        stats.allocated_bytes[kAll].current = 300;
        stats.allocated_bytes[kAll].peak = 900;
        stats.reserved_bytes[kAll].current = 1000;
        return stats;
    }
    void resetAccumulatedStats(c10::DeviceIndex) override {}
    void resetPeakStats(c10::DeviceIndex) override {}
    std::pair<size_t, size_t> getMemoryInfo(c10::DeviceIndex) override { return {4000, 8000}; }
};

void useFigures() {
    static FiguresAlone figures;
    c10::SetAllocator(at::kPrivateUse1, &figures);
}

KnownMemory known() {
    KnownMemory memory;
    memory.computing.parameterBytes = 100;
    memory.computing.gradientBytes = 20;
    memory.computing.stateBytes = 80;
    memory.computing.cacheBytes = 50;
    return memory;
}

TEST(MemoryReport, readsTheDevicesPeakAndRoom) {
    useFigures();
    const MemoryPeaks peaks = memoryPeaks(kGpu);
    EXPECT_EQ(peaks.deviceBytes, 900);
    EXPECT_GT(peaks.residentBytes, 0);
    EXPECT_EQ(roomOn(kGpu).freeBytes, 4700); // what LibTorch keeps without using it is free, too
    EXPECT_EQ(roomOn(kGpu).usedBytes, 300);
    EXPECT_EQ(roomOn(kGpu).otherBytes, 3000);
}

/// Without a tier parameters stay where they compute, and no plan asks for RAM.
TEST(MemoryRoom, ramThatIsUsedUpIsStillATier) {
    MemoryConfig memory;
    memory.deviceBytes = int64_t{1} << 50; // what stands for it leaves nothing
    for (const StepBudget& budget :
         {stepBudget(at::kCPU, memory), stepBudgetOfRun(at::kCPU, memory, {0, kPlenty})}) {
        ASSERT_TRUE(budget.ramBytes.has_value());
        EXPECT_LT(*budget.ramBytes, 0);
    }
    memory.deviceBytes = int64_t{1} << 20;
    const std::vector<char> taken(size_t{1} << 29, 1); // all but the program is the run's own then
    EXPECT_GT(*stepBudgetOfRun(at::kCPU, memory, {}).ramBytes, *stepBudget(at::kCPU, memory).ramBytes);
    EXPECT_EQ(taken.back(), 1);
}

/// Whatever of its own it holds by then, and the program and texts are not.
TEST(MemoryRoom, aRunThatIsPlannedAgainHasNoMoreRamThanAtItsStart) {
    useFigures();
    constexpr int64_t kTexts = int64_t{300} << 20;
    MemoryConfig memory;
    memory.ramBytes = kPlenty; // no more than that binds
    if (memoryFacts().usableBytes() < 4 * kPlenty) GTEST_SKIP() << "the machine itself has too little";
    const auto ramOf = [&](at::Device device, const UseAtStart& atStart) {
        memory.policy = device.is_cpu() ? PlacementPolicy::Auto : PlacementPolicy::Cpu;
        const StepBudget budget = stepBudgetOfRun(device, memory, atStart);
        EXPECT_EQ(budget.textBytes, atStart.textBytes);
        return device.is_cpu() ? budget.deviceBytes : *budget.ramBytes;
    };
    for (const size_t bytes : {size_t{1} << 20, size_t{1} << 29}) {
        const std::vector<char> taken(bytes, 1);
        for (const at::Device device : {at::Device(at::kCPU), kGpu}) {
            const int64_t program = programBytes(!device.is_cpu());
            EXPECT_EQ(ramOf(device, {0, 1}), kPlenty - program);
            EXPECT_EQ(ramOf(device, {0, program + 1}), kPlenty - program - 1);
            EXPECT_EQ(ramOf(device, {0, program + 1, kTexts}), kPlenty - program - kTexts);
        }
        EXPECT_EQ(taken.back(), 1);
    }
}

TEST(MemoryRoom, ramOfLessThanTheProgramTakesIsUsedUp) {
    useFigures();
    MemoryConfig memory;
    memory.ramBytes = int64_t{1} << 20;
    memory.policy = PlacementPolicy::Cpu;
    for (const at::Device device : {at::Device(at::kCPU), kGpu}) {
        const StepBudget budget = stepBudget(device, memory);
        ASSERT_TRUE(budget.ramBytes.has_value());
        EXPECT_LT(*budget.ramBytes, 0);
        EXPECT_EQ(*budget.ramBytes + budget.ramProgramBytes, memory.ramBytes); // what is left of it, in words
    }
    EXPECT_EQ(stepBudget(kGpu, memory).deviceBytes, 4700 * 9 / 10); // that is not the GPU's
}

/// As for a run that waits until another one has ended.
TEST(MemoryRoom, whatOthersGiveBackUntilThenCountsAsFree) {
    useFigures();
    constexpr int64_t kMuch = int64_t{64} << 30;
    MemoryConfig memory;
    memory.policy = PlacementPolicy::Cpu;
    const StepBudget then = stepBudget(kGpu, memory, 1, {5700, kMuch});
    EXPECT_EQ(then.deviceBytes, 5700 * 9 / 10);
    EXPECT_EQ(stepBudget(kGpu, memory, 1, {std::nullopt, kMuch}).deviceBytes, 4700 * 9 / 10); // nobody knows
    const int64_t now = *stepBudget(kGpu, memory).ramBytes;
    EXPECT_NEAR(static_cast<double>(*then.ramBytes - now), 0.9 * kMuch, 0.05 * kMuch); // others go on
    memory.ramBytes = int64_t{1} << 30; // what the user allows stays the limit
    EXPECT_LT(*stepBudget(kGpu, memory, 1, {5700, kMuch}).ramBytes, memory.ramBytes);
}

/// A process that plans takes less than a plan counts for it: steps that fill their budget would be refused.
TEST(MemoryRoom, aLimitLeavesWhatPlansCountForTheProgram) {
    useFigures();
    MemoryConfig memory;
    memory.ramBytes = int64_t{1} << 30;
    const StepBudget one = stepBudget(at::kCPU, memory);
    EXPECT_LE(one.deviceBytes + programBytes(/*gpu=*/false), memory.ramBytes);
    EXPECT_GT(one.deviceBytes, memory.ramBytes / 3);
    memory.policy = PlacementPolicy::Cpu;
    EXPECT_LE(*stepBudget(kGpu, memory).ramBytes + programBytes(/*gpu=*/true), memory.ramBytes);
}

/// What stands for the device lies in the RAM that the user allows.
TEST(MemoryRoom, aLimitHoldsWhatStandsForTheDeviceToo) {
    MemoryConfig memory;
    memory.deviceBytes = int64_t{256} << 20;
    memory.ramBytes = kPlenty;
    for (const PlacementPolicy policy : {PlacementPolicy::Auto, PlacementPolicy::Cpu}) {
        memory.policy = policy;
        const StepBudget budget = stepBudget(at::kCPU, memory);
        EXPECT_EQ(budget.deviceBytes, memory.deviceBytes);
        ASSERT_TRUE(budget.ramBytes.has_value());
        EXPECT_LE(budget.deviceBytes + *budget.ramBytes + programBytes(/*gpu=*/false), memory.ramBytes);
        // Of the device what steps do not take is RAM's.
        EXPECT_EQ(budget.ramBeside(memory.deviceBytes), budget.ramBytes);
        EXPECT_EQ(budget.ramBeside(2 * memory.deviceBytes), budget.ramBytes);
        EXPECT_EQ(*budget.ramBeside(1000), *budget.ramBytes + memory.deviceBytes - 1000);
    }
    useFigures();
    EXPECT_FALSE(stepBudget(kGpu, memory).partOfRam);
}

/// As they will be when they have been read: in RAM, whatever computes.
TEST(MemoryRoom, textsAreTakenFromRamBeforeTheyAreRead) {
    useFigures();
    constexpr int64_t kTexts = int64_t{100} << 20;
    for (const at::Device device : {at::Device(at::kCPU), kGpu})
        for (const PlacementPolicy policy : {PlacementPolicy::Auto, PlacementPolicy::Cpu})
            for (const int64_t deviceBytes : {int64_t{0}, int64_t{1} << 20}) {
                MemoryConfig memory;
                memory.policy = policy;
                memory.deviceBytes = deviceBytes;
                memory.ramBytes = int64_t{1} << 30;
                const StepBudget before = stepBudget(device, memory);
                const StepBudget beside = besideTexts(before, kTexts);
                const bool ramComputes = device.is_cpu() && deviceBytes == 0;
                EXPECT_EQ(before.deviceBytes - beside.deviceBytes, ramComputes ? kTexts : 0);
                EXPECT_EQ(before.deviceBytes + before.programBytes, beside.deviceBytes + beside.programBytes);
                EXPECT_EQ(before.ramBytes.value_or(0) - beside.ramBytes.value_or(0),
                          before.ramBytes ? kTexts : 0);
                EXPECT_EQ(beside.textBytes, kTexts);
                EXPECT_EQ(beside.heldBytes, kTexts);
            }
}

TEST(MemoryRoom, theHostAloneHasNoSecondTierUnlessAllIsStreamed) {
    MemoryConfig memory;
    memory.ramBytes = int64_t{1} << 20;
    for (const PlacementPolicy policy : {PlacementPolicy::Auto, PlacementPolicy::Gpu}) {
        memory.policy = policy;
        EXPECT_FALSE(stepBudget(at::kCPU, memory).ramBytes.has_value());
    }
}

TEST(MemoryRoom, whatLiesBesideTheStepsIsTakenFromTheMemoryThatHoldsIt) {
    const StepBudget both{1000, 0, 800};
    MemoryConfig memory;
    const StepBudget onGpu = budgetBeside(both, 300, at::Device(at::kCUDA, 0), memory);
    EXPECT_EQ(onGpu.deviceBytes, 700);
    EXPECT_EQ(onGpu.ramBytes, 800);
    const StepBudget onCpu = budgetBeside({1000}, 300, at::kCPU, memory);
    EXPECT_EQ(onCpu.deviceBytes, 700);
    EXPECT_FALSE(onCpu.ramBytes.has_value());
    memory.deviceBytes = 1000; // a part of RAM, beside which it lies
    const StepBudget parted = budgetBeside(both, 300, at::kCPU, memory);
    EXPECT_EQ(parted.deviceBytes, 1000);
    EXPECT_EQ(parted.ramBytes, 500);
    EXPECT_EQ(budgetBeside(both, 900, at::kCPU, memory).ramBytes, -100); // used up, and still a tier
}

TEST(MemoryRoom, aLimitOfRamTakesNothingFromTheDevice) {
    const StepBudget both{1000, 0, 800};
    EXPECT_EQ(withinRam(both, 0).ramBytes, 800);
    EXPECT_EQ(withinRam(both, 900).ramBytes, 800);
    EXPECT_EQ(withinRam(both, 300).ramBytes, 300);
    EXPECT_EQ(withinRam(both, 300).deviceBytes, 1000);
    EXPECT_FALSE(withinRam({1000}, 300).ramBytes.has_value());
    StepBudget parted = both;
    parted.partOfRam = true;
    EXPECT_EQ(withinRam(parted, 0).ramBeside(0), 1800);
    EXPECT_EQ(withinRam(parted, 1800).ramBeside(0), 1800);
    EXPECT_EQ(withinRam(parted, 1799).ramBeside(0), 800); // or it would be more than that
    EXPECT_EQ(withinRam(parted, 300).ramBeside(0), 300);
}

TEST(MemoryReport, onTheCpuThereIsNoDevice) {
    EXPECT_EQ(memoryPeaks(at::kCPU).deviceBytes, 0);
    const MemoryEvent event = memoryEventOf(known(), {700, 0, 60}, at::kCPU, {0, 1000});
    EXPECT_EQ(event.device.parameterBytes, 0);
    EXPECT_EQ(event.ram.parameterBytes, 100);
    EXPECT_EQ(event.ram.cacheBytes, 50);
    EXPECT_EQ(event.ram.workspaceBytes, 750);
    EXPECT_EQ(event.ram.freeBytes, 700);
    EXPECT_EQ(event.ram.otherBytes, 60);
}

TEST(MemoryReport, onAGpuActivationsAreWhatThePeakHoldsBesides) {
    const MemoryEvent event = memoryEventOf(known(), {1300, 300, 60}, kGpu, {900, 1000});
    EXPECT_EQ(event.device.parameterBytes, 100);
    EXPECT_EQ(event.device.stateBytes, 80);
    EXPECT_EQ(event.device.activationBytes, 700);
    EXPECT_EQ(event.device.freeBytes, 700); // at the peak: 600 more were taken then
    EXPECT_EQ(event.device.otherBytes, 60);
    EXPECT_EQ(event.device.cacheBytes, 0); // caches lie in RAM
    EXPECT_EQ(event.ram.cacheBytes, 50);
    EXPECT_EQ(event.ram.workspaceBytes, 950);
    EXPECT_EQ(event.ram.parameterBytes, 0);
}

TEST(MemoryReport, tellsRamThatStandsForADeviceFromTheRest) {
    KnownMemory streamed;
    streamed.computing.parameterBytes = 30; // the arena
    streamed.beside.parameterBytes = 100;
    streamed.beside.stateBytes = 80;
    const MemoryEvent event = memoryEventOf(streamed, {700, 0, 60}, at::kCPU, {90, 1000});
    EXPECT_EQ(event.device.parameterBytes, 30);
    EXPECT_EQ(event.device.stateBytes, 0);
    EXPECT_EQ(event.device.activationBytes, 60);
    EXPECT_EQ(event.ram.parameterBytes, 100);
    EXPECT_EQ(event.ram.stateBytes, 80);
    EXPECT_EQ(event.ram.workspaceBytes, 730); // of the process, without what stands for the device
}

TEST(MemoryReport, namesAllThatARankTakesWhateverOthersHold) {
    MemoryEvent event = memoryEventOf(known(), {700, 0, 60}, at::kCPU, {0, 1000});
    EXPECT_EQ(rankMemoryOf(event).ramBytes, 1000); // neither what is free nor what others have
    EXPECT_EQ(rankMemoryOf(event).deviceBytes, 0);
    event = memoryEventOf(known(), {1300, 300, 60}, kGpu, {900, 1000});
    EXPECT_EQ(rankMemoryOf(event).deviceBytes, 900);
    EXPECT_EQ(rankMemoryOf(event).ramBytes, 1000);
}

TEST(MemoryReport, whatTheOtherRanksHoldIsNoOtherPrograms) {
    const std::vector<RankMemory> ranks{{0, 1000}, {0, 400}, {0, 200}};
    MemoryEvent first = memoryEventOf(known(), {700, 0, 2000}, at::kCPU, {0, 1000});
    addRanks(first, ranks, 0, 3);
    EXPECT_EQ(first.ram.otherBytes, 2000 - 600);
    ASSERT_EQ(first.ranks.size(), 3U);
    EXPECT_EQ(first.ranks[2].ramBytes, 200);
    MemoryEvent second = memoryEventOf(known(), {700, 0, 2000}, at::kCPU, {0, 400});
    addRanks(second, ranks, 1, 3);
    EXPECT_EQ(second.ram.otherBytes, 2000 - 1200);
    MemoryEvent few = memoryEventOf(known(), {700, 0, 300}, at::kCPU, {0, 1000});
    addRanks(few, ranks, 0, 3); // what each says is of another moment than what the system says
    EXPECT_EQ(few.ram.otherBytes, 0);
}

TEST(MemoryReport, ranksOfOtherMachinesHoldNothingHere) {
    const std::vector<RankMemory> ranks{{0, 1000}, {0, 400}, {0, 200}};
    MemoryEvent event = memoryEventOf(known(), {700, 0, 2000}, at::kCPU, {0, 1000});
    addRanks(event, ranks, 0, 1);
    EXPECT_EQ(event.ram.otherBytes, 2000);
    addRanks(event, ranks, 0, 2); // one of the two, as far as is known
    EXPECT_EQ(event.ram.otherBytes, 2000 - 300);
}

TEST(MemoryReport, neverCountsLessThanNothing) {
    EXPECT_EQ(memoryEventOf(known(), {}, at::kCPU, {0, 10}).ram.workspaceBytes, 0);
    EXPECT_EQ(memoryEventOf(known(), {}, kGpu, {10, 10}).device.activationBytes, 0);
}

} // namespace

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/memory_room.h"

#include "core/base/plan/training/train_sizes.h"
#include "core/engine/memory/tier_meter.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// One process's share of the machine's RAM: as much of what is free as the others take.
TierRoom ramShare(int64_t processes, int64_t comingBytes = 0) {
    TierRoom room = roomOn(at::kCPU);
    room.freeBytes = (room.freeBytes + comingBytes) / processes;
    return room;
}

TierRoom deviceRoom(at::Device device, const RoomThen& then) {
    return then.deviceBytes ? TierRoom{*then.deviceBytes, 0, 0} : roomOn(device);
}

/// Of RAM, program and texts. A process that has only begun takes less than what plans count for it.
int64_t besideSteps(at::Device device, const UseAtStart& atStart) {
    return std::max(atStart.ramBytes, programBytes(!device.is_cpu()) + atStart.textBytes);
}

/// What may be allocated beyond what is. @param limit  0: as much as is free
int64_t mostBeyond(const TierRoom& room, int64_t limit) {
    const int64_t free = mostOfFree(room);
    return limit > 0 ? std::min(free, limit - room.usedBytes) : free;
}

/// How processes share RAM, whose limit is told where it is what binds.
RamSplit splitOf(const MemoryConfig& memory, int64_t processes, const TierRoom& room) {
    const int64_t limit = memory.ramBytes / processes;
    const bool binds = limit > 0 && mostBeyond(room, limit) < mostOfFree(room);
    return {processes, binds ? memory.ramBytes : 0};
}

StepBudget budgetWith(at::Device device, const MemoryConfig& memory, const UseAtStart& atStart,
                      int64_t processes, const RoomThen& then) {
    TierRoom ramRoom = ramShare(processes, then.comingRamBytes);
    const int64_t beside = besideSteps(device, atStart);
    ramRoom.usedBytes = std::max(ramRoom.usedBytes, beside);
    const int64_t ownInRam = ramRoom.usedBytes - beside;
    const int64_t ram = mostBeyond(ramRoom, memory.ramBytes / processes) + ownInRam;
    StepBudget budget;
    budget.split = splitOf(memory, processes, ramRoom);
    budget.textBytes = atStart.textBytes;
    budget.heldBytes = atStart.textBytes;
    budget.ramProgramBytes = beside;
    if (!device.is_cpu()) {
        const TierRoom room = deviceRoom(device, then);
        const int64_t own = std::max<int64_t>(0, room.usedBytes - atStart.deviceBytes);
        budget.deviceBytes = mostBeyond(room, memory.deviceBytes) + own;
        budget.programBytes = room.usedBytes;
        budget.ramBytes = ram;
    } else if (memory.deviceBytes > 0) {
        // What stands for the device is a part of the same RAM, of what is free as of what is allowed.
        budget.deviceBytes = memory.deviceBytes;
        budget.ramBytes = ram - memory.deviceBytes;
        budget.partOfRam = true;
    } else {
        budget.deviceBytes = ram;
        budget.programBytes = beside;
        budget.inRam = true;
        budget.oneMemory = memory.policy == PlacementPolicy::Cpu;
        if (budget.oneMemory) budget.ramBytes = ram;
    }
    return budget;
}

} // namespace

StepBudget stepBudget(at::Device device, const MemoryConfig& memory, int64_t processes,
                      const RoomThen& then) {
    const int64_t onDevice = deviceRoom(device, then).usedBytes;
    return budgetWith(device, memory, {onDevice, roomOn(at::kCPU).usedBytes}, processes, then);
}

StepBudget stepBudgetOfRun(at::Device device, const MemoryConfig& memory, const UseAtStart& atStart,
                           int64_t processes) {
    return budgetWith(device, memory, atStart, processes, {});
}

int64_t ramBeyond(const MemoryConfig& memory, int64_t processes) {
    return mostBeyond(ramShare(processes), memory.ramBytes / processes);
}

int64_t computingBeyond(at::Device device, const MemoryConfig& memory, int64_t processes) {
    if (!device.is_cpu()) return mostBeyond(roomOn(device), memory.deviceBytes);
    const int64_t ram = ramBeyond(memory, processes);
    if (memory.deviceBytes == 0) return ram;
    return std::min(ram, memory.deviceBytes - tierUse(Tier::Device).currentBytes);
}

StepBudget withinRam(StepBudget budget, int64_t mostBytes) {
    if (mostBytes <= 0 || !budget.ramBytes) return budget;
    budget.ramBytes = std::min(*budget.ramBytes, mostBytes);
    budget.partOfRam = budget.partOfRam && *budget.ramBytes + budget.deviceBytes <= mostBytes;
    return budget;
}

StepBudget besideHeld(StepBudget budget, int64_t bytes) {
    if (budget.inRam) {
        budget.deviceBytes -= bytes;
        budget.programBytes += bytes;
    }
    if (budget.ramBytes) *budget.ramBytes -= bytes;
    budget.ramProgramBytes += bytes;
    budget.heldBytes += bytes;
    return budget;
}

StepBudget besideTexts(StepBudget budget, int64_t textBytes) {
    budget = besideHeld(budget, textBytes);
    budget.textBytes = textBytes;
    return budget;
}

StepBudget budgetBeside(StepBudget budget, int64_t bytes, at::Device device, const MemoryConfig& memory) {
    const bool partOfRam = device.is_cpu() && memory.deviceBytes > 0;
    if (!partOfRam) budget.deviceBytes -= bytes;
    if (device.is_cpu() && budget.ramBytes) *budget.ramBytes -= bytes;
    return budget;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/held_room.h"

#include <limits>

namespace homebooth::core {
namespace {

constexpr int64_t kWhatever = std::numeric_limits<int64_t>::max();

} // namespace

int64_t ramOfRun(const StepBudget& budget, bool gpu) {
    if (budget.inRam) return budget.deviceBytes + budget.programBytes;
    if (!budget.ramBytes) return kWhatever;
    const int64_t beside = *budget.ramBytes + budget.ramProgramBytes;
    return gpu ? beside : beside + budget.deviceBytes; // what stands for a device lies in RAM, too
}

bool hasRoomBeside(const TrainConfig& config, const ModelSource& model, StepNeed need, int64_t heldBytes,
                   bool gpu, int64_t ramBytes) {
    need.ram.cacheBytes += heldBytes;
    TrainConfig unseen = config;
    unseen.output.previewEverySteps = 0;
    const auto whole = planTraining(unseen, model, {gpu, kWhatever, kWhatever}, need);
    if (!whole) return true; // for whatever reason: it is told elsewhere
    const ResourceUse& use = whole->event.predicted;
    return use.ramBytes + (gpu ? 0 : use.deviceBytes) <= ramBytes;
}

DiskTraffic diskTrafficOf(const StepNeed& need, const HeldPictures& pictures) {
    // Optimizer states alone are there by the user's wish; averages have places for what they stand in for.
    const int64_t lacking = need.swap.parameterBytes + need.swap.gradientBytes + need.swap.workspaceBytes;
    return {lacking > 0,
            need.swapBytesReadPerStep + need.swapBytesWrittenPerStep + pictures.readBytesPerStep};
}

} // namespace homebooth::core

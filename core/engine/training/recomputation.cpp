// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/recomputation.h"

#include "core/base/plan/training/kept_activations.h"
#include "core/engine/planning/step_costs.h"

#include <algorithm>

namespace homebooth::core {

int64_t keptActivationBytes(const Component& component, int64_t batch, int64_t heightUnits,
                            int64_t widthUnits) {
    int64_t elements = 0;
    for (const ValueSpec& value : component.schedule().values()) {
        int64_t places = 1;
        if (value.downscale > 0)
            places = (heightUnits / value.downscale + 1) * (widthUnits / value.downscale + 1);
        else if (value.tokens > 0)
            places = value.tokens;
        elements += value.channels * places;
    }
    return elements * batch * kGraphTensorsPerValue *
           static_cast<int64_t>(c10::elementSize(component.type()));
}

void chooseRecomputation(Component& component, int64_t keptBytes, int64_t budgetBytes) {
    KeptForBackward kept = chooseKept(keptBytes, budgetBytes);
    // A kept graph reads parameters where they lie, and streamed ones leave.
    if (kept == KeptForBackward::Everything && component.store().streams()) kept = KeptForBackward::Products;
    const Recompute choice = recomputeFor(kept);
    for (size_t block = 0; block < component.schedule().blocks().size(); ++block)
        component.executor().setRecompute(static_cast<int>(block), choice);
}

int64_t activationBudget(const TierRoom& room, int64_t budgetBytes, int64_t untouchedBytes) {
    int64_t left = room.freeBytes;
    if (budgetBytes > 0) left = std::min(left, budgetBytes - room.usedBytes);
    return static_cast<int64_t>(kShareForActivations *
                                static_cast<double>(std::max<int64_t>(left - untouchedBytes, 0)));
}

int64_t activationBudget(const JobContext& job, int64_t stateBytes) {
    const at::Device device = job.options.device;
    const MemoryConfig& memory = job.config.memory;
    TierRoom room = roomOn(device);
    if (!device.is_cpu())
        return activationBudget(room, memory.deviceBytes, 0); // a GPU has no pages that nobody touched
    const int64_t sharing = job.ranks().onThisMachine();
    room.freeBytes /= sharing;
    return activationBudget(room, memory.ramBytes / sharing, stateBytes);
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/placed_plan.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/training/train_sizes.h"

namespace homebooth::core {
namespace {

TierMemory sumOf(const TierMemory& one, const TierMemory& other) {
    TierMemory sum = one;
    sum.parameterBytes += other.parameterBytes;
    sum.gradientBytes += other.gradientBytes;
    sum.stateBytes += other.stateBytes;
    sum.activationBytes += other.activationBytes;
    sum.workspaceBytes += other.workspaceBytes;
    sum.cacheBytes += other.cacheBytes;
    return sum;
}

} // namespace

Error tooLittle(int64_t neededBytes, const char* what, int64_t haveBytes, const RamSplit& split,
                const std::string& advice) {
    return {ErrorCode::OutOfResources,
            "this needs about " + wholeMebibytes(neededBytes) + what + ", and " + fullMebibytes(haveBytes) +
                " may be used" + split.inWords() + "; " + split.advice() + advice,
            {}};
}

Result<void> place(TrainPlan& plan, const MachineLimits& limits, int64_t needBytes, int64_t besideBytes,
                   const std::string& advice) {
    ResourceUse& use = plan.event.predicted;
    plan.gpu = limits.gpu;
    if (limits.gpu) use.deviceBytes = needBytes;
    use.ramBytes = programBytes(limits.gpu) + besideBytes + (limits.gpu ? 0 : needBytes);
    if (limits.gpu && use.deviceBytes > limits.deviceBytes)
        return tooLittle(use.deviceBytes, " of GPU memory", limits.deviceBytes, RamSplit(), advice);
    if (use.ramBytes > limits.ramBytes)
        return tooLittle(use.ramBytes, limits.gpu ? " of memory beside the GPU" : " of memory",
                         limits.ramBytes, limits.split, advice);
    return {};
}

void tellPeaks(TrainPlan& plan, const TierMemory& computing, TierMemory beside) {
    beside.workspaceBytes += programBytes(plan.gpu);
    plan.peaks.device = plan.gpu ? computing : TierMemory{};
    plan.peaks.ram = plan.gpu ? beside : sumOf(beside, computing);
}

void tellDeviceApart(TrainPlan& plan, const TierMemory& device, TierMemory beside) {
    ResourceUse& use = plan.event.predicted;
    use.deviceBytes = totalBytes(device);
    use.ramBytes -= use.deviceBytes;
    plan.peaks.device = device;
    beside.workspaceBytes += use.ramBytes - totalBytes(beside);
    plan.peaks.ram = beside;
}

} // namespace homebooth::core

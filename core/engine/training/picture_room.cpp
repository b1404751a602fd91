// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/picture_room.h"

#include "core/base/plan/training/learning_schedule.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/planning/memory_room.h"

namespace homebooth::core {
namespace {

SampleConfig classPictures(const TrainConfig& config) {
    SampleConfig pictures;
    pictures.precision = config.precision;
    pictures.batchSize = kClassPicturesAtOnce;
    pictures.guidanceScale = config.data.classGuidanceScale;
    pictures.widthPixels = pictures.heightPixels = config.data.resolutionPixels;
    return pictures;
}

} // namespace

std::optional<SamplePlacement> placementOfPictures(const JobContext& job, const ModelSource& model,
                                                   const StepPlan& steps) {
    const MemoryConfig& memory = job.config.memory;
    const bool asPlanned = memory.policy == PlacementPolicy::Cpu || job.spreadsParameters();
    if (job.options.device.is_cpu() || asPlanned) return std::nullopt;
    const auto learning = learningSchedules(job.config, model);
    if (!learning) return std::nullopt; // the steps were planned with them
    const int64_t ram = ramBeyond(memory, job.ranks().onThisMachine()) + roomOn(at::kCPU).usedBytes;
    return placeSampling(classPictures(job.config), model, {true, steps.budgetBytes, ram}, *learning);
}

bool tilesPictures(const JobContext& job, const ModelSource& model) {
    const at::Device device = job.options.device;
    if (job.config.data.resolutionPixels <= tileSidePixels(model.vae)) return false;
    const int64_t whole = decodingBytes(classPictures(job.config), model, device.is_cuda());
    const auto isShort = [&] {
        return computingBeyond(device, job.config.memory, job.ranks().onThisMachine()) < whole;
    };
    if (!isShort()) return false;
    releaseIdleMemory(device); // what steps have left may be enough
    return isShort();
}

} // namespace homebooth::core

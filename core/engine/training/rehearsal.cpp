// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/rehearsal.h"

#include "core/engine/io/precision.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/training/trial_step.h"

namespace homebooth::core {

Result<Rehearsal> rehearseStep(const TrainConfig& config, const ModelSource& model,
                               const RehearsalOptions& options) {
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    store.device = at::kMeta;
    store.streaming = options.streaming;
    RehearsedMemory memory;
    HOMEBOOTH_ASSIGN(const std::unique_ptr<TrialStep> trial, TrialStep::make(config, model, store));
    trial->setRecompute(options.recompute);
    for (const Tier tier : {Tier::Device, Tier::Ram}) memory.restartPeak(tier);
    trial->run(1);

    Rehearsal found;
    found.devicePeakBytes = memory.use(Tier::Device).peakBytes;
    found.ramPeakBytes = memory.use(Tier::Ram).peakBytes;
    found.stateBytes = trial->learner().stateBytes() + trial->learner().averageBytes();
    found.gradientBytes = trial->learner().peakGradientBytes();
    for (const LearningPart& part : trial->parts()) {
        found.parameterBytes += part.component->store().residentBytes();
        found.linkBytesPerStep += part.component->store().traffic().bytes;
    }
    return found;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/trial_step.h"

#include "core/base/plan/training/learning_schedule.h"
#include "core/base/plan/training/train_plan.h"
#include "core/engine/io/weights.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/planning/trial_networks.h"

namespace homebooth::core {
namespace {

constexpr uint64_t kSeed = 1;

} // namespace

Result<std::unique_ptr<TrialStep>> TrialStep::make(const TrainConfig& config, const ModelSource& model,
                                                   const ParameterStore::Options& store,
                                                   const StepPlacement& placement, const Ranks* ranks) {
    HOMEBOOTH_CHECK(checkLearning(config, model));
    HOMEBOOTH_ASSIGN(std::unique_ptr<TrialNetworks> networks, trialNetworks(config, model));
    std::unique_ptr<TrialStep> trial(new TrialStep(config, std::move(networks), ranks));
    HOMEBOOTH_CHECK(trial->makeParts(model, store, placement));
    if (!store.device.is_meta())
        for (const LearningPart& part : trial->m_parts) initialiseParameters(part.component->store(), kSeed);
    trial->m_learner =
        std::make_unique<Learner>(config, trial->m_parts, placement, *store.disk.device, trial->m_ranks);
    trial->m_learner->place(placement);
    return trial;
}

std::shared_ptr<BlockSpread> TrialStep::spreadOf(const Schedule& schedule,
                                                 const ParameterStore::Options& store) const {
    if (!m_config.parallel.spreadsParameters()) return nullptr;
    return spreadFor(m_ranks, schedule, store.device, store.streaming && store.streaming->homeOnDisk);
}

Result<void> TrialStep::makeParts(const ModelSource& model, ParameterStore::Options store,
                                  const StepPlacement& placement) {
    HOMEBOOTH_ASSIGN(std::vector<Schedule> schedules, learningSchedules(m_config, model));
    std::vector<ParameterStore::Options> options;
    for (size_t part = 0; part < schedules.size(); ++part) {
        store.streaming = placement.streamingOf(part);
        store.resident = placement.residentOf(part);
        store.spread = spreadOf(schedules[part], store);
        options.push_back(store);
    }
    m_networks->make(std::move(schedules), options);
    m_parts = m_networks->parts();
    return {};
}

void TrialStep::run(int64_t step) {
    m_learner->beginStep(step);
    for (int64_t micro = 0; micro < m_config.optimizer.accumulationSteps; ++micro)
        m_networks->microStep(*m_learner);
    static_cast<void>(m_learner->endStep());
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/trial_step.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/plan/learning_schedule.h"
#include "core/base/plan/train_plan.h"
#include "core/engine/io/weights.h"
#include "core/engine/parallel/packed_homes.h"

namespace homebooth::core {
namespace {

constexpr uint64_t kSeed = 1;
constexpr int64_t kTimestep = 500;

Result<NoiseSchedule> noiseScheduleOf(const ModelSource& model) {
    HOMEBOOTH_ASSIGN(const SchedulerConfig config, parseSchedulerConfig(model.schedulerJson, model.path));
    HOMEBOOTH_ASSIGN(const SchedulerSettings settings, resolveForTraining(config));
    return NoiseSchedule::make(settings);
}

} // namespace

Result<std::unique_ptr<TrialStep>> TrialStep::make(const TrainConfig& config, const ModelSource& model,
                                                   const ParameterStore::Options& store,
                                                   const StepPlacement& placement, const Ranks* ranks) {
    HOMEBOOTH_CHECK(checkLearning(config, model));
    HOMEBOOTH_ASSIGN(NoiseSchedule schedule, noiseScheduleOf(model));
    std::unique_ptr<TrialStep> trial(new TrialStep(config, model, std::move(schedule), ranks));
    HOMEBOOTH_CHECK(trial->makeParts(store, placement));
    if (!store.device.is_meta())
        for (const LearningPart& part : trial->m_parts) initialiseParameters(part.component->store(), kSeed);
    trial->m_learner =
        std::make_unique<Learner>(config, trial->m_parts, placement, *store.disk.device, trial->m_ranks);
    trial->m_learner->place(placement);
    trial->m_step =
        std::make_unique<DenoisingStep>(config, *trial->m_unet, trial->m_text.get(), trial->m_schedule);
    return trial;
}

std::shared_ptr<BlockSpread> TrialStep::spreadOf(const Schedule& schedule,
                                                 const ParameterStore::Options& store) const {
    if (!m_config.parallel.spreadsParameters()) return nullptr;
    return spreadFor(m_ranks, schedule, store.device, store.streaming && store.streaming->homeOnDisk);
}

Result<void> TrialStep::makeParts(ParameterStore::Options store, const StepPlacement& placement) {
    store.streaming = placement.streaming;
    store.resident = placement.residentOf(0);
    const double rate = m_config.optimizer.learningRate;
    Schedule unet = unetSchedule(m_model.unet);
    HOMEBOOTH_CHECK(prepareLearning(unet, m_config, true));
    store.spread = spreadOf(unet, store);
    m_unet = std::make_unique<UNetModel>(m_model.unet, std::move(unet), store);
    m_parts.push_back({"unet", &m_unet->component(), rate});
    if (!m_config.trainTextEncoder && m_config.mode != TrainMode::FromScratch) return {};
    Schedule text = clipSchedule(m_model.text.config);
    HOMEBOOTH_CHECK(prepareLearning(text, m_config, true));
    store.resident = placement.residentOf(1);
    store.spread = spreadOf(text, store);
    m_text = std::make_unique<TextEncoder>(m_model.text.config, std::move(text), store);
    m_parts.push_back({"text_encoder", &m_text->component(), rate});
    return {};
}

DenoisingBatch TrialStep::batch() const {
    const TierScope onTheHost(Tier::Ram);
    const int64_t side = m_config.data.resolutionPixels / m_model.vae.downscale();
    const bool prior = m_config.mode == TrainMode::DreamBooth && !m_config.data.classPrompt.empty();
    const int64_t count = m_config.ownBatchSize() * (prior ? 2 : 1);
    const std::vector<int64_t> shape{count, m_model.unet.inChannels, side, side};
    DenoisingBatch batch;
    batch.latents = at::randn(shape);
    batch.noise = at::randn(shape);
    batch.timesteps = at::full({count}, kTimestep, at::kLong);
    batch.priorCount = prior ? m_config.ownBatchSize() : 0;
    if (m_text)
        batch.tokens = at::zeros({count, m_model.text.config.maxPositions}, at::kLong);
    else
        batch.context = at::randn({count, m_model.text.config.maxPositions, m_model.unet.crossAttentionDim});
    if (m_model.unet.textTimeEmbedding) {
        batch.pooledText = at::randn({count, m_model.unet.pooledTextChannels()});
        batch.timeIds =
            at::full({count, UNetConfig::kTimeIds}, static_cast<double>(m_config.data.resolutionPixels));
    }
    return batch;
}

void TrialStep::run(int64_t step) {
    m_learner->beginStep(step);
    for (int64_t micro = 0; micro < m_config.optimizer.accumulationSteps; ++micro)
        static_cast<void>(m_step->run(batch(), *m_learner));
    static_cast<void>(m_learner->endStep());
}

} // namespace homebooth::core

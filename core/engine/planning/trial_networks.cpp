// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/trial_networks.h"

#include "core/engine/learning/denoising_step.h"
#include "core/engine/learning/language_step.h"
#include "core/engine/models/model_components.h"
#include "core/engine/schedulers/noise_schedule.h"

namespace homebooth::core {
namespace {

constexpr int64_t kTimestep = 500;

class DenoisingTrial : public TrialNetworks {
public:
    DenoisingTrial(const TrainConfig& config, const ModelSource& model, NoiseSchedule schedule)
        : m_config(config)
        , m_model(model)
        , m_schedule(std::move(schedule)) {}

    void make(std::vector<Schedule> schedules, const std::vector<ParameterStore::Options>& options) override {
        m_unet = std::make_unique<UNetModel>(m_model.unet, std::move(schedules[0]), options[0]);
        if (schedules.size() > 1)
            m_text = std::make_unique<TextEncoder>(m_model.text.config, std::move(schedules[1]), options[1]);
        m_step = std::make_unique<DenoisingStep>(m_config, *m_unet, m_text.get(), m_schedule);
    }

    [[nodiscard]] std::vector<LearningPart> parts() override {
        const double rate = m_config.optimizer.learningRate;
        std::vector<LearningPart> parts = {{"unet", &m_unet->component(), rate}};
        if (m_text) parts.push_back({"text_encoder", &m_text->component(), rate});
        return parts;
    }

    void microStep(Learner& learner) override { static_cast<void>(m_step->run(batch(), learner)); }

private:
    [[nodiscard]] DenoisingBatch batch() const {
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
            batch.context =
                at::randn({count, m_model.text.config.maxPositions, m_model.unet.crossAttentionDim});
        if (m_model.unet.textTimeEmbedding) {
            batch.pooledText = at::randn({count, m_model.unet.pooledTextChannels()});
            batch.timeIds =
                at::full({count, UNetConfig::kTimeIds}, static_cast<double>(m_config.data.resolutionPixels));
        }
        return batch;
    }

    const TrainConfig& m_config;
    const ModelSource& m_model;
    NoiseSchedule m_schedule;
    std::unique_ptr<UNetModel> m_unet;
    std::unique_ptr<TextEncoder> m_text; // where it learns
    std::unique_ptr<DenoisingStep> m_step;
};

class LanguageTrial : public TrialNetworks {
public:
    LanguageTrial(const TrainConfig& config, const ModelSource& model)
        : m_config(config)
        , m_vocabularySize(model.language->config.vocabularySize) {}

    void make(std::vector<Schedule> schedules, const std::vector<ParameterStore::Options>& options) override {
        m_network = std::make_unique<Component>(std::move(schedules[0]), options[0]);
        m_step = std::make_unique<LanguageStep>(*m_network);
    }

    [[nodiscard]] std::vector<LearningPart> parts() override {
        return {{kLanguagePart, m_network.get(), m_config.optimizer.learningRate}};
    }

    void microStep(Learner& learner) override {
        const TierScope onTheHost(Tier::Ram);
        const std::vector<int64_t> shape{m_config.ownBatchSize(), m_config.data.contextTokens};
        LanguageBatch batch;
        batch.tokens = at::randint(m_vocabularySize, shape, at::kLong);
        batch.targets = at::randint(m_vocabularySize, shape, at::kLong);
        const TierScope onTheDevice(Tier::Device);
        static_cast<void>(m_step->run(batch, learner));
    }

private:
    const TrainConfig& m_config;
    int64_t m_vocabularySize;
    std::unique_ptr<Component> m_network;
    std::unique_ptr<LanguageStep> m_step;
};

Result<NoiseSchedule> noiseScheduleOf(const ModelSource& model) {
    HOMEBOOTH_ASSIGN(const SchedulerConfig config, parseSchedulerConfig(model.schedulerJson, model.path));
    HOMEBOOTH_ASSIGN(const SchedulerSettings settings, resolveForTraining(config));
    return NoiseSchedule::make(settings);
}

} // namespace

Result<std::unique_ptr<TrialNetworks>> trialNetworks(const TrainConfig& config, const ModelSource& model) {
    if (model.language) return std::unique_ptr<TrialNetworks>(std::make_unique<LanguageTrial>(config, model));
    HOMEBOOTH_ASSIGN(NoiseSchedule schedule, noiseScheduleOf(model));
    return std::unique_ptr<TrialNetworks>(
        std::make_unique<DenoisingTrial>(config, model, std::move(schedule)));
}

} // namespace homebooth::core

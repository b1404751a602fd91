// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/denoising_step.h"

namespace homebooth::core {
namespace {

constexpr size_t kContextInput = 2; // of the UNet's inputs: sample, timestep, context
constexpr uint64_t kTextSeedShift = 0x5DEECE66Dull;

at::Tensor onTheHost(const auto& compute) {
    const TierScope scope(Tier::Ram);
    return compute();
}

} // namespace

DenoisingStep::DenoisingStep(const TrainConfig& config, UNetModel& unet, TextEncoder* text,
                             const NoiseSchedule& schedule)
    : m_config(config)
    , m_unet(unet)
    , m_text(text)
    , m_schedule(schedule) {}

at::Tensor DenoisingStep::encodeText(const DenoisingBatch& batch) {
    if (m_text == nullptr) return m_unet.component().prepared(batch.context);
    Component& component = m_text->component();
    return component.executor()
        .forward({component.prepared(batch.tokens)}, {false},
                 {batch.dropoutSeed ^ kTextSeedShift, batch.part})
        .front();
}

std::vector<at::Tensor> DenoisingStep::inputsOf(const DenoisingBatch& batch, const at::Tensor& context) {
    Component& unet = m_unet.component();
    const at::Tensor noisy =
        onTheHost([&] { return m_schedule.addNoise(batch.latents, batch.noise, batch.timesteps); });
    std::vector<at::Tensor> inputs{unet.prepared(noisy), batch.timesteps.to(unet.device()), context};
    if (m_unet.config().textTimeEmbedding) {
        inputs.push_back(unet.prepared(batch.pooledText));
        inputs.push_back(batch.timeIds.to(unet.device()));
    }
    return inputs;
}

DiffusionLoss DenoisingStep::lossOf(const at::Tensor& prediction, const DenoisingBatch& batch,
                                    double gradientFactor) const {
    DiffusionLossOptions options;
    if (m_config.loss.minSnrGamma > 0.0)
        options.weights = m_schedule.minSnrWeights(batch.timesteps, m_config.loss.minSnrGamma);
    options.priorCount = batch.priorCount;
    options.priorWeight = m_config.data.priorLossWeight;
    options.gradientFactor = gradientFactor;
    const at::Tensor target =
        onTheHost([&] { return m_schedule.target(batch.latents, batch.noise, batch.timesteps); });
    return diffusionLoss(prediction, target.to(prediction.device()), options);
}

double DenoisingStep::lossOf(const DenoisingBatch& batch) {
    const at::Tensor context =
        m_text == nullptr
            ? m_unet.component().prepared(batch.context)
            : m_text->component().executor().run({m_text->component().prepared(batch.tokens)}).front();
    const at::Tensor prediction = m_unet.component().executor().run(inputsOf(batch, context)).front();
    return lossOf(prediction, batch, 1.0).loss;
}

double DenoisingStep::run(const DenoisingBatch& batch, Learner& learner) {
    Component& unet = m_unet.component();
    const std::vector<at::Tensor> inputs = inputsOf(batch, encodeText(batch));
    std::vector<bool> needInputs(inputs.size(), false);
    needInputs[kContextInput] = m_text != nullptr;
    const at::Tensor prediction =
        unet.executor().forward(inputs, needInputs, {batch.dropoutSeed, batch.part}).front();
    const DiffusionLoss loss = lossOf(prediction, batch, learner.lossFactor());

    learner.requireFinite(loss.loss);
    const std::vector<at::Tensor> gradients = unet.executor().backward({loss.gradient}, learner.sink(0));
    if (m_text != nullptr) {
        const auto ignored =
            m_text->component().executor().backward({gradients[kContextInput]}, learner.sink(1));
        static_cast<void>(ignored);
    }
    learner.endMicroStep();
    return loss.loss;
}

} // namespace homebooth::core

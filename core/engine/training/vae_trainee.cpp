// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/vae_trainee.h"

#include "core/base/arch/vae_layout.h"
#include "core/engine/io/precision.h"
#include "core/engine/io/weights.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/sampling/pixels.h"
#include "core/engine/training/model_bundle.h"
#include "core/engine/training/rank_turns.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/scratch_result.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr size_t kEncoderPart = 0;
constexpr size_t kDecoderPart = 1;
constexpr int64_t kPicturesInPreview = 8;
constexpr int64_t kPicturesForDeviation = 512;
constexpr int64_t kPassBatch = 16;
constexpr int64_t kHeldOutStep = 0; // what is drawn for held-out pictures is no step's

/// uint8 [B, 3, H, W] to fp32 in -1..1
at::Tensor asPixels(const at::Tensor& bytes) {
    return bytes.to(at::kFloat).div_(127.5).sub_(1.0);
}

} // namespace

Result<std::unique_ptr<VaeTrainee>> VaeTrainee::make(const JobContext& job) {
    std::unique_ptr<VaeTrainee> trainee(new VaeTrainee(job));
    OpenOptions options;
    options.weightsOptional = true;
    HOMEBOOTH_ASSIGN(trainee->m_source, openModel(job.config.scratch.configDir, options));
    LeftAside leftAside;
    HOMEBOOTH_ASSIGN(trainee->m_smallFiles, smallFilesOf(job.config.scratch.configDir, leftAside));
    if (const auto text = leftAsideText(leftAside)) job.events.emit(WarningEvent{kLeftAside, *text});
    HOMEBOOTH_ASSIGN(trainee->m_pictures, VaePictures::open(job, trainee->m_source.vae));
    if (!trainee->m_pictures) return std::unique_ptr<VaeTrainee>();
    trainee->makeModel();
    return trainee;
}

void VaeTrainee::makeModel() {
    ParameterStore::Options options;
    options.type = scalarTypeOf(m_job.config.precision);
    options.device = m_job.options.device;
    m_vae = std::make_unique<VaeModel>(m_source.vae, vaeEncoderSchedule(m_source.vae),
                                       vaeDecoderSchedule(m_source.vae), options);
    const double rate = m_job.config.optimizer.learningRate;
    int64_t kept = 0;
    for (Component* half : {m_vae->encoder(), m_vae->decoder()}) {
        initialiseParameters(half->store(), mixedSeed(m_job.config.seed, DrawPurpose::Initialisation));
        kept += keptActivationBytes(*half, m_job.config.ownBatchSize(), m_pictures->cropSide(),
                                    m_pictures->cropSide());
    }
    m_learner = std::make_unique<Learner>(m_job.config,
                                          std::vector<LearningPart>{{"vae-encoder", m_vae->encoder(), rate},
                                                                    {"vae-decoder", m_vae->decoder(), rate}},
                                          StepPlacement{}, *m_job.options.swapDevice, m_job.ranks());
    for (const std::string& note : m_learner->swapNotes()) m_job.events.emit(WarningEvent{"swap", note});
    const int64_t budget = activationBudget(m_job, m_learner->stateBytesIn(Tier::Device));
    for (Component* half : {m_vae->encoder(), m_vae->decoder()}) chooseRecomputation(*half, kept, budget);
}

at::Tensor VaeTrainee::noiseFor(const at::Tensor& moments, int64_t step, int64_t first) const {
    const std::vector<int64_t> shape = {moments.size(1) / 2, moments.size(2), moments.size(3)};
    std::vector<at::Tensor> samples;
    for (int64_t i = 0; i < moments.size(0); ++i)
        samples.push_back(
            drawNormal(shape, mixedSeed(m_job.config.seed, DrawPurpose::Posterior,
                                        static_cast<uint64_t>(step), static_cast<uint64_t>(first + i))));
    return at::stack(samples).to(moments.device());
}

void VaeTrainee::microStep(const at::Tensor& pixels, int64_t step, int64_t microStep, StepReport& report) {
    Component& encoder = *m_vae->encoder();
    Component& decoder = *m_vae->decoder();
    const double factor = m_learner->lossFactor();
    const at::Tensor moments = encoder.executor().forward({encoder.prepared(pixels)}, {false}, 0).front();
    const int64_t first = microStep * m_job.config.batchSize + m_job.ranks().rank() * moments.size(0);
    const PosteriorDraw draw = drawPosterior(moments, noiseFor(moments, step, first));
    const at::Tensor reconstruction =
        decoder.executor().forward({decoder.prepared(draw.latents)}, {true}, 0).front();
    const VaeReconstructionLoss loss =
        vaeReconstructionLoss(reconstruction, pixels.to(reconstruction.device()), m_weights, factor);
    m_learner->requireFinite(loss.loss);
    const std::vector<at::Tensor> back =
        decoder.executor().backward({loss.gradient}, m_learner->sink(kDecoderPart));
    const at::Tensor momentGradient = posteriorGradient(draw, back.front(), m_weights.kl * factor);
    const auto ignored =
        encoder.executor().backward({encoder.prepared(momentGradient)}, m_learner->sink(kEncoderPart));
    static_cast<void>(ignored);
    m_learner->endMicroStep();
    const double part = 1.0 / static_cast<double>(m_job.config.optimizer.accumulationSteps);
    const double divergence = m_weights.kl * klDivergence(draw);
    report.loss += (loss.loss + divergence) * part;
    for (const auto& [name, value] : {std::pair("pixels", loss.pixels), std::pair("edges", loss.edges),
                                      std::pair("areas", loss.areas), std::pair("divergence", divergence)})
        report.lossParts[name] += value * part;
}

StepReport VaeTrainee::step(int64_t step) {
    const int64_t microSteps = m_job.config.optimizer.accumulationSteps;
    m_learner->beginStep(step);
    StepReport report;
    const double waitedBefore = m_pictures->waitedSeconds();
    for (int64_t micro = 0; micro < microSteps; ++micro) {
        const at::Tensor pixels = asPixels(m_pictures->next(step, micro));
        microStep(pixels, step, micro, report);
        report.sampleCount += pixels.size(0);
    }
    report.dataSeconds = m_pictures->waitedSeconds() - waitedBefore;
    report.outcome = m_learner->endStep();
    report.epoch = m_pictures->epoch();
    return report;
}

std::optional<double> VaeTrainee::validate() {
    const std::vector<size_t> samples = m_pictures->heldOutToLookAt();
    std::vector<std::optional<double>> losses(samples.size());
    bool stopped = false;
    for (const RankTurn& turn : ownTurns(m_job, samples.size())) {
        stopped = m_job.control.stop.requested();
        if (stopped) break;
        if (const auto crop = m_pictures->heldOutCrop(samples[turn.place]))
            losses[turn.place] = lossOf(asPixels(crop->unsqueeze(0)), static_cast<int64_t>(turn.place));
    }
    return meanOfAll(m_job.ranks(), losses, stopped);
}

/// As a step has it. @param first  place of the first of these pictures among those held out
double VaeTrainee::lossOf(const at::Tensor& pixels, int64_t first) {
    Component& encoder = *m_vae->encoder();
    Component& decoder = *m_vae->decoder();
    const at::Tensor moments = encoder.executor().run({encoder.prepared(pixels)}).front();
    const PosteriorDraw draw = drawPosterior(moments, noiseFor(moments, kHeldOutStep, first));
    const at::Tensor reconstruction = decoder.executor().run({decoder.prepared(draw.latents)}).front();
    return vaeReconstructionLoss(reconstruction, pixels.to(reconstruction.device()), m_weights, 1.0).loss +
           m_weights.kl * klDivergence(draw);
}

Result<std::vector<PreviewPicture>> VaeTrainee::preview(int64_t /*step*/) {
    const std::vector<int64_t> samples = m_pictures->spread(kPicturesInPreview);
    std::vector<PreviewPicture> previews;
    for (const RankTurn& turn : ownTurns(m_job, samples.size())) {
        const Result<at::Tensor> picture = m_pictures->whole(samples[turn.place]);
        if (!picture) continue; // the others keep their places
        const at::Tensor pixels = asPixels(picture->unsqueeze(0));
        const VaePosterior posterior = m_vae->encode(pixels);
        const at::Tensor decoded = m_vae->decode(posterior.mean).to(at::kCPU, at::kFloat);
        previews.push_back(
            {picturesOf(at::cat({pixels, decoded}, 3)).front(), "", static_cast<int64_t>(turn.place)});
    }
    return previews;
}

/// 1 where no picture can be read any more.
double VaeTrainee::latentDeviation() {
    const std::vector<int64_t> samples = m_pictures->spread(kPicturesForDeviation);
    const int64_t count = std::ssize(samples);
    double sum = 0.0;
    double squares = 0.0;
    double elements = 0.0;
    for (int64_t begin = 0; begin < count; begin += kPassBatch) {
        const auto some = static_cast<size_t>(std::min(kPassBatch, count - begin));
        const std::vector<at::Tensor> crops =
            m_pictures->cropsOf(std::span(samples).subspan(static_cast<size_t>(begin), some));
        if (crops.empty()) continue;
        const VaePosterior posterior = m_vae->encode(asPixels(at::stack(crops)));
        const at::Tensor mean = posterior.mean.to(at::kDouble);
        const at::Tensor variance = posterior.logVariance.to(at::kDouble).exp();
        sum += mean.sum().item<double>();
        squares += (mean.square() + variance).sum().item<double>();
        elements += static_cast<double>(mean.numel());
    }
    if (elements == 0.0) return 1.0;
    const double mean = sum / elements;
    return std::sqrt(std::max(squares / elements - mean * mean, 1e-12));
}

Result<std::vector<std::string>> VaeTrainee::writeResult(const std::string& resultDir, int64_t /*step*/) {
    m_learner->swapInAverages();
    const double deviation = latentDeviation(); // should it throw, the run ends and its weights with it
    m_job.ranks().meetAgain();
    m_learner->swapOutAverages();
    VaeConfig config = m_source.vae;
    config.scalingFactor = 1.0 / deviation;
    std::vector<NamedTensor> tensors = m_learner->resultTensors(kEncoderPart);
    for (NamedTensor& tensor : m_learner->resultTensors(kDecoderPart)) tensors.push_back(std::move(tensor));
    HOMEBOOTH_ASSIGN(
        const std::string folder,
        writeVaeResult(m_smallFiles, resultDir, config, TensorListSource(std::move(tensors), DataType::F32)));
    return std::vector<std::string>{folder};
}

/// As `writeResult` goes, but for what the first rank does alone.
void VaeTrainee::contributeToResult() {
    m_learner->swapInAverages();
    m_job.ranks().meetAgain(); // looking at the data set takes its time
    m_learner->swapOutAverages();
    Trainee::contributeToResult();
}

TierMemory VaeTrainee::memory() const {
    TierMemory memory;
    for (const ParameterStore* store : m_vae->stores()) memory.parameterBytes += store->residentBytes();
    memory.cacheBytes = m_pictures->heldBytes();
    return memory;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/vae_trainee.h"

#include "core/base/arch/vae_layout.h"
#include "core/engine/io/precision.h"
#include "core/engine/io/weights.h"
#include "core/engine/sampling/pixels.h"
#include "core/engine/training/model_bundle.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/scratch_result.h"
#include "core/engine/training/step_random.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

constexpr size_t kEncoderPart = 0;
constexpr size_t kDecoderPart = 1;
constexpr int64_t kPicturesInPreview = 8;
constexpr int64_t kPicturesForDeviation = 512;
constexpr int64_t kPassBatch = 16;

/// uint8 [B, 3, H, W] to fp32 in -1..1
at::Tensor asPixels(const at::Tensor& bytes) {
    return bytes.to(at::kFloat).div_(127.5).sub_(1.0);
}

at::Tensor bytesOf(const Picture& picture) {
    const at::Tensor rows = at::from_blob(const_cast<uint8_t*>(picture.rgb.data()),
                                          {picture.heightPixels, picture.widthPixels, 3}, at::kByte);
    return rows.permute({2, 0, 1}).contiguous();
}

} // namespace

Result<std::unique_ptr<VaeTrainee>> VaeTrainee::make(const JobContext& job) {
    std::unique_ptr<VaeTrainee> trainee(new VaeTrainee(job));
    OpenOptions options;
    options.weightsOptional = true;
    HOMEBOOTH_ASSIGN(trainee->m_source, openModel(job.config.scratch.configDir, options));
    HOMEBOOTH_CHECK(trainee->readPictures());
    trainee->makeModel();
    return trainee;
}

Result<void> VaeTrainee::readPictures() {
    const DataConfig& data = m_job.config.data;
    BrokenPictures broken;
    HOMEBOOTH_ASSIGN(
        const std::vector<CaptionedPicture> captioned,
        readCaptions(data.datasetDir, m_job.pictures, broken, captionColumns(data.captionColumns)));
    HOMEBOOTH_ASSIGN(std::vector<TrainingSample> samples,
                     makeSamples(captioned, data, m_source.vae.downscale(), m_job.pictures, broken));
    for (TrainingSample& sample : samples) {
        if (m_job.control.stop.requested()) break;
        const auto picture = m_job.pictures.load(sample.path, sample.size);
        if (!picture) {
            broken.add(sample.path, picture.error().message);
            continue;
        }
        m_pictures.push_back(bytesOf(*picture));
        m_samples.push_back(std::move(sample));
    }
    HOMEBOOTH_CHECK(broken.settle(data.skipBrokenImages, m_job.events));
    if (m_pictures.empty())
        return badInput("training the autoencoder: no picture of the data set can be used", data.datasetDir);
    m_dataHash = dataSetHash(m_samples);
    // Crops have one size, whatever shapes the pictures have, so all samples share one bucket.
    m_cropSide = m_source.vae.sampleSize;
    for (const at::Tensor& picture : m_pictures)
        m_cropSide = std::min({m_cropSide, picture.size(1), picture.size(2)});
    m_cropSide = m_cropSide / m_source.vae.downscale() * m_source.vae.downscale();
    m_order = std::make_unique<SampleOrder>(m_job.config.seed, std::vector<int64_t>(m_samples.size(), 0));
    return {};
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
        kept += keptActivationBytes(*half, m_job.config.batchSize, m_cropSide, m_cropSide);
    }
    m_learner = std::make_unique<Learner>(m_job.config,
                                          std::vector<LearningPart>{{"vae-encoder", m_vae->encoder(), rate},
                                                                    {"vae-decoder", m_vae->decoder(), rate}},
                                          StepPlacement{}, *m_job.options.swapDevice);
    for (const std::string& note : m_learner->swapNotes()) m_job.events.emit(WarningEvent{"swap", note});
    const int64_t budget = activationBudget(m_job, m_learner->stateBytesIn(Tier::Device));
    for (Component* half : {m_vae->encoder(), m_vae->decoder()}) chooseRecomputation(*half, kept, budget);
}

at::Tensor VaeTrainee::crop(int64_t sample, uint64_t mixed) const {
    const at::Tensor& picture = m_pictures[static_cast<size_t>(sample)];
    const int64_t side = m_cropSide;
    const int64_t topRange = picture.size(1) - side + 1;
    const int64_t leftRange = picture.size(2) - side + 1;
    const auto top = static_cast<int64_t>(unitInterval(mixed) * static_cast<double>(topRange));
    const auto left = static_cast<int64_t>(unitInterval(mixedSeed(mixed, DrawPurpose::Crop)) *
                                           static_cast<double>(leftRange));
    at::Tensor part = picture.slice(1, top, top + side).slice(2, left, left + side);
    const bool mirror = m_job.config.data.flip && unitInterval(mixedSeed(mixed, DrawPurpose::Flip)) < 0.5;
    return mirror ? part.flip(2) : part;
}

at::Tensor VaeTrainee::pixelsFor(const std::vector<int64_t>& samples, int64_t step, int64_t microStep) const {
    std::vector<at::Tensor> crops;
    for (size_t i = 0; i < samples.size(); ++i) {
        const uint64_t place = static_cast<uint64_t>(microStep) * samples.size() + i;
        crops.push_back(crop(
            samples[i], mixedSeed(m_job.config.seed, DrawPurpose::Crop, static_cast<uint64_t>(step), place)));
    }
    return asPixels(at::stack(crops));
}

at::Tensor VaeTrainee::noiseFor(at::IntArrayRef shape, int64_t step, int64_t microStep) const {
    std::vector<at::Tensor> samples;
    for (int64_t i = 0; i < shape[0]; ++i)
        samples.push_back(drawNormal(
            shape.slice(1), mixedSeed(m_job.config.seed, DrawPurpose::Posterior, static_cast<uint64_t>(step),
                                      static_cast<uint64_t>(microStep * shape[0] + i))));
    return at::stack(samples);
}

double VaeTrainee::microStep(const at::Tensor& pixels, int64_t step, int64_t microStep) {
    Component& encoder = *m_vae->encoder();
    Component& decoder = *m_vae->decoder();
    const double factor = m_learner->lossFactor();
    const at::Tensor moments = encoder.executor().forward({encoder.prepared(pixels)}, {false}, 0).front();
    const std::vector<int64_t> latentShape = {moments.size(0), moments.size(1) / 2, moments.size(2),
                                              moments.size(3)};
    const PosteriorDraw draw =
        drawPosterior(moments, noiseFor(latentShape, step, microStep).to(moments.device()));
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
    return loss.loss + m_weights.kl * klDivergence(draw);
}

StepReport VaeTrainee::step(int64_t step) {
    const int64_t microSteps = m_job.config.optimizer.accumulationSteps;
    m_learner->beginStep(step);
    StepReport report;
    for (int64_t micro = 0; micro < microSteps; ++micro) {
        // All samples share one bucket, so micro-steps take what one larger batch would.
        const std::vector<int64_t> samples = m_order->next(m_job.config.batchSize);
        report.loss +=
            microStep(pixelsFor(samples, step, micro), step, micro) / static_cast<double>(microSteps);
        report.sampleCount += static_cast<int64_t>(samples.size());
    }
    report.outcome = m_learner->endStep();
    report.epoch = m_order->epoch();
    return report;
}

void VaeTrainee::restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) {
    m_order->restore(cursors.front(), dataChanged);
}

Result<std::vector<PreviewPicture>> VaeTrainee::preview(int64_t /*step*/) {
    const auto count = std::min<int64_t>(kPicturesInPreview, static_cast<int64_t>(m_pictures.size()));
    std::vector<PreviewPicture> previews;
    for (int64_t i = 0; i < count; ++i) {
        const at::Tensor pixels = asPixels(m_pictures[static_cast<size_t>(i)].unsqueeze(0));
        const VaePosterior posterior = m_vae->encode(pixels);
        const at::Tensor decoded = m_vae->decode(posterior.mean).to(at::kCPU, at::kFloat);
        previews.push_back({picturesOf(at::cat({pixels, decoded}, 3)).front(), ""});
    }
    return previews;
}

double VaeTrainee::latentDeviation() {
    const auto count = std::min<int64_t>(kPicturesForDeviation, static_cast<int64_t>(m_pictures.size()));
    double sum = 0.0;
    double squares = 0.0;
    double elements = 0.0;
    for (int64_t begin = 0; begin < count; begin += kPassBatch) {
        std::vector<at::Tensor> crops;
        for (int64_t i = begin; i < std::min(count, begin + kPassBatch); ++i) {
            const int64_t sample = i * static_cast<int64_t>(m_pictures.size()) / count; // spread evenly
            crops.push_back(crop(sample, mixedSeed(m_job.config.seed, DrawPurpose::Crop, 0, i)));
        }
        const VaePosterior posterior = m_vae->encode(asPixels(at::stack(crops)));
        const at::Tensor mean = posterior.mean.to(at::kDouble);
        const at::Tensor variance = posterior.logVariance.to(at::kDouble).exp();
        sum += mean.sum().item<double>();
        squares += (mean.square() + variance).sum().item<double>();
        elements += static_cast<double>(mean.numel());
    }
    const double mean = sum / elements;
    return std::sqrt(std::max(squares / elements - mean * mean, 1e-12));
}

Result<std::vector<std::string>> VaeTrainee::writeResult(const std::string& resultDir) {
    m_learner->swapInAverages();
    const double deviation = latentDeviation(); // should it throw, the run ends and its weights with it
    m_learner->swapOutAverages();
    VaeConfig config = m_source.vae;
    config.scalingFactor = 1.0 / deviation;
    std::vector<NamedTensor> tensors = m_learner->resultTensors(kEncoderPart);
    for (NamedTensor& tensor : m_learner->resultTensors(kDecoderPart)) tensors.push_back(std::move(tensor));
    HOMEBOOTH_ASSIGN(const std::string folder,
                     writeVaeResult(m_job.config.scratch.configDir, resultDir, config,
                                    TensorListSource(std::move(tensors), DataType::F32)));
    return std::vector<std::string>{folder};
}

TierMemory VaeTrainee::memory() const {
    TierMemory memory;
    for (const ParameterStore* store : m_vae->stores()) memory.parameterBytes += store->residentBytes();
    for (const at::Tensor& picture : m_pictures) memory.cacheBytes += static_cast<int64_t>(picture.nbytes());
    return memory;
}

} // namespace homebooth::core

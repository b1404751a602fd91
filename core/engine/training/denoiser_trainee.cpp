// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/denoiser_trainee.h"

#include "core/engine/sampling/pipeline.h"
#include "core/engine/training/class_pictures.h"
#include "core/engine/training/denoiser_result.h"
#include "core/engine/training/preview_prompts.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/step_random.h"
#include "core/engine/training/training_failure.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

namespace homebooth::core {
namespace {

constexpr uint64_t kInstanceKind = 0;
constexpr uint64_t kClassKind = 1;
constexpr int64_t kPreviewSteps = 25;
constexpr double kPreviewGuidance = 7.5;

/// A sample's place within its step, for the second counter of a draw. It does not tell how the step is cut
/// into micro-steps, so that a batch of two draws what two micro-steps of one do.
uint64_t placeOf(uint64_t kind, size_t position) {
    return (kind << 31) | static_cast<uint64_t>(position);
}

/// Gives the memory of what does not learn back at the end of a scope, however that is left.
struct FrozenLease {
    ModelBundle& model;
    ~FrozenLease() { model.releaseFrozen(); }
};

} // namespace

Result<std::unique_ptr<DenoiserTrainee>> DenoiserTrainee::make(const JobContext& job) {
    std::unique_ptr<DenoiserTrainee> trainee(new DenoiserTrainee(job));
    if (!job.options.cacheDir.empty()) trainee->m_cacheUse.emplace(job.options.cacheDir);
    HOMEBOOTH_ASSIGN(trainee->m_model, ModelBundle::make(job));
    if (!trainee->m_model) return std::unique_ptr<DenoiserTrainee>();
    {
        // Released again before the first step, but for latents and captions, which lie in RAM.
        const TierScope notTheSteps(Tier::Ram);
        HOMEBOOTH_CHECK(trainee->prepareData());
    }
    if (job.control.stop.requested()) return std::unique_ptr<DenoiserTrainee>();
    trainee->m_model->endPreparation();
    trainee->m_model->releaseFrozen();
    if (!job.options.cacheDir.empty()) boundCache(job.options.cacheDir, job.options.cacheBytes);
    HOMEBOOTH_CHECK(trainee->makeLearner());
    return trainee;
}

Result<void> DenoiserTrainee::prepareData() {
    HOMEBOOTH_CHECK(readInstances());
    HOMEBOOTH_CHECK(readClassPictures());
    if (m_job.control.stop.requested()) return {};
    return encodePrompts();
}

Result<void> DenoiserTrainee::fillLatents(Group& group) {
    HOMEBOOTH_ASSIGN(std::string hash, m_model->vaeHash());
    if (m_job.control.stop.requested()) return {};
    group.latents.emplace(
        LatentCache(m_job.options.cacheDir.empty() ? "" : m_job.options.cacheDir + "/latents",
                    std::move(hash)),
        m_job.config.data.flip);
    BrokenPictures broken;
    HOMEBOOTH_CHECK(group.latents->fill(
        group.samples, [this] { return m_model->vae(); }, m_job, broken));
    return broken.settle(m_job.config.data.skipBrokenImages, m_job.events);
}

Result<void> DenoiserTrainee::readInstances() {
    const DataConfig& data = m_job.config.data;
    std::vector<CaptionedPicture> pictures;
    BrokenPictures broken;
    if (m_job.config.mode == TrainMode::DreamBooth) {
        HOMEBOOTH_ASSIGN(pictures, readPhotos(data.instanceDir, data.instancePrompt, m_job.pictures));
    } else {
        HOMEBOOTH_ASSIGN(pictures, readCaptions(data.datasetDir, m_job.pictures, broken));
    }
    const std::string& folder =
        m_job.config.mode == TrainMode::DreamBooth ? data.instanceDir : data.datasetDir;
    if (pictures.empty() && broken.empty())
        return badInput(
            "reading the photos: expected pictures, found none; choose the folder that holds them", folder);
    HOMEBOOTH_ASSIGN(m_instance.samples,
                     makeSamples(pictures, data, m_model->pixelMultiple(), m_job.pictures, broken));
    HOMEBOOTH_CHECK(broken.settle(data.skipBrokenImages, m_job.events));
    HOMEBOOTH_CHECK(fillLatents(m_instance));
    if (m_job.control.stop.requested()) return {};
    if (m_instance.samples.empty())
        return badInput("reading the photos: none of them can be used; add at least one that opens", folder);
    std::vector<int64_t> buckets;
    for (const TrainingSample& sample : m_instance.samples) buckets.push_back(sample.bucket);
    m_instance.order = std::make_unique<SampleOrder>(m_job.config.seed, buckets);
    m_dataHash = dataSetHash(m_instance.samples);
    return {};
}

Result<void> DenoiserTrainee::readClassPictures() {
    const DataConfig& data = m_job.config.data;
    const bool wanted = m_job.config.mode == TrainMode::DreamBooth && !data.classPrompt.empty();
    if (!wanted || m_job.control.stop.requested()) return {};
    HOMEBOOTH_ASSIGN(const std::vector<std::string> paths, prepareClassPictures(m_job, *m_model));
    if (m_job.control.stop.requested()) return {};
    std::vector<CaptionedPicture> pictures;
    for (const std::string& path : paths) pictures.push_back({path, {data.classPrompt}});
    BrokenPictures broken;
    HOMEBOOTH_ASSIGN(const std::vector<TrainingSample> squares,
                     makeSamples(pictures, data, m_model->pixelMultiple(), m_job.pictures, broken));
    HOMEBOOTH_CHECK(broken.settle(data.skipBrokenImages, m_job.events));
    // A batch has one size, so each class picture comes in every size that the photos have.
    std::set<PictureSize> sizes;
    for (const TrainingSample& sample : m_instance.samples) sizes.insert(sample.size);
    for (const PictureSize& size : sizes)
        for (TrainingSample sample : squares) {
            sample.size = size;
            m_class.samples.push_back(std::move(sample));
        }
    HOMEBOOTH_CHECK(fillLatents(m_class));
    std::vector<int64_t> buckets;
    for (const TrainingSample& sample : m_class.samples) buckets.push_back(sample.bucket);
    if (buckets.empty())
        return badInput("reading class pictures: none of them can be used; empty their folder",
                        data.classDir);
    m_class.order = std::make_unique<SampleOrder>(mixedSeed(m_job.config.seed, DrawPurpose::Order), buckets);
    m_dataHash += "+" + dataSetHash(m_class.samples);
    return {};
}

std::vector<int64_t> DenoiserTrainee::tokensOf(const std::string& caption) {
    if (const auto found = m_tokens.find(caption); found != m_tokens.end()) return found->second;
    const int64_t length = m_model->contextLength();
    TokenizedText text = m_model->tokenizer().tokenize(caption, length);
    if (text.truncated && !std::exchange(m_saidTruncated, true))
        m_job.events.emit(WarningEvent{"prompt-truncated",
                                       "a caption has " + std::to_string(text.textTokens) +
                                           " tokens, and the model takes " + std::to_string(length - 2) +
                                           ": its end is left out, as is that of every longer one: \"" +
                                           caption + "\""});
    return m_tokens.emplace(caption, std::move(text.ids)).first->second;
}

Result<void> DenoiserTrainee::encodePrompts() {
    if (m_model->trainsText()) return {};
    HOMEBOOTH_ASSIGN(std::string hash, m_model->textEncoderHash());
    if (m_job.control.stop.requested()) return {};
    m_prompts =
        std::make_unique<PromptCache>(m_job.options.cacheDir.empty() ? "" : m_job.options.cacheDir + "/texts",
                                      std::move(hash), [this] { return m_model->textEncoder(); });
    std::set<std::string> captions;
    for (const Group* group : {&m_instance, &m_class})
        for (const TrainingSample& sample : group->samples)
            captions.insert(sample.captions.begin(), sample.captions.end());
    if (m_job.config.data.captionDropout > 0.0) captions.insert("");
    int64_t done = 0;
    for (const std::string& caption : captions) {
        if (m_job.control.stop.requested()) return {};
        if (done++ % 50 == 0)
            m_job.events.emit(StateEvent{"caching", "texts", done, static_cast<int64_t>(captions.size())});
        const auto encoded = m_prompts->encode(tokensOf(caption));
        if (!encoded) return encoded.error();
    }
    return {};
}

Result<void> DenoiserTrainee::makeLearner() {
    const TrainConfig& config = m_job.config;
    const double rate = config.optimizer.learningRate;
    std::vector<LearningPart> parts = {{"unet", &m_model->unet().component(), rate}};
    TextEncoder* text = nullptr;
    if (m_model->trainsText()) {
        HOMEBOOTH_ASSIGN(text, m_model->textEncoder());
        const double textRate = config.optimizer.textEncoderLearningRate;
        parts.push_back({"text_encoder", &text->component(), textRate > 0.0 ? textRate : rate});
    }
    m_learner =
        std::make_unique<Learner>(config, parts, m_model->stepPlan().placement, *m_job.options.swapDevice);
    HOMEBOOTH_CHECK(beginMasters());
    for (const std::string& note : m_learner->swapNotes()) m_job.events.emit(WarningEvent{"swap", note});
    m_learner->place(m_model->stepPlan().placement);
    m_step = std::make_unique<DenoisingStep>(config, m_model->unet(), text, m_model->noiseSchedule());
    m_planned = std::make_unique<PlannedSteps>(m_job, *m_model, *m_learner);
    return {};
}

/// The files' weights may be more exact than those that compute.
Result<void> DenoiserTrainee::beginMasters() {
    if (m_job.config.optimizer.master == MasterWeights::None) return {};
    const ModelSource& source = m_model->source();
    const std::array<const TensorSource*, 2> parts = {source.unetTensors.get(),
                                                      source.textEncoderTensors.get()};
    for (size_t part = 0; part < m_learner->partCount(); ++part)
        if (parts.at(part) != nullptr) HOMEBOOTH_CHECK(m_learner->beginMasters(part, *parts[part]));
    return {};
}

std::vector<DenoiserTrainee::Draw> DenoiserTrainee::drawsOf(const Group& group,
                                                            const std::vector<int64_t>& samples, int64_t step,
                                                            uint64_t kind) const {
    const DataConfig& data = m_job.config.data;
    const uint64_t seed = m_job.config.seed;
    const auto first = static_cast<uint64_t>(step);
    std::vector<Draw> draws;
    for (size_t i = 0; i < samples.size(); ++i) {
        const uint64_t place = placeOf(kind, i);
        const auto sample = static_cast<size_t>(samples[i]);
        const std::vector<std::string>& captions = group.samples[sample].captions;
        const uint64_t pick = mixedSeed(seed, DrawPurpose::Caption, first, place);
        const double drop = unitInterval(mixedSeed(seed, DrawPurpose::CaptionDropout, first, place));
        const double flip = unitInterval(mixedSeed(seed, DrawPurpose::Flip, first, place));
        draws.push_back({&group, sample, place,
                         drop < data.captionDropout ? "" : captions[pick % captions.size()],
                         data.flip && flip < 0.5});
    }
    return draws;
}

DenoiserTrainee::StepDraws DenoiserTrainee::drawStep(int64_t step) {
    const int64_t count = m_job.config.batchSize * m_job.config.optimizer.accumulationSteps;
    StepDraws drawn;
    drawn.instances = drawsOf(m_instance, m_instance.order->next(count), step, kInstanceKind);
    if (!m_class.order) return drawn;
    const int64_t bucket = m_instance.samples[drawn.instances.front().sample].bucket; // one size in a batch
    drawn.classes = drawsOf(m_class, m_class.order->nextOf(bucket, count), step, kClassKind);
    return drawn;
}

at::Tensor DenoiserTrainee::latentsOf(const std::vector<Draw>& draws, int64_t step) const {
    const auto first = static_cast<uint64_t>(step);
    std::vector<at::Tensor> samples;
    for (const Draw& draw : draws) {
        auto latents = draw.group->latents->get(draw.sample, draw.mirrored);
        if (!latents) throw TrainingFailure(latents.error());
        const uint64_t mixed = mixedSeed(m_job.config.seed, DrawPurpose::Posterior, first, draw.place);
        samples.push_back(latents->mean +
                          latents->variance.sqrt() * drawNormal(latents->mean.sizes(), mixed));
    }
    const VaeConfig& vae = m_model->source().vae;
    return (at::stack(samples) - vae.shiftFactor.value_or(0.0)) * vae.scalingFactor;
}

at::Tensor DenoiserTrainee::noiseOf(const std::vector<Draw>& draws, int64_t step,
                                    at::IntArrayRef shape) const {
    const uint64_t seed = m_job.config.seed;
    const double offset = m_job.config.loss.noiseOffset;
    const auto first = static_cast<uint64_t>(step);
    std::vector<at::Tensor> samples;
    for (const Draw& draw : draws) {
        at::Tensor noise = drawNormal(shape.slice(1), mixedSeed(seed, DrawPurpose::Noise, first, draw.place));
        if (offset > 0.0)
            noise += offset * drawNormal({shape[1], 1, 1},
                                         mixedSeed(seed, DrawPurpose::NoiseOffset, first, draw.place));
        samples.push_back(std::move(noise));
    }
    return at::stack(samples);
}

at::Tensor DenoiserTrainee::timestepsOf(const std::vector<Draw>& draws, int64_t step) const {
    const int64_t end = m_model->noiseSchedule().trainTimesteps();
    std::vector<at::Tensor> samples;
    for (const Draw& draw : draws)
        samples.push_back(drawIntegers(
            1, end,
            mixedSeed(m_job.config.seed, DrawPurpose::Timesteps, static_cast<uint64_t>(step), draw.place)));
    return at::cat(samples);
}

void DenoiserTrainee::addText(const std::vector<Draw>& draws, DenoisingBatch& batch) {
    std::vector<at::Tensor> rows;
    for (const Draw& draw : draws) {
        const std::vector<int64_t> tokens = tokensOf(draw.caption);
        if (!m_prompts) {
            rows.push_back(at::tensor(tokens, at::kLong));
            continue;
        }
        auto context = m_prompts->encode(tokens);
        if (!context) throw TrainingFailure(context.error());
        rows.push_back(std::move(context).value());
    }
    (m_prompts ? batch.context : batch.tokens) = at::stack(rows);
}

DenoisingBatch DenoiserTrainee::batchFor(int64_t step, int64_t microStep, const StepDraws& drawn) {
    const TierScope onTheHost(Tier::Ram);
    const auto begin = static_cast<std::ptrdiff_t>(microStep * m_job.config.batchSize);
    const auto end = begin + static_cast<std::ptrdiff_t>(m_job.config.batchSize);
    std::vector<Draw> draws(drawn.instances.begin() + begin, drawn.instances.begin() + end);
    if (!drawn.classes.empty())
        draws.insert(draws.end(), drawn.classes.begin() + begin, drawn.classes.begin() + end);

    DenoisingBatch batch;
    batch.latents = latentsOf(draws, step);
    batch.noise = noiseOf(draws, step, batch.latents.sizes());
    batch.timesteps = timestepsOf(draws, step);
    batch.priorCount = drawn.classes.empty() ? 0 : m_job.config.batchSize;
    batch.dropoutSeed = mixedSeed(m_job.config.seed, DrawPurpose::Adapter, static_cast<uint64_t>(step),
                                  static_cast<uint64_t>(microStep));
    addText(draws, batch);
    return batch;
}

StepReport DenoiserTrainee::step(int64_t step) {
    const std::vector<OrderCursor> before = cursors();
    return m_planned->run(
        step, [&] { return compute(step); }, [&] { restoreCursors(before, false); });
}

StepReport DenoiserTrainee::compute(int64_t step) {
    const int64_t microSteps = m_job.config.optimizer.accumulationSteps;
    m_learner->beginStep(step);
    StepReport report;
    const StepDraws drawn = drawStep(step);
    for (int64_t micro = 0; micro < microSteps; ++micro) {
        const DenoisingBatch batch = batchFor(step, micro, drawn);
        report.loss += m_step->run(batch, *m_learner) / static_cast<double>(microSteps);
        report.sampleCount += batch.latents.size(0);
    }
    report.outcome = m_learner->endStep();
    report.epoch = m_instance.order->epoch();
    return report;
}

std::vector<OrderCursor> DenoiserTrainee::cursors() const {
    std::vector<OrderCursor> cursors = {m_instance.order->cursor()};
    if (m_class.order) cursors.push_back(m_class.order->cursor());
    return cursors;
}

void DenoiserTrainee::restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) {
    m_instance.order->restore(cursors.front(), dataChanged);
    if (m_class.order && cursors.size() > 1) m_class.order->restore(cursors[1], dataChanged);
}

Result<std::vector<PreviewPicture>> DenoiserTrainee::preview(int64_t /*step*/) {
    const FrozenLease lease{*m_model};
    HOMEBOOTH_ASSIGN(TextEncoder * text, m_model->textEncoder());
    HOMEBOOTH_ASSIGN(VaeModel * vae, m_model->vae());
    GenerationPipeline pipeline({m_model->unet(), *text, *vae, m_model->tokenizer(), m_model->scheduler()});
    std::vector<PreviewPicture> previews;
    for (const PreviewPrompt& prompt : previewPrompts(m_job.config, m_instance.samples)) {
        GenerationRequest request;
        request.prompt = prompt.text;
        request.seeds = {prompt.seed};
        request.steps = kPreviewSteps;
        request.guidanceScale = kPreviewGuidance;
        request.widthPixels = m_job.config.data.resolutionPixels;
        request.heightPixels = m_job.config.data.resolutionPixels;
        HOMEBOOTH_ASSIGN(const GenerationResult made, pipeline.generate(request, {}, m_job.control.stop));
        if (made.cancelled) break;
        previews.push_back({made.pictures.front(), previewParameters(request)});
    }
    return previews;
}

Result<std::vector<std::string>> DenoiserTrainee::writeResult(const std::string& resultDir) {
    return writeDenoiserResult(m_job, *m_model, *m_learner, resultDir);
}

TierMemory DenoiserTrainee::memory() const {
    TierMemory memory = m_model->memory();
    memory.cacheBytes = m_instance.latents->heldBytes();
    if (m_class.latents) memory.cacheBytes += m_class.latents->heldBytes();
    if (m_prompts) memory.cacheBytes += m_prompts->heldBytes();
    return memory;
}

} // namespace homebooth::core

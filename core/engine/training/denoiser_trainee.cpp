// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/denoiser_trainee.h"

#include "core/engine/jobs/failure.h"
#include "core/engine/sampling/pipeline.h"
#include "core/engine/training/class_pictures.h"
#include "core/engine/training/denoiser_result.h"
#include "core/engine/training/recomputation.h"

#include <array>
#include <chrono>

namespace homebooth::core {
namespace {

constexpr int64_t kPreviewSteps = 25;
constexpr double kPreviewGuidance = 7.5;
constexpr const char* kMemoryAdvice = "close other programs, or train without previews";

/// Gives the memory of what does not learn back at the end of a scope, however that is left.
struct FrozenLease {
    ModelBundle& model;
    ~FrozenLease() { model.releaseFrozen(); }
};

} // namespace

Result<std::unique_ptr<DenoiserTrainee>> DenoiserTrainee::make(const JobContext& job) {
    std::unique_ptr<DenoiserTrainee> trainee(new DenoiserTrainee(job));
    if (!job.options.cacheDir.empty()) trainee->m_cacheUse.emplace(job.options.cacheDir);
    HOMEBOOTH_ASSIGN(trainee->m_model, ModelBundle::open(job));
    HOMEBOOTH_ASSIGN(const bool read, trainee->readData());
    if (!read) return std::unique_ptr<DenoiserTrainee>();
    HOMEBOOTH_ASSIGN(const bool madeAll, trainee->makeClassPictures());
    if (!madeAll) return std::unique_ptr<DenoiserTrainee>();
    HOMEBOOTH_ASSIGN(const bool prepared, trainee->prepareInTurn());
    if (!prepared) return std::unique_ptr<DenoiserTrainee>();
    HOMEBOOTH_CHECK(trainee->makeLearner());
    return trainee;
}

/// Finds out what there is to learn from, and lets all ranks encode it at the same time: beside the steps
/// only where the first one wants that and each has the memory. @returns  false when stop was requested of
/// any
Result<bool> DenoiserTrainee::readData() {
    const TierScope notTheSteps(Tier::Ram);
    const Ranks& ranks = m_job.ranks();
    bool wanted = false;
    HOMEBOOTH_ASSIGN(m_data, TrainingData::read(m_job, *m_model));
    if (m_data) {
        HOMEBOOTH_ASSIGN(wanted, m_data->wantsAhead());
    }
    const bool stops = !m_data || m_job.control.stop.requested();
    const std::vector<int64_t> said =
        ranks.patientSums({stops, ranks.isFirst() && wanted, m_model->encodingBytes() > 0});
    if (said[0] > 0) return false;
    HOMEBOOTH_CHECK(m_data->chooseEncoding(said[1] > 0 && said[2] == ranks.count()));
    return true;
}

/// Each rank its part of them, where all see the same folder for sure; else the first one makes them in its
/// turn. @returns  false when stop was requested of any
Result<bool> DenoiserTrainee::makeClassPictures() {
    const Ranks& ranks = m_job.ranks();
    if (!m_job.config.usesClassPictures() || ranks.count() == 1 || ranks.onThisMachine() != ranks.count())
        return true;
    return makeClassPicturesTogether(m_job, *m_model);
}

/// The first rank of each machine before the others there, since what it encodes is theirs, too. Where there
/// may be class pictures to make, the first of all goes before that: the machines may share their folder.
/// @returns  false when stop was requested of any
Result<bool> DenoiserTrainee::prepareInTurn() {
    const Ranks& ranks = m_job.ranks();
    const bool allAtOnce = m_job.config.data.classPrompt.empty();
    const int ownTurn = !ranks.leadsMachine() ? 2 : ranks.isFirst() || allAtOnce ? 0 : 1;
    for (const int turn : {0, 1, 2}) {
        bool goesOn = true;
        if (turn == ownTurn) {
            HOMEBOOTH_ASSIGN(goesOn, prepare());
        }
        if (ranks.any(!goesOn || m_job.control.stop.requested())) return false;
    }
    return true;
}

/// Whether this rank makes class pictures in its turn, for which it needs what others have, too.
Result<bool> DenoiserTrainee::computesAlone() const {
    if (!m_job.spreadsParameters() || !m_job.config.usesClassPictures()) return false;
    return lacksClassPictures(m_job, *m_model);
}

/// @returns  false when stop was requested meanwhile
Result<bool> DenoiserTrainee::prepare() {
    HOMEBOOTH_ASSIGN(const bool alone, computesAlone());
    HOMEBOOTH_ASSIGN(const bool loaded, m_model->load(alone));
    if (!loaded) return false;
    {
        // Released again before the first step, but for latents and captions, which lie in RAM.
        const TierScope notTheSteps(Tier::Ram);
        HOMEBOOTH_ASSIGN(const bool encoded, encodeData());
        if (!encoded) return false;
    }
    m_model->endPreparation();
    m_model->releaseFrozen();
    if (!m_job.options.cacheDir.empty() && m_job.ranks().leadsMachine())
        boundCache(m_job.options.cacheDir, m_job.options.cacheBytes);
    return true;
}

/// @returns  false when stop was requested meanwhile
Result<bool> DenoiserTrainee::encodeData() {
    HOMEBOOTH_ASSIGN(const bool filled, m_data->fill());
    if (!filled) return false;
    m_batches = std::make_unique<BatchMaker>(m_job, *m_model);
    if (m_data->encodesAhead())
        HOMEBOOTH_CHECK(m_batches->openPrompts(PromptCache::Disk::Read));
    else
        HOMEBOOTH_CHECK(m_batches->encodePrompts(m_data->captions()));
    return !m_job.control.stop.requested();
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
    m_learner = std::make_unique<Learner>(config, parts, m_model->stepPlan().placement,
                                          *m_job.options.swapDevice, m_job.ranks());
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

StepReport DenoiserTrainee::step(int64_t step) {
    const StepDraws drawn = m_data->draw(step);
    StepReport report =
        m_planned->run(step, m_data->atFullResolution(step), [&] { return compute(step, drawn); });
    report.dataSeconds += drawn.took.waited;
    report.encodeSeconds += drawn.took.encoded;
    return report;
}

StepReport DenoiserTrainee::compute(int64_t step, const StepDraws& drawn) {
    using Clock = std::chrono::steady_clock;
    const int64_t microSteps = m_job.config.optimizer.accumulationSteps;
    m_learner->beginStep(step);
    StepReport report;
    for (int64_t micro = 0; micro < microSteps; ++micro) {
        const auto begin = Clock::now();
        const double encodedBefore = m_batches->encodedSeconds();
        const DenoisingBatch batch = m_batches->batch(drawn, step, micro);
        const double encoded = m_batches->encodedSeconds() - encodedBefore;
        report.encodeSeconds += encoded;
        report.dataSeconds += std::chrono::duration<double>(Clock::now() - begin).count() - encoded;
        report.loss += m_step->run(batch, *m_learner) / static_cast<double>(microSteps);
        report.sampleCount += batch.latents.size(0);
    }
    report.outcome = m_learner->endStep();
    report.epoch = m_data->epoch();
    return report;
}

std::vector<OrderCursor> DenoiserTrainee::cursors() const {
    return m_data->cursors();
}

void DenoiserTrainee::restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) {
    m_data->restoreCursors(cursors, dataChanged);
}

std::optional<double> DenoiserTrainee::validate() {
    const std::vector<SampleDraw> draws = m_data->heldOutDraws();
    std::vector<std::optional<double>> losses(draws.size());
    bool stopped = false;
    for (const RankTurn& turn : ownTurns(m_job, draws.size())) {
        stopped = m_job.stopBetweenSteps().requested();
        if (stopped) break;
        const double loss = m_step->lossOf(
            m_batches->heldOutBatch(draws[turn.place], static_cast<int64_t>(turn.place), std::ssize(draws)));
        if (turn.counts) losses[turn.place] = loss;
    }
    return meanOfAll(m_job.ranks(), losses, stopped);
}

Result<DenoiserTrainee::FrozenParts> DenoiserTrainee::readFrozenParts() {
    FrozenParts parts;
    try {
        HOMEBOOTH_ASSIGN(parts.text, m_model->textEncoder());
        HOMEBOOTH_ASSIGN(parts.vae, m_model->vae());
    } catch (const std::exception&) {
        return failureInFlight("reading what previews need", kMemoryAdvice);
    }
    return parts;
}

Result<std::vector<PreviewPicture>> DenoiserTrainee::preview(int64_t /*step*/) {
    const std::vector<PreviewPrompt> prompts = previewPrompts(m_job.config, m_data->samples());
    const std::vector<RankTurn> turns = ownTurns(m_job, prompts.size());
    if (turns.empty()) return std::vector<PreviewPicture>();
    const FrozenLease lease{*m_model};
    const Result<FrozenParts> parts = readFrozenParts();
    // Where ranks compute together, all have them or none begins: the others would wait for one that cannot,
    // in the middle of a picture.
    const bool anyLacks = m_job.spreadsParameters() && m_job.ranks().any(!parts);
    if (!parts) return parts.error();
    if (anyLacks) return std::vector<PreviewPicture>(); // it will say so
    GenerationPipeline pipeline(
        {m_model->unet(), *parts->text, *parts->vae, m_model->tokenizer(), m_model->scheduler()});
    return makePreviews(pipeline, prompts, turns);
}

Result<std::vector<PreviewPicture>> DenoiserTrainee::makePreviews(GenerationPipeline& pipeline,
                                                                  const std::vector<PreviewPrompt>& prompts,
                                                                  const std::vector<RankTurn>& turns) const {
    std::vector<PreviewPicture> previews;
    std::optional<Error> failure;
    for (const RankTurn& turn : turns) {
        GenerationRequest request;
        request.prompt = prompts[turn.place].text;
        request.seeds = {prompts[turn.place].seed};
        request.steps = kPreviewSteps;
        request.guidanceScale = kPreviewGuidance;
        request.widthPixels = m_job.config.data.resolutionPixels;
        request.heightPixels = m_job.config.data.resolutionPixels;
        const Result<GenerationResult> made = pipeline.generate(request, {}, m_job.stopBetweenSteps());
        if (!made) {
            if (!m_job.spreadsParameters()) return made.error();
            failure = made.error(); // others have further turns, and cannot compute them without this one
            continue;
        }
        if (made->cancelled) break;
        if (turn.counts)
            previews.push_back(
                {made->pictures.front(), previewParameters(request), static_cast<int64_t>(turn.place)});
    }
    if (failure) return *failure;
    return previews;
}

Result<std::vector<std::string>> DenoiserTrainee::writeResult(const std::string& resultDir) {
    return writeDenoiserResult(m_job, *m_model, *m_learner, resultDir);
}

TierMemory DenoiserTrainee::memory() const {
    TierMemory memory = m_model->memory();
    memory.cacheBytes = m_data->heldBytes() + m_batches->heldBytes();
    return memory;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/denoiser_trainee.h"

#include "core/base/util/log.h"
#include "core/engine/jobs/failure.h"
#include "core/engine/sampling/pipeline.h"
#include "core/engine/training/class_pictures.h"
#include "core/engine/training/denoiser_result.h"
#include "core/engine/training/picture_room.h"
#include "core/engine/training/recomputation.h"
#include "core/engine/training/signs_of_life.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace homebooth::core {
namespace {

constexpr int64_t kPreviewSteps = 25;
constexpr const char* kMemoryAdvice = "close other programs, or train without previews";

/// Gives the memory of what does not learn back at the end of a scope, however that is left.
struct FrozenLease {
    ModelBundle& model;
    ~FrozenLease() { model.releaseFrozen(); }
};

/// Whether nobody waits for previews: behind a finish, too, the result is what is waited for. Who goes on
/// from there has them made up for. Where ranks compute together, none ends them alone.
bool endsPreviews(const JobContext& job) {
    return !job.spreadsParameters() && (job.control.stop.requested() || job.control.finish);
}

/// A listener that ends its picture then, too.
GenerationListener endingPreviews(GenerationListener listener, const JobContext& job, CancelToken end) {
    listener.alive = [alive = std::move(listener.alive), &job, end = std::move(end)] {
        if (endsPreviews(job)) end.request();
        alive();
    };
    return listener;
}

} // namespace

Result<std::unique_ptr<DenoiserTrainee>> DenoiserTrainee::make(const JobContext& job) {
    std::unique_ptr<DenoiserTrainee> trainee(new DenoiserTrainee(job));
    if (!job.options.cacheDir.empty()) trainee->m_cacheUse.emplace(job.options.cacheDir);
    HOMEBOOTH_ASSIGN(trainee->m_model, ModelBundle::open(job));
    HOMEBOOTH_ASSIGN(const bool read, trainee->readData());
    if (!read) return std::unique_ptr<DenoiserTrainee>();
    HOMEBOOTH_ASSIGN(const bool madeAll, trainee->makeClassPictures());
    if (!madeAll) return std::unique_ptr<DenoiserTrainee>();
    HOMEBOOTH_ASSIGN(const bool prepared, trainee->prepare());
    if (!prepared) return std::unique_ptr<DenoiserTrainee>();
    HOMEBOOTH_CHECK(trainee->makeLearner());
    return trainee;
}

/// Plans the steps with as many latents and encoded captions held beside them as there is room for, and
/// with room for encoding where that is wanted and each rank has it.
/// @param ahead  the first rank wants to encode beside the steps. @returns  whether all can
Result<bool> DenoiserTrainee::planSteps(bool ahead) {
    m_ways = m_data->waysToHold();
    const bool gpu = !m_job.options.device.is_cpu();
    const EncodingWish wish = encodingWish(m_job.config, gpu, /*many=*/ahead);
    HOMEBOOTH_CHECK(m_model->planSteps(m_ways, ahead ? wish : EncodingWish::First));
    const bool able = m_model->encodingBytes() > 0;
    const bool all = m_job.ranks().patientSums({able ? 1 : 0}).front() == m_job.ranks().count();
    if (able && !all) HOMEBOOTH_CHECK(m_model->planSteps(m_ways));
    HOMEBOOTH_CHECK(holdAlike());
    return all;
}

/// Plans once more where another rank has less RAM: all hold as many as that one.
Result<void> DenoiserTrainee::holdAlike() {
    std::vector<int64_t> taken(kWaysToHold); // by how many ranks
    taken.at(m_model->heldPictures().way) = 1;
    taken = m_job.ranks().patientSums(std::move(taken));
    size_t fewest = kWaysToHold - 1;
    while (fewest > 0 && taken[fewest] == 0) --fewest;
    fewest = std::min(fewest, m_ways.size() - 1); // without a cache there are no others
    if (fewest > m_model->heldPictures().way) HOMEBOOTH_CHECK(m_model->planStepsAgain(m_ways[fewest]));
    m_data->holdAsPlanned();
    const HeldPictures& held = m_model->heldPictures();
    if (held.isFewer() && m_job.ranks().isFirst()) log(LogLevel::Info, aboutPictures(held).text);
    return {};
}

/// Holds as many as that way does in the middle of the steps, which read the others from the cache. What
/// that has not got stays, and counts; what shall be held again is so once a step has read it.
void DenoiserTrainee::hold(size_t way) {
    HeldPictures held = m_ways[way];
    m_model->hold(held);
    m_data->holdAsPlanned();
    m_batches->holdAsPlanned();
    held.bytes = std::max(held.bytes, m_data->heldBytes() + m_batches->heldBytes());
    m_model->hold(held);
}

/// Where other programs have taken RAM. @returns  false where no fewer can be held
bool DenoiserTrainee::holdFewer() {
    const size_t next = m_model->heldPictures().way + 1;
    if (next >= m_ways.size()) return false;
    hold(next);
    return true;
}

/// What the way before the present one takes beyond it; 0 where the steps began with this one.
int64_t DenoiserTrainee::givenUpBytes() const {
    const HeldPictures& held = m_model->heldPictures();
    if (held.way <= m_begunWay) return 0;
    return std::max<int64_t>(m_ways[held.way - 1].bytes - held.bytes, 1);
}

/// Finds out what there is to learn from, plans the steps beside what of it will lie in RAM, and lets all
/// ranks encode it at the same time: beside the steps only where the first one wants that and each has the
/// memory. @returns  false when stop was requested of any
Result<bool> DenoiserTrainee::readData() {
    const Ranks& ranks = m_job.ranks();
    bool wanted = false;
    HOMEBOOTH_ASSIGN(m_data, TrainingData::read(m_job, *m_model));
    if (m_data) {
        HOMEBOOTH_ASSIGN(wanted, m_data->wantsAhead());
    }
    const bool stops = !m_data || m_job.control.stop.requested();
    const std::vector<int64_t> said = ranks.patientSums({stops, ranks.isFirst() && wanted});
    if (said[0] > 0) return false;
    HOMEBOOTH_ASSIGN(const bool ahead, planSteps(said[1] > 0));
    HOMEBOOTH_CHECK(m_data->chooseEncoding(ahead));
    return true;
}

/// By one process they are made when the photos have been encoded. @returns  false when stop was requested of
/// any
Result<bool> DenoiserTrainee::makeClassPictures() {
    if (!m_job.config.usesClassPictures() || m_job.ranks().count() == 1) return true;
    return makeClassPicturesTogether(m_job, *m_model);
}

/// In parts, after each of which all ranks meet: those of a machine find in its cache what the others have
/// encoded in the part before. What it did not keep each encodes for itself, and what cannot be used each
/// finds by itself, too. What learns comes last: beside SDXL's UNet many a GPU has no room for what encodes.
/// @returns  false when stop was requested of any
Result<bool> DenoiserTrainee::prepare() {
    for (const auto part : {&DenoiserTrainee::encodeOwnPictures, &DenoiserTrainee::encodePictures,
                            &DenoiserTrainee::encodeOwnCaptions, &DenoiserTrainee::encodeCaptions,
                            &DenoiserTrainee::loadModel}) {
        HOMEBOOTH_CHECK((this->*part)());
        if (m_job.ranks().any(m_job.control.stop.requested())) return false;
    }
    return true;
}

Result<void> DenoiserTrainee::encodeOwnPictures() {
    if (!m_job.sharesEncoding()) return {};
    const TierScope notTheSteps(Tier::Ram);
    HOMEBOOTH_CHECK(m_data->encodeShare());
    m_model->releaseFrozen(); // each rank had the autoencoder
    return {};
}

Result<void> DenoiserTrainee::encodePictures() {
    // Released again before the first step, but for latents and captions, which lie in RAM.
    const TierScope notTheSteps(Tier::Ram);
    HOMEBOOTH_ASSIGN(const bool filled, m_data->fill());
    m_model->releaseFrozen();
    if (filled) m_batches = std::make_unique<BatchMaker>(m_job, *m_model);
    return {};
}

Result<void> DenoiserTrainee::encodeOwnCaptions() {
    if (!m_job.sharesEncoding() || m_data->encodesAhead()) return {};
    const TierScope notTheSteps(Tier::Ram);
    return m_batches->encodePrompts(m_data->captions(), BatchMaker::Whose::Own);
}

Result<void> DenoiserTrainee::encodeCaptions() {
    {
        const TierScope notTheSteps(Tier::Ram);
        if (m_data->encodesAhead())
            HOMEBOOTH_CHECK(m_batches->openPrompts(PromptCache::Disk::Read));
        else
            HOMEBOOTH_CHECK(m_batches->encodePrompts(m_data->captions()));
    }
    if (m_job.control.stop.requested()) return {};
    m_model->releaseFrozen();
    if (!m_job.options.cacheDir.empty() && m_job.ranks().leadsMachine())
        boundCache(m_job.options.cacheDir, m_job.options.cacheBytes);
    return {};
}

Result<void> DenoiserTrainee::loadModel() {
    HOMEBOOTH_ASSIGN(const bool loaded, m_model->load());
    if (loaded) m_model->endPreparation();
    return {};
}

Result<void> DenoiserTrainee::makeLearner() {
    const TrainConfig& config = m_job.config;
    const double rate = config.optimizer.learningRate;
    std::vector<LearningPart> parts = {{"unet", &m_model->unet().component(), rate}};
    TextEncoder* text = nullptr;
    if (m_model->trainsText()) {
        HOMEBOOTH_ASSIGN(TextEncoders * encoders, m_model->textEncoders());
        text = &encoders->first();
        const double textRate = config.optimizer.textEncoderLearningRate;
        parts.push_back({"text_encoder", &text->component(), textRate > 0.0 ? textRate : rate});
    }
    m_learner = std::make_unique<Learner>(config, parts, m_model->stepPlan().placement,
                                          *m_job.options.swapDevice, m_job.ranks());
    HOMEBOOTH_CHECK(beginMasters());
    for (const std::string& note : m_learner->swapNotes()) m_job.events.emit(WarningEvent{"swap", note});
    m_learner->place(m_model->stepPlan().placement);
    m_step = std::make_unique<DenoisingStep>(config, m_model->unet(), text, m_model->noiseSchedule());
    PlannedRun run = m_model->plannedRun();
    m_begunWay = m_model->heldPictures().way;
    run.holdFewer = [this] { return holdFewer(); };
    run.givenUpBytes = [this] { return givenUpBytes(); };
    run.holdMore = [this] { hold(m_model->heldPictures().way - 1); };
    m_planned = std::make_unique<PlannedSteps>(m_job, std::move(run), *m_learner);
    return {};
}

/// The files' weights may be more exact than those that compute.
Result<void> DenoiserTrainee::beginMasters() {
    if (m_job.config.optimizer.master == MasterWeights::None) return {};
    const ModelSource& source = m_model->source();
    const std::array<const TensorSource*, 2> parts = {source.unetTensors.get(), source.text.tensors.get()};
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
        HOMEBOOTH_ASSIGN(parts.text, m_model->textEncoders());
        HOMEBOOTH_ASSIGN(parts.vae, m_model->vae());
    } catch (const std::exception&) {
        return failureInFlight("reading what previews need", kMemoryAdvice);
    }
    return parts;
}

Result<std::vector<PreviewPicture>> DenoiserTrainee::preview(int64_t /*step*/) {
    const std::vector<PreviewPrompt> prompts = previewPrompts(m_job.config, m_data->samples());
    const std::vector<RankTurn> turns = ownTurns(m_job, prompts.size());
    if (turns.empty() || endsPreviews(m_job)) return std::vector<PreviewPicture>();
    const FrozenLease lease{*m_model};
    const Result<FrozenParts> parts = readFrozenParts();
    // Where ranks compute together, all have them or none begins: the others would wait for one that cannot,
    // in the middle of a picture.
    const bool anyLacks = m_job.spreadsParameters() && m_job.ranks().any(!parts);
    if (!parts) return parts.error();
    if (anyLacks) return std::vector<PreviewPicture>(); // it will say so
    GenerationPipeline pipeline({m_model->unet(), *parts->text, *parts->vae, m_model->tokenizers(),
                                 m_model->scheduler(), m_model->source().zeroEmptyPrompt});
    return makePreviews(pipeline, prompts, turns);
}

Result<std::vector<PreviewPicture>> DenoiserTrainee::makePreviews(GenerationPipeline& pipeline,
                                                                  const std::vector<PreviewPrompt>& prompts,
                                                                  const std::vector<RankTurn>& turns) const {
    const bool tiles = tilesPictures(m_job, m_model->source());
    std::vector<PreviewPicture> previews;
    std::optional<Error> failure;
    for (const RankTurn& turn : turns) {
        GenerationRequest request;
        request.prompt = prompts[turn.place].text;
        request.seeds = {prompts[turn.place].seed};
        request.steps = kPreviewSteps;
        request.guidanceScale = m_job.config.output.guidanceScale;
        request.widthPixels = m_job.config.data.resolutionPixels;
        request.heightPixels = m_job.config.data.resolutionPixels;
        request.vaeTiling = tiles;
        SignsOfLife signs(m_job,
                          {"sampling", "preview", static_cast<int64_t>(turn.place), std::ssize(prompts)});
        const CancelToken end;
        const Result<GenerationResult> made =
            pipeline.generate(request, endingPreviews(signs.listener(), m_job, end), end);
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

Result<std::vector<std::string>> DenoiserTrainee::writeResult(const std::string& resultDir, int64_t step) {
    return writeDenoiserResult(m_job, *m_model, *m_learner, m_data->samples(), resultDir, step);
}

TierMemory DenoiserTrainee::memory() const {
    TierMemory memory = m_model->memory();
    memory.cacheBytes = m_data->heldBytes() + m_batches->heldBytes();
    return memory;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/sample_job.h"

#include "core/base/config/start_size.h"
#include "core/base/config/step_spacing.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/process_files.h"
#include "core/base/model/model_hash.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/run/failure_cause.h"
#include "core/base/system/cpu_facts.h"
#include "core/base/system/memory_facts.h"
#include "core/base/text/prompt_syntax.h"
#include "core/base/text/prompt_weights.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/io/precision.h"
#include "core/engine/jobs/cuda_libraries.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/jobs/failure.h"
#include "core/engine/sampling/asked_model.h"
#include "core/engine/sampling/guidance_halves.h"
#include "core/engine/sampling/lora_merge.h"
#include "core/engine/sampling/picture_facts.h"
#include "core/engine/sampling/picture_names.h"
#include "core/engine/sampling/picture_saving.h"
#include "core/engine/sampling/pixels.h"
#include "core/engine/sampling/sample_room.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <set>

namespace homebooth::core {

namespace {

namespace fs = std::filesystem;

/// The GPU where there is one, unless the user said otherwise.
at::Device deviceFor(ComputeDevice wanted) {
    const bool gpu = wanted != ComputeDevice::Cpu && cudaIsUsable();
    return gpu ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
}

bool isBeyondFp16(const Error& error) {
    return causeOf(static_cast<int>(error.code), error.message) == FailureCause::BeyondFp16;
}

constexpr const char* kMemoryAdvice = "lower the batch or the size, or take bf16";

} // namespace

/// One call of SampleSession::run.
class SampleSession::Job {
public:
    Job(SampleSession& session, const SampleConfig& config, const SampleShare& share, EventSink& events,
        const CancelToken& cancel)
        : m_session(session)
        , m_config(config)
        , m_additions(additionsOf(config))
        , m_share(share)
        , m_events(events)
        , m_cancel(cancel) {}
    ~Job() { removePreviews(); }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Whether all pictures were made; false when cancelled.
    Result<bool> run();
    [[nodiscard]] OutcomeEvent outcome(const Result<bool>& end) const;

private:
    using Words = std::vector<std::string>;
    Result<bool> prepareModel();
    /// Has bf16 stand for fp16 from here on; false when cancelled.
    Result<bool> prepareInBf16();
    /// Spares later jobs the attempt in fp16, once bf16 has proved itself.
    void rememberBf16();
    /// Whether fp16 did not suffice, here or at the process with the other half.
    [[nodiscard]] bool needsBf16(const Result<GenerationResult>& made) const;
    /// Finds out how large the pictures will be.
    Result<void> chooseSize(const ModelSource& source);
    /// Finds out where the model's parts shall be, and says so where it changes pictures.
    void choosePlacement(const ModelSource& source);
    [[nodiscard]] Result<ModelSource> openedModel() const;
    Result<bool> loadModel(ModelSource source);
    /// Makes sure that the model in memory is the one that was asked for; false when cancelled.
    Result<bool> haveModel();
    /// Those that were asked for in place of those that are there; false when cancelled.
    Result<bool> addLoras();
    Result<void> addEmbeddings();
    [[nodiscard]] Words prompts() const; ///< that count
    [[nodiscard]] Words pieces() const;  ///< of those
    /// Says what in them other programs would not take for words.
    void warnOfSyntax();
    void warnOfFewSteps(const GenerationRequest& request);
    Result<bool> hashLoras(); ///< false when cancelled
    Result<GenerationRequest> request() const;
    Result<bool> makeBatches();
    Result<bool> makeBatch(GenerationRequest& request, int64_t first, int64_t count);
    GenerationListener listener(int64_t first, int64_t count);
    Result<void> save(const GenerationRequest& request, const GenerationResult& result, int64_t first);
    Result<std::string> nextPath(int64_t index, uint64_t seed);
    void showPreviews(int64_t step, int64_t first, const std::vector<Picture>& pictures);
    void removePreviews();
    /// Adds up the time between steps; the decode after the last one is left out.
    void measure(int64_t done, int64_t total);
    void startHash();
    std::string modelHashText();
    [[nodiscard]] fs::path previewPath(int64_t index) const {
        return fs::path(folder()) / ownFileName(kPreviewPrefix, std::to_string(index) + ".png");
    }
    [[nodiscard]] std::string folder() const {
        const std::string moved = m_share.folder.moved();
        return moved.empty() ? m_config.outputDir : moved;
    }

    SampleSession& m_session;
    const SampleConfig& m_config;
    const std::string m_additions; // to the model, in words
    const SampleShare& m_share;
    EventSink& m_events;
    const CancelToken& m_cancel;
    PictureSize m_size; // a side of 0: the model's own
    SamplePlacement m_placement;
    std::optional<ToldPrediction> m_told; // by LoRAs
    bool m_inBf16 = false;                // since fp16 did not suffice
    CancelToken m_stopHashing;
    std::future<std::string> m_hash;
    std::vector<std::string> m_paths;
    std::string m_madeFolder; // the last one that the pictures were moved to
    std::vector<std::pair<std::string, std::string>> m_loraHashes;
    int64_t m_nextNumber = 0;
    int64_t m_made = 0;             // pictures by this process
    std::set<std::string> m_warned; // messages of batches
    std::set<fs::path> m_previews;
    std::chrono::steady_clock::time_point m_lastStep;
    int64_t m_stepsDone = 0;
    double m_stepSeconds = 0.0;
};

Result<bool> SampleSession::Job::loadModel(ModelSource source) {
    m_events.emit(StateEvent{"loading", m_config.model, 0, 0});
    for (const std::string& deviation : source.deviations) m_events.emit(WarningEvent{"model", deviation});
    m_session.m_model.reset(); // the old one makes room first
    m_session.m_modelHash.clear();
    GenerationModel::Options options;
    options.type = m_session.m_key.type;
    options.device = m_session.m_key.device;
    options.clipSkip = m_config.clipSkip;
    options.quantization = m_session.m_key.quantization;
    options.placement = m_placement;
    HOMEBOOTH_ASSIGN(m_session.m_model, GenerationModel::load(std::move(source), options, m_cancel));
    return m_session.m_model != nullptr;
}

Result<ModelSource> SampleSession::Job::openedModel() const {
    OpenOptions options;
    if (!m_config.predictionType.empty()) {
        HOMEBOOTH_ASSIGN(options.predictionType, predictionTypeFromString(m_config.predictionType));
    }
    options.zeroTerminalSnr = m_config.zeroTerminalSnr;
    if (m_told) {
        HOMEBOOTH_ASSIGN(const ModelSource own, openPictureModel(m_config.model));
        if (!own.predictionTypeSaid) {
            options.predictionType = m_told->predictionType;
            options.zeroTerminalSnr = options.zeroTerminalSnr || m_told->zeroTerminalSnr;
        }
    }
    return openPictureModel(m_config.model, options);
}

Result<void> SampleSession::Job::chooseSize(const ModelSource& source) {
    m_size = {m_config.widthPixels, m_config.heightPixels};
    if (m_config.initImage.empty()) return {};
    HOMEBOOTH_ASSIGN(const PictureSize start, m_session.m_pictures.size(m_config.initImage));
    HOMEBOOTH_ASSIGN(const SampleConfig sized, withStartSize(m_config, start, source));
    m_size = {sized.widthPixels, sized.heightPixels};
    return {};
}

void SampleSession::Job::choosePlacement(const ModelSource& source) {
    SampleConfig own = m_config;
    own.widthPixels = m_size.widthPixels;
    own.heightPixels = m_size.heightPixels;
    if (m_share.halves != nullptr) own.guidanceScale = 1.0; // what one of two computes
    if (m_session.m_key.type == at::kBFloat16) own.precision = Precision::Bf16;
    m_placement = placeSampling(own, source, sampleRoom(m_session.m_key.device, m_share.processes()));
    if (m_placement.tilesVae && !m_config.vaeTiling && m_share.writes())
        m_events.emit(WarningEvent{kVaeTiling, std::string("memory is short for pictures of this size: the "
                                                           "autoencoder ") +
                                                   kTilesInWords});
    if (m_placement.streamsUnet && !m_session.m_toldThatItStreams && m_share.writes())
        m_events.emit(WarningEvent{kModelStreams,
                                   "the device has no room for the whole model: blocks of the denoiser come "
                                   "from RAM in each step, which takes longer and changes no picture"});
    m_session.m_toldThatItStreams = m_placement.streamsUnet;
}

Result<bool> SampleSession::Job::haveModel() {
    m_told = toldByLoras(m_config);
    ModelKey key{m_config.model,
                 scalarTypeOf(m_config.precision),
                 deviceFor(m_config.device),
                 fileTimes(m_config.model),
                 predictionWords(m_config, m_told),
                 m_config.quantization};
    const auto& known = m_session.m_beyondFp16;
    if (m_inBf16 || (known && known->covers(key, m_additions))) key.type = at::kBFloat16;
    if (m_session.m_model && m_session.m_key == key) {
        HOMEBOOTH_CHECK(chooseSize(m_session.m_model->source()));
        // What this job does without makes room first.
        if (m_session.m_model->options().clipSkip != m_config.clipSkip)
            HOMEBOOTH_CHECK(m_session.m_model->setClipSkip(0));
        choosePlacement(m_session.m_model->source());
        m_session.m_model->place(m_placement);
        return true;
    }
    HOMEBOOTH_ASSIGN(ModelSource source, openedModel());
    HOMEBOOTH_CHECK(chooseSize(source));
    // Those that cannot be used are found before minutes of loading; the others are opened again to be
    // added.
    HOMEBOOTH_CHECK(openLoras(m_config.loras, source));
    HOMEBOOTH_CHECK(openEmbeddings(m_config.embeddings, source));
    m_session.m_key = key;
    m_session.m_toldThatItStreams = false;
    choosePlacement(source);
    return loadModel(std::move(source));
}

Result<bool> SampleSession::Job::prepareModel() {
    HOMEBOOTH_ASSIGN(const bool there, haveModel());
    if (!there) return false;
    HOMEBOOTH_ASSIGN(const bool hashed, hashLoras());
    if (!hashed) return false;
    // Behind them: what it reads gets the LoRAs that are there, and those of the job before may be gone.
    HOMEBOOTH_ASSIGN(const bool added, addLoras());
    HOMEBOOTH_ASSIGN(const bool skips, added ? m_session.m_model->setClipSkip(m_config.clipSkip, m_cancel)
                                             : Result<bool>(false));
    if (!skips) {
        m_session.m_model.reset(); // it is changed in part
        return false;
    }
    HOMEBOOTH_CHECK(addEmbeddings());
    return true;
}

Result<bool> SampleSession::Job::prepareInBf16() {
    m_inBf16 = true;
    std::string message = "the numbers of this model ";
    if (!m_additions.empty()) message.append("with ").append(m_additions).append(" ");
    message.append(kBeyondFp16).append(": its pictures are made in bf16 instead");
    const char* code = m_additions.empty() ? "bf16-instead" : "bf16-for-additions";
    if (m_share.writes()) m_events.emit(WarningEvent{code, message});
    const std::string hash = m_session.m_modelHash; // of the same files
    HOMEBOOTH_ASSIGN(const bool ready, prepareModel());
    m_session.m_modelHash = hash;
    return ready;
}

void SampleSession::Job::rememberBf16() {
    m_session.m_beyondFp16 = {m_session.m_key, m_additions};
    m_session.m_beyondFp16->model.type = at::kHalf;
}

bool SampleSession::Job::needsBf16(const Result<GenerationResult>& made) const {
    if (m_session.m_key.type != at::kHalf || (made && made->cancelled)) return false;
    const bool own = !made && isBeyondFp16(made.error()); // only the one that decodes sees pixels
    return m_share.halves != nullptr ? m_share.halves->either(own) : own;
}

SampleSession::Job::Words SampleSession::Job::prompts() const {
    if (m_config.guidanceScale <= 1.0) return {m_config.prompt};
    return {m_config.prompt, m_config.negativePrompt};
}

SampleSession::Job::Words SampleSession::Job::pieces() const {
    Words all;
    for (const std::string& prompt : prompts())
        for (PromptPiece& piece : promptPieces(prompt)) all.push_back(std::move(piece.text));
    return all;
}

void SampleSession::Job::warnOfSyntax() {
    for (const std::string& prompt : prompts())
        for (const std::string& message : syntaxWarnings(promptSyntax(prompt)))
            m_events.emit(WarningEvent{kPromptSyntax, message});
}

void SampleSession::Job::warnOfFewSteps(const GenerationRequest& request) {
    SampleConfig made = m_config;
    made.karrasSigmas = request.karrasSigmas; // perhaps the model's own
    if (lacksTrailingSteps(made, request.stepSpacing == StepSpacing::Trailing))
        m_events.emit(WarningEvent{kFewSteps, fewStepsWarning(m_config.steps)});
}

Result<void> SampleSession::Job::addEmbeddings() {
    GenerationModel& model = *m_session.m_model;
    HOMEBOOTH_ASSIGN(PromptEmbeddings embeddings,
                     PromptEmbeddings::read(m_config.embeddings, model.source()));
    for (const std::string& word : m_share.writes() ? embeddings.unnamedIn(pieces()) : Words())
        m_events.emit(WarningEvent{"embedding-unnamed", "no prompt names the textual inversion \"" + word +
                                                            "\": it does nothing here"});
    model.setEmbeddings(std::move(embeddings));
    return {};
}

Result<bool> SampleSession::Job::hashLoras() {
    m_loraHashes.clear();
    for (const LoraReference& lora : m_config.loras) {
        HOMEBOOTH_ASSIGN(const std::string hash, loraHash(lora.file, m_cancel));
        if (m_cancel.requested()) return false;
        m_loraHashes.emplace_back(modelName(lora.file), hash);
    }
    return true;
}

Result<bool> SampleSession::Job::addLoras() {
    const auto same = [](const LoraReference& a, const LoraReference& b) {
        return a.file == b.file && a.weight == b.weight;
    };
    const std::vector<LoraReference>& present = m_session.m_model->loras();
    // By content, too: the file of that name may be another one by now.
    if (std::equal(present.begin(), present.end(), m_config.loras.begin(), m_config.loras.end(), same) &&
        m_session.m_loraHashes == m_loraHashes)
        return true;
    m_session.m_loraHashes.clear();
    HOMEBOOTH_ASSIGN(const bool added, m_session.m_model->setLoras(m_config.loras, m_cancel));
    if (added) m_session.m_loraHashes = m_loraHashes;
    return added;
}

void SampleSession::Job::startHash() {
    if (!m_session.m_modelHash.empty()) return;
    m_hash = std::async(std::launch::async, [path = m_config.model, stop = m_stopHashing]() -> std::string {
        const auto hash = modelHash(path, {}, stop);
        return hash && *hash ? shortHash(**hash) : std::string();
    });
}

std::string SampleSession::Job::modelHashText() {
    constexpr std::chrono::milliseconds kPause(50);
    while (m_hash.valid() && m_hash.wait_for(kPause) != std::future_status::ready)
        if (m_cancel.requested()) m_stopHashing.request(); // a large model on a slow disk takes minutes
    if (m_hash.valid()) m_session.m_modelHash = m_hash.get();
    return m_session.m_modelHash;
}

Result<GenerationRequest> SampleSession::Job::request() const {
    GenerationRequest request;
    request.prompt = m_config.prompt;
    request.negativePrompt = m_config.negativePrompt;
    request.weighsWords = true;
    request.steps = m_config.steps;
    request.sampler = m_config.sampler;
    // Also where it is the model's own, so that the pictures tell of it.
    const SchedulerConfig& own = m_session.m_model->scheduler();
    const bool modelHasIt = own.useKarrasSigmas.value_or(false);
    request.karrasSigmas = m_config.karrasSigmas || (modelHasIt && hasKarrasSpacing(m_config.sampler));
    const bool modelTrails = own.timestepSpacing == TimestepSpacing::Trailing;
    request.stepSpacing = modelTrails ? StepSpacing::Trailing : m_config.stepSpacing;
    request.guidanceScale = m_config.guidanceScale;
    request.widthPixels = m_size.widthPixels;
    request.heightPixels = m_size.heightPixels;
    request.strength = m_config.strength;
    request.previewEverySteps = m_config.previewEverySteps;
    request.halves = m_share.halves;
    request.additions = m_additions;
    if (m_config.initImage.empty()) return request;
    HOMEBOOTH_ASSIGN(const Picture picture, m_session.m_pictures.load(m_config.initImage, m_size));
    request.initPixels = pixelsOf(picture);
    return request;
}

GenerationListener SampleSession::Job::listener(int64_t first, int64_t count) {
    GenerationListener listener;
    listener.warning = [this](const std::string& code, const std::string& message) {
        if (code == kVaeTiling) m_placement.tilesVae = true; // later batches need not find it out
        const bool isNew = m_warned.insert(message).second;  // and nobody hears it with each of them
        if (isNew) m_events.emit(WarningEvent{code, message});
    };
    if (!m_share.writes()) return listener;
    listener.progress = [this, first, count](int64_t done, int64_t total) {
        StateEvent state;
        state.state = "sampling";
        state.detail = "picture " + std::to_string(first + count) + " of " + std::to_string(m_config.count);
        state.done = m_made * total + done * count;
        state.total = m_config.count * total;
        m_events.emit(state);
        measure(done, total);
    };
    listener.preview = [this, first](int64_t step, const std::vector<Picture>& pictures) {
        showPreviews(step, first, pictures);
    };
    return listener;
}

void SampleSession::Job::showPreviews(int64_t step, int64_t first, const std::vector<Picture>& pictures) {
    for (size_t index = 0; index < pictures.size(); ++index) {
        const int64_t number = first + static_cast<int64_t>(index);
        const std::string path = previewPath(number).string();
        const auto written = m_session.m_writer.write(path, pictures[index], {});
        if (!written) continue; // a lost preview is no reason to stop
        m_previews.insert(path);
        m_events.emit(PreviewEvent{step, number, path});
    }
}

void SampleSession::Job::removePreviews() {
    for (const fs::path& path : m_previews) {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
    m_previews.clear();
}

void SampleSession::Job::measure(int64_t done, int64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (done > 0 && done < total) {
        m_stepSeconds += std::chrono::duration<double>(now - m_lastStep).count();
        ++m_stepsDone;
    }
    m_lastStep = now;
}

/// What was free when the job began may be taken by now; a number may come twice, never a path, since the
/// seeds of all pictures differ.
Result<std::string> SampleSession::Job::nextPath(int64_t index, uint64_t seed) {
    if (!m_share.numbers.empty()) m_nextNumber = m_share.numbers.at(static_cast<size_t>(index));
    const std::string into = folder();
    std::error_code ignored;                                  // the writer says it
    if (into != m_config.outputDir && into != m_madeFolder) { // once: its drive may be unmounted later
        fs::create_directories(into, ignored);
        if (fs::is_directory(into, ignored)) m_madeFolder = into;
    }
    return freePicturePath(into, seed, m_nextNumber);
}

Result<void> SampleSession::Job::save(const GenerationRequest& request, const GenerationResult& result,
                                      int64_t first) {
    for (size_t index = 0; index < result.pictures.size(); ++index) {
        const Picture& picture = result.pictures[index];
        GenerationParameters facts = pictureFacts(request, index, picture);
        facts.model = modelName(m_config.model);
        facts.modelHash = modelHashText();
        facts.clipSkip = toldClipSkip(m_config.clipSkip, m_session.m_model->source().secondText.has_value());
        facts.loraHashes = m_loraHashes;
        facts.embeddingHashes = m_session.m_model->embeddingsIn(pieces());
        for (const LoraReference& lora : m_config.loras)
            facts.loraWeights.emplace_back(modelName(lora.file), lora.weight);
        if (m_config.quantization != Quantization::None)
            facts.others.emplace_back("Quantization", quantizationName(m_config.quantization));
        facts.initImage = fs::path(m_config.initImage).filename().string();
        const int64_t number = first + static_cast<int64_t>(index);
        const auto place = [&] { return nextPath(number, request.seeds[index]); };
        HOMEBOOTH_ASSIGN(const std::string path,
                         writeWithRoom(m_session.m_writer, place, m_config.outputDir, picture,
                                       {{"parameters", writeGenerationParameters(facts)}}, m_events,
                                       m_cancel));
        ++m_nextNumber;
        m_paths.push_back(path);
        m_events.emit(PreviewEvent{request.steps, number, path});
    }
    return {};
}

Result<bool> SampleSession::Job::makeBatch(GenerationRequest& request, int64_t first, int64_t count) {
    request.seeds.clear();
    for (int64_t index = 0; index < count; ++index)
        request.seeds.push_back(m_config.seed + static_cast<uint64_t>(first + index));
    const auto generate = [&] {
        request.vaeTiling = m_placement.tilesVae;
        return m_session.m_model->pipeline().generate(request, listener(first, count), m_cancel);
    };
    Result<GenerationResult> made = generate();
    if (needsBf16(made)) {
        HOMEBOOTH_ASSIGN(const bool ready, prepareInBf16());
        if (!ready) return false;
        made = generate();
    }
    if (!made) return made.error();
    if (made->cancelled) return false;
    if (m_inBf16) rememberBf16();
    HOMEBOOTH_CHECK(save(request, *made, first));
    m_made += count;
    return true;
}

Result<bool> SampleSession::Job::run() {
    at::set_num_threads(static_cast<int>(m_config.threads > 0 ? m_config.threads : usableThreads()));
    if (const auto removed = removePartials(m_config.outputDir); !removed) // a killed job's
        m_events.emit(WarningEvent{"left-over", removed.error().text()});
    removeFilesOfDead(m_config.outputDir, kPreviewPrefix, ".png");
    if (m_config.count < 1 || m_config.batchSize < 1)
        return Error{ErrorCode::Usage, "making pictures: expected a count and a batch of at least 1", {}};
    if (m_share.writes()) warnOfSyntax(); // before minutes of loading
    Result<bool> ready = prepareModel();
    if (!ready && m_session.m_key.type == at::kHalf && isBeyondFp16(ready.error())) ready = prepareInBf16();
    if (!ready) return ready.error();
    if (!*ready || m_cancel.requested()) return false;
    if (m_share.writes()) startHash();
    struct Stop {
        const CancelToken& token;
        ~Stop() { token.request(); }
    } const stop{m_stopHashing};
    return makeBatches();
}

Result<bool> SampleSession::Job::makeBatches() {
    HOMEBOOTH_ASSIGN(GenerationRequest wanted, request());
    if (m_share.writes()) warnOfFewSteps(wanted);
    const int64_t batch = m_config.batchSize;
    for (int64_t first = m_share.team * batch; first < m_config.count; first += m_share.teams * batch) {
        HOMEBOOTH_ASSIGN(const bool made, makeBatch(wanted, first, std::min(batch, m_config.count - first)));
        if (!made) return false;
    }
    return true;
}

OutcomeEvent SampleSession::Job::outcome(const Result<bool>& end) const {
    OutcomeEvent outcome;
    outcome.resultPaths = m_paths;
    outcome.measured.stepSeconds = m_stepsDone > 0 ? m_stepSeconds / static_cast<double>(m_stepsDone) : 0.0;
    outcome.measured.residentBytes = peakResidentBytes();
    outcome.measured.ramBytes = outcome.measured.residentBytes;
    if (end && *end) {
        outcome.result = "done";
        return outcome;
    }
    outcome.kept =
        std::to_string(m_paths.size()) + " of " + std::to_string(m_config.count) +
        (m_share.folder.moved().empty() ? " pictures are in " : " pictures are saved, the last ones in ") +
        folder();
    outcome.result = end ? "cancelled" : "failed";
    outcome.code = end ? kExitCancelled : static_cast<int>(end.error().code);
    outcome.message = end ? "stopped on request" : end.error().text();
    return outcome;
}

SampleSession::SampleSession(PictureSource& pictures, PictureWriter& writer)
    : m_pictures(pictures)
    , m_writer(writer) {}

SampleSession::~SampleSession() = default;

bool SampleShare::writes() const {
    return halves == nullptr || halves->leads();
}

int64_t SampleShare::processes() const {
    return halves == nullptr ? teams : 2 * teams;
}

OutcomeEvent SampleSession::run(const SampleConfig& config, EventSink& events, const CancelToken& cancel,
                                const SampleShare& share) {
    Job job(*this, config, share, events, cancel);
    std::optional<Error> thrown;
    bool lost = false;
    try {
        return job.outcome(job.run());
    } catch (const RankLost& failure) {
        thrown = failure.error();
        lost = true;
    } catch (const std::exception&) {
        thrown = failureInFlight("making pictures", kMemoryAdvice);
    }
    m_model.reset(); // what broke in the middle is not used again, and its memory comes back
    if (lost && cancel.requested()) return job.outcome(false); // both were asked, and the other went first
    OutcomeEvent outcome = job.outcome(*thrown);
    if (lost) outcome.code = kExitRankLost;
    return outcome;
}

OutcomeEvent runSampleJob(const SampleConfig& config, EventSink& events, const CancelToken& cancel,
                          PictureSource& pictures, PictureWriter& writer) {
    SampleSession session(pictures, writer);
    return session.run(config, events, cancel);
}

} // namespace homebooth::core

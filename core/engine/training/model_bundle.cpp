// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/model_bundle.h"

#include "core/base/arch/unet_layout.h"
#include "core/base/config/training_defaults.h"
#include "core/base/config/training_size.h"
#include "core/base/files/sha256.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/deviation.h"
#include "core/base/model/model_card.h"
#include "core/base/model/model_tokenizer.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/base/schedule/adapters.h"
#include "core/engine/io/precision.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/memory/disk_space.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/parallel/rank_disk.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/training/component_hash.h"
#include "core/engine/training/picture_room.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace homebooth::core {
namespace {

/// The hash of a part's weights, or of its configuration alone where it is trained from scratch. Empty when
/// cancelled.
Result<std::string> hashOf(const TensorSource* tensors, const std::string& configuration,
                           const CancelToken& cancel) {
    if (tensors == nullptr) return sha256Text(configuration);
    HOMEBOOTH_ASSIGN(const auto hash, componentHash(*tensors, configuration, cancel));
    return hash.value_or(std::string());
}

} // namespace

Result<std::unique_ptr<ModelBundle>> ModelBundle::open(const JobContext& job) {
    std::unique_ptr<ModelBundle> bundle(new ModelBundle(job));
    bundle->m_trainsText = job.config.trainTextEncoder || job.config.mode == TrainMode::FromScratch;
    HOMEBOOTH_CHECK(bundle->openSource());
    HOMEBOOTH_CHECK(checkLearning(job.config, bundle->m_source));
    HOMEBOOTH_CHECK(bundle->checkResolution());
    noteLicence(bundle->m_source); // its folder may be gone when the result is written
    if (job.config.method == TrainMethod::Full) {
        HOMEBOOTH_CHECK(keepAlong(bundle->m_source));
        if (const auto text = leftAsideText(bundle->m_source))
            job.events.emit(WarningEvent{kLeftAside, *text});
    }
    if (const auto warning = smallPicturesWarning(job.config, bundle->m_source))
        job.events.emit(WarningEvent{kSmallPictures, *warning});
    HOMEBOOTH_CHECK(bundle->openScheduler());
    HOMEBOOTH_ASSIGN(bundle->m_tokenizers, loadTokenizers(bundle->m_source, job.options.vocabularyFile));
    return bundle;
}

Result<bool> ModelBundle::load(bool whole) {
    if (whole && !m_whole && m_job.spreadsParameters()) { // a part is there at the most
        m_unet.reset();
        if (m_trainsText) m_textEncoders.reset();
    }
    m_whole = m_whole || whole;
    if (whole && !m_unet) m_pictures = placementOfPictures(m_job, m_source, m_run.steps);
    if (!m_unet) {
        m_job.events.emit(StateEvent{"loading", "model", 0, 0}); // a large one takes minutes
        HOMEBOOTH_CHECK(makeUnet());
    }
    if (m_trainsText) {
        const auto text = textEncoders();
        if (!text) return text.error();
    }
    return !m_job.control.stop.requested();
}

Result<std::unique_ptr<ModelBundle>> ModelBundle::make(const JobContext& job) {
    HOMEBOOTH_ASSIGN(std::unique_ptr<ModelBundle> bundle, open(job));
    HOMEBOOTH_CHECK(bundle->planSteps({}));
    HOMEBOOTH_ASSIGN(const bool loaded, bundle->load());
    if (!loaded) bundle.reset();
    return bundle;
}

Result<void> ModelBundle::openSource() {
    const TrainConfig& config = m_job.config;
    if (config.mode != TrainMode::FromScratch) {
        HOMEBOOTH_ASSIGN(m_source, openModel(config.model));
        return {};
    }
    OpenOptions options;
    options.weightsOptional = true;
    HOMEBOOTH_ASSIGN(m_source, openModel(config.scratch.configDir, options));
    if (!m_source.vaeTensors && !config.model.empty()) {
        HOMEBOOTH_ASSIGN(const ModelSource other, openModel(config.model, options));
        m_source.vae = other.vae;
        m_source.vaeJson = other.vaeJson;
        m_source.vaeTensors = other.vaeTensors;
    }
    if (!m_source.vaeTensors)
        return badInput(
            "training from scratch: the autoencoder has no weights; train it first (component vae) and "
            "name its result as the configuration's folder, or name a model that has one",
            config.scratch.configDir);
    m_source.unetTensors.reset(); // of a folder with weights its shape alone is taken
    m_source.text.tensors.reset();
    return {};
}

Result<void> ModelBundle::checkResolution() const {
    const int64_t resolution = m_job.config.data.resolutionPixels;
    const int64_t factor = m_source.vae.downscale();
    if (resolution % factor == 0) return {};
    return badInput("preparing the training: the resolution must be divisible by " + std::to_string(factor) +
                    " pixels for this model, found " + std::to_string(resolution) + "; take " +
                    std::to_string((resolution / factor + 1) * factor));
}

Result<void> ModelBundle::openScheduler() {
    HOMEBOOTH_ASSIGN(m_scheduler, parseSchedulerConfig(m_source.schedulerJson, "scheduler_config.json"));
    if (!m_scheduler.predictionType) m_scheduler.predictionType = m_source.predictionType;
    m_ownScheduler = m_scheduler;
    if (!m_job.config.loss.predictionType.empty()) {
        HOMEBOOTH_ASSIGN(m_scheduler.predictionType,
                         predictionTypeFromString(m_job.config.loss.predictionType));
        takeOwnPrediction();
    }
    m_source.predictionType = *m_scheduler.predictionType;
    HOMEBOOTH_CHECK(applyZeroTerminalSnr());
    m_source.schedulerJson = toJson(m_scheduler);
    HOMEBOOTH_ASSIGN(const SchedulerSettings settings, resolveForTraining(m_scheduler));
    HOMEBOOTH_ASSIGN(NoiseSchedule schedule, NoiseSchedule::make(settings));
    m_noiseSchedule.emplace(std::move(schedule));
    return {};
}

/// Where the file does not say what the model predicts, its user does. An SD 1.x that does not predicts the
/// noise, and what is asked for is what it shall learn; of SDXL there are those that predict v already.
void ModelBundle::takeOwnPrediction() {
    const bool user = !m_source.predictionTypeKnown || (!m_source.predictionTypeSaid && m_source.secondText);
    if (m_ownScheduler.predictionType == m_scheduler.predictionType) return;
    const std::string before = toString(*m_ownScheduler.predictionType);
    const bool knows = m_source.predictionTypeSaid && m_job.config.mode != TrainMode::FromScratch;
    if (!user && knows)
        m_job.events.emit(
            WarningEvent{kPredictionAsAsked, deviationText(DeviationKind::PredictionReplaced, before,
                                                           m_job.config.loss.predictionType)});
    if (!user) return;
    m_ownScheduler.predictionType = m_scheduler.predictionType;
    if (!m_source.predictionTypeKnown || !m_job.config.usesClassPictures()) return;
    m_job.events.emit(WarningEvent{
        "class-pictures-as-told",
        "the model's file does not say what it predicts: pictures of the class are drawn as of one that "
        "predicts " +
            m_job.config.loss.predictionType + ", as was asked for; if it predicts " + before +
            " and shall learn the other, they are grey noise: write it anew first (convert --to diffusers "
            "--prediction-type " +
            before + ")"});
}

Result<void> ModelBundle::applyZeroTerminalSnr() {
    if (!m_job.config.loss.zeroTerminalSnr) return {};
    if (m_source.predictionType != PredictionType::VPrediction)
        return badInput("preparing the training: zero-terminal SNR (--zero-terminal-snr) needs a model that "
                        "predicts v, found one that predicts " +
                        std::string(toString(m_source.predictionType)) +
                        ": of noise alone nothing is to be predicted; add --prediction-type v_prediction");
    setZeroTerminalSnr(m_scheduler);
    return {};
}

ParameterStore::Options ModelBundle::storeOptions() const {
    ParameterStore::Options options;
    options.type = scalarTypeOf(m_job.config.precision);
    options.device = m_job.options.device;
    options.streaming = m_run.steps.placement.streaming;
    options.disk = diskOf(m_job.config.memory, m_job.ranks(), *m_job.options.swapDevice);
    return options;
}

/// Of what learns. @param part  0: UNet, 1: text encoder
ParameterStore::Options ModelBundle::learningOptions(size_t part, const Schedule& schedule) const {
    ParameterStore::Options options = storeOptions();
    options.streaming = m_run.steps.placement.streamingOf(part);
    options.resident = m_run.steps.placement.residentOf(part);
    if (m_pictures) {
        const bool streams = part == 0 ? m_pictures->streamsUnet : m_pictures->streamsText;
        options.streaming = streams ? std::optional(StreamingOptions()) : std::nullopt;
        options.resident = part == 0 ? m_pictures->residentBlocks : std::vector<bool>();
    }
    options.spread = spreadOf(schedule);
    options.startsWhole = options.spread && m_whole;
    return options;
}

/// Of what does not learn: streamed where the steps are, with an arena of its own that is as small as can be.
ParameterStore::Options ModelBundle::frozenOptions() const {
    ParameterStore::Options options = storeOptions();
    if (!options.streaming) return options;
    const bool onDisk = options.streaming->homeOnDisk;
    options.streaming = StreamingOptions();
    options.streaming->homeOnDisk = onDisk;
    return options;
}

/// Where a GPU has no room for text encoders beside what it holds they are streamed, which takes longer and
/// changes no number.
ParameterStore::Options ModelBundle::frozenTextOptions() const {
    ParameterStore::Options options = frozenOptions();
    const at::Device device = m_job.options.device;
    if (m_encoding.textBytes > 0) {
        options.streaming.reset(); // they stay beside the steps, where the plan counts them as a whole
    } else if (!options.streaming && !device.is_cpu()) {
        const int64_t wanted = encodingNeed(m_job.config, m_source).textBytes + kRoomBesideTexts;
        const bool streams = m_pictures ? m_pictures->streamsText : roomOn(device).freeBytes < wanted;
        if (streams) options.streaming.emplace();
    }
    return options;
}

/// Homes of what learns, where each rank has a part of the parameters alone.
std::shared_ptr<BlockSpread> ModelBundle::spreadOf(const Schedule& schedule) const {
    if (!m_job.spreadsParameters()) return nullptr;
    const std::optional<StreamingOptions>& streaming = m_run.steps.placement.streaming;
    return spreadFor(m_job.ranks(), schedule, m_job.options.device, streaming && streaming->homeOnDisk);
}

Result<void> ModelBundle::load(ParameterStore& store, const TensorSource& source,
                               const ParameterFilter& filter) const {
    LoadOptions options;
    options.filter = filter;
    options.cancel = m_cancel;
    const auto loaded = loadParameters(store, source, options);
    if (loaded) return {};
    Error error = loaded.error();
    if (error.context.empty()) error.context = m_source.path;
    return error;
}

Result<void> ModelBundle::fill(Component& component, const TensorSource* source) {
    const uint64_t seed = mixedSeed(m_job.config.seed, DrawPurpose::Initialisation);
    if (m_job.config.mode == TrainMode::FromScratch && source == nullptr) {
        // After a request to stop nobody reads them any more.
        initialiseParameters(component.store(), seed,
                             [this](const ParameterSpec&) { return !m_cancel.requested(); });
        return {};
    }
    initialiseParameters(component.store(), seed, isAdapter);
    return load(component.store(), *source, [](const ParameterSpec& spec) { return !isAdapter(spec); });
}

Result<void> ModelBundle::planSteps(const std::vector<HeldPictures>& ways, EncodingWish encoding) {
    HOMEBOOTH_ASSIGN(RunPlan run, planRun(m_job, m_source, {.pictures = ways, .encoding = encoding}));
    takePlan(std::move(run));
    return {};
}

Result<void> ModelBundle::planStepsAgain(const HeldPictures& way) {
    HOMEBOOTH_ASSIGN(RunPlan run, planAgainHolding(m_job, m_source, m_run, way));
    takePlan(std::move(run));
    return {};
}

void ModelBundle::takePlan(RunPlan run) {
    m_run = std::move(run);
    m_encoding = m_run.encodingBytes > 0 ? encodingNeed(m_job.config, m_source) : EncodingNeed();
    addExchangeOfRanks(m_job, m_run);
}

Result<void> ModelBundle::makeUnet() {
    Schedule schedule = unetSchedule(m_source.unet);
    HOMEBOOTH_CHECK(prepareLearning(schedule, m_job.config, true));
    const ParameterStore::Options options = learningOptions(0, schedule);
    m_unet = std::make_unique<UNetModel>(m_source.unet, std::move(schedule), options);
    return fill(m_unet->component(), m_source.unetTensors.get());
}

/// Gives back what other ranks have, where `load` has read the whole.
void ModelBundle::endComputingAlone() {
    m_whole = false;
    if (m_unet) m_unet->component().store().becomeSpread();
    if (m_textEncoders && m_trainsText) m_textEncoders->first().component().store().becomeSpread();
}

void ModelBundle::endPreparation() {
    m_cancel = CancelToken();
    m_frozenDiskBytes = 0;
    endComputingAlone();
}

Result<std::unique_ptr<TextEncoder>> ModelBundle::makeTextEncoder(size_t part) {
    const TextPart& source = *m_source.textParts()[part];
    Schedule schedule = textSchedule(m_source, part);
    HOMEBOOTH_CHECK(prepareLearning(schedule, m_job.config, m_trainsText));
    const ParameterStore::Options options = m_trainsText ? learningOptions(1, schedule) : frozenTextOptions();
    auto encoder = std::make_unique<TextEncoder>(source.config, std::move(schedule), options);
    HOMEBOOTH_CHECK(fill(encoder->component(), source.tensors.get()));
    return encoder;
}

Result<TextEncoders*> ModelBundle::textEncoders() {
    if (m_textEncoders) return m_textEncoders.get();
    std::vector<std::unique_ptr<TextEncoder>> encoders;
    for (size_t part = 0; part < m_source.textParts().size() && !m_cancel.requested(); ++part) {
        HOMEBOOTH_ASSIGN(std::unique_ptr<TextEncoder> encoder, makeTextEncoder(part));
        encoders.push_back(std::move(encoder));
    }
    if (m_cancel.requested()) return static_cast<TextEncoders*>(nullptr);
    m_textEncoders = std::make_unique<TextEncoders>(std::move(encoders));
    noteFrozenDisk();
    return m_textEncoders.get();
}

Result<VaeModel*> ModelBundle::vae() {
    if (m_vae) return m_vae.get();
    ParameterStore::Options options = frozenOptions();
    options.type = safeVaeType(m_source.vae, options.type);
    auto vae = std::make_unique<VaeModel>(m_source.vae, options);
    for (Component* half : {vae->encoder(), vae->decoder()})
        HOMEBOOTH_CHECK(load(half->store(), *m_source.vaeTensors));
    if (m_cancel.requested()) return static_cast<VaeModel*>(nullptr);
    m_vae = std::move(vae);
    noteFrozenDisk();
    return m_vae.get();
}

Result<VaeModel*> ModelBundle::vaeEncoder() {
    if (m_vaeEncoder) return m_vaeEncoder.get();
    ParameterStore::Options options = storeOptions();
    options.type = safeVaeType(m_source.vae, options.type);
    options.streaming.reset();
    auto encoder = std::make_unique<VaeModel>(m_source.vae, options, VaeModel::Part::Encoder);
    HOMEBOOTH_CHECK(load(encoder->encoder()->store(), *m_source.vaeTensors));
    m_vaeEncoder = std::move(encoder);
    return m_vaeEncoder.get();
}

/// Of what is there now, each network with a file of its own.
void ModelBundle::noteFrozenDisk() {
    int64_t bytes = 0;
    for (size_t part = 0; !m_trainsText && m_textEncoders && part < m_textEncoders->count(); ++part)
        bytes += diskSpaceOf(m_textEncoders->at(part).component().store());
    if (m_vae)
        for (const ParameterStore* store : m_vae->stores()) bytes += diskSpaceOf(*store);
    m_frozenDiskBytes = std::max(m_frozenDiskBytes, bytes);
}

void ModelBundle::releaseEncoder() {
    m_vaeEncoder.reset();
    m_encoding.pictureBytes = 0;
}

void ModelBundle::releaseFrozen() {
    m_vae.reset();
    if (!m_trainsText) m_textEncoders.reset();
}

void ModelBundle::endPictures() {
    if (m_job.spreadsParameters()) return endComputingAlone();
    m_unet.reset();
    m_textEncoders.reset();
    m_vae.reset();
    m_pictures.reset();
    m_whole = false;
}

int64_t ModelBundle::contextLength() const {
    int64_t length = std::numeric_limits<int64_t>::max();
    for (const TextPart* part : m_source.textParts()) length = std::min(length, part->config.maxPositions);
    for (const ClipTokenizer& tokenizer : m_tokenizers) length = std::min(length, tokenizer.modelMaxLength());
    return length;
}

int64_t ModelBundle::pixelMultiple() const {
    return bucketMultiple(m_source.vae.downscale(), m_source.unet.blockOutChannels.size());
}

Result<std::string> ModelBundle::vaeHash() {
    if (m_vaeHash.empty()) {
        const std::string type = c10::toString(safeVaeType(m_source.vae, storeOptions().type));
        HOMEBOOTH_ASSIGN(m_vaeHash, hashOf(m_source.vaeTensors.get(), m_source.vaeJson + type, m_cancel));
    }
    return m_vaeHash;
}

Result<std::string> ModelBundle::textEncoderHash() {
    if (!m_textHash.empty()) return m_textHash;
    const std::string type = c10::toString(storeOptions().type);
    const std::vector<const TextPart*> parts = m_source.textParts();
    std::string all;
    for (const TextPart* part : parts) {
        HOMEBOOTH_ASSIGN(const std::string hash, hashOf(part->tensors.get(), part->json + type, m_cancel));
        if (hash.empty()) return hash; // stop was requested
        all += hash;
    }
    m_textHash = parts.size() == 1 ? all : sha256Text(all);
    return m_textHash;
}

TierMemory ModelBundle::memory() const {
    using Stores = std::vector<const ParameterStore*>;
    TierMemory memory;
    memory.parameterBytes = m_unet->component().store().residentBytes();
    for (size_t part = 0; m_textEncoders && part < m_textEncoders->count(); ++part)
        memory.parameterBytes += m_textEncoders->at(part).component().store().residentBytes();
    for (const VaeModel* vae : {m_vae.get(), m_vaeEncoder.get()})
        for (const ParameterStore* store : vae != nullptr ? vae->stores() : Stores())
            memory.parameterBytes += store->residentBytes();
    return memory;
}

} // namespace homebooth::core

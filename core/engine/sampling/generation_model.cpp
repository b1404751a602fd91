// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/generation_model.h"

#include "core/base/arch/unet_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/model/model_tokenizer.h"
#include "core/engine/io/weights.h"
#include "core/engine/sampling/lora_merge.h"
#include "core/engine/schedulers/sampler.h"

#include <optional>
#include <utility>

namespace homebooth::core {

namespace {

/// Reads parameters of one store again, those in `names` only.
Result<void> readNamed(ParameterStore& store, const TensorSource& source, const std::set<std::string>& names,
                       const CancelToken& cancel) {
    if (names.empty()) return {};
    LoadOptions options;
    options.filter = [&](const ParameterSpec& spec) { return names.contains(spec.name); };
    options.cancel = cancel;
    const auto read = loadParameters(store, source, options);
    if (!read) return read.error();
    return {};
}

/// After a cancellation the store is filled in part; whoever asked for that looks at the token again.
Result<void> readAll(ParameterStore& store, const TensorSource& source, const CancelToken& cancel = {}) {
    LoadOptions options;
    options.cancel = cancel;
    const auto read = loadParameters(store, source, options);
    if (!read) return read.error();
    return {};
}

std::optional<StreamingOptions> streamingFor(bool streams) {
    if (!streams) return std::nullopt;
    StreamingOptions options;
    options.prefetchDistance = kSampleTurnsAhead;
    return options;
}

} // namespace

GenerationModel::GenerationModel(ModelSource source, const Options& options,
                                 std::vector<ClipTokenizer> tokenizers)
    : m_source(std::move(source))
    , m_options(options)
    , m_tokenizers(std::move(tokenizers)) {}

Result<std::unique_ptr<GenerationModel>> GenerationModel::load(ModelSource source, const Options& options,
                                                               const CancelToken& cancel) {
    HOMEBOOTH_ASSIGN(std::vector<ClipTokenizer> tokenizers, loadTokenizers(source));
    const std::string schedulerJson = source.schedulerJson;
    const std::string path = source.path;
    auto* made = new GenerationModel(std::move(source), options, std::move(tokenizers));
    std::unique_ptr<GenerationModel> model(made);
    HOMEBOOTH_ASSIGN(model->m_scheduler, parseSchedulerConfig(schedulerJson, path));
    // A single file does not say it; what was found out or asked when it was opened counts.
    if (!model->m_scheduler.predictionType)
        model->m_scheduler.predictionType = model->m_source.predictionType;
    if (const auto read = model->readWeights(cancel); !read) {
        Error error = read.error();
        if (error.context.empty()) error.context = path;
        return error;
    }
    if (cancel.requested()) return std::unique_ptr<GenerationModel>();
    model->connect();
    return model;
}

ParameterStore::Options GenerationModel::storeOptions(bool streams) const {
    ParameterStore::Options options;
    options.type = m_options.type;
    options.device = m_options.device;
    options.streaming = streamingFor(streams);
    options.changes = true; // by LoRAs
    return options;
}

Result<void> GenerationModel::readWeights(const CancelToken& cancel) {
    ParameterStore::Options options = storeOptions(m_options.placement.streamsUnet);
    options.resident = m_options.placement.residentBlocks;
    m_unet = std::make_unique<UNetModel>(
        m_source.unet, frozenSchedule(unetSchedule(m_source.unet), m_options.quantization), options);
    HOMEBOOTH_CHECK(readAll(m_unet->component().store(), *m_source.unetTensors, cancel));
    // Nothing changes between the steps of a picture; what merges LoRAs forgets what came.
    m_unet->component().store().fetchForNextPass([](int /*block*/) { return true; });
    if (cancel.requested()) return {};
    options = storeOptions(false);
    options.type = safeVaeType(m_source.vae, m_options.type);
    m_vae = std::make_unique<VaeModel>(m_source.vae, options);
    for (Component* half : {m_vae->encoder(), m_vae->decoder()})
        HOMEBOOTH_CHECK(readAll(half->store(), *m_source.vaeTensors, cancel));
    if (cancel.requested()) return {};
    HOMEBOOTH_ASSIGN(m_text, readTextEncoders(0, cancel));
    if (m_options.clipSkip == 0) return {};
    HOMEBOOTH_ASSIGN(m_skipping, readTextEncoders(m_options.clipSkip, cancel));
    return {};
}

Result<void> GenerationModel::checkClipSkip(int64_t clipSkip) const {
    const int64_t most = mostClipSkip(m_source);
    if (clipSkip >= 0 && clipSkip <= most) return {};
    return wrongUsage("leaving out layers of the text encoders: expected 0 to " + std::to_string(most) +
                      " for this model, found " + std::to_string(clipSkip));
}

Result<std::unique_ptr<TextEncoders>> GenerationModel::readTextEncoders(int64_t clipSkip,
                                                                        const CancelToken& cancel) const {
    HOMEBOOTH_CHECK(checkClipSkip(clipSkip));
    const std::vector<const TextPart*> parts = m_source.textParts();
    std::vector<std::unique_ptr<TextEncoder>> encoders;
    for (size_t part = 0; part < parts.size(); ++part) {
        encoders.push_back(std::make_unique<TextEncoder>(
            parts[part]->config,
            frozenSchedule(textSchedule(m_source, part, clipSkip, ClipInput::TokensAndVectors),
                           m_options.quantization),
            storeOptions(m_options.placement.streamsText)));
        HOMEBOOTH_CHECK(readAll(encoders.back()->component().store(), *parts[part]->tensors, cancel));
    }
    return std::make_unique<TextEncoders>(std::move(encoders));
}

std::vector<TextEncoders*> GenerationModel::textEncoders() const {
    std::vector<TextEncoders*> encoders = {m_text.get()};
    if (m_skipping) encoders.push_back(m_skipping.get());
    return encoders;
}

std::vector<GenerationModel::Adaptable> GenerationModel::adaptableIn(TextEncoders& encoders) const {
    std::vector<Adaptable> found;
    const std::vector<const TextPart*> parts = m_source.textParts();
    for (size_t part = 0; part < parts.size(); ++part)
        found.push_back({part == 0 ? "text_encoder" : "text_encoder_2",
                         &encoders.at(part).component().store(), parts[part]->tensors.get()});
    return found;
}

std::vector<GenerationModel::Adaptable> GenerationModel::adaptable() const {
    std::vector<Adaptable> found = {{"unet", &m_unet->component().store(), m_source.unetTensors.get()}};
    for (TextEncoders* encoders : textEncoders())
        for (Adaptable& one : adaptableIn(*encoders)) found.push_back(std::move(one));
    return found;
}

void GenerationModel::connect() {
    m_pipeline = std::make_unique<GenerationPipeline>(
        GenerationPipeline::Parts{*m_unet, *m_text, *m_vae, m_tokenizers, m_scheduler,
                                  m_source.zeroEmptyPrompt, m_skipping.get(), &m_embeddings.vectors()});
}

void GenerationModel::place(const SamplePlacement& placement) {
    const auto placeText = [&] {
        for (TextEncoders* encoders : textEncoders())
            for (size_t part = 0; part < encoders->count(); ++part)
                encoders->at(part).component().store().place(streamingFor(placement.streamsText), {});
    };
    // What leaves the device goes first: the other one needs its room.
    if (placement.streamsText) placeText();
    m_unet->component().store().place(streamingFor(placement.streamsUnet), placement.residentBlocks);
    if (!placement.streamsText) placeText();
    m_options.placement = placement;
}

void GenerationModel::setEmbeddings(PromptEmbeddings embeddings) {
    m_embeddings = std::move(embeddings);
    for (size_t part = 0; part < m_tokenizers.size(); ++part) // the pipeline looks at both
        m_tokenizers[part].setPlaceholders(m_embeddings.placeholders(part));
}

Result<bool> GenerationModel::setClipSkip(int64_t clipSkip, const CancelToken& cancel) {
    if (clipSkip == m_options.clipSkip) return true;
    HOMEBOOTH_CHECK(checkClipSkip(clipSkip));
    m_options.clipSkip = 0;
    m_skipping.reset(); // first: no plan counts them twice
    connect();
    if (clipSkip == 0) return true;
    HOMEBOOTH_ASSIGN(std::unique_ptr<TextEncoders> skipping, readTextEncoders(clipSkip, cancel));
    if (cancel.requested()) return false;
    HOMEBOOTH_ASSIGN(const std::vector<LoraFile> files, openLoras(m_loras, m_source));
    for (const Adaptable& one : adaptableIn(*skipping))
        HOMEBOOTH_CHECK(core::mergeLoras(files, m_loras, one.component, *one.tensors, *one.store, cancel));
    if (cancel.requested()) return false;
    m_skipping = std::move(skipping);
    m_options.clipSkip = clipSkip;
    connect();
    return true;
}

Result<void> GenerationModel::readAgain(const ChangedNames& names, const CancelToken& cancel) {
    for (const Adaptable& one : adaptable())
        if (const auto found = names.find(one.component); found != names.end())
            HOMEBOOTH_CHECK(readNamed(*one.store, *one.tensors, found->second, cancel));
    return {};
}

Result<void> GenerationModel::removeLoras() {
    m_loras.clear();
    return readAgain(std::exchange(m_changed, {}), {});
}

Result<bool> GenerationModel::setLoras(const std::vector<LoraReference>& loras, const CancelToken& cancel) {
    // All files are opened and checked before the first weight changes.
    const auto files = openLoras(loras, m_source);
    const auto set = files ? changeLoras(*files, loras, cancel) : Result<void>(files.error());
    if (!set) {
        HOMEBOOTH_CHECK(removeLoras()); // also what was added before the failure
        return set.error();
    }
    if (cancel.requested()) return false;
    m_loras = loras;
    return true;
}

Result<void> GenerationModel::changeLoras(const std::vector<LoraFile>& files,
                                          const std::vector<LoraReference>& weights,
                                          const CancelToken& cancel) {
    m_loras.clear();
    ChangedNames wanted;
    for (const LoraFile& file : files)
        for (const LoraModule& module : file.modules)
            wanted[module.name.component].insert(module.name.path + ".weight");
    // What changes again is made of the file's weights anyway.
    ChangedNames stale = m_changed;
    for (auto& [component, names] : stale)
        std::erase_if(names, [&](const std::string& name) { return wanted[component].contains(name); });
    // Noted ahead, so that a failure halfway is taken off again as well.
    for (const auto& [component, names] : wanted) m_changed[component].insert(names.begin(), names.end());
    HOMEBOOTH_CHECK(readAgain(stale, cancel));
    for (const Adaptable& one : adaptable())
        HOMEBOOTH_CHECK(core::mergeLoras(files, weights, one.component, *one.tensors, *one.store, cancel));
    m_changed = std::move(wanted);
    return {};
}

} // namespace homebooth::core

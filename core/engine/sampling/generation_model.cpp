// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/generation_model.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/model/model_tokenizer.h"
#include "core/engine/io/weights.h"
#include "core/engine/sampling/lora_merge.h"
#include "core/engine/schedulers/sampler.h"

#include <algorithm>
#include <unordered_set>

namespace homebooth::core {

namespace {

/// Reads parameters of one store again, those in `names` only.
Result<void> readAgain(ParameterStore& store, const TensorSource& source,
                       const std::vector<std::string>& names, const CancelToken& cancel) {
    if (names.empty()) return {};
    const std::unordered_set<std::string> wanted(names.begin(), names.end());
    LoadOptions options;
    options.filter = [&](const ParameterSpec& spec) { return wanted.contains(spec.name); };
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

} // namespace

GenerationModel::GenerationModel(ModelSource source, const Options& options, ClipTokenizer tokenizer)
    : m_source(std::move(source))
    , m_options(options)
    , m_tokenizer(std::move(tokenizer)) {}

Result<std::unique_ptr<GenerationModel>> GenerationModel::load(ModelSource source, const Options& options,
                                                               const CancelToken& cancel) {
    HOMEBOOTH_ASSIGN(ClipTokenizer tokenizer, loadTokenizer(source));
    const std::string schedulerJson = source.schedulerJson;
    const std::string path = source.path;
    auto* made = new GenerationModel(std::move(source), options, std::move(tokenizer));
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

Result<void> GenerationModel::readWeights(const CancelToken& cancel) {
    ParameterStore::Options options;
    options.type = m_options.type;
    options.device = m_options.device;
    m_unet = std::make_unique<UNetModel>(m_source.unet, options);
    HOMEBOOTH_CHECK(readAll(m_unet->component().store(), *m_source.unetTensors, cancel));
    if (cancel.requested()) return {};
    options.type = safeVaeType(m_source.vae, m_options.type);
    m_vae = std::make_unique<VaeModel>(m_source.vae, options);
    for (Component* half : {m_vae->encoder(), m_vae->decoder()})
        HOMEBOOTH_CHECK(readAll(half->store(), *m_source.vaeTensors, cancel));
    if (cancel.requested()) return {};
    HOMEBOOTH_ASSIGN(m_textEncoder, readTextEncoder(0, cancel));
    if (m_options.clipSkip == 0) return {};
    HOMEBOOTH_ASSIGN(m_skippingEncoder, readTextEncoder(m_options.clipSkip, cancel));
    return {};
}

Result<std::unique_ptr<TextEncoder>> GenerationModel::readTextEncoder(int64_t clipSkip,
                                                                      const CancelToken& cancel) const {
    if (clipSkip < 0 || clipSkip >= m_source.textEncoder.layerCount)
        return wrongUsage("leaving out layers of the text encoder: expected 0 to " +
                          std::to_string(m_source.textEncoder.layerCount - 1) + ", found " +
                          std::to_string(clipSkip));
    ParameterStore::Options options;
    options.type = m_options.type;
    options.device = m_options.device;
    auto encoder = std::make_unique<TextEncoder>(
        m_source.textEncoder, clipSchedule(m_source.textEncoder, clipSkip, ClipInput::TokensAndVectors),
        options);
    HOMEBOOTH_CHECK(readAll(encoder->component().store(), *m_source.textEncoderTensors, cancel));
    return encoder;
}

std::vector<TextEncoder*> GenerationModel::textEncoders() const {
    std::vector<TextEncoder*> encoders = {m_textEncoder.get()};
    if (m_skippingEncoder) encoders.push_back(m_skippingEncoder.get());
    return encoders;
}

void GenerationModel::connect() {
    m_pipeline = std::make_unique<GenerationPipeline>(
        GenerationPipeline::Parts{*m_unet, *m_textEncoder, *m_vae, m_tokenizer, m_scheduler,
                                  m_skippingEncoder.get(), &m_embeddings.vectors()});
}

void GenerationModel::setEmbeddings(PromptEmbeddings embeddings) {
    m_embeddings = std::move(embeddings);
    m_tokenizer.setPlaceholders(m_embeddings.placeholders()); // the pipeline looks at both
}

Result<bool> GenerationModel::setClipSkip(int64_t clipSkip, const CancelToken& cancel) {
    if (clipSkip == m_options.clipSkip) return true;
    std::unique_ptr<TextEncoder> encoder;
    if (clipSkip != 0) {
        HOMEBOOTH_ASSIGN(encoder, readTextEncoder(clipSkip, cancel));
    }
    m_skippingEncoder = std::move(encoder);
    m_options.clipSkip = clipSkip;
    connect();
    if (cancel.requested()) return false;
    return m_loras.empty() ? Result<bool>(true) : setLoras(std::vector<LoraReference>(m_loras), cancel);
}

Result<void> GenerationModel::removeLoras(const CancelToken& cancel) {
    m_loras.clear();
    HOMEBOOTH_CHECK(readAgain(m_unet->component().store(), *m_source.unetTensors, m_changedUnet, cancel));
    for (TextEncoder* encoder : textEncoders())
        HOMEBOOTH_CHECK(
            readAgain(encoder->component().store(), *m_source.textEncoderTensors, m_changedText, cancel));
    m_changedUnet.clear();
    m_changedText.clear();
    return {};
}

Result<bool> GenerationModel::setLoras(const std::vector<LoraReference>& loras, const CancelToken& cancel) {
    HOMEBOOTH_CHECK(removeLoras(cancel));
    if (cancel.requested()) return false;
    if (const auto merged = mergeLoras(loras, cancel); !merged) {
        HOMEBOOTH_CHECK(removeLoras({})); // what was added before the failure
        return merged.error();
    }
    if (cancel.requested()) return false;
    m_loras = loras;
    return true;
}

Result<void> GenerationModel::mergeLoras(const std::vector<LoraReference>& loras, const CancelToken& cancel) {
    // All files are opened and checked before the first weight changes.
    HOMEBOOTH_ASSIGN(const std::vector<LoraFile> files, openLoras(loras, m_source));
    // Noted ahead, so that a failure halfway is taken off again as well.
    for (const LoraFile& file : files)
        for (const LoraModule& module : file.modules)
            (module.name.component == "unet" ? m_changedUnet : m_changedText)
                .push_back(module.name.path + ".weight");
    for (size_t index = 0; index < files.size(); ++index) {
        const double weight = loras[index].weight;
        HOMEBOOTH_CHECK(mergeLora(files[index], "unet", weight, m_unet->component().store(), cancel));
        for (TextEncoder* encoder : textEncoders())
            HOMEBOOTH_CHECK(
                mergeLora(files[index], "text_encoder", weight, encoder->component().store(), cancel));
    }
    return {};
}

} // namespace homebooth::core

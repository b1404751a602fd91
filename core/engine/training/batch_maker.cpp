// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/batch_maker.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/training_size.h"
#include "core/base/run/journal/progress_interval.h"
#include "core/engine/io/precision.h"
#include "core/engine/learning/step_random.h"
#include "core/engine/learning/training_failure.h"
#include "core/engine/models/picture_frame.h"

#include <ATen/Parallel.h>

#include <utility>

namespace homebooth::core {
namespace {

constexpr size_t kMostTokenized = 65'536; // shuffled tags make new captions without end
constexpr int64_t kNoStep = 0;            // what is drawn for held-out pictures is no step's

/// What `make` gives for each of so many samples, by several threads: a GPU would wait for one that draws for
/// a large batch.
template <class Make>
std::vector<at::Tensor> ofEach(size_t count, const Make& make) {
    std::vector<at::Tensor> made(count);
    at::parallel_for(0, static_cast<int64_t>(count), 1, [&](int64_t begin, int64_t end) {
        const TierScope onTheHost(Tier::Ram); // of this thread
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) made[i] = make(i);
    });
    return made;
}

/// Which part of its picture a sample shows, at which size.
PictureFrame frameOf(const SampleDraw& draw) {
    const TrainingSample& sample = draw.group->samples[draw.sample];
    const CutCorner corner = cutCorner(sample.original, sample.size, draw.mirrored);
    return {sample.original.heightPixels, sample.original.widthPixels, corner.topPixels, corner.leftPixels,
            sample.size.heightPixels,     sample.size.widthPixels};
}

/// What a caption begins with, for a message.
std::string beginningOf(const std::string& caption) {
    constexpr size_t kMostBytes = 60;
    if (caption.size() <= kMostBytes) return caption;
    size_t end = kMostBytes;
    while (end > 0 && (caption[end] & 0xC0) == 0x80) --end; // not amid a character
    return std::string(caption, 0, end).append("...");
}

} // namespace

PromptTokens BatchMaker::tokensOf(const std::string& caption) {
    if (const auto found = m_tokens.find(caption); found != m_tokens.end()) return found->second;
    const int64_t length = m_model.contextLength();
    PromptTokens tokens;
    for (const ClipTokenizer& tokenizer : m_model.tokenizers()) {
        TokenizedText text = tokenizer.tokenize(caption, length);
        if (text.truncated && !std::exchange(m_saidTruncated, true))
            m_job.events.emit(WarningEvent{"prompt-truncated",
                                           "a caption has " + std::to_string(text.textTokens) +
                                               " tokens, and the model takes " + std::to_string(length - 2) +
                                               ": its end is left out, as is that of every longer one: \"" +
                                               beginningOf(caption) + "\""});
        tokens.push_back(std::move(text.ids));
    }
    if (m_tokens.size() >= kMostTokenized) m_tokens.clear();
    return m_tokens.emplace(caption, std::move(tokens)).first->second;
}

void BatchMaker::tellTooLong(const std::set<std::string>& captions) {
    size_t looked = 0;
    for (const std::string& caption : captions) {
        if (m_saidTruncated || m_job.control.stop.requested() || ++looked > kMostTokenized) return;
        (void)tokensOf(caption);
    }
}

Result<void> BatchMaker::openPrompts(PromptCache::Disk disk) {
    if (m_model.trainsText()) return {};
    HOMEBOOTH_ASSIGN(std::string hash, m_model.textEncoderHash());
    if (m_job.control.stop.requested()) return {};
    m_prompts = std::make_unique<PromptCache>(
        m_job.options.cacheDir.empty() ? "" : m_job.options.cacheDir + "/texts", std::move(hash),
        [this] { return m_model.textEncoders(); }, disk, m_model.heldPictures().most.textBytes);
    return {};
}

/// Where fewer than all were planned to be held, the text encoder has no room to come back beside the steps.
Result<void> BatchMaker::checkKept() const {
    const HeldPictures& held = m_model.heldPictures();
    if (!held.isFewer() || m_prompts->keepsAll()) return {};
    return Error{ErrorCode::OutOfResources,
                 "encoding captions before the first step: what comes of them takes more than the " +
                     byteSizeText(held.most.textBytes) +
                     " that may lie in memory, and the cache cannot be written; free space on its disk, or "
                     "set XDG_CACHE_HOME to a folder with room",
                 {}};
}

Result<void> BatchMaker::encodePrompts(const std::set<std::string>& captions, Whose whose) {
    if (!m_prompts) HOMEBOOTH_CHECK(openPrompts(PromptCache::Disk::ReadAndWrite));
    if (!m_prompts) {
        tellTooLong(captions);
        return {};
    }
    size_t next = 0;
    ProgressInterval interval;
    for (const std::string& caption : captions) {
        if (m_job.control.stop.requested()) return {};
        const PromptTokens tokens = tokensOf(caption); // of each: all ranks warn of the same one
        const size_t place = next++;
        if (whose == Whose::Own && !m_job.encodes(place)) continue;
        if (interval.due())
            m_job.events.emit(
                StateEvent{"caching", "texts", static_cast<int64_t>(place), std::ssize(captions)});
        const auto encoded = m_prompts->encode(tokens);
        if (!encoded) return encoded.error();
        HOMEBOOTH_CHECK(checkKept());
    }
    return {};
}

at::Tensor BatchMaker::latentsOf(const std::vector<SampleDraw>& draws, int64_t step) const {
    const auto first = static_cast<uint64_t>(step);
    std::vector<PictureLatents> kept;
    for (const SampleDraw& draw : draws) {
        auto latents = draw.group->latents->get(draw.sample, draw.mirrored);
        if (!latents) throw TrainingFailure(latents.error());
        kept.push_back(std::move(latents).value());
    }
    const std::vector<at::Tensor> samples = ofEach(draws.size(), [&](size_t i) {
        const uint64_t mixed = mixedSeed(m_job.config.seed, DrawPurpose::Posterior, first, draws[i].place);
        return kept[i].mean + kept[i].variance.sqrt() * drawNormal(kept[i].mean.sizes(), mixed);
    });
    const VaeConfig& vae = m_model.source().vae;
    return (at::stack(samples) - vae.shiftFactor.value_or(0.0)) * vae.scalingFactor;
}

at::Tensor BatchMaker::noiseOf(const std::vector<SampleDraw>& draws, int64_t step,
                               at::IntArrayRef shape) const {
    return at::stack(ofEach(draws.size(), [&](size_t i) {
        return drawNoise(shape.slice(1), m_job.config.loss.noiseOffset, m_job.config.seed,
                         static_cast<uint64_t>(step), draws[i].place);
    }));
}

at::Tensor BatchMaker::timestepsOf(const std::vector<SampleDraw>& draws, int64_t step) const {
    const int64_t end = m_model.noiseSchedule().trainTimesteps();
    std::vector<at::Tensor> samples;
    for (const SampleDraw& draw : draws)
        samples.push_back(drawIntegers(
            1, end,
            mixedSeed(m_job.config.seed, DrawPurpose::Timesteps, static_cast<uint64_t>(step), draw.place)));
    return at::cat(samples);
}

void BatchMaker::addText(const std::vector<SampleDraw>& draws, DenoisingBatch& batch) {
    if (m_prompts) return addConditions(draws, batch);
    std::vector<at::Tensor> rows; // of the only encoder of a model whose encoder learns
    for (const SampleDraw& draw : draws)
        rows.push_back(at::tensor(tokensOf(draw.caption).front(), at::kLong));
    batch.tokens = at::stack(rows);
}

/// As GenerationPipeline::noText has it.
TextCondition BatchMaker::noText() const {
    const UNetConfig& unet = m_model.source().unet;
    const auto options = at::TensorOptions(scalarTypeOf(m_job.config.precision));
    TextCondition none{at::zeros({m_model.contextLength(), unet.crossAttentionDim}, options), {}};
    if (unet.textTimeEmbedding) none.pooled = at::zeros({unet.pooledTextChannels()}, options);
    return none;
}

void BatchMaker::addConditions(const std::vector<SampleDraw>& draws, DenoisingBatch& batch) {
    std::vector<at::Tensor> contexts;
    std::vector<at::Tensor> pooled;
    for (const SampleDraw& draw : draws) {
        const auto condition =
            draw.noText ? Result<TextCondition>(noText()) : m_prompts->encode(tokensOf(draw.caption));
        if (!condition) throw TrainingFailure(condition.error());
        contexts.push_back(condition->context);
        if (condition->pooled.defined()) pooled.push_back(condition->pooled);
    }
    batch.context = at::stack(contexts);
    if (!pooled.empty()) batch.pooledText = at::stack(pooled);
}

DenoisingBatch BatchMaker::pictures(const std::vector<SampleDraw>& draws, int64_t step) {
    DenoisingBatch batch;
    batch.latents = latentsOf(draws, step);
    batch.noise = noiseOf(draws, step, batch.latents.sizes());
    addText(draws, batch);
    if (!m_model.source().unet.textTimeEmbedding) return batch;
    std::vector<at::Tensor> frames;
    for (const SampleDraw& draw : draws) frames.push_back(timeIdsOf(frameOf(draw)));
    batch.timeIds = at::stack(frames);
    return batch;
}

DenoisingBatch BatchMaker::batch(const StepDraws& drawn, int64_t step, int64_t microStep) {
    const TierScope onTheHost(Tier::Ram);
    const BatchPart part = m_job.ownPart(drawn.classes.empty() ? 1 : 2);
    const auto begin = static_cast<std::ptrdiff_t>(microStep * part.whole + part.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(part.own);
    std::vector<SampleDraw> draws(drawn.instances.begin() + begin, drawn.instances.begin() + end);
    if (!drawn.classes.empty())
        draws.insert(draws.end(), drawn.classes.begin() + begin, drawn.classes.begin() + end);

    DenoisingBatch batch = pictures(draws, step);
    batch.timesteps = timestepsOf(draws, step);
    batch.part = part;
    batch.priorCount = drawn.classes.empty() ? 0 : part.own;
    batch.dropoutSeed = mixedSeed(m_job.config.seed, DrawPurpose::Adapter, static_cast<uint64_t>(step),
                                  static_cast<uint64_t>(microStep));
    return batch;
}

DenoisingBatch BatchMaker::heldOutBatch(const SampleDraw& draw, int64_t number, int64_t count) {
    const TierScope onTheHost(Tier::Ram);
    DenoisingBatch batch = pictures({draw}, kNoStep);
    const int64_t end = m_model.noiseSchedule().trainTimesteps();
    // The middle of its part.
    batch.timesteps = at::full({1}, (2 * number + 1) * end / (2 * count), at::kLong);
    return batch;
}

} // namespace homebooth::core

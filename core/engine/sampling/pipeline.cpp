// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/pipeline.h"

#include "core/base/config/start_size.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/run/failure_cause.h"
#include "core/base/text/prompt_weights.h"
#include "core/engine/memory/cancel_watch.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/models/picture_frame.h"
#include "core/engine/models/text_encoders.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/sampling/guidance_halves.h"
#include "core/engine/sampling/pixels.h"
#include "core/engine/schedulers/sampler.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace homebooth::core {

namespace {

constexpr int64_t kLargestSidePixels = 16384;
/// Side in latents of the piece that the first cheap preview learns its colours from.
constexpr int64_t kCalibrationSide = 32;

/// What diffusers' pipelines of SD 1.x and 2.x make of an old scheduler configuration: an offset of 1 and no
/// clipping, whatever the file says. A file that says nothing leaves another sampler its own default. Those
/// of SDXL take it as it is.
SchedulerConfig asPipelinesUseIt(SchedulerConfig config, SamplerKind kind, const UNetConfig& unet) {
    if (unet.textTimeEmbedding) return config;
    const bool ownClass = samplerOfClass(config.className) == kind;
    if (ownClass || config.stepsOffset) config.stepsOffset = 1;
    if (ownClass || config.clipSample) config.clipSample = false;
    return config;
}

/// The same for each of so many pictures.
TextCondition repeated(const TextCondition& one, int64_t batch) {
    TextCondition all;
    all.context = one.context.expand({batch, -1, -1});
    if (one.pooled.defined()) all.pooled = one.pooled.expand({batch, -1});
    return all;
}

TextCondition joined(const TextCondition& first, const TextCondition& second) {
    TextCondition both;
    both.context = at::cat({first.context, second.context});
    if (first.pooled.defined()) both.pooled = at::cat({first.pooled, second.pooled});
    return both;
}

bool finite(const at::Tensor& values) {
    return values.isfinite().all().item<bool>();
}

Error notFinite(const char* what, at::ScalarType type, const std::string& additions) {
    std::string message("making a picture: expected finite ");
    message.append(what).append(", found NaN or infinity: ");
    if (type == at::kHalf)
        message.append("its numbers ").append(kBeyondFp16).append("; choose bf16 or fp32");
    else if (additions.empty())
        message.append("its weights may be damaged; use another copy of the model");
    else
        message.append("it was made with ")
            .append(additions)
            .append("; give LoRAs less weight, or leave out what was added");
    return badInput(message);
}

} // namespace

struct GenerationPipeline::Run {
    const GenerationRequest& request;
    const GenerationListener& listener;
    const CancelToken& cancel;
    SeededNoise noise;
    std::unique_ptr<Sampler> sampler{};
    TextCondition text{}; ///< of B or 2B: with guidance the negative prompt first, or the own half
    VaeMemory vaeMemory{};
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;

    [[nodiscard]] bool guided() const { return request.guidanceScale > 1.0; }
    [[nodiscard]] const GuidanceHalves* halves() const { return request.halves; }
    /// Whether this process decodes: another one leads it else.
    [[nodiscard]] bool leads() const { return halves() == nullptr || halves()->leads(); }
    [[nodiscard]] int64_t batch() const { return static_cast<int64_t>(request.seeds.size()); }
    void throwIfCancelled() const {
        if (cancel.requested()) throw Cancelled{};
    }
    void report(int64_t done) const {
        if (listener.progress) listener.progress(done, sampler->stepCount() + 1);
    }
    void warn(const char* code, const std::string& message) const {
        if (listener.warning) listener.warning(code, message);
    }

    /// What pass(vaeMemory) of the autoencoder gives. Where memory runs out, it is called once more with
    /// tiles, and so are all that follow.
    template <class Pass>
    [[nodiscard]] auto sparing(at::Device device, const Pass& pass) {
        try {
            return pass(vaeMemory);
        } catch (...) {
            const bool helps = std::max(widthPixels, heightPixels) > vaeMemory.tilePixels;
            if (vaeMemory.tiling || !helps || !memoryRanOut()) throw;
        }
        releaseIdleMemory(device);
        vaeMemory.tiling = true;
        warn(kVaeTiling, std::string("there is not enough memory for the autoencoder to take a picture as a "
                                     "whole: it ") +
                             kTilesInWords);
        return pass(vaeMemory);
    }
};

GenerationPipeline::GenerationPipeline(Parts parts)
    : m_parts(std::move(parts)) {
    TORCH_CHECK(m_parts.tokenizers.size() == m_parts.text.count(), "expected a tokenizer for each of ",
                m_parts.text.count(), " text encoders, got ", m_parts.tokenizers.size());
}

std::vector<Executor*> GenerationPipeline::executors() const {
    std::vector<Executor*> all{&m_parts.unet.component().executor()};
    for (TextEncoders* text : {&m_parts.text, m_parts.skipping})
        for (size_t part = 0; text != nullptr && part < text->count(); ++part)
            all.push_back(&text->at(part).component().executor());
    for (Component* half : {m_parts.vae.encoder(), m_parts.vae.decoder()})
        if (half != nullptr) all.push_back(&half->executor());
    return all;
}

Result<GenerationResult> GenerationPipeline::generate(const GenerationRequest& request,
                                                      const GenerationListener& listener,
                                                      const CancelToken& cancel) {
    const c10::NoGradGuard noGradients;
    const CancelWatch watch(executors(), cancel, listener.alive);
    try {
        Run one{request, listener, cancel, SeededNoise(request.seeds)};
        return run(one);
    } catch (const Cancelled&) {
        GenerationResult result;
        result.cancelled = true;
        return result;
    }
}

Result<void> GenerationPipeline::chooseSize(Run& run) const {
    const int64_t step = m_parts.vae.config().downscale();
    const GenerationRequest& request = run.request;
    const auto choose = [&](int64_t wanted, int64_t ofPicture) {
        if (wanted != 0) return wanted;
        return ofPicture > 0 ? std::max(ofPicture / step * step, step)
                             : ownSidePixels(m_parts.unet.config(), m_parts.vae.config());
    };
    const at::Tensor& init = request.initPixels;
    run.widthPixels = choose(request.widthPixels, init.defined() ? init.size(3) : 0);
    run.heightPixels = choose(request.heightPixels, init.defined() ? init.size(2) : 0);
    for (const int64_t side : {run.widthPixels, run.heightPixels})
        if (side < step || side > kLargestSidePixels || side % step != 0)
            return wrongUsage("choosing the picture's size: expected multiples of " + std::to_string(step) +
                              " from " + std::to_string(step) + " to " + std::to_string(kLargestSidePixels) +
                              " pixels, found " + std::to_string(run.widthPixels) + "x" +
                              std::to_string(run.heightPixels));
    return {};
}

Result<void> GenerationPipeline::setUp(Run& run) {
    const GenerationRequest& request = run.request;
    if (request.seeds.empty()) return wrongUsage("making pictures: expected at least one seed, found none");
    if (!(request.guidanceScale >= 0.0 && std::isfinite(request.guidanceScale)))
        return wrongUsage("making pictures: expected a guidance scale of 0 or more, found " +
                          std::to_string(request.guidanceScale));
    if (run.halves() != nullptr && !run.guided())
        return wrongUsage("making pictures: without guidance there are no halves for two processes");
    HOMEBOOTH_CHECK(chooseSize(run));
    run.vaeMemory = {request.vaeSlicing, request.vaeTiling, tileSidePixels(m_parts.vae.config())};
    const SchedulerConfig scheduler =
        asPipelinesUseIt(m_parts.scheduler, request.sampler, m_parts.unet.config());
    SamplerOptions options;
    options.karrasSigmas = request.karrasSigmas;
    options.stepSpacing = request.stepSpacing;
    HOMEBOOTH_ASSIGN(run.sampler, makeSampler(request.sampler, scheduler, options));
    HOMEBOOTH_CHECK(
        run.sampler->setTimesteps(request.steps, request.initPixels.defined() ? request.strength : 1.0));
    for (size_t part = 0; part < m_parts.text.count(); ++part) {
        const int64_t known = m_parts.tokenizers[part].vocabularySize();
        const int64_t taken = m_parts.text.at(part).config().vocabularySize;
        if (known > taken)
            return badInput("reading the prompt: the tokenizer knows " + std::to_string(known) +
                            " tokens but the text encoder only " + std::to_string(taken) +
                            "; the model's folders do not belong together");
    }
    return {};
}

/// Tokens of a prompt, start and end included, that every text encoder takes.
int64_t GenerationPipeline::contextLength() const {
    int64_t length = std::numeric_limits<int64_t>::max();
    for (size_t part = 0; part < m_parts.text.count(); ++part)
        length = std::min(
            {length, m_parts.text.at(part).config().maxPositions, m_parts.tokenizers[part].modelMaxLength()});
    return length;
}

/// Of one text. @param which  prompt it is, in words
TextCondition GenerationPipeline::encodePrompt(Run& run, TextEncoders& encoders, const std::string& text,
                                               const char* which) {
    const int64_t length = contextLength();
    const std::vector<PromptPiece> pieces =
        run.request.weighsWords ? promptPieces(text) : std::vector<PromptPiece>{PromptPiece{text, 1.0}};
    std::vector<at::Tensor> ids;
    std::vector<at::Tensor> weights; // none where all words count alike
    int64_t tokensOfCut = 0;         // 0: none was cut
    for (const ClipTokenizer& tokenizer : m_parts.tokenizers) {
        const WeighedText read = tokenizePieces(tokenizer, pieces, length);
        if (read.tokens.truncated) tokensOfCut = std::max(tokensOfCut, read.tokens.textTokens);
        ids.push_back(at::tensor(read.tokens.ids, at::kLong).unsqueeze(0));
        if (!read.weights.empty()) weights.push_back(at::tensor(read.weights, at::kFloat).unsqueeze(0));
    }
    if (tokensOfCut > 0)
        run.warn("prompt-truncated", std::string("the ") + which + " has " + std::to_string(tokensOfCut) +
                                         " tokens, and the model takes " + std::to_string(length - 2) +
                                         ": its end was left out");
    const std::vector<at::Tensor>* vectors = m_parts.placeholderVectors;
    return encoders.encode(
        ids, vectors != nullptr ? std::span<const at::Tensor>(*vectors) : std::span<const at::Tensor>(),
        weights);
}

/// What stands for a text that nobody wrote, where that is not what the encoders make of an empty one.
TextCondition GenerationPipeline::noText() const {
    const UNetConfig& unet = m_parts.unet.config();
    const Component& component = m_parts.unet.component();
    const auto options = at::TensorOptions().dtype(component.type()).device(component.device());
    TextCondition none;
    none.context = at::zeros({1, contextLength(), unet.crossAttentionDim}, options);
    if (unet.textTimeEmbedding) none.pooled = at::zeros({1, unet.pooledTextChannels()}, options);
    return none;
}

/// Those that this process needs.
TextCondition GenerationPipeline::encodePrompts(Run& run) {
    const auto prompt = [&] {
        TextEncoders& encoders = m_parts.skipping != nullptr ? *m_parts.skipping : m_parts.text;
        return repeated(encodePrompt(run, encoders, run.request.prompt, "prompt"), run.batch());
    };
    const auto negative = [&] {
        const std::string& text = run.request.negativePrompt;
        const bool none = m_parts.zeroEmptyPrompt && text.empty();
        return repeated(none ? noText() : encodePrompt(run, m_parts.text, text, "negative prompt"),
                        run.batch());
    };
    if (run.halves() != nullptr) return run.halves()->hasPrompt() ? prompt() : negative();
    const TextCondition own = prompt();
    return run.guided() ? joined(negative(), own) : own;
}

at::Tensor GenerationPipeline::firstSample(Run& run) {
    const int64_t factor = m_parts.vae.config().downscale();
    const at::Device device = m_parts.unet.component().device();
    const std::vector<int64_t> shape = {run.batch(), m_parts.unet.config().inChannels,
                                        run.heightPixels / factor, run.widthPixels / factor};
    if (!run.request.initPixels.defined())
        return run.noise.draw(shape).to(device) * run.sampler->initNoiseSigma();
    const at::Tensor pixels = scaledPixels(run.request.initPixels, run.widthPixels, run.heightPixels);
    const auto encode = [&](const VaeMemory& memory) { return m_parts.vae.encode(pixels, memory); };
    const bool alone = run.halves() == nullptr; // two processes must begin with the same
    if (!alone) run.vaeMemory.tiling = run.halves()->either(run.vaeMemory.tiling);
    const VaePosterior posterior = alone ? run.sparing(device, encode) : encode(run.vaeMemory);
    // Two draws in diffusers' order: one for the encoder's distribution, one for the noise on top.
    const at::Tensor mean = posterior.mean.to(at::kFloat).expand(shape);
    const at::Tensor deviation = (0.5 * posterior.logVariance.to(at::kFloat)).exp().expand(shape);
    const at::Tensor drawn = mean + deviation * run.noise.draw(shape).to(mean.device());
    const at::Tensor latents = m_parts.vae.scaled(drawn).to(device, at::kFloat);
    return run.sampler->addInitialNoise(latents, run.noise.draw(shape).to(device));
}

/// What the model says to `input`, in fp32. A picture is made in the size that it is told it had.
at::Tensor GenerationPipeline::ask(const Run& run, const at::Tensor& input, int64_t index) {
    UNetModel& unet = m_parts.unet;
    const at::Tensor timestep = at::full({1}, run.sampler->timestep(index), at::kFloat);
    if (!unet.config().textTimeEmbedding)
        return unet.predict(input, timestep, run.text.context).to(at::kFloat);
    const at::Tensor ids =
        timeIdsOf({run.heightPixels, run.widthPixels, 0, 0, run.heightPixels, run.widthPixels});
    return unet.predict(input, timestep, run.text.context, run.text.pooled, ids.expand({input.size(0), -1}))
        .to(at::kFloat);
}

at::Tensor GenerationPipeline::predict(Run& run, const at::Tensor& sample, int64_t index) {
    const at::Tensor input = run.sampler->scaleModelInput(sample, index);
    if (!run.guided()) return ask(run, input, index);
    at::Tensor both = ask(run, run.halves() != nullptr ? input : at::cat({input, input}), index);
    if (run.halves() != nullptr) both = run.halves()->both(both);
    const at::Tensor negative = both.slice(0, 0, run.batch());
    const at::Tensor positive = both.slice(0, run.batch());
    return negative + run.request.guidanceScale * (positive - negative);
}

at::Tensor GenerationPipeline::decode(Run& run, const at::Tensor& latents) {
    const at::Tensor unscaled = m_parts.vae.unscaled(latents);
    return run.sparing(m_parts.unet.component().device(), [&](const VaeMemory& memory) {
        return m_parts.vae.decode(unscaled, memory).to(at::kCPU, at::kFloat);
    });
}

void GenerationPipeline::preview(Run& run, int64_t step, const at::Tensor& predictedOriginal) {
    const int64_t every = run.request.previewEverySteps;
    if (every <= 0 || step % every != 0 || step == run.sampler->stepCount()) return;
    if (!run.listener.preview || !run.leads()) return;
    if (!finite(predictedOriginal)) return; // the end of the run names the fault
    if (run.request.previewQuality == PreviewQuality::Decoded) {
        run.listener.preview(step, picturesOf(decode(run, predictedOriginal)));
        return;
    }
    if (!m_projection.ready()) {
        const int64_t height = std::min(predictedOriginal.size(2), kCalibrationSide);
        const int64_t width = std::min(predictedOriginal.size(3), kCalibrationSide);
        const at::Tensor piece = predictedOriginal.slice(0, 0, 1)
                                     .narrow(2, (predictedOriginal.size(2) - height) / 2, height)
                                     .narrow(3, (predictedOriginal.size(3) - width) / 2, width)
                                     .contiguous();
        m_projection.learn(piece, decode(run, piece));
    }
    run.listener.preview(step, picturesOf(m_projection.project(predictedOriginal)));
}

Result<GenerationResult> GenerationPipeline::run(Run& run) {
    HOMEBOOTH_CHECK(setUp(run));
    run.throwIfCancelled();
    run.text = encodePrompts(run);
    at::Tensor sample = firstSample(run);
    if (run.halves() != nullptr) run.halves()->meet(); // it may still load, or decode the last batch
    run.report(0);
    for (int64_t index = 0; index < run.sampler->stepCount(); ++index) {
        run.throwIfCancelled();
        const SamplerStep step = run.sampler->step(predict(run, sample, index), index, sample, run.noise);
        sample = step.previous;
        run.report(index + 1);
        preview(run, index + 1, step.predictedOriginal);
    }
    if (run.halves() != nullptr) run.halves()->meet(); // whoever goes earlier is one that was lost
    return finish(run, sample);
}

Result<GenerationResult> GenerationPipeline::finish(Run& run, const at::Tensor& sample) {
    if (!finite(sample)) return notFinite("latents", m_parts.unet.component().type(), run.request.additions);
    GenerationResult result;
    if (run.leads()) {
        const at::Tensor pixels = decode(run, sample);
        if (!finite(pixels)) return notFinite("pixels", m_parts.vae.decoder()->type(), run.request.additions);
        m_projection.learn(sample, pixels);
        result.pictures = picturesOf(pixels);
    }
    run.report(run.sampler->stepCount() + 1);
    result.latents = sample.to(at::kCPU);
    result.widthPixels = run.widthPixels;
    result.heightPixels = run.heightPixels;
    return result;
}

} // namespace homebooth::core

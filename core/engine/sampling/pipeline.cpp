// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/pipeline.h"

#include "core/engine/models/model_components.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/sampling/guidance_halves.h"
#include "core/engine/sampling/pixels.h"
#include "core/engine/schedulers/sampler.h"

#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>

namespace homebooth::core {

namespace {

constexpr int64_t kLargestSidePixels = 16384;
/// Side in latents of the piece that the first cheap preview learns its colours from.
constexpr int64_t kCalibrationSide = 32;

/// Thrown between blocks when the user cancels; leaves only `generate`.
struct Cancelled {};

/// What diffusers' Stable Diffusion pipelines make of an old scheduler configuration: an offset of 1 and no
/// clipping, whatever the file says. A file that says nothing leaves another sampler its own default.
SchedulerConfig asPipelinesUseIt(SchedulerConfig config, SamplerKind kind) {
    const bool ownClass = samplerOfClass(config.className) == kind;
    if (ownClass || config.stepsOffset) config.stepsOffset = 1;
    if (ownClass || config.clipSample) config.clipSample = false;
    return config;
}

VaeMemory vaeMemory(const GenerationRequest& request) {
    VaeMemory memory;
    memory.slicing = request.vaeSlicing;
    memory.tiling = request.vaeTiling;
    return memory;
}

bool finite(const at::Tensor& values) {
    return values.isfinite().all().item<bool>();
}

Error notFinite(const char* what, at::ScalarType type) {
    const char* advice = type == at::kHalf ? "its numbers do not fit fp16; choose bf16 or fp32"
                                           : "its weights may be damaged; use another copy of the model";
    return badInput(std::string("making a picture: expected finite ") + what +
                    ", found NaN or infinity: " + advice);
}

} // namespace

struct GenerationPipeline::Run {
    const GenerationRequest& request;
    const GenerationListener& listener;
    const CancelToken& cancel;
    SeededNoise noise;
    std::unique_ptr<Sampler> sampler{};
    at::Tensor context{}; ///< [B or 2B, T, D]: with guidance the negative prompt first, or the own half
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
};

GenerationPipeline::GenerationPipeline(Parts parts)
    : m_parts(std::move(parts)) {}

int64_t GenerationPipeline::ownSizePixels() const {
    const int64_t side = m_parts.unet.config().sampleSize;
    return side > 0 ? side * m_parts.vae.config().downscale() : m_parts.vae.config().sampleSize;
}

void GenerationPipeline::watch(const CancelToken* cancel) {
    BlockObserver observer;
    if (cancel != nullptr)
        observer = [token = *cancel](int, int) {
            if (token.requested()) throw Cancelled{};
        };
    m_parts.unet.component().executor().setObserver(observer);
    m_parts.textEncoder.component().executor().setObserver(observer);
    if (m_parts.skippingEncoder != nullptr)
        m_parts.skippingEncoder->component().executor().setObserver(observer);
    for (Component* half : {m_parts.vae.encoder(), m_parts.vae.decoder()})
        if (half != nullptr) half->executor().setObserver(observer);
}

Result<GenerationResult> GenerationPipeline::generate(const GenerationRequest& request,
                                                      const GenerationListener& listener,
                                                      const CancelToken& cancel) {
    const c10::NoGradGuard noGradients;
    struct Watch { // ends with the call, however it ends
        GenerationPipeline& pipeline;
        ~Watch() { pipeline.watch(nullptr); }
    } const ending{*this};
    watch(&cancel);
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
        return ofPicture > 0 ? std::max(ofPicture / step * step, step) : ownSizePixels();
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
    const SchedulerConfig scheduler = asPipelinesUseIt(m_parts.scheduler, request.sampler);
    SamplerOptions options;
    options.karrasSigmas = request.karrasSigmas;
    HOMEBOOTH_ASSIGN(run.sampler, makeSampler(request.sampler, scheduler, options));
    HOMEBOOTH_CHECK(
        run.sampler->setTimesteps(request.steps, request.initPixels.defined() ? request.strength : 1.0));
    if (m_parts.tokenizer.vocabularySize() > m_parts.textEncoder.config().vocabularySize)
        return badInput("reading the prompt: the tokenizer knows " +
                        std::to_string(m_parts.tokenizer.vocabularySize()) +
                        " tokens but the text encoder only " +
                        std::to_string(m_parts.textEncoder.config().vocabularySize) +
                        "; the model's folders do not belong together");
    return {};
}

at::Tensor GenerationPipeline::encodePrompt(Run& run, TextEncoder& encoder, const std::string& text,
                                            const char* which) {
    const int64_t length = std::min(encoder.config().maxPositions, m_parts.tokenizer.modelMaxLength());
    const TokenizedText tokens = m_parts.tokenizer.tokenize(text, length);
    if (tokens.truncated && run.listener.warning)
        run.listener.warning("prompt-truncated", std::string("the ") + which + " has " +
                                                     std::to_string(tokens.textTokens) +
                                                     " tokens, and the model takes " +
                                                     std::to_string(length - 2) + ": its end was left out");
    const at::Tensor* vectors = m_parts.placeholderVectors;
    return encoder.encode(at::tensor(tokens.ids, at::kLong).unsqueeze(0),
                          vectors != nullptr ? *vectors : at::Tensor());
}

/// Those that this process needs.
at::Tensor GenerationPipeline::encodePrompts(Run& run) {
    const auto encode = [&](TextEncoder& encoder, const std::string& text, const char* which) {
        const at::Tensor one = encodePrompt(run, encoder, text, which);
        return one.expand({run.batch(), one.size(1), one.size(2)});
    };
    const auto prompt = [&] {
        TextEncoder* skipping = m_parts.skippingEncoder;
        return encode(skipping != nullptr ? *skipping : m_parts.textEncoder, run.request.prompt, "prompt");
    };
    const auto negative = [&] {
        return encode(m_parts.textEncoder, run.request.negativePrompt, "negative prompt");
    };
    if (run.halves() != nullptr) return run.halves()->hasPrompt() ? prompt() : negative();
    const at::Tensor own = prompt();
    return run.guided() ? at::cat({negative(), own}) : own;
}

at::Tensor GenerationPipeline::firstSample(Run& run) {
    const int64_t factor = m_parts.vae.config().downscale();
    const at::Device device = m_parts.unet.component().device();
    const std::vector<int64_t> shape = {run.batch(), m_parts.unet.config().inChannels,
                                        run.heightPixels / factor, run.widthPixels / factor};
    if (!run.request.initPixels.defined())
        return run.noise.draw(shape).to(device) * run.sampler->initNoiseSigma();
    const at::Tensor pixels = scaledPixels(run.request.initPixels, run.widthPixels, run.heightPixels);
    const VaePosterior posterior = m_parts.vae.encode(pixels, vaeMemory(run.request));
    // Two draws in diffusers' order: one for the encoder's distribution, one for the noise on top.
    const at::Tensor mean = posterior.mean.to(at::kFloat).expand(shape);
    const at::Tensor deviation = (0.5 * posterior.logVariance.to(at::kFloat)).exp().expand(shape);
    const at::Tensor drawn = mean + deviation * run.noise.draw(shape).to(mean.device());
    const at::Tensor latents = m_parts.vae.scaled(drawn).to(device, at::kFloat);
    return run.sampler->addInitialNoise(latents, run.noise.draw(shape).to(device));
}

at::Tensor GenerationPipeline::predict(Run& run, const at::Tensor& sample, int64_t index) {
    const at::Tensor input = run.sampler->scaleModelInput(sample, index);
    const at::Tensor timestep = at::full({1}, run.sampler->timestep(index), at::kFloat);
    if (!run.guided()) return m_parts.unet.predict(input, timestep, run.context).to(at::kFloat);
    const at::Tensor asked = run.halves() != nullptr ? input : at::cat({input, input});
    at::Tensor both = m_parts.unet.predict(asked, timestep, run.context).to(at::kFloat);
    if (run.halves() != nullptr) both = run.halves()->both(both);
    const at::Tensor negative = both.slice(0, 0, run.batch());
    const at::Tensor positive = both.slice(0, run.batch());
    return negative + run.request.guidanceScale * (positive - negative);
}

at::Tensor GenerationPipeline::decode(const Run& run, const at::Tensor& latents) {
    const at::Tensor pixels =
        m_parts.vae.decode(m_parts.vae.unscaled(latents), vaeMemory(run.request)).to(at::kCPU, at::kFloat);
    return pixels;
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
    run.context = encodePrompts(run);
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
    if (!finite(sample)) return notFinite("latents", m_parts.unet.component().type());
    GenerationResult result;
    if (run.leads()) {
        const at::Tensor pixels = decode(run, sample);
        if (!finite(pixels)) return notFinite("pixels", m_parts.vae.decoder()->type());
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

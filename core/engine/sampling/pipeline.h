// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Text to picture, or picture and text to picture, with a model that is already in memory.
// Borrows the parts, whose weights may change between calls (so training can sample from what it trains).
// One thread. During a call it takes over the observers of the parts' executors and leaves them empty.
#pragma once

#include "core/base/model/scheduler_config.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"
#include "core/engine/sampling/generation.h"
#include "core/engine/sampling/preview_projection.h"

namespace homebooth::core {

class Sampler;
class TextEncoder;
class UNetModel;
class VaeModel;

class GenerationPipeline {
public:
    struct Parts {
        UNetModel& unet;
        TextEncoder& textEncoder;
        VaeModel& vae; ///< the decoder; the encoder only for img2img
        const ClipTokenizer& tokenizer;
        SchedulerConfig scheduler; ///< of the model
        /// With a clip skip: the encoder of the prompt, while the negative prompt keeps all layers of
        /// `textEncoder`, as in diffusers. Null: one encoder for both.
        TextEncoder* skippingEncoder = nullptr;
        /// What the tokenizer's placeholders stand for, [N, hiddenSize]; null or undefined: it has none.
        const at::Tensor* placeholderVectors = nullptr;
    };

    explicit GenerationPipeline(Parts parts);

    /// Makes the pictures of one batch.
    /// @param cancel  looked at between blocks
    /// Errors: Usage for numbers out of range, BadInput for a model that gives no finite picture.
    ///         Throws c10::Error where LibTorch does (out of memory), RankLost where the process with the
    ///         other halves is gone; the parts stay usable.
    [[nodiscard]] Result<GenerationResult>
    generate(const GenerationRequest& request, const GenerationListener& listener, const CancelToken& cancel);

    /// The side of the model's own pictures, in pixels.
    [[nodiscard]] int64_t ownSizePixels() const;

private:
    struct Run; // one call
    [[nodiscard]] Result<GenerationResult> run(Run& run);
    [[nodiscard]] Result<void> setUp(Run& run);
    [[nodiscard]] Result<void> chooseSize(Run& run) const;
    [[nodiscard]] at::Tensor encodePrompt(Run& run, TextEncoder& encoder, const std::string& text,
                                          const char* which);
    [[nodiscard]] at::Tensor firstSample(Run& run);
    [[nodiscard]] at::Tensor predict(Run& run, const at::Tensor& sample, int64_t index);
    [[nodiscard]] at::Tensor encodePrompts(Run& run);
    void preview(Run& run, int64_t step, const at::Tensor& predictedOriginal);
    [[nodiscard]] at::Tensor decode(const Run& run, const at::Tensor& latents);
    [[nodiscard]] Result<GenerationResult> finish(Run& run, const at::Tensor& sample);
    void watch(const CancelToken* cancel);

    Parts m_parts;
    PreviewProjection m_projection;
};

} // namespace homebooth::core

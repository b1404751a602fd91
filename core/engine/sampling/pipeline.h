// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Text to picture, or picture and text to picture, with a model that is already in memory.
// Borrows the parts, whose weights may change between calls (so training can sample from what it trains).
// One thread. During a call it takes over the observers of the parts' executors and leaves them empty.
#pragma once

#include "core/base/model/configs/scheduler_config.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"
#include "core/engine/sampling/generation.h"
#include "core/engine/sampling/preview_projection.h"

#include <vector>

namespace homebooth::core {

class Executor;
class Sampler;
class TextEncoders;
class UNetModel;
class VaeModel;
struct TextCondition;

class GenerationPipeline {
public:
    struct Parts {
        UNetModel& unet;
        TextEncoders& text;
        VaeModel& vae;                                ///< the decoder; the encoder only for img2img
        const std::vector<ClipTokenizer>& tokenizers; ///< one for each text encoder
        SchedulerConfig scheduler;                    ///< of the model
        /// Whether zeros stand for an empty negative prompt (ModelSource::zeroEmptyPrompt).
        bool zeroEmptyPrompt = false;
        /// With a clip skip: the encoders of the prompt, while the negative prompt keeps the layers of
        /// `text`, as in diffusers. Null: the same for both.
        TextEncoders* skipping = nullptr;
        /// For each text encoder what its tokenizer's placeholders stand for, [N, hiddenSize]; null or
        /// empty: there are none.
        const std::vector<at::Tensor>* placeholderVectors = nullptr;
    };

    explicit GenerationPipeline(Parts parts);

    /// Makes the pictures of one batch.
    /// @param cancel  looked at between blocks
    /// Errors: Usage for numbers out of range, BadInput for a model that gives no finite picture.
    ///         Throws c10::Error where LibTorch does (out of memory), RankLost where the process with the
    ///         other halves is gone; the parts stay usable.
    [[nodiscard]] Result<GenerationResult>
    generate(const GenerationRequest& request, const GenerationListener& listener, const CancelToken& cancel);

private:
    struct Run; // one call
    [[nodiscard]] Result<GenerationResult> run(Run& run);
    [[nodiscard]] Result<void> setUp(Run& run);
    [[nodiscard]] Result<void> chooseSize(Run& run) const;
    [[nodiscard]] int64_t contextLength() const;
    [[nodiscard]] TextCondition encodePrompt(Run& run, TextEncoders& encoders, const std::string& text,
                                             const char* which);
    [[nodiscard]] TextCondition noText() const;
    [[nodiscard]] TextCondition encodePrompts(Run& run);
    [[nodiscard]] at::Tensor firstSample(Run& run);
    [[nodiscard]] at::Tensor ask(const Run& run, const at::Tensor& input, int64_t index);
    [[nodiscard]] at::Tensor predict(Run& run, const at::Tensor& sample, int64_t index);
    void preview(Run& run, int64_t step, const at::Tensor& predictedOriginal);
    [[nodiscard]] at::Tensor decode(Run& run, const at::Tensor& latents);
    [[nodiscard]] Result<GenerationResult> finish(Run& run, const at::Tensor& sample);
    [[nodiscard]] std::vector<Executor*> executors() const; ///< of all parts

    Parts m_parts;
    PreviewProjection m_projection;
};

} // namespace homebooth::core

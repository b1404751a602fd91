// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A model that stays in memory between generations: parts, tokenizer and pipeline.
// Owned by the worker's generation side; neither copied nor moved. One thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/model_source.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/util/cancel.h"
#include "core/engine/models/model_components.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/sampling/pipeline.h"
#include "core/engine/sampling/prompt_embeddings.h"

#include <memory>

namespace homebooth::core {

class GenerationModel {
public:
    struct Options {
        at::ScalarType type = at::kFloat;
        at::Device device = at::kCPU;
        int64_t clipSkip = 0;
    };

    /// Reads all weights of an opened model. @param cancel  looked at between tensors
    /// @returns  null when `cancel` was requested
    /// Errors: BadInput for weights, tokenizer or scheduler that cannot be used; Usage for a clip skip that
    ///         leaves no layer. Throws c10::Error out of memory.
    [[nodiscard]] static Result<std::unique_ptr<GenerationModel>>
    load(ModelSource source, const Options& options, const CancelToken& cancel = {});

    /// Leaves out so many layers at the end of the text encoder for prompts from now on, none for negative
    /// prompts (as diffusers). Holds a second text encoder while that is more than none.
    /// @returns  false when `cancel` was requested: then the model must be dropped
    [[nodiscard]] Result<bool> setClipSkip(int64_t clipSkip, const CancelToken& cancel = {});
    /// Adds these LoRAs to the model's own weights, instead of those that were added before.
    /// Weights that no longer change are read again, so that nothing is left behind by rounding.
    /// @param cancel  looked at between tensors
    /// @returns       false when `cancel` was requested: then the model must be dropped
    /// Errors: BadInput for a file that is no LoRA or does not fit. Then the model has none.
    [[nodiscard]] Result<bool> setLoras(const std::vector<LoraReference>& loras,
                                        const CancelToken& cancel = {});

    /// Prompts from now on may name these, made for this model, instead of those before.
    void setEmbeddings(PromptEmbeddings embeddings);

    [[nodiscard]] GenerationPipeline& pipeline() { return *m_pipeline; }
    [[nodiscard]] const ModelSource& source() const { return m_source; }
    [[nodiscard]] const SchedulerConfig& scheduler() const { return m_scheduler; }
    [[nodiscard]] const Options& options() const { return m_options; }
    [[nodiscard]] const std::vector<LoraReference>& loras() const { return m_loras; }
    /// Of those set: see PromptEmbeddings::namedIn.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>>
    embeddingsIn(const std::vector<std::string>& prompts) const {
        return m_embeddings.namedIn(prompts, m_tokenizer);
    }

private:
    GenerationModel(ModelSource source, const Options& options, ClipTokenizer tokenizer);
    [[nodiscard]] Result<void> readWeights(const CancelToken& cancel);
    [[nodiscard]] Result<std::unique_ptr<TextEncoder>> readTextEncoder(int64_t clipSkip,
                                                                       const CancelToken& cancel = {}) const;
    [[nodiscard]] std::vector<TextEncoder*> textEncoders() const;
    [[nodiscard]] Result<void> removeLoras(const CancelToken& cancel);
    [[nodiscard]] Result<void> mergeLoras(const std::vector<LoraReference>& loras, const CancelToken& cancel);
    void connect();

    ModelSource m_source;
    Options m_options;
    ClipTokenizer m_tokenizer;
    SchedulerConfig m_scheduler;
    std::unique_ptr<UNetModel> m_unet;
    std::unique_ptr<TextEncoder> m_textEncoder;
    std::unique_ptr<TextEncoder> m_skippingEncoder; ///< null without clip skip
    std::unique_ptr<VaeModel> m_vae;
    std::unique_ptr<GenerationPipeline> m_pipeline;
    std::vector<LoraReference> m_loras;
    PromptEmbeddings m_embeddings;
    std::vector<std::string> m_changedUnet; ///< parameters that hold more than the file's weights
    std::vector<std::string> m_changedText;
};

} // namespace homebooth::core

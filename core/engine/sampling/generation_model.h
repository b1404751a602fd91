// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A model that stays in memory between generations: parts, tokenizers and pipeline.
// Owned by the worker's generation side; neither copied nor moved. One thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_source.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/util/cancel.h"
#include "core/engine/models/text_encoders.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/sampling/pipeline.h"
#include "core/engine/sampling/prompt_embeddings.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class GenerationModel {
public:
    struct Options {
        at::ScalarType type = at::kFloat;
        at::Device device = at::kCPU;
        int64_t clipSkip = 0;
        Quantization quantization = Quantization::None; ///< of UNet and text encoders
        SamplePlacement placement = {};                 ///< changes no byte of a picture, but for its tiles
    };

    /// Reads all weights of an opened model. @param cancel  looked at between tensors
    /// @returns  null when `cancel` was requested
    /// Errors: BadInput for weights, tokenizer or scheduler that cannot be used; Usage for a clip skip that
    ///         leaves no layer. Throws c10::Error out of memory.
    [[nodiscard]] static Result<std::unique_ptr<GenerationModel>>
    load(ModelSource source, const Options& options, const CancelToken& cancel = {});

    /// Leaves out so many layers at the end of the text encoders for prompts from now on, none for negative
    /// prompts (as diffusers). Holds them a second time while that is more than none.
    /// @returns  false when `cancel` was requested: then it leaves out none
    /// Errors: as load; BadInput where a LoRA that the model has cannot be added to them, too. Then it leaves
    ///         out none.
    [[nodiscard]] Result<bool> setClipSkip(int64_t clipSkip, const CancelToken& cancel = {});
    /// Adds these LoRAs to the model's own weights, instead of those that were added before.
    /// Weights that no longer change are read again, so that nothing is left behind by rounding.
    /// @param cancel  looked at between tensors
    /// @returns       false when `cancel` was requested: then the model must be dropped
    /// Errors: BadInput for a file that is no LoRA or does not fit. Then the model has none.
    [[nodiscard]] Result<bool> setLoras(const std::vector<LoraReference>& loras,
                                        const CancelToken& cancel = {});

    /// Gives the parts other homes; nothing is read again.
    /// Errors: throws c10::OutOfMemoryError when a home is refused: then the model must be dropped
    void place(const SamplePlacement& placement);

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
        return m_embeddings.namedIn(prompts, m_tokenizers.front());
    }

private:
    /// By component: parameters that hold more than the file's weights.
    using ChangedNames = std::map<std::string, std::set<std::string>>;

    /// Parameters that LoRAs are added to, and where they are read from.
    struct Adaptable {
        std::string component; ///< as in LoraModuleName
        ParameterStore* store;
        const TensorSource* tensors;
    };

    GenerationModel(ModelSource source, const Options& options, std::vector<ClipTokenizer> tokenizers);
    [[nodiscard]] ParameterStore::Options storeOptions(bool streams) const;
    [[nodiscard]] Result<void> readWeights(const CancelToken& cancel);
    [[nodiscard]] Result<void> checkClipSkip(int64_t clipSkip) const;
    [[nodiscard]] Result<std::unique_ptr<TextEncoders>> readTextEncoders(int64_t clipSkip,
                                                                         const CancelToken& cancel) const;
    [[nodiscard]] std::vector<TextEncoders*> textEncoders() const;
    [[nodiscard]] std::vector<Adaptable> adaptableIn(TextEncoders& encoders) const;
    [[nodiscard]] std::vector<Adaptable> adaptable() const;
    [[nodiscard]] Result<void> readAgain(const ChangedNames& names, const CancelToken& cancel);
    [[nodiscard]] Result<void> removeLoras();
    [[nodiscard]] Result<void> changeLoras(const std::vector<LoraFile>& files,
                                           const std::vector<LoraReference>& weights,
                                           const CancelToken& cancel);
    void connect();

    ModelSource m_source;
    Options m_options;
    std::vector<ClipTokenizer> m_tokenizers; // one for each text encoder
    SchedulerConfig m_scheduler;
    std::unique_ptr<UNetModel> m_unet;
    std::unique_ptr<TextEncoders> m_text;
    std::unique_ptr<TextEncoders> m_skipping; ///< null without clip skip
    std::unique_ptr<VaeModel> m_vae;
    std::unique_ptr<GenerationPipeline> m_pipeline;
    std::vector<LoraReference> m_loras;
    PromptEmbeddings m_embeddings;
    ChangedNames m_changed;
};

} // namespace homebooth::core

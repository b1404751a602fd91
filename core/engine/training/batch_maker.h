// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes of drawn samples what a denoising step computes: latents, noise, timesteps, texts and, where the UNet
// is told of them, how pictures were framed; each a function of the run's seed, the step and the sample's
// place. Borrows job and model; owns texts that were encoded.
// One thread.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/data/prompt_cache.h"
#include "core/engine/data/sample_group.h"
#include "core/engine/learning/denoising_step.h"
#include "core/engine/training/model_bundle.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace homebooth::core {

class BatchMaker {
public:
    BatchMaker(const JobContext& job, ModelBundle& model)
        : m_job(job)
        , m_model(model) {}

    /// Makes ready to encode captions when they are asked for, unless the text encoder learns.
    /// Errors: of reading the text encoder
    [[nodiscard]] Result<void> openPrompts(PromptCache::Disk disk);
    /// Encodes the captions that steps will ask for, unless the text encoder learns. Ends early when stop is
    /// requested. Errors: of loading the text encoder; OutOfResources where they fit neither into memory nor
    ///         into the cache
    /// @param whose  of ranks that share the cache: at first each its own, then, when all have, everybody's
    enum class Whose { Own, Everybodys };
    [[nodiscard]] Result<void> encodePrompts(const std::set<std::string>& captions,
                                             Whose whose = Whose::Everybodys);

    /// A micro-step's batch, of several ranks this one's part of it. Errors: throws TrainingFailure when the
    /// cache lost something
    [[nodiscard]] DenoisingBatch batch(const StepDraws& drawn, int64_t step, int64_t microStep);

    /// A picture that is held out, as a batch of its own: the same at every call, and whichever others are
    /// computed by this rank. Of `count` of them each has a noise and a part of the timesteps of its own.
    /// @param number  among them. Errors: as batch
    [[nodiscard]] DenoisingBatch heldOutBatch(const SampleDraw& draw, int64_t number, int64_t count);

    /// From now on no more captions are held than the model's plan leaves room for.
    void holdAsPlanned() {
        if (m_prompts) m_prompts->holdAtMost(m_model.heldPictures().most.textBytes);
    }

    /// What encoding captions has taken up to now.
    [[nodiscard]] double encodedSeconds() const { return m_prompts ? m_prompts->encodedSeconds() : 0.0; }
    [[nodiscard]] int64_t heldBytes() const { return m_prompts ? m_prompts->heldBytes() : 0; }

private:
    /// Where the steps themselves encode: a caption whose end is left out is told before the first one.
    void tellTooLong(const std::set<std::string>& captions);
    [[nodiscard]] DenoisingBatch pictures(const std::vector<SampleDraw>& draws, int64_t step);
    [[nodiscard]] at::Tensor latentsOf(const std::vector<SampleDraw>& draws, int64_t step) const;
    [[nodiscard]] at::Tensor noiseOf(const std::vector<SampleDraw>& draws, int64_t step,
                                     at::IntArrayRef shape) const;
    [[nodiscard]] at::Tensor timestepsOf(const std::vector<SampleDraw>& draws, int64_t step) const;
    [[nodiscard]] Result<void> checkKept() const;
    void addText(const std::vector<SampleDraw>& draws, DenoisingBatch& batch);
    void addConditions(const std::vector<SampleDraw>& draws, DenoisingBatch& batch);
    [[nodiscard]] TextCondition noText() const;
    [[nodiscard]] PromptTokens tokensOf(const std::string& caption);

    const JobContext& m_job;
    ModelBundle& m_model;
    std::unique_ptr<PromptCache> m_prompts; // null when the text encoder learns
    bool m_saidTruncated = false;
    std::map<std::string, PromptTokens> m_tokens;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training a denoiser: DreamBooth, a captioned data set, LoRA, or from scratch with its text encoder.
// Owns the model, the caches and the sample orders. One thread.
#pragma once

#include "core/engine/training/data_set.h"
#include "core/engine/training/denoising_step.h"
#include "core/engine/training/job_context.h"
#include "core/engine/training/latent_set.h"
#include "core/engine/training/model_bundle.h"
#include "core/engine/training/planned_steps.h"
#include "core/engine/training/prompt_cache.h"
#include "core/engine/training/trainee.h"

#include <memory>
#include <optional>

namespace homebooth::core {

class DenoiserTrainee : public Trainee {
public:
    /// Opens the model, makes class pictures where they are missing, reads and encodes the pictures.
    /// Errors: of all of these. When stop is requested meanwhile, the result is null.
    [[nodiscard]] static Result<std::unique_ptr<DenoiserTrainee>> make(const JobContext& job);

    [[nodiscard]] StepReport step(int64_t step) override;
    [[nodiscard]] Learner& learner() override { return *m_learner; }
    [[nodiscard]] std::vector<OrderCursor> cursors() const override;
    void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) override;
    [[nodiscard]] std::string dataHash() const override { return m_dataHash; }
    [[nodiscard]] Result<std::vector<PreviewPicture>> preview(int64_t step) override;
    [[nodiscard]] Result<std::vector<std::string>> writeResult(const std::string& resultDir) override;
    [[nodiscard]] TierMemory memory() const override;

private:
    /// Samples of one kind with their latents and order.
    struct Group {
        std::vector<TrainingSample> samples;
        std::optional<LatentSet> latents;
        std::unique_ptr<SampleOrder> order;
    };
    /// One sample of a step.
    struct Draw {
        const Group* group = nullptr;
        size_t sample = 0;
        uint64_t place =
            0; ///< within the step, whatever micro-steps it is cut into: what is drawn hangs on it
        std::string caption;
        bool mirrored = false;
    };
    /// All samples of a step, a batch for each micro-step one behind the other.
    struct StepDraws {
        std::vector<Draw> instances;
        std::vector<Draw> classes; // empty without prior preservation
    };

    explicit DenoiserTrainee(const JobContext& job)
        : m_job(job) {}
    [[nodiscard]] Result<void> prepareData();
    [[nodiscard]] Result<void> readInstances();
    [[nodiscard]] Result<void> readClassPictures();
    [[nodiscard]] Result<void> fillLatents(Group& group);
    [[nodiscard]] Result<void> encodePrompts();
    [[nodiscard]] Result<void> makeLearner();
    [[nodiscard]] Result<void> beginMasters();
    [[nodiscard]] StepReport compute(int64_t step);

    [[nodiscard]] StepDraws drawStep(int64_t step);
    [[nodiscard]] std::vector<Draw> drawsOf(const Group& group, const std::vector<int64_t>& samples,
                                            int64_t step, uint64_t kind) const;
    [[nodiscard]] DenoisingBatch batchFor(int64_t step, int64_t microStep, const StepDraws& drawn);
    [[nodiscard]] at::Tensor latentsOf(const std::vector<Draw>& draws, int64_t step) const;
    [[nodiscard]] at::Tensor noiseOf(const std::vector<Draw>& draws, int64_t step,
                                     at::IntArrayRef shape) const;
    [[nodiscard]] at::Tensor timestepsOf(const std::vector<Draw>& draws, int64_t step) const;
    void addText(const std::vector<Draw>& draws, DenoisingBatch& batch);
    [[nodiscard]] std::vector<int64_t> tokensOf(const std::string& caption);

    const JobContext& m_job;
    std::optional<CacheUse> m_cacheUse;
    std::unique_ptr<ModelBundle> m_model;
    Group m_instance;
    Group m_class; // empty without prior preservation
    std::string m_dataHash;
    std::unique_ptr<PromptCache> m_prompts; // null when the text encoder learns
    bool m_saidTruncated = false;
    std::map<std::string, std::vector<int64_t>> m_tokens;
    std::unique_ptr<Learner> m_learner;
    std::unique_ptr<DenoisingStep> m_step;
    std::unique_ptr<PlannedSteps> m_planned;
};

} // namespace homebooth::core

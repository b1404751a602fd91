// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training a denoiser: DreamBooth, a captioned data set, LoRA, or from scratch with its text encoder.
// Owns the model and the data. One thread.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/data/preview_prompts.h"
#include "core/engine/learning/denoising_step.h"
#include "core/engine/training/batch_maker.h"
#include "core/engine/training/model_bundle.h"
#include "core/engine/training/planned_steps.h"
#include "core/engine/training/rank_turns.h"
#include "core/engine/training/trainee.h"
#include "core/engine/training/training_data.h"

#include <memory>
#include <optional>
#include <vector>

namespace homebooth::core {

class GenerationPipeline;

class DenoiserTrainee : public Trainee {
public:
    /// Opens the model, makes class pictures where they are missing, reads and encodes the pictures. Every
    /// rank calls it, and makes its part of the class pictures where all are on one machine; those of a
    /// machine encode a part each of pictures and captions and find that of the others in the cache. Errors:
    /// of all of these. When stop is requested of any rank meanwhile, the result is null.
    [[nodiscard]] static Result<std::unique_ptr<DenoiserTrainee>> make(const JobContext& job);

    [[nodiscard]] StepReport step(int64_t step) override;
    [[nodiscard]] Learner& learner() override { return *m_learner; }
    [[nodiscard]] std::vector<OrderCursor> cursors() const override;
    void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) override;
    [[nodiscard]] std::string dataHash() const override { return m_data->hash(); }
    [[nodiscard]] std::string wholeDataHash() const override { return m_data->wholeHash(); }
    [[nodiscard]] int64_t heldOutPictures() const override { return m_data->heldOut(); }
    [[nodiscard]] std::optional<double> validate() override;
    [[nodiscard]] Result<std::vector<PreviewPicture>> preview(int64_t step) override;
    [[nodiscard]] Result<std::vector<std::string>> writeResult(const std::string& resultDir,
                                                               int64_t step) override;
    [[nodiscard]] TierMemory memory() const override;
    [[nodiscard]] int64_t frozenDiskBytes() const override { return m_model->frozenDiskBytes(); }

private:
    /// What previews need beside what learns.
    struct FrozenParts {
        TextEncoders* text = nullptr;
        VaeModel* vae = nullptr;
    };

    explicit DenoiserTrainee(const JobContext& job)
        : m_job(job) {}
    [[nodiscard]] Result<bool> readData();
    [[nodiscard]] Result<bool> planSteps(bool ahead);
    [[nodiscard]] Result<void> holdAlike();
    void hold(size_t way);
    bool holdFewer();
    [[nodiscard]] int64_t givenUpBytes() const;
    [[nodiscard]] Result<bool> makeClassPictures();
    [[nodiscard]] Result<bool> prepare();
    [[nodiscard]] Result<void> encodeOwnPictures();
    [[nodiscard]] Result<void> encodePictures();
    [[nodiscard]] Result<void> encodeOwnCaptions();
    [[nodiscard]] Result<void> encodeCaptions();
    [[nodiscard]] Result<void> loadModel();
    [[nodiscard]] Result<void> makeLearner();
    [[nodiscard]] Result<void> beginMasters();
    [[nodiscard]] Result<FrozenParts> readFrozenParts();
    [[nodiscard]] Result<std::vector<PreviewPicture>> makePreviews(GenerationPipeline& pipeline,
                                                                   const std::vector<PreviewPrompt>& prompts,
                                                                   const std::vector<RankTurn>& turns) const;
    [[nodiscard]] StepReport compute(int64_t step, const StepDraws& drawn);

    const JobContext& m_job;
    std::optional<CacheUse> m_cacheUse;
    std::unique_ptr<ModelBundle> m_model;
    std::unique_ptr<TrainingData> m_data;
    std::vector<HeldPictures> m_ways; // to hold latents and encoded captions
    size_t m_begunWay = 0;            // of them, as the steps began
    std::unique_ptr<BatchMaker> m_batches;
    std::unique_ptr<Learner> m_learner;
    std::unique_ptr<DenoisingStep> m_step;
    std::unique_ptr<PlannedSteps> m_planned;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training an autoencoder from scratch in plain form: pictures in, pictures out, both halves learn. Of
// several ranks each computes its part of every micro-step and of what is looked at between steps; the scale
// of the latents is the first one's. Owns model and pictures. One thread.
#pragma once

#include "core/base/files/kept_file.h"
#include "core/base/model/model_source.h"
#include "core/engine/data/job_context.h"
#include "core/engine/data/vae_pictures.h"
#include "core/engine/learning/vae_loss.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/training/trainee.h"

#include <memory>

namespace homebooth::core {

class VaeTrainee : public Trainee {
public:
    /// Opens the configuration, reads the pictures, initialises the weights.
    /// Errors: BadInput for configurations and pictures that cannot be used. When stop is requested while
    /// pictures are read, the result is null.
    [[nodiscard]] static Result<std::unique_ptr<VaeTrainee>> make(const JobContext& job);

    [[nodiscard]] StepReport step(int64_t step) override;
    [[nodiscard]] Learner& learner() override { return *m_learner; }
    [[nodiscard]] std::vector<OrderCursor> cursors() const override { return {m_pictures->cursor()}; }
    void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) override {
        m_pictures->restore(cursors.front(), dataChanged);
    }
    [[nodiscard]] std::string dataHash() const override { return m_pictures->hash(); }
    [[nodiscard]] std::string wholeDataHash() const override { return m_pictures->wholeHash(); }
    [[nodiscard]] int64_t heldOutPictures() const override { return m_pictures->heldOut(); }
    [[nodiscard]] std::optional<double> validate() override;
    /// Pictures from all over the data set, each with its reconstruction to the right.
    [[nodiscard]] Result<std::vector<PreviewPicture>> preview(int64_t step) override;
    /// A diffusers folder with this autoencoder; everything else as in the configuration's folder. Its
    /// scaling_factor is 1 / standard deviation of the latents of the data set.
    [[nodiscard]] Result<std::vector<std::string>> writeResult(const std::string& resultDir,
                                                               int64_t step) override;
    void contributeToResult() override;
    [[nodiscard]] TierMemory memory() const override;

private:
    explicit VaeTrainee(const JobContext& job)
        : m_job(job) {}
    void makeModel();
    /// The posterior's noise, each sample's of its own place.
    /// Shapes: moments [B, 2 * C, h, w] -> [B, C, h, w]. @param first  place of the first sample in the step
    [[nodiscard]] at::Tensor noiseFor(const at::Tensor& moments, int64_t step, int64_t first) const;
    [[nodiscard]] double lossOf(const at::Tensor& pixels, int64_t first);
    /// Adds its loss to the step's.
    void microStep(const at::Tensor& pixels, int64_t step, int64_t microStep, StepReport& report);
    [[nodiscard]] double latentDeviation();

    const JobContext& m_job;
    ModelSource m_source;
    KeptFiles m_smallFiles; // of the configuration's folder, which may be gone when the result is written
    std::unique_ptr<VaePictures> m_pictures;
    std::unique_ptr<VaeModel> m_vae;
    std::unique_ptr<Learner> m_learner;
    VaeLossWeights m_weights;
};

} // namespace homebooth::core

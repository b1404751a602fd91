// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training an autoencoder from scratch in plain form: pictures in, pictures out, both halves learn.
// Owns the model and the pictures in memory. One thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/engine/models/vae_model.h"
#include "core/engine/training/data_set.h"
#include "core/engine/training/job_context.h"
#include "core/engine/training/trainee.h"
#include "core/engine/training/vae_loss.h"

#include <memory>

namespace homebooth::core {

class VaeTrainee : public Trainee {
public:
    /// Opens the configuration, reads the pictures, initialises the weights.
    /// Errors: BadInput for configurations and pictures that cannot be used
    [[nodiscard]] static Result<std::unique_ptr<VaeTrainee>> make(const JobContext& job);

    [[nodiscard]] StepReport step(int64_t step) override;
    [[nodiscard]] Learner& learner() override { return *m_learner; }
    [[nodiscard]] std::vector<OrderCursor> cursors() const override { return {m_order->cursor()}; }
    void restoreCursors(const std::vector<OrderCursor>& cursors, bool dataChanged) override;
    [[nodiscard]] std::string dataHash() const override { return m_dataHash; }
    /// The first pictures, each with its reconstruction to the right.
    [[nodiscard]] Result<std::vector<PreviewPicture>> preview(int64_t step) override;
    /// A diffusers folder with this autoencoder; everything else as in the configuration's folder. Its
    /// scaling_factor is 1 / standard deviation of the latents of the data set.
    [[nodiscard]] Result<std::vector<std::string>> writeResult(const std::string& resultDir) override;
    [[nodiscard]] TierMemory memory() const override;

private:
    explicit VaeTrainee(const JobContext& job)
        : m_job(job) {}
    [[nodiscard]] Result<void> readPictures();
    void makeModel();
    [[nodiscard]] at::Tensor pixelsFor(const std::vector<int64_t>& samples, int64_t step,
                                       int64_t microStep) const;
    [[nodiscard]] at::Tensor crop(int64_t sample, uint64_t mixed) const;
    /// The posterior's noise of a micro-step, each sample's of its own place within the step.
    [[nodiscard]] at::Tensor noiseFor(at::IntArrayRef shape, int64_t step, int64_t microStep) const;
    double microStep(const at::Tensor& pixels, int64_t step, int64_t microStep);
    [[nodiscard]] double latentDeviation();

    const JobContext& m_job;
    ModelSource m_source;
    std::vector<TrainingSample> m_samples;
    std::vector<at::Tensor> m_pictures; // uint8 [3, H, W]
    int64_t m_cropSide = 0;             // pixels
    std::string m_dataHash;
    std::unique_ptr<SampleOrder> m_order;
    std::unique_ptr<VaeModel> m_vae;
    std::unique_ptr<Learner> m_learner;
    VaeLossWeights m_weights;
};

} // namespace homebooth::core

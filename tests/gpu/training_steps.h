// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of training/sd1.safetensors (tests/reference/README.md) for the tests on a GPU.
#pragma once

#include "core/engine/learning/denoising_step.h"
#include "tests/engine/training_reference.h"

namespace homebooth::core::testing {

class TrainingSteps {
public:
    static constexpr int64_t kCount = 5;

    /// What diffusers found: "loss" and "gradient_norm" [5], and the results of the UNet.
    [[nodiscard]] const TrainingReference& found() const { return m_steps; }

    /// @param step  from 0
    [[nodiscard]] DenoisingBatch batch(int64_t step) const {
        const std::string prefix = "step/" + std::to_string(step) + "/";
        DenoisingBatch batch;
        batch.latents = m_steps[prefix + "latents"];
        batch.noise = m_steps[prefix + "noise"];
        batch.timesteps = m_steps[prefix + "timesteps"];
        batch.context = m_context;
        batch.priorCount = 2;
        return batch;
    }

private:
    TrainingReference m_steps{"sd1"};
    at::Tensor m_context =
        Reference(openTensors(fixture("training/text_tiny-sd1.safetensors")), "")["encoder_hidden_states"];
};

} // namespace homebooth::core::testing

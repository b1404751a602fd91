// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a diffusion model with typed calls for inference. Training uses their executors directly.
// Inputs may be of any real type and on any device; results are in the part's type, on its device.
// Neither copied nor moved. One thread for each part.
#pragma once

#include "core/base/model/configs/clip_config.h"
#include "core/base/model/configs/unet_config.h"
#include "core/engine/models/component.h"

namespace homebooth::core {

class UNetModel {
public:
    UNetModel(const UNetConfig& config, const ParameterStore::Options& options);
    /// With a schedule of one's own making: adapters added, parameters frozen.
    UNetModel(const UNetConfig& config, Schedule schedule, const ParameterStore::Options& options);

    [[nodiscard]] const UNetConfig& config() const { return m_config; }
    [[nodiscard]] Component& component() { return m_component; }
    [[nodiscard]] const Component& component() const { return m_component; }

    /// Predicts what the scheduler's prediction type says.
    /// Shapes: sample [B, Cin, H, W], timestep [B] or [] (for all), context [B, T, D] -> [B, Cout, H, W]
    [[nodiscard]] at::Tensor predict(const at::Tensor& sample, const at::Tensor& timestep,
                                     const at::Tensor& context);
    /// The same for a model with textTimeEmbedding. Shapes: pooledText [B, P], timeIds [B, N]
    [[nodiscard]] at::Tensor predict(const at::Tensor& sample, const at::Tensor& timestep,
                                     const at::Tensor& context, const at::Tensor& pooledText,
                                     const at::Tensor& timeIds);

private:
    UNetConfig m_config;
    Component m_component;
};

/// What a UNet is told of texts.
struct TextCondition {
    at::Tensor context; ///< [B, T, D], hidden states; of several text encoders side by side
    at::Tensor pooled;  ///< [B, P], of the texts as a whole; undefined where no encoder gives it
};

class TextEncoder {
public:
    /// One that takes tokens alone. @param clipSkip  layers left out at the end
    TextEncoder(const ClipConfig& config, const ParameterStore::Options& options, int64_t clipSkip = 0);
    TextEncoder(const ClipConfig& config, Schedule schedule, const ParameterStore::Options& options);

    [[nodiscard]] const ClipConfig& config() const { return m_config; }
    [[nodiscard]] Component& component() { return m_component; }
    [[nodiscard]] const Component& component() const { return m_component; }

    /// @param vectors  that ids from vocabularySize on stand for; undefined: there are none. Only for a
    ///                 schedule with that input
    /// Shapes: tokenIds [B, T] int64, vectors [N, hiddenSize]
    [[nodiscard]] TextCondition condition(const at::Tensor& tokenIds, const at::Tensor& vectors = {});
    /// The context alone. Shapes: -> [B, T, hiddenSize]
    [[nodiscard]] at::Tensor encode(const at::Tensor& tokenIds, const at::Tensor& vectors = {}) {
        return condition(tokenIds, vectors).context;
    }

private:
    ClipConfig m_config;
    Component m_component;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The autoencoder between pictures and latents, whole or one half of it; large pictures in tiles.
// Inputs may be of any real type and on any device; results are in the model's type, on its device.
// Neither copied nor moved. One thread.
#pragma once

#include "core/base/model/configs/vae_config.h"
#include "core/engine/models/component.h"

#include <memory>

namespace homebooth::core {

/// What the encoder says of a picture: a normal distribution over latents, not yet scaled.
struct VaePosterior {
    at::Tensor mean;        // [B, latentChannels, h, w]
    at::Tensor logVariance; // the same, within -30..20

    /// mean + exp(logVariance / 2) * noise
    [[nodiscard]] at::Tensor sample(const at::Tensor& noise) const;
};

/// How much memory a pass may take. Tiles overlap by a quarter and are blended; results differ slightly from
/// an untiled pass, because group norms see one tile only.
struct VaeMemory {
    bool slicing = false; ///< one picture of a batch at a time
    bool tiling = false;
    int64_t tilePixels = 0; ///< side of a tile; 0: the size that the model was trained at
};

class VaeModel {
public:
    enum class Part { Both, Encoder, Decoder };

    VaeModel(const VaeConfig& config, const ParameterStore::Options& options, Part part = Part::Both);
    /// For training: both halves, with schedules of one's own making.
    VaeModel(const VaeConfig& config, Schedule encoder, Schedule decoder,
             const ParameterStore::Options& options);

    [[nodiscard]] const VaeConfig& config() const { return m_config; }
    /// Null when the model was made without that half.
    [[nodiscard]] Component* encoder() const { return m_encoder.get(); }
    [[nodiscard]] Component* decoder() const { return m_decoder.get(); }
    /// The stores of the halves that are there.
    [[nodiscard]] std::vector<const ParameterStore*> stores() const;

    /// Shapes: pixels [B, 3, H, W] in -1..1 -> posterior [B, latentChannels, H / f, W / f]
    [[nodiscard]] VaePosterior encode(const at::Tensor& pixels, const VaeMemory& memory = {});
    /// Shapes: latents [B, latentChannels, h, w], unscaled -> [B, 3, h * f, w * f], about -1..1
    [[nodiscard]] at::Tensor decode(const at::Tensor& latents, const VaeMemory& memory = {});

    /// To the scale that the UNet works at, and back.
    [[nodiscard]] at::Tensor scaled(const at::Tensor& latents) const;
    [[nodiscard]] at::Tensor unscaled(const at::Tensor& latents) const;

private:
    void setEncoder(std::unique_ptr<Component> encoder);

    VaeConfig m_config;
    std::unique_ptr<Component> m_encoder;
    std::unique_ptr<Component> m_decoder;
};

/// The type to run the autoencoder in: fp32 instead of fp16 where its configuration says that it overflows.
[[nodiscard]] at::ScalarType safeVaeType(const VaeConfig& config, at::ScalarType wanted);

} // namespace homebooth::core

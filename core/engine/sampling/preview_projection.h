// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The cheap preview: a linear map from the channels of a latent to the colour of the pixels that it stands
// for. Learned from pictures that the autoencoder decoded anyway, so it fits any autoencoder; no constants of
// a published model, which would show false colours with another one. Value type; one thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

class PreviewProjection {
public:
    /// Whether any decoded picture was seen.
    [[nodiscard]] bool ready() const { return m_normal.defined(); }

    /// Learns from latents and what became of them; later pairs refine the map.
    /// Shapes: latents [B, C, h, w], pixels [B, 3, h * f, w * f] in -1..1
    void learn(const at::Tensor& latents, const at::Tensor& pixels);

    /// Shapes: latents [B, C, h, w] -> pixels [B, 3, h, w] in -1..1. Asserts ready().
    [[nodiscard]] at::Tensor project(const at::Tensor& latents) const;

private:
    at::Tensor m_normal; // sum of x x^T over latents x with a 1 appended, [C + 1, C + 1] fp64
    at::Tensor m_right;  // sum of x rgb^T, [C + 1, 3] fp64
};

} // namespace homebooth::core

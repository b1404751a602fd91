// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The loss of an autoencoder in plain form, with gradients for both of its halves. Pure functions.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

struct VaeLossWeights {
    double pixel = 1.0;    ///< mean absolute error
    double gradient = 0.5; ///< of differences of neighbouring pixels: keeps edges
    double pooled = 0.5;   ///< of pictures shrunk by 2, 4, 8 and 16: keeps colours and areas
    double kl = 1e-5;      ///< divergence of latents from N(0, 1), per element
};

struct VaeReconstructionLoss {
    double loss = 0.0;
    at::Tensor gradient; ///< of the reconstruction, in its type
    double pixels = 0.0; ///< of `loss`, with its weight, as the next two
    double edges = 0.0;
    double areas = 0.0;
};

/// Shapes: reconstruction, pixels [B, 3, H, W]; computed in fp32.
[[nodiscard]] VaeReconstructionLoss vaeReconstructionLoss(const at::Tensor& reconstruction,
                                                          const at::Tensor& pixels,
                                                          const VaeLossWeights& weights, double factor);

/// A latent drawn from the encoder's distribution, and how gradients go back through it.
struct PosteriorDraw {
    at::Tensor latents;     ///< mean + deviation * noise, fp32
    at::Tensor mean;        ///< fp32
    at::Tensor logVariance; ///< fp32, clamped
    at::Tensor clamped;     ///< where the logarithm of the variance was cut: no gradient there
    at::Tensor noise;
};

/// Shapes: moments [B, 2 * C, h, w], noise [B, C, h, w] -> latents [B, C, h, w]
[[nodiscard]] PosteriorDraw drawPosterior(const at::Tensor& moments, const at::Tensor& noise);

/// The KL term, mean over elements of (mean^2 + variance - 1 - log variance) / 2, unweighted.
[[nodiscard]] double klDivergence(const PosteriorDraw& draw);

/// Gradient of the moments, fp32, from that of the latents and from the weighted KL term.
[[nodiscard]] at::Tensor posteriorGradient(const PosteriorDraw& draw, const at::Tensor& latentGradient,
                                           double klFactor);

} // namespace homebooth::core

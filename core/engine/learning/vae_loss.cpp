// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/vae_loss.h"

#include "core/engine/graph/autograd_pass.h"

#include <ATen/core/grad_mode.h>

namespace homebooth::core {
namespace {

constexpr double kLeastLogVariance = -30.0;
constexpr double kMostLogVariance = 20.0;
constexpr int kPooledLevels = 4;

at::Tensor absoluteError(const at::Tensor& difference) {
    return difference.abs().mean();
}

/// Mean absolute differences of neighbours, along both sides.
at::Tensor edgeError(const at::Tensor& difference) {
    return absoluteError(difference.diff(1, 2)) + absoluteError(difference.diff(1, 3));
}

} // namespace

VaeReconstructionLoss vaeReconstructionLoss(const at::Tensor& reconstruction, const at::Tensor& pixels,
                                            const VaeLossWeights& weights, double factor) {
    const at::AutoGradMode enableGrad(true);
    const at::Tensor leaf = reconstruction.detach().to(at::kFloat).contiguous().requires_grad_(true);
    // Every term is linear in the error up to its absolute value, so all work on the one difference.
    const at::Tensor difference = leaf - pixels.to(at::kFloat);
    const at::Tensor pixel = weights.pixel * absoluteError(difference);
    const at::Tensor edges = weights.gradient * edgeError(difference);
    at::Tensor loss = pixel + edges;
    at::Tensor pooled = difference;
    for (int level = 0; level < kPooledLevels && pooled.size(2) > 1 && pooled.size(3) > 1; ++level) {
        pooled = at::avg_pool2d(pooled, {2, 2});
        loss = loss + weights.pooled * absoluteError(pooled);
    }
    const at::Tensor gradient = autogradPass({loss * factor}, {leaf}, {}).front();
    const at::Tensor sums = at::stack({loss, pixel, edges}).detach().to(at::kCPU, at::kDouble);
    VaeReconstructionLoss found{sums[0].item<double>(), gradient.to(reconstruction.scalar_type())};
    found.pixels = sums[1].item<double>();
    found.edges = sums[2].item<double>();
    found.areas = found.loss - found.pixels - found.edges;
    return found;
}

PosteriorDraw drawPosterior(const at::Tensor& moments, const at::Tensor& noise) {
    const at::NoGradGuard noGrad;
    const std::vector<at::Tensor> parts = moments.detach().to(at::kFloat).chunk(2, 1);
    PosteriorDraw draw;
    draw.mean = parts[0].contiguous();
    draw.logVariance = parts[1].clamp(kLeastLogVariance, kMostLogVariance).contiguous();
    draw.clamped = parts[1].lt(kLeastLogVariance).logical_or_(parts[1].gt(kMostLogVariance));
    draw.noise = noise;
    draw.latents = draw.mean + (0.5 * draw.logVariance).exp() * noise;
    return draw;
}

double klDivergence(const PosteriorDraw& draw) {
    const at::NoGradGuard noGrad;
    const at::Tensor terms = draw.mean.square() + draw.logVariance.exp() - 1.0 - draw.logVariance;
    return 0.5 * terms.mean().item<double>();
}

at::Tensor posteriorGradient(const PosteriorDraw& draw, const at::Tensor& latentGradient, double klFactor) {
    const at::NoGradGuard noGrad;
    const at::Tensor incoming = latentGradient.to(at::kFloat);
    const double perElement = klFactor / static_cast<double>(draw.mean.numel());
    const at::Tensor meanGradient = incoming + draw.mean * perElement;
    const at::Tensor halfDeviation = 0.5 * (0.5 * draw.logVariance).exp();
    const at::Tensor varianceGradient =
        incoming * draw.noise * halfDeviation + 0.5 * perElement * (draw.logVariance.exp() - 1.0);
    return at::cat({meanGradient, varianceGradient.masked_fill(draw.clamped, 0.0)}, 1);
}

} // namespace homebooth::core

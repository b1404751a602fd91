// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/diffusion_loss.h"

#include <ATen/core/grad_mode.h>

namespace homebooth::core {
namespace {

/// What each sample's mean squared error counts, [B] fp32.
at::Tensor sampleFactors(int64_t batch, const DiffusionLossOptions& options, at::Device device) {
    TORCH_CHECK(options.priorCount >= 0 && options.priorCount < batch, "a batch of ", batch,
                " samples cannot hold ", options.priorCount, " class pictures");
    const int64_t instances = batch - options.priorCount;
    at::Tensor factors = at::empty({batch}, at::kFloat);
    factors.slice(0, 0, instances).fill_(1.0 / static_cast<double>(instances));
    if (options.priorCount > 0)
        factors.slice(0, instances).fill_(options.priorWeight / static_cast<double>(options.priorCount));
    factors = factors.to(device);
    return options.weights.defined() ? factors * options.weights.to(device, at::kFloat) : factors;
}

} // namespace

DiffusionLoss diffusionLoss(const at::Tensor& prediction, const at::Tensor& target,
                            const DiffusionLossOptions& options) {
    TORCH_CHECK(prediction.sizes() == target.sizes(), "prediction ", prediction.sizes(), " and target ",
                target.sizes(), " must have one shape");
    const at::NoGradGuard noGrad;
    const int64_t batch = prediction.size(0);
    const double perSample = static_cast<double>(prediction.numel()) / static_cast<double>(batch);
    at::Tensor difference = prediction.to(at::kFloat) - target.to(at::kFloat);
    const at::Tensor errors = difference.square().flatten(1).mean(1);
    const at::Tensor factors = sampleFactors(batch, options, prediction.device());

    DiffusionLoss result;
    const at::Tensor loss = (errors * factors).sum();
    result.loss = loss.is_meta() ? 0.0 : loss.item<double>(); // a rehearsal has no numbers
    const at::Tensor scale = (factors * (2.0 * options.gradientFactor / perSample)).view({batch, 1, 1, 1});
    result.gradient = difference.mul_(scale).to(prediction.scalar_type());
    return result;
}

} // namespace homebooth::core

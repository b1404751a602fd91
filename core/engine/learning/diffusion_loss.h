// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The loss of a denoising step and its gradient, in closed form: no autograd graph is needed for it.
// Pure functions; any thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

struct DiffusionLossOptions {
    at::Tensor weights;          ///< [B] fp32 of each sample, e.g. min-SNR; undefined: 1
    int64_t priorCount = 0;      ///< the last samples of the batch are class pictures
    double priorWeight = 1.0;    ///< of their mean loss
    double gradientFactor = 1.0; ///< loss scale / accumulation steps; changes the gradient alone
};

struct DiffusionLoss {
    double loss = 0.0;
    at::Tensor gradient; ///< [B, C, H, W] in the prediction's type
};

/// mean over the instance samples of weight * mean((prediction - target)^2)
///   + priorWeight * the same mean over the class samples.
/// Computed in fp32. Shapes: prediction, target [B, C, H, W]
[[nodiscard]] DiffusionLoss diffusionLoss(const at::Tensor& prediction, const at::Tensor& target,
                                          const DiffusionLossOptions& options);

} // namespace homebooth::core

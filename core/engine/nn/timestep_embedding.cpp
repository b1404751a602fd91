// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/timestep_embedding.h"

#include <cmath>

namespace homebooth::core {
namespace {

constexpr double kLongestPeriod = 10000.0;

} // namespace

at::Tensor sinusoidalEmbedding(const at::Tensor& values, const SinusoidOptions& options) {
    const int64_t half = options.channels / 2;
    const auto floatOptions = at::TensorOptions().dtype(at::kFloat).device(values.device());
    // In fp32 and in this order: another order of operations moves the last bits of large timesteps.
    const at::Tensor exponent = at::arange(half, floatOptions) * -std::log(kLongestPeriod) /
                                (static_cast<double>(half) - options.freqShift);
    const at::Tensor angle = values.to(at::kFloat).unsqueeze(1) * exponent.exp().unsqueeze(0);
    const at::Tensor sine = angle.sin();
    const at::Tensor cosine = angle.cos();
    at::Tensor embedding = options.flipSinToCos ? at::cat({cosine, sine}, 1) : at::cat({sine, cosine}, 1);
    if (options.channels % 2 == 1) embedding = at::constant_pad_nd(embedding, {0, 1});
    return embedding;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sinusoidal embedding of scalars. Stateless; any thread.
// Source: Vaswani et al. 2017 §3.5, with the frequencies of Ho et al. 2020.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

struct SinusoidOptions {
    int64_t channels = 0;
    bool flipSinToCos = false; ///< cosines first
    double freqShift = 1.0;
};

/// Shapes: values [N] integer or real -> [N, channels] fp32
[[nodiscard]] at::Tensor sinusoidalEmbedding(const at::Tensor& values, const SinusoidOptions& options);

} // namespace homebooth::core

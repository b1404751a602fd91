// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A linear layer whose inputs become integers of 8 bits, too, each row with a scale of its own, so that it is
// a product of integers (W8A8). For sampling, on processors that multiply pairs of integers at once (VNNI).
// Why: on two cores of a Zen 4 the product alone ran at 770 to 890 GFLOP/s at most shapes of UNets (at wide
// ones of few inputs at 360 to 500), in bf16 at 320 to 440, in fp32 at 150 to 200. Stateless; any thread.
// GPUs have such products as well; what LibTorch's take there was never measured.
#pragma once

#include "core/engine/nn/stored_weight.h"

namespace homebooth::core {

/// Whether it serves, and pays: on the host, on such a processor, for long rows, and no gradient is recorded.
[[nodiscard]] bool integerProductServes(const at::Tensor& x, const StoredWeight& weight);

/// y = x W^T + b, of x's rows as integers: their sums are exact, scales and bias are applied in fp32.
/// @param bias  [out] of x's type, or undefined
/// Shapes: x [..., in], weight [out, in] quantized -> [..., out]
[[nodiscard]] at::Tensor integerProduct(const at::Tensor& x, const StoredWeight& weight,
                                        const at::Tensor& bias);

} // namespace homebooth::core

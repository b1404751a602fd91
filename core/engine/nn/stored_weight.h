// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A weight as it lies in memory: in the type that computes, or as integers with a scale for each row
// (core/base/schedule/quantized_weights.h). Borrows nothing; a value, as tensors are.
#pragma once

#include <ATen/ATen.h>

#include <optional>

namespace homebooth::core {

struct StoredWeight {
    at::Tensor values; ///< [out, ...]: the weight, or int8 in whatever dense order
    at::Tensor scales; ///< [out] fp32 of int8; else undefined

    StoredWeight(at::Tensor weight,
                 at::Tensor scalesOfRows = {}) // NOLINT: implicit on purpose, of a whole one
        : values(std::move(weight))
        , scales(std::move(scalesOfRows)) {}

    [[nodiscard]] bool isQuantized() const { return scales.defined(); }
    /// The weight: itself, or made of its integers in `type` and the same order, each time anew.
    [[nodiscard]] at::Tensor whole(at::ScalarType type) const;
};

/// A tensor that may be undefined, as autograd functions take it.
[[nodiscard]] inline std::optional<at::Tensor> given(const at::Tensor& tensor) {
    return tensor.defined() ? std::optional(tensor) : std::nullopt;
}

/// A weight as integers with a scale for each row.
/// @param weight  [out, ...] of any floating type, on the host, finite
/// @returns       int8 in the weight's shape, contiguous, and its scales
[[nodiscard]] StoredWeight quantized(const at::Tensor& weight);

} // namespace homebooth::core

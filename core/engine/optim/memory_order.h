// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors as flat memory: kernels walk a parameter, its gradient and its states in one order, the
// parameter's. Pure functions over borrowed tensors.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <string>

namespace homebooth::core {

/// A one-dimensional alias of a dense tensor, in the order of its memory.
/// Errors: throws c10::Error for a tensor with gaps or overlaps
[[nodiscard]] at::Tensor flatAlias(const at::Tensor& tensor);

/// `count` elements of a dense tensor from `begin` on, in the order of its memory; an alias. Shapes: [count]
/// Of an undefined tensor: an undefined one.
[[nodiscard]] at::Tensor stretchOf(const at::Tensor& whole, int64_t begin, int64_t count);

/// `source` itself if it lies in memory as `like` does, else a copy that does. Same type as `source`.
/// Errors: throws c10::Error for another shape
[[nodiscard]] at::Tensor inOrderOf(const at::Tensor& source, const at::Tensor& like);

/// A hash of a parameter's name for the counter of stochastic rounding (FNV-1a).
[[nodiscard]] uint32_t parameterHash(const std::string& name);

/// Who computes.
enum class Workers : uint8_t {
    All,   ///< Torch's threads
    Most,  ///< a team of three quarters as many, two less at most, beside those that give a GPU its work
    Caller ///< that thread alone, beside others that compute already
};

/// How many of them compute at most.
[[nodiscard]] int threadsOf(Workers workers);

/// Runs work(begin, end) over [0, count); cuts lie at multiples of `unit`.
void parallelOver(int64_t count, int64_t unit, const std::function<void(int64_t, int64_t)>& work,
                  Workers workers = Workers::All);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How parts of several ranks are added up where LibTorch computes: on a GPU, and in the rehearsal of one,
// which counts the memory that this takes. Free functions; any thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace homebooth::core {

/// Elements of each rank's part that are exchanged and added up at a time, at least 1: 16 MiB of each, so
/// that what a sum takes beside the tensors does not grow with them.
[[nodiscard]] int64_t stretchElements(int64_t partElements, int64_t elementBytes);

/// target = parts[0] + parts[1] + ..., from left to right; in fp32, rounded once, or in fp64 as they are.
/// Shapes: target [n] or any of as many elements, parts [ranks, n]
void sumOnDevice(const at::Tensor& target, const at::Tensor& parts);

} // namespace homebooth::core

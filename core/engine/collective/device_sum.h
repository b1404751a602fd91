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

/// What sums of such parts are made in. It is taken before parts are exchanged: who lacks the memory only
/// then would ask again for what the others have got already. Shapes: parts [ranks, n]; [n]
[[nodiscard]] at::Tensor sumScratch(const at::Tensor& parts);

/// target = parts[0] + parts[1] + ..., from left to right; in fp32, rounded once, or in fp64 as they are.
/// A GPU takes no memory for it.
/// Shapes: target [n] or any of as many elements, parts [ranks, n], scratch [at least n]
void sumOnDevice(const at::Tensor& target, const at::Tensor& parts, const at::Tensor& scratch);

} // namespace homebooth::core

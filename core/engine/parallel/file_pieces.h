// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a tensor's file a rank writes, and where they lie there. Files hold tensors row by row,
// while a part of a state is a stretch of the parameter's memory order, which convolutions have otherwise:
//
//   memory   |o0: k0 i0..in, k1 i0..in, ... |o1 ...        |o2 ...
//   part              [=====================================[
//   file              i0: k1 k2, i1: k1 k2 ..|  as a whole  |
//
// Rows (the first dimension) that are in it as a whole are one piece; of those that it cuts, each run of
// elements that the file has one behind another is a piece of its own: some thousand small ones for a cut,
// and there are fewer cuts than blocks times ranks. To gather the cut rows instead would have meant that
// ranks wait for each other at every tensor. Free functions; any thread.
#pragma once

#include "core/engine/optim/optimizer.h"

#include <cstdint>
#include <functional>

namespace homebooth::core {

/// Takes elements that lie one behind another in the file.
/// @param begin   of the first one, counted row by row in the whole tensor
/// @param values  contiguous, on the host. Shapes: [n]
using PieceSink = std::function<Result<void>(int64_t begin, const at::Tensor& values)>;

/// The elements that one of several ranks writes: its own of what is spread over them, its share of the rows
/// of what all have. Together the ranks have each element once. They alias the tensor.
[[nodiscard]] at::Tensor ownElements(const NamedTensor& named, int rank, int ranks);

/// Calls `use` with these elements, piece by piece. Errors: those of `use`; throws c10::Error for want of
/// memory
[[nodiscard]] Result<void> forOwnPieces(const NamedTensor& named, int rank, int ranks, const PieceSink& use);

} // namespace homebooth::core

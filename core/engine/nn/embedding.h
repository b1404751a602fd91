// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of a table by number. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

/// Differentiable in the table.
/// Shapes: table [N, C], ids [...] int64, from 0 to N - 1 -> [..., C]
[[nodiscard]] at::Tensor rowsOf(const at::Tensor& table, const at::Tensor& ids);

/// A table that is used whole as well as by rows, such as one that takes tokens in and predicts them.
struct TableUse {
    at::Tensor rows;  ///< [..., C]
    at::Tensor table; ///< the same memory as the table that was given
};

/// Differentiable in the table: what both uses give becomes one gradient, a row's sum in fp32 and rounded
/// once, so that a gradient of the table's size exists once. May write into the gradient of `table`.
/// Shapes: as rowsOf
[[nodiscard]] TableUse useTable(const at::Tensor& table, const at::Tensor& ids);

} // namespace homebooth::core

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

} // namespace homebooth::core

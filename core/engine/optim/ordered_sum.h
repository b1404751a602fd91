// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums along one side of a tensor, with the same bytes on every device and for every thread count. Pure
// function.
#pragma once

#include "kernels/reduce/group_sums.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>

namespace homebooth::core {

/// @param values  fp32, contiguous; a side of at least one element
/// @param side    which is summed; from the end on where it is below zero
/// Shapes: the result is fp64, on their device, and has the other sides
/// Errors: throws c10::Error where a GPU refuses
[[nodiscard]] at::Tensor sumAlong(const at::Tensor& values, int64_t side, kernels::Summed what);

/// Runs work(begin, end) over some rows and others. As many threads get some as all the elements are worth,
/// be the rows few long ones or many short ones.
/// @param perRow  elements of each
void parallelOverRows(int64_t rows, int64_t perRow, const std::function<void(int64_t, int64_t)>& work);

} // namespace homebooth::core

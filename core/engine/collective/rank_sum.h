// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The one order in which values of several ranks are added on the host. Free function; any thread.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// target[i] = parts[0][i] + parts[1][i] + ..., from left to right; fp32, bf16 and fp16 in fp32, rounded
/// once. The target may be one of the parts. Shapes: target [count], each part [count]; types as in
/// Collective::reduceScatter and allReduce Errors: throws c10::Error for other types
void sumInRankOrder(void* target, at::ScalarType targetType, const std::vector<const void*>& parts,
                    at::ScalarType partType, int64_t count);

} // namespace homebooth::core

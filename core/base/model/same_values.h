// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether two tensors of files hold the same numbers. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/model/component_match.h"

namespace homebooth::core {

/// Compares every number of two tensors, of whatever floating-point types: F16 may equal F32. Of other types
/// and other shapes they differ. A few megabytes are in memory at once, but all of a tensor that does not lie
/// together in its file. Where numbers differ, a look at a few places mostly shows it.
/// Errors: BadInput for a failed read
[[nodiscard]] Result<bool> sameValues(const TensorPool::Entry& one, const TensorPool::Entry& other);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A small tensor of a file in fp32. Stateless; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"

#include <ATen/ATen.h>

namespace homebooth::core {

/// @param info  of a tensor of `source`
/// Errors: those of reading it; BadInput, without the file's name, for NaN or infinity
[[nodiscard]] Result<at::Tensor> readExact(const TensorSource& source, const TensorInfo& info);

} // namespace homebooth::core

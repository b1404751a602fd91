// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a precision of the configuration is to LibTorch. Pure function; any thread.
#pragma once

#include "core/base/config/train_config.h"

#include <ATen/ATen.h>

namespace homebooth::core {

/// The element type of weights and computation.
[[nodiscard]] at::ScalarType scalarTypeOf(Precision precision);

} // namespace homebooth::core

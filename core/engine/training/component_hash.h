// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 of a component's weights as its files hold them. Pure functions; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"

#include <string>

namespace homebooth::core {

/// @param configuration  text that the meaning of the weights also depends on
/// Errors: BadInput if a tensor cannot be read
[[nodiscard]] Result<std::string> componentHash(const TensorSource& tensors,
                                                const std::string& configuration);

} // namespace homebooth::core

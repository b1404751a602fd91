// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 of a component's weights as its files hold them. Pure functions; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"
#include "core/base/util/cancel.h"

#include <optional>
#include <string>

namespace homebooth::core {

/// @param configuration  text that the meaning of the weights also depends on
/// @param cancel         looked at between tensors
/// @returns              nothing when `cancel` was requested. Errors: BadInput if a tensor cannot be read
[[nodiscard]] Result<std::optional<std::string>>
componentHash(const TensorSource& tensors, const std::string& configuration, const CancelToken& cancel = {});

} // namespace homebooth::core

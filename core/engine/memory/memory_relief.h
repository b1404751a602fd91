// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be done when memory is refused. Free functions; any thread.
#pragma once

#include <c10/core/Device.h>

namespace homebooth::core {

/// Whether the exception that is being handled says that memory ran out. Call in a catch block.
[[nodiscard]] bool memoryRanOut();

/// Gives back what LibTorch holds of a GPU without using it. Never throws.
void releaseIdleMemory(at::Device device) noexcept;

} // namespace homebooth::core

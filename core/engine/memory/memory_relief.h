// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What can be done when memory is refused. Free functions; any thread.
#pragma once

#include <c10/core/Device.h>

namespace homebooth::core {

/// Whether the exception that is being handled says that memory ran out, of the host or of a GPU. The one
/// place that knows what LibTorch and the libraries below it say then. Call in a catch block.
/// @returns  false for an expected failure, too: what it says of memory is not what a step lacked
[[nodiscard]] bool memoryRanOut();

/// Gives back what nobody uses of a device's memory: of a GPU's what LibTorch keeps for later, of the host's
/// the arena's holes and what the heap can spare. Never throws.
void releaseIdleMemory(at::Device device) noexcept;

} // namespace homebooth::core

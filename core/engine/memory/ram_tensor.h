// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of the RAM tier as a tensor. Free function; any thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace homebooth::core {

/// Zeroed bytes in whole pages outside LibTorch's allocators, counted in Tier::Ram; they are given back with
/// the last view of them.
/// @param beside  the device that copies to or from them; for a GPU they are locked in memory where the
///                system allows it, which saves its copies a detour
/// Shapes: uint8 [bytes]. Errors: throws c10::OutOfMemoryError when the system refuses them
[[nodiscard]] at::Tensor ramTensor(int64_t bytes, at::Device beside = at::kCPU);

} // namespace homebooth::core

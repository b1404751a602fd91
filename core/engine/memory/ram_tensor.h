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
/// @param beside  the device that copies to or from them: a GPU does so without a detour where it may lock
/// them in
///                memory, and slower where the system does not let it
/// Shapes: uint8 [bytes]. Errors: throws c10::OutOfMemoryError when the system refuses them
[[nodiscard]] at::Tensor ramTensor(int64_t bytes, at::Device beside = at::kCPU);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that attention is computed in. Free functions; any thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

/// What LibTorch has attention for on a GPU without making all scores: flash attention needs compute
/// capability 8.0; before that the memory-efficient one takes fp16 and fp32 alone, in heads of any width
/// and with masks.
/// @param takesBfloat16  whether the GPU's hardware does, as from 8.0 on
[[nodiscard]] at::ScalarType attentionTypeOnGpu(at::ScalarType type, bool takesBfloat16);

/// The type that queries like these are attended in on their device, or in the step that is rehearsed.
[[nodiscard]] at::ScalarType attentionType(const at::Tensor& queries);

} // namespace homebooth::core

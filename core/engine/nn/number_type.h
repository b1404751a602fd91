// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What our kernels call the types that LibTorch computes in. Pure function; any thread.
#pragma once

#include "kernels/numeric/float16.h"

#include <ATen/ATen.h>

namespace homebooth::core {

/// Throws c10::Error for others than fp32, bf16 and fp16.
inline kernels::NumberType numberTypeOf(at::ScalarType type) {
    switch (type) {
    case at::kFloat:
        return kernels::NumberType::Float32;
    case at::kBFloat16:
        return kernels::NumberType::Bf16;
    case at::kHalf:
        return kernels::NumberType::Half;
    default:
        TORCH_CHECK(false, "expected fp32, bf16 or fp16, found ", c10::toString(type));
    }
}

} // namespace homebooth::core

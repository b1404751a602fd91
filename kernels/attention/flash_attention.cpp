// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/flash_attention.h"

#include "kernels/cpu/features.h"

namespace homebooth::kernels {

bool flashAttentionSupports(const AttentionShape& shape) {
    return cpuFeatures().avx512Bf16 && shape.headSize % 2 == 0 && shape.headSize <= kMaxHeadSize;
}

} // namespace homebooth::kernels

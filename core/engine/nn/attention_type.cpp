// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/attention_type.h"

#include "core/engine/memory/rehearsed_gpu.h"
#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/matrix_product.h"

namespace homebooth::core {

at::ScalarType attentionTypeOnGpu(at::ScalarType type, bool takesBfloat16) {
    return type == at::kBFloat16 && !takesBfloat16 ? at::kFloat : type;
}

at::ScalarType attentionType(const at::Tensor& queries) {
    const at::ScalarType type = queries.scalar_type();
    if (widensProducts(queries)) return at::kFloat;
    if (type != at::kBFloat16 || computedOnHost(queries)) return type; // no GPU is asked in vain
    return attentionTypeOnGpu(type, gpuTakesBfloat16());
}

} // namespace homebooth::core

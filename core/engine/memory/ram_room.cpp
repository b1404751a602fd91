// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/ram_room.h"

#include "core/engine/memory/parameter_views.h"
#include "core/engine/memory/ram_tensor.h"

#include <c10/util/accumulate.h>

namespace homebooth::core {

at::Tensor RamRoom::bytes(int64_t count) {
    if (count >= kOwnPages) return ramTensor(count, m_beside);
    if (!m_shared.defined() || m_used + count > kSharedBytes) {
        m_shared = ramTensor(kSharedBytes, m_beside);
        m_used = 0;
    }
    const at::Tensor taken = m_shared.narrow(0, m_used, count);
    m_used += (count + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
    return taken;
}

at::Tensor RamRoom::take(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type) {
    const at::Tensor memory =
        bytes(c10::multiply_integers(sizes) * static_cast<int64_t>(c10::elementSize(type)));
    return at::from_blob(
        memory.data_ptr(), sizes, strides, [memory](void*) {}, at::TensorOptions().dtype(type));
}

} // namespace homebooth::core

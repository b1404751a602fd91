// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/ram_room.h"

#include "core/engine/memory/parameter_views.h"
#include "core/engine/memory/ram_tensor.h"

#include <c10/util/accumulate.h>

#include <algorithm>

namespace homebooth::core {

at::Tensor RamRoom::take(int block, at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type) {
    const auto elementBytes = static_cast<int64_t>(c10::elementSize(type));
    const int64_t bytes = (c10::multiply_integers(sizes) * elementBytes + kParameterAlignment - 1) /
                          kParameterAlignment * kParameterAlignment;
    if (bytes == 0) return at::empty_strided(sizes, strides, at::TensorOptions().dtype(type));
    Pages& pages = m_open[block];
    if (!pages.memory.defined() || pages.used + bytes > pages.memory.numel())
        pages = {ramTensor(std::max(bytes, m_blockBytes.at(static_cast<size_t>(block))), m_beside), 0};
    at::Tensor taken = at::empty({0}, at::TensorOptions().dtype(type));
    taken.set_(pages.memory.storage(), pages.used / elementBytes, sizes, strides);
    pages.used += bytes;
    if (pages.used == pages.memory.numel()) m_open.erase(block);
    return taken;
}

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Many tensors of the RAM tier that a GPU copies to and from: large ones have pages of their own, small ones
// share some, since locking memory takes its time each time. One thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace homebooth::core {

class RamRoom {
public:
    static constexpr int64_t kOwnPages = int64_t{1} << 20; ///< from so many bytes on
    static constexpr int64_t kSharedBytes = 4 * kOwnPages;

    /// @param beside  as ramTensor has it
    explicit RamRoom(at::Device beside)
        : m_beside(beside) {}

    /// Zeros; a shared page is given back with the last tensor on it.
    /// Shapes: `sizes`. Errors: throws c10::OutOfMemoryError when the system refuses pages
    [[nodiscard]] at::Tensor take(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type);

private:
    [[nodiscard]] at::Tensor bytes(int64_t count);

    at::Device m_beside;
    at::Tensor m_shared; // uint8; its first m_used bytes are taken
    int64_t m_used = 0;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Looks for NaN and infinity in stored tensors. Stateless; any thread.
#pragma once

#include "core/base/formats/tensor_source.h"

namespace homebooth::core {

struct NotFinite {
    int64_t nan = 0;
    int64_t infinite = 0;
    [[nodiscard]] bool any() const { return nan + infinite > 0; }
};

/// Whether every element of `bytes` (little-endian elements of `type`) is finite; integers are.
[[nodiscard]] bool allFinite(std::span<const std::byte> bytes, DataType type);

/// How many are not, by kind.
[[nodiscard]] NotFinite countNotFinite(std::span<const std::byte> bytes, DataType type);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Named tensors that can be read one at a time, wherever they lie: one file, several shards, or a file
// whose names and layout are translated while reading.
// A source is immutable and may be read from several threads at once; it owns the files that it needs.
#pragma once

#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// Element types of tensor files. Values are stored little-endian and row-major.
enum class DataType { F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool };

/// Bytes of one element.
[[nodiscard]] int64_t byteWidth(DataType type);

/// The type's name in safetensors files, e.g. "BF16".
[[nodiscard]] std::string_view dataTypeName(DataType type);

/// The type with this safetensors name, or nothing.
[[nodiscard]] std::optional<DataType> dataTypeNamed(std::string_view name);

[[nodiscard]] bool isFloatingPoint(DataType type);

struct TensorInfo {
    std::string name;
    DataType type = DataType::F32;
    std::vector<int64_t> shape; ///< empty: one element
    int64_t byteCount = 0;

    [[nodiscard]] int64_t elementCount() const;
};

/// A TensorInfo whose byteCount follows from type and shape.
[[nodiscard]] TensorInfo makeTensorInfo(std::string name, DataType type, std::vector<int64_t> shape);

/// "[320, 4, 3, 3]", for messages.
[[nodiscard]] std::string shapeText(const std::vector<int64_t>& shape);

class TensorSource {
public:
    virtual ~TensorSource() = default;

    /// All tensors, in the order in which reading them is cheapest.
    [[nodiscard]] virtual const std::vector<TensorInfo>& tensors() const = 0;

    /// The tensor called `name`, or null; the pointer lives as long as the source.
    [[nodiscard]] virtual const TensorInfo* find(std::string_view name) const = 0;

    /// Reads a whole tensor in its stored type.
    /// @param destination exactly byteCount bytes
    /// Errors: BadInput for an unknown name, a wrong destination size or a failed read
    [[nodiscard]] virtual Result<void> read(std::string_view name,
                                            std::span<std::byte> destination) const = 0;

    /// A hint that this tensor is read soon, so that the disk can work while the caller computes. Never fails
    /// and changes no result; an unknown name is ignored.
    virtual void willRead(std::string_view /*name*/) const {}
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names and widths of element types. Stateless; any thread.
#include "core/base/formats/tensor_source.h"

#include <array>
#include <utility>

namespace homebooth::core {

namespace {

struct TypeEntry {
    DataType type;
    std::string_view name;
    int64_t width;
};

constexpr std::array<TypeEntry, 10> kTypes{{
    {DataType::F64, "F64", 8},
    {DataType::F32, "F32", 4},
    {DataType::F16, "F16", 2},
    {DataType::BF16, "BF16", 2},
    {DataType::I64, "I64", 8},
    {DataType::I32, "I32", 4},
    {DataType::I16, "I16", 2},
    {DataType::I8, "I8", 1},
    {DataType::U8, "U8", 1},
    {DataType::Bool, "BOOL", 1},
}};

} // namespace

int64_t byteWidth(DataType type) {
    return kTypes[static_cast<size_t>(type)].width;
}

std::string_view dataTypeName(DataType type) {
    return kTypes[static_cast<size_t>(type)].name;
}

std::optional<DataType> dataTypeNamed(std::string_view name) {
    for (const TypeEntry& entry : kTypes)
        if (entry.name == name) return entry.type;
    return std::nullopt;
}

bool isFloatingPoint(DataType type) {
    return type == DataType::F64 || type == DataType::F32 || type == DataType::F16 || type == DataType::BF16;
}

int64_t TensorInfo::elementCount() const {
    int64_t count = 1;
    for (const int64_t extent : shape) count *= extent;
    return count;
}

TensorInfo makeTensorInfo(std::string name, DataType type, std::vector<int64_t> shape) {
    TensorInfo info{std::move(name), type, std::move(shape), 0};
    info.byteCount = info.elementCount() * byteWidth(type);
    return info;
}

std::string shapeText(const std::vector<int64_t>& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

} // namespace homebooth::core

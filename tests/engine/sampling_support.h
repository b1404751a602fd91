// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixtures of the tests of sampling: tensors and JSON that the reference implementation wrote.
#pragma once

#include "core/base/formats/safetensors_reader.h"
#include "core/engine/io/weights.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>

namespace homebooth::core::sampling_test {

inline std::string fixturePath(const std::string& name) {
    return std::string(HOMEBOOTH_FIXTURES_DIR) + "/" + name;
}

inline nlohmann::json readJson(const std::string& name) {
    return nlohmann::json::parse(std::ifstream(fixturePath(name)));
}

inline std::shared_ptr<const TensorSource> openTensors(const std::string& name) {
    auto reader = SafetensorsReader::open(fixturePath(name));
    if (!reader) throw std::runtime_error(reader.error().text());
    return *reader;
}

/// Tensors of a file whose names begin with a prefix.
class TensorGroup {
public:
    TensorGroup(std::shared_ptr<const TensorSource> file, std::string prefix)
        : m_file(std::move(file))
        , m_prefix(std::move(prefix)) {}

    [[nodiscard]] bool has(const std::string& name) const { return m_file->find(m_prefix + name) != nullptr; }

    [[nodiscard]] at::Tensor operator[](const std::string& name) const {
        const TensorInfo* info = m_file->find(m_prefix + name);
        if (info == nullptr) throw std::runtime_error("the fixture lacks " + m_prefix + name);
        at::Tensor tensor = at::empty(info->shape, scalarTypeOf(info->type));
        const auto bytes = static_cast<size_t>(info->byteCount);
        const auto read = m_file->read(info->name, {static_cast<std::byte*>(tensor.data_ptr()), bytes});
        if (!read) throw std::runtime_error(read.error().text());
        return tensor;
    }

private:
    std::shared_ptr<const TensorSource> m_file;
    std::string m_prefix;
};

/// Greatest error over greatest value.
inline double greatestError(const at::Tensor& found, const at::Tensor& expected) {
    const at::Tensor difference = (found.to(at::kDouble) - expected.to(at::kDouble)).abs().max();
    return (difference / expected.to(at::kDouble).abs().max()).item<double>();
}

} // namespace homebooth::core::sampling_test

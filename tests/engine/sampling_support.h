// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixtures of the tests of sampling: tensors and JSON that the reference implementation wrote.
#pragma once

#include "tests/engine/model_check.h"

#include <nlohmann/json.hpp>

namespace homebooth::core::sampling_test {

using testing::relativeError;
/// Tensors of a file whose names begin with a prefix.
using TensorGroup = testing::Reference;

inline std::string fixturePath(const std::string& name) {
    return testing::fixture(name);
}

inline nlohmann::json readJson(const std::string& name) {
    return nlohmann::json::parse(testing::readText(fixturePath(name)));
}

inline std::shared_ptr<SafetensorsReader> openTensors(const std::string& name) {
    return testing::openTensors(fixturePath(name));
}

} // namespace homebooth::core::sampling_test

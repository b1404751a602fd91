// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tensors of a model hold NaN or infinity. Reads every byte, one tensor at a time. Any thread.
#pragma once

#include "core/base/formats/finite_check.h"

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// A tensor with numbers that are not finite.
struct ValueFault {
    std::string tensor;
    std::string file; ///< that it lies in; empty if unknown
    NotFinite count;
};

/// The file that a tensor of an opened model, LoRA or .safetensors file lies in; empty for tensors that lie
/// in memory.
[[nodiscard]] std::string fileOfTensor(const TensorSource& source, std::string_view name);

/// All faulty tensors of a source. Errors: BadInput for tensors that cannot be read
[[nodiscard]] Result<std::vector<ValueFault>> findValueFaults(const TensorSource& source);

/// What is wrong and what to do, naming the first few tensors with their files.
[[nodiscard]] std::string valueFaultText(const std::vector<ValueFault>& faults);

} // namespace homebooth::core

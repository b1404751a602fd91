// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a file of tensors by what it is, not by its name. Stateless; any thread.
#pragma once

#include "core/base/formats/tensor_reader.h"

namespace homebooth::core {

/// A .safetensors file, or one that torch.save wrote (.ckpt, .pt, .bin).
/// Errors: BadInput as SafetensorsReader and TorchReader have it, or naming what the file is instead
[[nodiscard]] Result<std::shared_ptr<const TensorReader>> openTensorFile(const std::string& path);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written into a picture about its making. Pure functions; any thread.
#pragma once

#include "core/base/text/generation_parameters.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"
#include "core/engine/sampling/generation.h"

namespace homebooth::core {

/// What a request says of its picture `index`; the caller adds model, LoRAs and clip skip.
[[nodiscard]] GenerationParameters pictureFacts(const GenerationRequest& request, size_t index,
                                                const Picture& picture);

/// The name of a model: that of its folder, or of its file without what follows the last dot.
[[nodiscard]] std::string modelName(const std::string& path);

/// A1111's short hash of a LoRA: the first 12 digits of the SHA-256, of a .safetensors file of the tensors'
/// bytes without the header, of others of the whole file. Errors: BadInput if the file cannot be read
[[nodiscard]] Result<std::string> loraHash(const std::string& path, const CancelToken& cancel = {});

} // namespace homebooth::core

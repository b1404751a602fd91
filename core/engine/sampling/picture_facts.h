// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written into a picture about its making. Pure functions; any thread.
#pragma once

#include "core/base/text/generation_parameters.h"
#include "core/engine/sampling/generation.h"

namespace homebooth::core {

/// What a request says of its picture `index`; the caller adds model, LoRAs and clip skip.
[[nodiscard]] GenerationParameters pictureFacts(const GenerationRequest& request, size_t index,
                                                const Picture& picture);

} // namespace homebooth::core

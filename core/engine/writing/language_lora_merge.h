// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds LoRAs to the weights of a language model in memory, as engine/sampling/lora_merge does for pictures:
// W = file's W + sum of weight * alpha / rank * up * down, in fp32 and rounded once.
#pragma once

#include "core/base/model/language/language_writer.h"
#include "core/base/util/cancel.h"
#include "core/engine/memory/parameter_store.h"

#include <vector>

namespace homebooth::core {

/// @param weights  how much each of them counts. @param model  what the store was filled from
/// @param cancel   looked at between weights; the store is then changed in part
/// Errors: BadInput for tensors that cannot be read, hold NaN or infinity, or do not fit
[[nodiscard]] Result<void> mergeLanguageLoras(const std::vector<LanguageLora>& loras,
                                              const std::vector<double>& weights, const LanguagePart& model,
                                              ParameterStore& store, const CancelToken& cancel = {});

} // namespace homebooth::core

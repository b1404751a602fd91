// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds LoRAs to the weights of a model in memory: W = file's W + sum of weight * alpha / rank * up * down, in
// fp32 and rounded once to what the model is kept in. Faster to run than an adapter beside each weight, at
// the price of reading the weights again to take it off.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/util/cancel.h"
#include "core/engine/memory/parameter_store.h"

namespace homebooth::core {

/// Opens LoRAs, of which it reads the headers, and checks that they fit the model.
/// Errors: BadInput for a file that cannot be read, is no LoRA or does not fit
[[nodiscard]] Result<std::vector<LoraFile>> openLoras(const std::vector<LoraReference>& loras,
                                                      const ModelSource& model);

/// @param loras      as opened. @param weights  how much each of them counts
/// @param component  "unet", "text_encoder" or "text_encoder_2": whose parameters `store` holds
/// @param source     what the store was filled from
/// @returns          the names of the parameters that changed; modules that the store lacks (layers left out
///                   by a clip skip) are passed over
/// @param cancel     looked at between weights; the store is then changed in part
/// Errors: BadInput for tensors that cannot be read, hold NaN or infinity, or do not fit
[[nodiscard]] Result<std::vector<std::string>> mergeLoras(const std::vector<LoraFile>& loras,
                                                          const std::vector<LoraReference>& weights,
                                                          const std::string& component,
                                                          const TensorSource& source, ParameterStore& store,
                                                          const CancelToken& cancel = {});

} // namespace homebooth::core

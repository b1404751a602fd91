// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder that PEFT writes a LoRA into: adapter_config.json and adapter_model.safetensors. Private to
// core/base/model. Stateless; any thread.
#pragma once

#include "core/base/model/component_match.h"

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

inline constexpr const char* kPeftConfig = "adapter_config.json";
inline constexpr const char* kPeftWeights = "adapter_model.safetensors";

inline constexpr std::string_view kPeftPrefix = "base_model.model."; ///< how names of tensors begin
inline constexpr std::string_view kPeftDown = ".lora_A.weight";      ///< how names of matrices end
inline constexpr std::string_view kPeftUp = ".lora_B.weight";

struct PeftConfig {
    int64_t rank = 0;
    double alpha = 0.0;
    double dropout = 0.0;
    bool rankStabilized = false;      ///< its scale is alpha / sqrt(rank) instead of alpha / rank
    std::string baseModel;            ///< as its author named it; may be empty
    std::vector<std::string> targets; ///< ends of modules' names, or one pattern; may be empty
};

/// Whether `path` is such a folder, and no model's.
[[nodiscard]] bool isPeftFolder(const std::string& path);

/// Errors: BadInput naming the file: no such folder, another kind of add-on, a LoRA that also changes
///         something else
[[nodiscard]] Result<PeftConfig> readPeftConfig(const std::string& folder);

/// Errors: BadInput: none are there, or they cannot be read
[[nodiscard]] Result<TensorPool> openPeftWeights(const std::string& folder);

/// The Error for such a folder where a whole model is wanted.
[[nodiscard]] Error notAModelButPeft(const std::string& folder);

} // namespace homebooth::core

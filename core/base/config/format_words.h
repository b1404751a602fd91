// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The words of number formats, as files and the command line have them, in the order of their enums. Pure
// functions; any thread.
#pragma once

#include "core/base/config/train_config.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Of Precision.
[[nodiscard]] inline std::vector<std::string> precisionWords() {
    return {"fp32", "fp16", "bf16"};
}

/// Of what a UNet predicts that is trained or asked for.
[[nodiscard]] inline std::vector<std::string> predictionWords() {
    return {"epsilon", "v_prediction"};
}

/// Of Quantization. @param last  that a job takes; those behind it are not among its words
[[nodiscard]] inline std::vector<std::string> quantizationWords(Quantization last) {
    std::vector<std::string> words;
    for (int one = 0; one <= static_cast<int>(last); ++one)
        words.emplace_back(quantizationName(static_cast<Quantization>(one)));
    return words;
}

} // namespace homebooth::core

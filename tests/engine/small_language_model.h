// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A configuration of a language model that trains in milliseconds. Shared by the tests on the CPU and on
// GPUs.
#pragma once

#include "core/base/model/configs/language_config.h"

namespace homebooth::core::testing {

inline LanguageConfig smallLanguageModel(LanguageFamily family) {
    LanguageConfig config;
    config.family = family;
    config.vocabularySize = 200;
    config.hiddenSize = config.embeddingSize = 32;
    config.intermediateSize = 64;
    config.layerCount = 4;
    config.headCount = 4;
    config.maxPositions = 48;
    config.activation = family == LanguageFamily::Opt ? "relu" : "gelu_tanh";
    return config;
}

} // namespace homebooth::core::testing

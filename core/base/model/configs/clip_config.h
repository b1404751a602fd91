// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a CLIP text encoder, as transformers' CLIPTextModel writes it
// (text_encoder/config.json). Plain values.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Defaults are those of CLIPTextConfig in transformers: what a missing key means.
struct ClipConfig {
    int64_t vocabularySize = 49408;
    int64_t hiddenSize = 512;
    int64_t intermediateSize = 2048;
    int64_t projectionDim = 512;
    int64_t layerCount = 12;
    int64_t headCount = 8;
    int64_t maxPositions = 77;
    std::string activation = "quick_gelu"; ///< quick_gelu or gelu (exact)
    double normEpsilon = 1e-5;
    double initializerFactor = 1.0;
    int64_t padTokenId = 1; ///< of the configuration; the tokenizer's own one is what is used
    int64_t bosTokenId = 49406;
    int64_t eosTokenId = 49407;
    bool withProjection = false; ///< the architecture is CLIPTextModelWithProjection

    /// Parses the text of a config.json (also the text part of a whole CLIP's one).
    /// Errors: BadInput; the message lists every key that cannot be used, what it holds and what would do.
    static Result<ClipConfig> fromJson(std::string_view text);
    /// The text of a config.json that transformers loads.
    [[nodiscard]] std::string toJson() const;
};

} // namespace homebooth::core

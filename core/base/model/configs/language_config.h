// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a language model that predicts the next token (OPT, GPT-2, BLOOM), as transformers
// writes it (config.json). Plain values.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

enum class LanguageFamily { Opt, Gpt2, Bloom };

/// "OPT", for people.
[[nodiscard]] std::string_view familyName(LanguageFamily family);

struct LanguageConfig {
    LanguageFamily family = LanguageFamily::Opt;
    int64_t vocabularySize = 50272;
    int64_t hiddenSize = 768;
    int64_t embeddingSize = 768; ///< of the tables of tokens: OPT-350m's are narrower than its layers
    int64_t intermediateSize = 3072;
    int64_t layerCount = 12;
    int64_t headCount = 12;
    /// Tokens that a text may have: positions that were learned; of BLOOM, whose positions are distances, the
    /// length that it was trained with.
    int64_t maxPositions = 2048;
    std::string activation = "relu"; ///< relu, gelu (exact) or gelu_tanh
    double normEpsilon = 1e-5;
    bool normFirst = true; ///< a layer normalises what it takes in; else what it gives
    bool finalNorm = true; ///< behind the last layer
    bool tiedHead = true;  ///< the table of tokens predicts, too; else there is one for that
    double initializerRange = 0.02;
    int64_t bosTokenId = 2; ///< -1: none, or none of the vocabulary
    int64_t eosTokenId = 2; ///< likewise; of several the first one, which stands between texts to learn
    int64_t padTokenId = 1; ///< likewise
    std::vector<int64_t> otherEndIds; ///< of the vocabulary; they end what is written, as eosTokenId does

    /// Parses the text of a config.json.
    /// Errors: BadInput; the message lists every key that cannot be used, what it holds and what would do;
    ///         of a family that is not known it names the ones that are.
    static Result<LanguageConfig> fromJson(std::string_view text);
};

/// Whether the text of a config.json is one of a language model, known here or not: one of the families, or
/// an architecture that writes texts.
[[nodiscard]] bool isLanguageConfig(std::string_view text);

} // namespace homebooth::core

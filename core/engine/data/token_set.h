// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a language model learns from: all texts one behind another as tokens, in windows that follow each
// other, so that every token is predicted once an epoch. Held in memory, two bytes a token, or three where
// the vocabulary has more than 65,536. Value type; any thread once it is read.
#pragma once

#include "core/base/files/sha256.h"
#include "core/base/text/byte_level_tokenizer.h"
#include "core/base/util/cancel.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace homebooth::core {

class Documents;

struct TokenSetOptions {
    std::string textPath; ///< for what is said of the texts
    int64_t contextTokens = 0;
    double validationShare = 0.0; ///< of the windows, held out at even distances
    int32_t separator = -1;       ///< behind every text; -1: nothing
    int32_t start = -1;           ///< in front of every text, unless it ends the one before; -1: nothing
    int64_t mostBytes = 0;        ///< that the tokens may take of RAM; 0: what there is
    bool ramIsLimited = false;    ///< by --ram, so that more can be allowed
};

class TokenSet {
public:
    /// Several threads encode; the tokens are the same whatever their number.
    /// @param texts  of which none was taken
    /// @param progress  in bytes of the files
    /// @returns  nothing when cancelled
    /// Errors: BadInput from files that cannot be read; fewer tokens than one window has; OutOfResources
    ///         for more than options.mostBytes, as soon as there are so many
    [[nodiscard]] static Result<std::optional<TokenSet>> read(Documents texts, const TokenSetOptions& options,
                                                              const ByteLevelTokenizer& tokenizer,
                                                              const CancelToken& cancel,
                                                              const ProgressCallback& progress);

    [[nodiscard]] int64_t textCount() const { return m_texts; }
    [[nodiscard]] int64_t tokenCount() const { return static_cast<int64_t>(m_low.size()); }
    [[nodiscard]] int64_t windowCount() const { return static_cast<int64_t>(m_learned.size()); }
    [[nodiscard]] int64_t heldOutCount() const { return static_cast<int64_t>(m_heldOut.size()); }

    /// A window that is learned: contextTokens that are seen, and one more, which the last one predicts.
    /// @param into  contextTokens + 1 ids
    void window(int64_t index, std::span<int64_t> into) const { copy(m_learned, index, into); }
    /// Likewise one that is held out. Neighbours share one token, which is predicted in one of them.
    void heldOut(int64_t index, std::span<int64_t> into) const { copy(m_heldOut, index, into); }

    /// SHA-256 of the tokens, the context and what is held out.
    [[nodiscard]] std::string hash() const { return m_hash; }
    [[nodiscard]] int64_t heldBytes() const;

private:
    void add(const TokenSetOptions& options, const std::vector<int32_t>& text, bool begins, bool ends);
    void push(int32_t token);
    [[nodiscard]] int32_t token(int64_t index) const;
    [[nodiscard]] std::string hashOf(int64_t context) const;
    void cut(const TokenSetOptions& options);
    void copy(const std::vector<int64_t>& begins, int64_t index, std::span<int64_t> into) const;

    int64_t m_texts = 0;
    bool m_wide = false; // more tokens than 16 bits tell apart
    // A deque: a vector that grows holds everything twice.
    std::deque<uint16_t> m_low;
    std::deque<uint8_t> m_high;     // what is above 16 bits, where m_wide
    std::vector<int64_t> m_learned; // where windows begin
    std::vector<int64_t> m_heldOut;
    std::string m_hash;
};

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How many tokens texts have, measured on a small part of them. Free function; any thread.
#pragma once

#include "core/base/text/byte_level_tokenizer.h"
#include "core/base/text/documents.h"

namespace homebooth::core {

/// Tokens for each byte of the files, with two around each text, by what the beginnings of up to 16 files
/// have: those that lie at even distances in all bytes, so that large files count. A MiB of each at most,
/// 4 MiB in all, and no longer than some 1.5 s. What UTF-16 has is bounded instead.
/// @returns  0 of texts without a byte. Errors: those of Documents::next
[[nodiscard]] Result<double> tokensPerByte(const Documents& texts, const ByteLevelTokenizer& tokenizer);

} // namespace homebooth::core

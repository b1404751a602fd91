// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The size of the pages that parameters lie in. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// The size of chunks for blocks of these sizes: the largest power of two up to 16 MiB whose padding is at
/// most a thirty-second of the parameters; at least 64 KiB, for models too small to care.
/// How long transfers take is the same for all of them: a block's chunks move in one, and padding stays.
[[nodiscard]] int64_t chunkBytesFor(const std::vector<int64_t>& blockBytes);

/// A block in whole chunks.
[[nodiscard]] int64_t paddedTo(int64_t bytes, int64_t chunkBytes);

} // namespace homebooth::core

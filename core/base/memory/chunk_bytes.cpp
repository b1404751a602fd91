// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/chunk_bytes.h"

#include <numeric>

namespace homebooth::core {

int64_t paddedTo(int64_t bytes, int64_t chunkBytes) {
    return (bytes + chunkBytes - 1) / chunkBytes * chunkBytes;
}

int64_t chunkBytesFor(const std::vector<int64_t>& blockBytes) {
    constexpr int64_t kLargest = int64_t{16} << 20;
    constexpr int64_t kSmallest = int64_t{64} << 10;
    constexpr int64_t kShareOfPadding = 32;
    const int64_t used = std::accumulate(blockBytes.begin(), blockBytes.end(), int64_t{0});
    for (int64_t size = kLargest; size > kSmallest; size /= 2) {
        int64_t padded = 0;
        for (const int64_t bytes : blockBytes) padded += paddedTo(bytes, size);
        if (padded - used <= used / kShareOfPadding) return size;
    }
    return kSmallest;
}

} // namespace homebooth::core

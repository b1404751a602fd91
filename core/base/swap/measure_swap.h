// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast a folder swaps: a SwapFile is written, overwritten and read, page after page, and every page is
// checked. Free function; any thread. It holds twice as many buffers as requests in flight, so the disk never
// waits for them.
#pragma once

#include "core/base/swap/swap_file.h"

#include <functional>
#include <optional>

namespace homebooth::core {

struct SwapSpeed {
    SwapFacts facts;
    double firstWriteBytesPerSecond = 0.0; ///< into space that was only reserved
    double writeBytesPerSecond = 0.0;      ///< over what is there
    double readBytesPerSecond = 0.0;
};

/// Hears (done, total) bytes of a pass with its name: "written", "written again", "read".
using SwapProgress = std::function<void(const char* pass, int64_t done, int64_t total)>;

/// @param options   its buffers are replaced
/// @param progress  may be empty. @returns nothing when cancelled
/// Errors: those of SwapFile; BadInput when a page comes back as something else
[[nodiscard]] Result<std::optional<SwapSpeed>> measureSwap(SwapOptions options,
                                                           SwapDevice& device = SwapDevice::system(),
                                                           const SwapProgress& progress = {});

} // namespace homebooth::core

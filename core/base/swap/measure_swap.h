// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast a folder swaps: a SwapFile is written, overwritten and read, page after page, and every page is
// checked. Free function; any thread. It holds twice as many buffers as requests in flight, so the disk never
// waits for them.
#pragma once

#include "core/base/swap/swap_file.h"

#include <optional>

namespace homebooth::core {

struct SwapSpeed {
    SwapFacts facts;
    double firstWriteBytesPerSecond = 0.0; ///< into space that was only reserved
    double writeBytesPerSecond = 0.0;      ///< over what is there
    double readBytesPerSecond = 0.0;
};

/// @param options  its buffers are replaced. @returns nothing when cancelled
/// Errors: those of SwapFile; BadInput when a page comes back as something else
[[nodiscard]] Result<std::optional<SwapSpeed>> measureSwap(SwapOptions options,
                                                           SwapDevice& device = SwapDevice::system());

} // namespace homebooth::core

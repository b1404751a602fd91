// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of one tier as it stands. Free functions; any thread.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace homebooth::core {

struct TierRoom {
    int64_t freeBytes = 0; ///< nobody uses it; 0 if that cannot be found out
    int64_t usedBytes = 0; ///< by this process
    /// What other programs hold; on a GPU with what its driver and libraries take for this one.
    int64_t otherBytes = 0;
};

/// Of the machine's RAM, or of the GPU: there what LibTorch keeps for itself without using it counts as free.
/// Errors: throws c10::Error when a GPU does not answer
[[nodiscard]] TierRoom roomOn(at::Device device);

/// What a job may take of free memory: a part is left to other programs, and to what nobody counts.
[[nodiscard]] int64_t mostOfFree(const TierRoom& room);

} // namespace homebooth::core

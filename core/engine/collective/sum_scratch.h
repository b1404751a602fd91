// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What sums over ranks with GPUs take of each GPU for themselves: known here to who makes them
// (nccl_collective.cpp) and to who plans. Never measured: no sum was ever made on several GPUs. Free
// function; any thread.
#pragma once

#include <algorithm>
#include <cstdint>

namespace homebooth::core {

/// Of each rank's part at a time: what a sum takes beside its tensors does not grow with them.
inline constexpr int64_t kSumStretchBytes = int64_t{16} << 20;

/// A stretch of every rank's part for the sum that is on its way, as much for the next one, which is asked
/// for before that is done, and two stretches in fp32, in which they are added up. 0 of one rank.
/// @param sliceElements  of the longest part
[[nodiscard]] inline int64_t sumScratchBytes(int64_t ranks, int64_t sliceElements, int64_t elementBytes) {
    constexpr int64_t kSumsAtATime = 2;
    constexpr int64_t kWideStretches = 2;
    constexpr int64_t kWideBytes = 4; // fp32
    if (ranks <= 1) return 0;
    const int64_t stretch = std::min(sliceElements, kSumStretchBytes / elementBytes);
    return stretch * (kSumsAtATime * ranks * elementBytes + kWideStretches * kWideBytes);
}

} // namespace homebooth::core

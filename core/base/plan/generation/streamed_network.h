// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of a network that is computed with and never learns, of which blocks may be at home in RAM. Private
// to core/base/plan. Plain values; any thread.
#pragma once

#include "core/base/plan/value_sizes.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// Parts of a network that may stay on the device, of so many.
constexpr int kResidentShares = 32;

[[nodiscard]] int64_t sumOf(const std::vector<int64_t>& values);

/// A network's blocks in execution order.
struct PlannedNetwork {
    std::vector<int64_t> blockBytes;  ///< of their parameters
    std::vector<int64_t> paddedBytes; ///< as they lie in chunks

    /// @param padded  padding of chunks takes memory, as on a GPU
    PlannedNetwork(const Schedule& schedule, int64_t elementBytes, bool padded);
};

/// What is on the device of a network of which some blocks stay there.
[[nodiscard]] int64_t deviceBytesOf(const PlannedNetwork& network, const std::vector<bool>& resident);

/// Of the blocks that do not stay. @param sizes  of all of them
[[nodiscard]] int64_t streamedBytesOf(const std::vector<int64_t>& sizes, const std::vector<bool>& resident);

/// About `share` of kResidentShares of a network's bytes, spread over its blocks: while one that stays
/// computes, another one is on its way.
[[nodiscard]] std::vector<bool> spreadOver(const PlannedNetwork& network, int64_t share);

/// The network while it runs: values between blocks and inside of one.
[[nodiscard]] int64_t runningBytes(const Schedule& schedule, const InputShape& shape, int64_t elementBytes);

} // namespace homebooth::core

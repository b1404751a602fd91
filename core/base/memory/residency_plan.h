// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// When each block's parameters are on the device during one pass, and where: decided before the first step,
// because the order of uses is known.
//
//   use       0    1    2    3 |  4    5    6    7       blocks 0 1 2 3, forward, then backward 3 2 1 0
//   block     0    1    2    3 |  3    2    1    0
//   stays     |-0-|                       |--0---|       each begins where its fetch is issued,
//            |--1---|                |--1---|            a prefetch distance ahead of its first use
//                |---2-------------------|               kept over the turn: nothing is fetched twice
//                     |---3-----|
//
// Two stays overlap in time or in addresses, never in both; those whose fetch is issued in the pass before
// count there, too. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace homebooth::core {

/// One residence of a block's parameters on the device.
struct Stay {
    int block = -1;
    /// The use at whose beginning the fetch is issued; -1: before the first one; -1 - n: n uses before the
    /// end of the pass before, if that was the same one and the block's home will not change any more, else
    /// as -1.
    int fetchAt = 0;
    int firstUse = 0; ///< indices into the order of uses
    int lastUse = 0;
    int64_t offsetBytes = 0; ///< in the device arena
    bool permanent = false;  ///< on the device from pass to pass: fetched once, at the beginning of all

    /// The use of the pass before, one of so many, at whose beginning the fetch is issued; none: no earlier
    /// than this pass.
    [[nodiscard]] std::optional<int> fetchInPassBefore(int uses) const {
        return fetchAt < -1 ? std::optional(uses + 1 + fetchAt) : std::nullopt;
    }
};

struct ResidencyPlan {
    std::vector<Stay> stays;    ///< by the use that issues their fetch, permanent ones first
    std::vector<int> stayOfUse; ///< which stay serves each use; -1: a block that is at home there
    int64_t arenaBytes = 0;     ///< what all stays need
    int64_t fetchedBytes = 0;   ///< in one pass, permanent stays left out
};

struct ResidencyRequest {
    std::vector<int> order;          ///< blocks in the order of their uses
    std::vector<int64_t> blockBytes; ///< by block; padded to whole chunks
    std::vector<bool> writable;      ///< by block: changed elsewhere between passes, so never permanent
    int prefetchDistance = 1;        ///< uses between issuing a fetch and needing it, at least 0
    int64_t budgetBytes = 0;         ///< of the arena
    /// Whether fetches are issued as soon as there is room, also in the pass before, rather than at the
    /// distance.
    bool asSoonAsPossible = false;
};

/// The arena of the leanest plan whose fetches are issued `prefetchDistance` uses ahead; with 0 nothing
/// smaller exists. The request's own distance and budget do not count.
[[nodiscard]] int64_t leastArenaBytes(const ResidencyRequest& request, int prefetchDistance = 0);

/// Plans the pass that fetches least within the budget, greedily: first blocks that never change stay for
/// good, the most uses for their bytes first; then uses of a block are joined, the shortest gaps first.
/// Where blocks shall come as soon as possible, that leaves a part of the budget for them, and fetches move
/// forward in the order of uses; where no addresses are found for that, the distance holds as otherwise.
/// Errors: OutOfResources naming the least budget that would do
[[nodiscard]] Result<ResidencyPlan> planResidency(const ResidencyRequest& request);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How ranks share out what is looked at between steps, held-out pictures and previews, and how that comes
// together again. Each item is computed by itself, in the same way for any number of ranks, and what comes of
// all is put together in their order: so it does not tell how many ranks there were. Free functions.
#pragma once

#include "core/engine/data/job_context.h"
#include "core/engine/training/trainee.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace homebooth::core {

/// An item that a rank computes.
struct RankTurn {
    size_t place = 0;   ///< among all
    bool counts = true; ///< false: another rank has it, too, and this one only computes along with the others
    friend bool operator==(const RankTurn&, const RankTurn&) = default;
};

/// Every so many of `count` items, beginning with that of the rank's own number.
/// @param together  no rank computes alone: all have as many turns
[[nodiscard]] std::vector<RankTurn> turnsOf(size_t count, int rank, int ranks, bool together);
/// Those of this rank.
[[nodiscard]] std::vector<RankTurn> ownTurns(const JobContext& job, size_t count);

/// The mean of what all ranks have computed, added up in the order of places, in fp64; the same at each. None
/// where nothing was computed, or any rank was stopped. Each rank calls it, however long it has taken.
/// @param own  of each place what this rank has found there, if it has computed it
/// Errors: throws RankLost
[[nodiscard]] std::optional<double> meanOfAll(const Ranks& ranks,
                                              const std::vector<std::optional<double>>& own, bool stopped);

/// Brings what all ranks have made to the first one, in the order of places; the others get none. Each rank
/// calls it, however long it has taken.
/// Errors: that of any rank, at all of them; throws RankLost
[[nodiscard]] Result<std::vector<PreviewPicture>> gatherPreviews(const Ranks& ranks,
                                                                 Result<std::vector<PreviewPicture>> own);

} // namespace homebooth::core

// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for what blocks keep where sums are only nearly right, because blocks share what they keep:
//
//   choose by sums --> walk the step with that choice --> enter what it took into the sums --+
//        ^                                                                                   |
//        +--- until the sums know nothing faster than the best choice that fits -------------+
//
// Once a choice was walked, sums say of it what it takes. One that does not fit is therefore not chosen again
// unless others have changed its sums since; from then on sums only rise, so that the search comes to an end.
// Walking is what takes time, so a choice is walked only where it could save a part of the step. Weighing
// what is kept by one factor until it fits was tried instead: it stayed several percent behind the best, for
// sums are wrong by little and in few places. Free function; any thread.
#pragma once

#include "core/base/plan/training/kept_search.h"

#include <functional>
#include <optional>

namespace homebooth::core {

/// What a choice really takes.
struct WalkedChoice {
    int64_t peakBytes = 0;
    std::vector<KeptOption> taken; ///< by node, with the bytes that it took in this choice
};

using WalkChoice = std::function<Result<WalkedChoice>(const KeptChoice&)>;

constexpr int kMostWalks = 8; // of a search

/// The fastest choice that was found to stay within the budget; none if none was.
/// @param nodes  sums as far as they are known
/// Errors: those of walking
[[nodiscard]] Result<std::optional<KeptChoice>> searchFitting(std::vector<KeptNode> nodes,
                                                              int64_t budgetBytes, const WalkChoice& walk);

} // namespace homebooth::core

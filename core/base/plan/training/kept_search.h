// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which blocks keep what for backward, so that a step takes least time within a budget of memory.
//
//   bytes               forward             |              backward
//   budget ..................................................................
//                                      ___|~|____|~|_
//                             ___|~|__/              \__|~|__
//                    ___|~|__/                                \__
//   base   _________/                                            \_
//
// In forward each block adds what it keeps, and needs a little more (~) while it computes; backward takes
// both away again.
//
// After each block only the sum of what is kept so far matters to the blocks behind it, and the block's own
// backward comes when all those behind it are gone. Of two ways with the same sum the slower one is
// forgotten. Up to 8192 sums behind a block the least time is found exactly; of more, those that differ by
// less than a part in 8192 of what they span stand for one another. Sums may be negative: keeping something
// may save more than it takes. Free functions; any thread.
#pragma once

#include "core/base/plan/training/kept_activations.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// One way to treat a block. Bytes are counted against keeping nothing but the inputs of blocks, everywhere.
struct KeptOption {
    KeptForBackward kept = KeptForBackward::Inputs;
    int64_t keptBytes = 0;     ///< more that is held from its forward to its backward; may be negative
    int64_t forwardBytes = 0;  ///< most that its forward needs above what is held when it begins
    int64_t backwardBytes = 0; ///< the same of its backward, what it kept included in what is held
    double seconds = 0.0;      ///< of its forward and backward
};

struct KeptNode {
    int64_t forwardBaseBytes = 0;  ///< held when its forward begins and nobody keeps more
    int64_t backwardBaseBytes = 0; ///< the same when its backward begins
    std::vector<KeptOption> options;
};

struct KeptChoice {
    std::vector<size_t> option; ///< by node
    int64_t peakBytes = 0;
    double seconds = 0.0;
};

/// What a given choice takes.
[[nodiscard]] KeptChoice evaluateKept(const std::vector<KeptNode>& nodes, std::vector<size_t> option);

/// The least budget that any choice stays within, bytes.
[[nodiscard]] int64_t leastKeptBudget(const std::vector<KeptNode>& nodes);

/// The fastest choice whose peak stays within the budget.
/// @param nodes  in the order of forward, each with at least one option
/// Errors: OutOfResources naming the least budget that would do
[[nodiscard]] Result<KeptChoice> searchKept(const std::vector<KeptNode>& nodes, int64_t budgetBytes);

} // namespace homebooth::core
